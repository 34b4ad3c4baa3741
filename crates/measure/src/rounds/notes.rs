//! What a reader must know of the run as a whole.

use model::{Note, SampleNote, Topic};
use sys::host::Pressure;

pub(crate) fn note(topic: Topic, text: impl Into<String>) -> Note {
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

/// What the host did meanwhile.
pub(crate) fn of_host(change: &Pressure) -> Vec<Note> {
    let mut notes = Vec::new();
    if let Some(share) = change.steal_share().filter(|share| *share > 0.01) {
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
fn memory_shortage(change: &Pressure) -> Vec<Note> {
    const FEW_PAGES: u64 = 256;
    let mut notes = Vec::new();
    if let Some(kills) = change.shared_kills().filter(|kills| *kills > 0) {
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
