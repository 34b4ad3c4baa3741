//! A limit of address space that was reached for a moment only.

use std::sync::atomic::AtomicBool;

use sys::process::{Launch, Status};
use sys::thread_limits::limit_reached;

use crate::parts::say;
use crate::{launcher, part};

/// Sizes of what is asked for, until nothing more is given. Each is large enough to be mapped by itself, and given back whole.
const SIZES: [usize; 3] = [16 << 20, 2 << 20, 256 << 10];

/// Takes all address space, gives it back, and says which limit a thread would have met.
pub(crate) fn use_up() -> u8 {
    let mut held: Vec<Vec<u8>> = Vec::with_capacity(1000);
    for bytes in SIZES {
        let mut next = Vec::new();
        while next.try_reserve_exact(bytes).is_ok() {
            held.push(std::mem::take(&mut next));
        }
    }
    drop(held);
    say(&limit_reached(None))
}

pub(crate) fn a_memory_limit_that_was_reached_for_a_moment_is_named() {
    const MOST: u64 = 200 << 20;
    let limited = Launch { memory_limit_bytes: Some(MOST), ..part(&["use-up-address-space"]) };
    let ended = launcher().run(&limited, &AtomicBool::new(false)).expect("an answer");
    assert_eq!(ended.status, Status::Exit(0), "{ended:?}");
    let said = String::from_utf8_lossy(&ended.stdout);
    let limit =
        format!("the limit that was reached is address space at its peak, RLIMIT_AS in bytes ({MOST}, ");
    assert!(said.contains(&limit), "{said}");
}
