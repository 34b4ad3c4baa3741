//! Work that moves units at a rate which is made up.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use families::{Repeat, Values};
use model::Proof;

/// Every sample differs a little from the one before.
static TURN: AtomicU64 = AtomicU64::new(0);

pub(crate) struct Moving {
    rate: f64,
    /// About how long a hand-over takes, where latencies are told.
    handover_ns: Option<u64>,
    turn: u64,
}

impl Moving {
    pub(crate) fn new(rate: f64, handover_ns: Option<u64>) -> Self {
        Self { rate, handover_ns, turn: 0 }
    }
}

/// What all techniques must prove.
pub(crate) fn proof() -> Proof {
    Proof { bytes: 1_000, digest: "units".to_owned() }
}

impl Repeat for Moving {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        let start = Instant::now();
        while start.elapsed() < Duration::from_micros(100 * times) {
            std::hint::spin_loop();
        }
        self.turn = TURN.fetch_add(1, Ordering::Relaxed) % 7;
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        Ok(proof())
    }

    fn values(&self, out: &mut Values) {
        out.number("units_per_second", self.rate * (1.0 + self.turn as f64 / 1_000.0));
        if let Some(handover_ns) = self.handover_ns {
            let least_ns = handover_ns + 10 * self.turn;
            out.latencies_ns("handover", least_ns..least_ns + 1_000);
        }
    }
}
