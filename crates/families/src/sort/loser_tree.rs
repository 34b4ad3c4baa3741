//! A tree of losers: the smallest of many heads, found with one comparison a level after each step.
//!
//! Source: Knuth, The Art of Computer Programming, volume 3, 5.4.1.

/// Every inner node holds the head that lost there; the winner stands apart.
pub(super) struct LoserTree<T> {
    losers: Vec<T>,
    winner: T,
}

impl<T: Copy> LoserTree<T> {
    /// Lets all heads play, at least one. `before` is a strict order in which a head at its end is behind all others.
    pub(super) fn new(heads: &[T], before: impl Fn(&T, &T) -> bool) -> Self {
        let leaves = heads.len();
        // Node n has the children 2n and 2n + 1; the leaves stand behind the inner nodes.
        let mut winners: Vec<T> = heads.iter().chain(heads).copied().collect();
        let mut losers = heads.to_vec();
        for node in (1..leaves).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let right_wins = before(&right, &left);
            winners[node] = if right_wins { right } else { left };
            losers[node] = if right_wins { left } else { right };
        }
        Self { losers, winner: winners[1] }
    }

    #[inline]
    pub(super) fn winner(&self) -> T {
        self.winner
    }

    /// Puts the next head of the winner's leaf into its place, and plays again along its way.
    #[inline]
    pub(super) fn replace(&mut self, leaf: usize, next: T, before: impl Fn(&T, &T) -> bool) {
        let mut rising = next;
        let mut node = (leaf + self.losers.len()) / 2;
        while node > 0 {
            let waiting = self.losers[node];
            // Both are written in any case: which of them wins cannot be foreseen.
            let waiting_wins = before(&waiting, &rising);
            self.losers[node] = if waiting_wins { rising } else { waiting };
            rising = if waiting_wins { waiting } else { rising };
            node /= 2;
        }
        self.winner = rising;
    }
}
