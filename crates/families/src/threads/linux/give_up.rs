//! `sched_yield`.

pub(super) use std::thread::yield_now as give_up;
