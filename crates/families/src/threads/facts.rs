//! How many threads this host allows, and what runs out first.
//!
//! The limits are read off, and then tried out in a process of its own: of what others need too it takes a half at most, and of
//! free memory a quarter, so that no other process is refused a thread meanwhile.

use model::{Fact, format_bytes};
use sys::thread_limits::{End, Limit, Probed, all, probe};

/// The smallest usual stack, one of a megabyte (Windows), and that of Linux's default.
const STACKS_BYTES: [u64; 3] = [64 << 10, 1 << 20, 8 << 20];
/// For each size of the stack.
const LONGEST_NS: u64 = 700_000_000;
/// Of what others need too.
const SHARE: u64 = 2;
/// Of memory: threads take memory of the kernel too, and when it runs out the kernel kills a process.
const MEMORY_SHARE: u64 = 4;
/// With fewer threads, what other processes take of the kernel's memory meanwhile would count.
const ENOUGH: u64 = 500;
/// Enough for all levels, and quick.
const MOST: u64 = 20_000;

pub(super) fn facts() -> Vec<Fact> {
    STACKS_BYTES.iter().flat_map(|&stack_bytes| of(stack_bytes)).collect()
}

fn of(stack_bytes: u64) -> Vec<Fact> {
    let about = format!("stacks of {}", format_bytes(stack_bytes));
    let limits = all(stack_bytes);
    let number = |name: &str, number: f64, unit: &str| Fact::number("threads", name, &about, number, unit);
    let words = |name: &str, text: &str| Fact::words("threads", name, &about, text);
    let mut facts = Vec::new();
    if let Some(first) = limits.iter().min_by_key(|limit| limit.room) {
        facts.push(number("threads that the limits leave room for", first.room as f64, "threads"));
        facts.push(words("runs out first", &first.to_string()));
    }
    let most = bound(&limits);
    match probe(stack_bytes, most, LONGEST_NS) {
        Ok(probed) => {
            facts.push(number("threads created at once", probed.threads as f64, "threads"));
            if probed.threads > 0 {
                let each_ns = probed.elapsed_ns as f64 / probed.threads as f64;
                facts.push(number("creation of a thread", each_ns, "ns"));
            }
            if let Some(kernel_bytes) = probed.kernel_bytes.filter(|_| probed.threads >= ENOUGH) {
                let each_bytes = (kernel_bytes / probed.threads) as f64;
                facts.push(number("unpaged kernel memory of a thread", each_bytes, "bytes"));
            }
            facts.push(words("no more were created because", &reason(&probed, most)));
        }
        Err(error) => facts.push(words("not tried out", &error.to_string())),
    }
    facts
}

fn bound(limits: &[Limit]) -> u64 {
    let shared = limits.iter().filter(|limit| limit.is_shared);
    let parts = shared.map(|one| one.room / if one.name.contains("memory") { MEMORY_SHARE } else { SHARE });
    parts.min().unwrap_or(MOST).min(MOST)
}

fn reason(probed: &Probed, most: u64) -> String {
    match &probed.end {
        End::AllCreated if most == MOST => format!("no more than {MOST} are tried"),
        End::AllCreated => {
            "others need the rest: no more than a half of each limit is tried, and a quarter of the memory"
                .to_owned()
        }
        End::Late => format!("the time was over, {} ms", LONGEST_NS / 1_000_000),
        End::Refused(limit) => format!("the system refused one: {limit}"),
        End::Killed => "the process that created them was killed, perhaps because memory ran out".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(name: &str, room: u64, is_shared: bool) -> Limit {
        Limit { name: name.to_owned(), most: 2 * room, used: Some(room), room, is_shared }
    }

    #[test]
    fn a_part_is_tried_of_what_others_need_and_all_of_its_own() {
        let limits = [
            limit("kernel.pid_max", 9_000, true),
            limit("available memory in bytes", 8_000, true),
            limit("vm.max_map_count", 500, false),
        ];
        assert_eq!(bound(&limits), 2_000);
        assert_eq!(bound(&limits[..1]), 4_500);
        assert_eq!(bound(&limits[2..]), MOST);
        assert_eq!(bound(&[limit("pids.max of /", 3, true)]), 1);
    }

    #[test]
    fn each_stack_has_a_largest_number_of_threads_and_a_first_limit() {
        let facts = of(STACKS_BYTES[0]);
        let names: Vec<&str> = facts.iter().map(|fact| fact.name.as_str()).collect();
        let first = ["threads that the limits leave room for", "runs out first", "threads created at once"];
        assert_eq!(names[..3], first);
        assert_eq!(names.last(), Some(&"no more were created because"));
        assert!(facts.iter().all(|fact| fact.about == "stacks of 64 KiB"), "{facts:?}");
    }
}
