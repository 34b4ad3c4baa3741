//! What a reader must know of the run as a whole.

use model::{Memory, Note, SampleNote, Topic};
use sys::host::PressureChange;

fn note(topic: Topic, text: impl Into<String>) -> Note {
    Note { topic, text: text.into() }
}

pub(crate) fn interrupted() -> Note {
    note(Topic::Interrupted, "the run was interrupted; whole rounds until then count")
}

pub(crate) fn cold_not_proven(doubt: &SampleNote) -> Note {
    let text =
        format!("not every cold sample was proven cold, and such a run does not mix with others: {doubt}");
    note(Topic::ColdNotProven, text)
}

pub(crate) fn no_facts(family: &str, reason: &str) -> Note {
    note(
        Topic::Facts,
        format!("the facts of {family} are not known: the process that looks for them {reason}"),
    )
}

/// What makes work on large files vary on a virtual machine. `bytes` is what the files of the largest task take.
pub(crate) fn free_memory(memory: &Memory, bytes: u64) -> Option<Note> {
    /// Less is found in memory that is in use all the time.
    const MUCH_BYTES: u64 = 64 << 20;
    /// The largest block that Linux keeps on x86 is hardly ever handed back.
    const LARGEST_BLOCK_BYTES: u64 = 4 << 20;
    memory.handed_back_bytes.filter(|block| *block < LARGEST_BLOCK_BYTES && bytes >= MUCH_BYTES)?;
    let text = "this virtual machine hands free memory back to its host, so that work which takes much memory varies \
                more than it must; 'bakeoff host' says how root can stop that";
    Some(note(Topic::FreeMemory, text))
}

/// What the host did meanwhile.
pub(crate) fn of_host(change: &PressureChange) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(share) = change.steal_share.filter(|share| *share > 0.01) {
        let text = format!(
            "the hypervisor took {:.1} % of the processors' time for others; the comparison is paired and \
             stands, absolute times are longer than on an idle host",
            share * 100.0
        );
        notes.push(note(Topic::Steal, text));
    }
    let throttles = change.thermal_throttles.unwrap_or(0) + change.quota_throttles.unwrap_or(0);
    if throttles > 0 {
        notes.push(note(
            Topic::Throttle,
            format!("the processor was throttled {throttles} times during the run"),
        ));
    }
    notes.extend(memory_shortage(change));
    notes
}

/// What the run must be refused for, and the few pages of others that every host swaps in now and then.
fn memory_shortage(change: &PressureChange) -> Vec<Note> {
    const FEW_PAGES: u64 = 256;
    let mut notes = Vec::new();
    if let Some(kills) = change.memory_kills().filter(|kills| *kills > 0) {
        let text = format!("memory ran out during the run and the kernel killed {kills} processes");
        notes.push(note(Topic::OutOfMemory, text));
    }
    match change.swap_in_pages.unwrap_or(0) {
        0 => {}
        pages @ 1..=FEW_PAGES => {
            notes.push(note(Topic::SwapFew, format!("{pages} pages were swapped in during the run")));
        }
        pages => {
            notes.push(note(
                Topic::Swap,
                format!("{pages} pages were swapped in during the run: memory is short"),
            ));
        }
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_memory_that_is_handed_back_is_told_where_much_is_taken() {
        let memory = |block| Memory { handed_back_bytes: block, ..Memory::default() };
        assert!(free_memory(&memory(Some(2 << 20)), 1 << 30).is_some());
        assert_eq!(free_memory(&memory(Some(2 << 20)), 1 << 20), None);
        assert_eq!(free_memory(&memory(Some(4 << 20)), 1 << 30), None);
        assert_eq!(free_memory(&memory(None), 1 << 30), None);
    }
}
