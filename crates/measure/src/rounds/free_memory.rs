//! Keeps free memory that a virtual machine would hand back to its host, as much as the work takes: work on large files would wait
//! for it.

use std::sync::atomic::Ordering;

use model::{Memory, Note, Topic, format_bytes};
use sys::free_memory::{self, KeptMemory};

use crate::plan::planned::{Plan, PlannedTask};
use crate::ports::{Environment, Event};
use crate::rounds::facts::note;

/// Less is found in memory that is in use all the time.
const MUCH_BYTES: u64 = 64 << 20;
/// The largest block that Linux keeps on x86 is hardly ever handed back.
const LARGEST_BLOCK_BYTES: u64 = 4 << 20;
/// The work does not fill the blocks to the last page, and other programs take some of them.
const SLACK: f64 = 1.25;
const SHARE_OF_BUDGET: f64 = 0.1;

/// Keeps what the largest task of a plan takes, where the machine would hand it back. Adds a note to the plan.
pub(crate) fn keep(
    plan: &mut Plan, memory: &Memory, environment: &mut Environment<'_>,
) -> Option<KeptMemory> {
    let most_bytes = plan.tasks.iter().map(taken_bytes).max().unwrap_or(0);
    let (wanted_bytes, block_bytes) = wanted(memory, most_bytes)?;
    let allowed_bytes = allowed(memory, wanted_bytes);
    environment.observer.see(&Event::KeepingMemory { bytes: allowed_bytes });
    let now_ns = environment.now_ns;
    let end_ns = now_ns() as f64 + SHARE_OF_BUDGET * plan.budget_ns as f64;
    let kept = free_memory::keep(allowed_bytes, block_bytes, &|| {
        (now_ns() as f64) < end_ns && !environment.interrupted.load(Ordering::Relaxed)
    });
    plan.notes.push(note_of(kept.as_ref().map_or(0, |kept| kept.bytes), wanted_bytes));
    kept.ok()
}

/// Returns the memory that each trial of a task takes again. A cold input is read into memory that was given back.
fn taken_bytes(task: &PlannedTask) -> u64 {
    let cold_bytes = if task.setting.is_cold() { task.workload.bytes().unwrap_or(0) } else { 0 };
    task.family.taken_bytes(&task.workload).saturating_add(cold_bytes)
}

/// Returns what was wanted, or half of what is available: the rest is left alone.
fn allowed(memory: &Memory, wanted_bytes: u64) -> u64 {
    memory.available_bytes.map_or(wanted_bytes, |available| wanted_bytes.min(available / 2))
}

/// Returns how much the work takes, and the size of the blocks that are handed back.
fn wanted(memory: &Memory, most_bytes: u64) -> Option<(u64, u64)> {
    let block_bytes = memory.handed_back_bytes.filter(|block| *block < LARGEST_BLOCK_BYTES)?;
    (most_bytes >= MUCH_BYTES).then_some(((SLACK * most_bytes as f64) as u64, block_bytes))
}

fn note_of(kept_bytes: u64, wanted_bytes: u64) -> Note {
    const VARIES: &str = "so that work which takes much memory varies more than it must; 'bakeoff host' says how root can \
                          stop that";
    const HANDS_BACK: &str = "this virtual machine hands free memory back to its host";
    let (kept, wanted) = (format_bytes(kept_bytes), format_bytes(wanted_bytes));
    if kept_bytes >= wanted_bytes {
        let why = "so that the work need not wait for it";
        let text = format!("{HANDS_BACK}; {kept} of it were kept here during the run, {why}");
        return note(Topic::FreeMemoryKept, text);
    }
    let part = format!("; only {kept} of the {wanted} that the work takes could be kept here");
    let part = if kept_bytes == 0 { "" } else { &*part };
    note(Topic::FreeMemory, format!("{HANDS_BACK}{part}, {VARIES}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_that_is_handed_back_is_kept_where_much_is_taken() {
        for (handed_back_bytes, most_bytes, expected) in [
            (Some(2 << 20), 1 << 30, Some((5 << 28, 2 << 20))),
            (Some(2 << 20), 1 << 20, None),
            (Some(4 << 20), 1 << 30, None),
            (None, 1 << 30, None),
        ] {
            assert_eq!(wanted(&Memory { handed_back_bytes, ..Memory::default() }, most_bytes), expected);
        }
    }

    #[test]
    fn half_of_the_available_memory_is_left_alone() {
        for (available_bytes, expected) in [(Some(1 << 30), 1 << 29), (None, 1 << 30)] {
            assert_eq!(allowed(&Memory { available_bytes, ..Memory::default() }, 1 << 30), expected);
        }
    }

    #[test]
    fn the_note_says_how_much_was_kept() {
        let cases = [
            (0, "says how root can stop that"),
            (1 << 29, "only 512 MiB of the 1 GiB"),
            (1 << 30, "1 GiB of it were kept here"),
        ];
        for (kept_bytes, expected) in cases {
            let text = note_of(kept_bytes, 1 << 30).text;
            assert!(text.contains(expected), "{text}");
        }
    }
}
