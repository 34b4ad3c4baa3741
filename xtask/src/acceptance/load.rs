//! Identical techniques on a machine that others use, too: all the time (T2), or from or until the middle of a run (T3).

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::line::Line;
use super::pairs::{Pair, winners};
use super::session::{Amount, Session};

/// Two threads that compute in bursts while they are switched on.
struct Hogs {
    active: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Hogs {
    fn new(seed: u64, active: bool) -> Self {
        let (active, over) = (Arc::new(AtomicBool::new(active)), Arc::new(AtomicBool::new(false)));
        let start = |thread: u64| {
            let (active, over) = (Arc::clone(&active), Arc::clone(&over));
            thread::spawn(move || hog(seed ^ thread, &active, &over))
        };
        let threads = (0..2).map(start).collect();
        Self { active, over, threads }
    }
}

impl Drop for Hogs {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // A hog has nothing that could fail.
            let _ = thread.join();
        }
    }
}

/// Bursts and pauses of 5 to 100 ms each.
fn hog(seed: u64, active: &AtomicBool, over: &AtomicBool) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut value = seed | 1;
    while !over.load(Ordering::Relaxed) {
        let burst = Duration::from_millis(random.random_range(5..=100));
        let start = Instant::now();
        while active.load(Ordering::Relaxed) && start.elapsed() < burst {
            for _ in 0..1_000 {
                value = std::hint::black_box(value.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ (value >> 29));
            }
        }
        thread::sleep(Duration::from_millis(random.random_range(5..=100)));
    }
}

/// T2: two bursty processes next to the run.
pub(super) fn identical_under_load(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let hogs = Hogs::new(session.random.random(), true);
    let pairs = session.repeat("identical pairs under load", Amount::new(200, 30, 70), |session| {
        Pair::measure(session, 0)
    })?;
    drop(hogs);
    Ok(vec![winners("two identical techniques on a busy host: a winner is named", &pairs, strictness)])
}

/// T3: the load starts or stops at a random moment of the run.
pub(super) fn identical_while_load_comes_and_goes(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let pairs = session.repeat("identical pairs, load changes", Amount::new(100, 30, 70), |session| {
        let begins_loaded = session.random.random();
        let moment = Duration::from_millis(session.random.random_range(100..=1_500));
        let hogs = Hogs::new(session.random.random(), begins_loaded);
        let active = Arc::clone(&hogs.active);
        let switch = thread::spawn(move || {
            thread::sleep(moment);
            active.store(!begins_loaded, Ordering::Relaxed);
        });
        let pair = Pair::measure(session, 0);
        // A sleep cannot fail.
        let _ = switch.join();
        pair
    })?;
    let asked = "two identical techniques, load starts or stops meanwhile: a winner is named";
    Ok(vec![winners(asked, &pairs, strictness)])
}
