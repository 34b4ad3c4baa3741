//! What is known of the hosts of several runs and is not alike.

use std::collections::BTreeSet;

use model::{FactValue, Host, Record, format_bytes};
use serde::Serialize;

use crate::runs::side::{FILE_CACHE, Side};

/// Something that is known of the hosts and not alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// The fact: `kernel`.
    pub fact: String,
    /// Its value on each side.
    pub values: Vec<Option<String>>,
}

/// A fact of a host that may change its times.
type Ask = fn(&Record) -> Option<String>;

const ASKED: [(&str, Ask); 21] = [
    ("host", |run| run.host.name.clone()),
    ("processor", |run| run.host.processor.model.clone()),
    ("microcode", |run| run.host.processor.microcode.clone()),
    ("architecture", |run| Some(run.host.processor.architecture.clone())),
    ("processors", |run| run.host.processor.logical.map(|count| count.to_string())),
    ("processors allowed", |run| {
        Some(run.host.processor.allowed.len()).filter(|count| *count > 0).map(|count| count.to_string())
    }),
    ("caches", |run| caches(&run.host)),
    ("highest frequency", |run| {
        run.host.processor.frequency_max_hz.map(|hz| format!("{} MHz", hz / 1_000_000))
    }),
    ("turbo", |run| run.host.processor.turbo.map(|turbo| if turbo { "on" } else { "off" }.to_owned())),
    ("governor", |run| run.host.processor.governor.clone()),
    ("hypervisor", |run| run.host.processor.hypervisor.clone()),
    ("memory", |run| run.host.memory.total_bytes.map(format_bytes)),
    ("page size", |run| run.host.memory.page_bytes.map(format_bytes)),
    ("huge pages", |run| run.host.memory.huge_pages.clone()),
    ("system", |run| run.host.os.name.clone().or(Some(run.host.os.family.clone()))),
    ("kernel", |run| run.host.os.kernel.clone()),
    ("C library", |run| run.host.os.c_library.clone()),
    ("clock source", |run| run.host.clock_source.clone()),
    (FILE_CACHE, file_cache),
    ("load when it began", |run| run.host.load.map(|load| format!("{:.1}", load[0]))),
    ("device", devices),
];

/// Returns the facts that bear on times and stay from run to run: not a container's name, nor the device of a directory.
pub(crate) fn host_facts(run: &Record) -> Vec<(&'static str, String)> {
    let asked = ASKED
        .iter()
        .filter(|(fact, _)| !matches!(*fact, "host" | FILE_CACHE | "load when it began" | "device"));
    asked.filter_map(|(fact, ask)| Some((*fact, ask(run).filter(|value| !value.is_empty())?))).collect()
}

/// Returns the facts of the hosts that differ, and when the runs began.
pub(crate) fn host_differences(sides: &[Side<'_>]) -> Vec<Difference> {
    let mut found = Vec::new();
    for (fact, ask) in ASKED {
        let values: Vec<Option<String>> =
            sides.iter().map(|side| ask(side.record).filter(|value| !value.is_empty())).collect();
        if values.windows(2).any(|pair| pair[0] != pair[1]) {
            found.push(Difference { fact: fact.to_owned(), values });
        }
    }
    let began = sides.iter().map(|side| Some(side.record.started.clone()).filter(|at| !at.is_empty()));
    found.push(Difference { fact: "began".to_owned(), values: began.collect() });
    found
}

/// Returns the states of the file cache in which a run was measured, or that a published machine was said to have.
pub(crate) fn file_cache(run: &Record) -> Option<String> {
    let cache = run.facts.iter().find(|fact| fact.name == FILE_CACHE);
    if let Some(FactValue::Words { words }) = cache.map(|fact| &fact.value) {
        return Some(words.clone());
    }
    let own = run.trials.iter().filter_map(|trial| Some(trial.setting.conditions.cache?.to_string()));
    let own: BTreeSet<String> = own.collect();
    let none = (run.tool.name == "bakeoff" && !run.trials.is_empty()).then(|| "no files".to_owned());
    if own.is_empty() { none } else { Some(own.into_iter().collect::<Vec<_>>().join(", ")) }
}

/// `L1 data 32 KiB, L2 1 MiB`.
fn caches(host: &Host) -> Option<String> {
    let all = host.processor.caches.iter().map(|cache| {
        let kind = if cache.kind == "unified" { String::new() } else { format!(" {}", cache.kind) };
        format!("L{}{kind} {}", cache.level, format_bytes(cache.bytes))
    });
    let all: Vec<String> = all.collect();
    (!all.is_empty()).then(|| all.join(", "))
}

/// Returns the devices that hold the files, each once: `/dev/sda1 (turns)`.
fn devices(run: &Record) -> Option<String> {
    let all = run.volumes.iter().filter_map(|volume| {
        let turns = if volume.turns(&run.host.processor) == Some(true) { " (turns)" } else { "" };
        Some(format!("{}{turns}", volume.device.as_ref()?))
    });
    let all: BTreeSet<String> = all.collect();
    (!all.is_empty()).then(|| all.into_iter().collect::<Vec<_>>().join(", "))
}
