//! Processors and caches.

use std::collections::BTreeSet;
use std::path::Path;

use model::Processor;
use profile::host::Facts;

use super::{number, text};
use crate::affinity;

const PROCESSORS: &str = "/sys/devices/system/cpu";

pub(super) fn describe(facts: &Facts) -> Processor {
    let topology = Topology::read();
    let frequency = Path::new(PROCESSORS).join("cpu0/cpufreq");
    Processor {
        architecture: std::env::consts::ARCH.to_owned(),
        allowed: affinity::allowed(),
        cores: topology.as_ref().and_then(|topology| topology.cores),
        sockets: topology.as_ref().and_then(|topology| topology.sockets),
        numa_nodes: text("/sys/devices/system/node/online").map(|list| processors_in(&list).len() as u32),
        governor: text(frequency.join("scaling_governor")),
        frequency_max_hz: number(frequency.join("cpuinfo_max_freq")).map(|khz| khz * 1000),
        turbo: turbo(),
        ..crate::host::processor_of(facts)
    }
}

struct Topology {
    cores: Option<u32>,
    sockets: Option<u32>,
}

impl Topology {
    fn read() -> Option<Self> {
        let online = processors_in(&text(Path::new(PROCESSORS).join("online"))?);
        let mut cores = BTreeSet::new();
        let mut sockets = BTreeSet::new();
        for processor in &online {
            let folder = Path::new(PROCESSORS).join(format!("cpu{processor}/topology"));
            // Cores are counted by the set of their threads: core numbers repeat from socket to socket.
            cores.extend(text(folder.join("thread_siblings_list")));
            sockets.extend(text(folder.join("physical_package_id")));
        }
        let known = |set: &BTreeSet<String>| (!set.is_empty()).then_some(set.len() as u32);
        Some(Self { cores: known(&cores), sockets: known(&sockets) })
    }
}

/// The numbers in a list such as `0-3,8`.
pub(super) fn processors_in(list: &str) -> Vec<u32> {
    let mut all = Vec::new();
    for part in list.split(',') {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.trim().parse::<u32>(), last.trim().parse::<u32>()) {
            all.extend(first..=last);
        }
    }
    all
}

fn turbo() -> Option<bool> {
    if let Some(forbidden) = number(Path::new(PROCESSORS).join("intel_pstate/no_turbo")) {
        return Some(forbidden == 0);
    }
    number(Path::new(PROCESSORS).join("cpufreq/boost")).map(|allowed| allowed != 0)
}
