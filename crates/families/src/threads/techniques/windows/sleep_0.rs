use windows_sys::Win32::System::Threading::Sleep;

use crate::threads::prelude::*;
use crate::threads::start::{Begin, thread_each};

pub(in crate::threads) const SLEEP_0: Technique<ThreadsJob> = Technique {
    name: "sleep_0",
    idea: "as thread_each, but a forced yield is Sleep(0), which yields to threads of the same priority",
    source: "Khatsiev, yielding threads (2003)",
    variant_of: Some("thread_each"),
    ..Technique::usual(|job| job.done_by(|job| thread_each(job, None, Begin::AtOnce, sleep)))
};

fn sleep() {
    // SAFETY: the call takes a number.
    unsafe { Sleep(0) };
}
