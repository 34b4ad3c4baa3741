//! Who sleeps at one end of the queue.

/// Counts the threads that sleep at one end, so that a wake-up is sent only when one sleeps.
#[derive(Default)]
pub(crate) struct Sleepers {
    /// Threads that went to sleep and have not looked at the queue since.
    asleep: u32,
    /// Those of them that were called and have not come yet.
    called: u32,
}

impl Sleepers {
    /// Whether to wake one now. While one is on its way, no other is called: when it comes it looks itself whether there is
    /// enough for the next.
    pub(crate) fn call(&mut self) -> bool {
        let call = self.asleep > 0 && self.called == 0;
        self.called += u32::from(call);
        call
    }

    pub(crate) fn sleeps(&mut self) {
        self.asleep += 1;
    }

    /// A sleeper is back, called or not: who was not called takes the place of one who was, and does what that one would do.
    pub(crate) fn wakes(&mut self) {
        self.asleep -= 1;
        self.called = self.called.saturating_sub(1);
    }
}
