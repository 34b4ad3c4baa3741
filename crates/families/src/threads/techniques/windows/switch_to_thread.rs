use std::thread::yield_now;

use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(in crate::threads) const SWITCH_TO_THREAD: Technique<ThreadsJob> = Technique {
    name: "switch_to_thread",
    idea: "as thread_each, but a forced yield is SwitchToThread, which yields to any thread that waits for this processor",
    source: "Rust's standard library, thread::yield_now",
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::AtOnce, yield_now)))
};
