//! This machine, its limits, and what presses on it.

use std::collections::BTreeMap;

use model::{Fingerprint, Host};

use crate::clock;
use crate::usage::counted_since;

mod fingerprint;
#[cfg_attr(target_os = "linux", path = "linux/mod.rs")]
#[cfg_attr(windows, path = "windows/mod.rs")]
pub(crate) mod system;

pub use system::volume;

/// Returns everything that the system reports about this machine. Takes a few milliseconds.
pub fn describe() -> Host {
    Host {
        limits: system::limits(),
        load: system::load(),
        uptime_s: system::uptime_s(),
        clock_source: clock::source(),
        clock_step_ns: Some(clock::step_ns()),
        clock_reading_ns: Some(clock::reading_ns()),
        ..lasting()
    }
}

fn vector_sets() -> Vec<String> {
    #[cfg(target_arch = "x86_64")]
    let all = [
        ("AVX2", is_x86_feature_detected!("avx2")),
        ("AVX-512F", is_x86_feature_detected!("avx512f")),
        ("AVX-512BW", is_x86_feature_detected!("avx512bw")),
        ("AVX-512VBMI", is_x86_feature_detected!("avx512vbmi")),
    ];
    #[cfg(not(target_arch = "x86_64"))]
    let all: [(&str, bool); 0] = [];
    all.into_iter().filter(|(_, is_here)| *is_here).map(|(name, _)| name.to_owned()).collect()
}

/// Returns what stays the same until the machine or its system is another one, and the fingerprint that is made of it.
fn lasting() -> Host {
    let host = Host {
        name: system::name(),
        os: system::operating_system(),
        processor: system::processor(),
        memory: system::memory(),
        ..Host::default()
    };
    Host { fingerprint: fingerprint::of(&host, system::machine_id().as_deref()), ..host }
}

/// The identity of this machine, and the kernel that it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// That of [`describe`].
    pub fingerprint: Option<Fingerprint>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// That of [`setup`].
    pub setup: BTreeMap<&'static str, String>,
}

/// Returns what [`describe`] reports of the machine's identity, without what takes time: for programs that ask at their start.
pub fn identity() -> Identity {
    let host = lasting();
    Identity { setup: setup(&host), fingerprint: host.fingerprint, kernel: host.os.kernel }
}

/// Returns what of a host bears on speed and does not change by itself: `microcode`, `caches` and transparent `huge_pages`, where known.
/// No part of the fingerprint: a host whose microcode is renewed stays the same one. A governor changes with a laptop's plug.
pub fn setup(host: &Host) -> BTreeMap<&'static str, String> {
    let processor = &host.processor;
    let caches = processor
        .caches
        .iter()
        .map(|cache| format!("L{} {} {}", cache.level, cache.kind, model::format_bytes(cache.bytes)));
    let caches: Vec<String> = caches.collect();
    let all = [
        ("microcode", processor.microcode.clone()),
        ("caches", (!caches.is_empty()).then(|| caches.join(", "))),
        ("huge_pages", host.memory.huge_pages.clone()),
    ];
    all.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
}

/// Counters of what disturbs a measurement since boot, or what they counted between two readings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Pressure {
    /// Time of all processors that the hypervisor gave to others, in clock ticks.
    pub steal_ticks: Option<u64>,
    /// Time of all processors, idle or not, in the same clock ticks.
    pub total_ticks: Option<u64>,
    /// Times that a processor was slowed because of its heat.
    pub thermal_throttles: Option<u64>,
    /// Times that the control group was halted because its processor quota was used up.
    pub quota_throttles: Option<u64>,
    /// Pages read from swap.
    pub swap_in_pages: Option<u64>,
    /// Processes killed because memory had run out, of the host or of any control group; between two readings of the host alone.
    pub memory_kills: Option<u64>,
    /// Those of them that were in the control group of this process.
    pub group_memory_kills: Option<u64>,
    /// Times that a process had to wait because the host had no free memory.
    pub memory_stalls: Option<u64>,
}

impl Pressure {
    /// Reads the counters.
    pub fn now() -> Self {
        system::pressure()
    }

    /// Returns what was counted since an earlier reading.
    pub fn since(&self, earlier: &Self) -> Self {
        let memory_stalls = counted_since(self.memory_stalls, earlier.memory_stalls);
        // A control group that has spent its limit makes no other process wait, and is no concern of this process.
        let is_short = memory_stalls.is_none_or(|stalls| stalls > 0);
        Self {
            steal_ticks: counted_since(self.steal_ticks, earlier.steal_ticks),
            total_ticks: counted_since(self.total_ticks, earlier.total_ticks),
            thermal_throttles: counted_since(self.thermal_throttles, earlier.thermal_throttles),
            quota_throttles: counted_since(self.quota_throttles, earlier.quota_throttles),
            swap_in_pages: counted_since(self.swap_in_pages, earlier.swap_in_pages),
            memory_kills: counted_since(self.memory_kills, earlier.memory_kills).filter(|_| is_short),
            group_memory_kills: counted_since(self.group_memory_kills, earlier.group_memory_kills),
            memory_stalls,
        }
    }

    /// Returns the share of all processor time that the hypervisor gave to others, from 0 to 1.
    pub fn steal_share(&self) -> Option<f64> {
        let total = self.total_ticks.filter(|&total| total > 0)?;
        Some(self.steal_ticks? as f64 / total as f64)
    }

    /// Returns the number of processes that were killed between two readings for a lack of memory that this process shares, as far as
    /// known.
    pub fn shared_kills(&self) -> Option<u64> {
        self.memory_kills.max(self.group_memory_kills)
    }
}

#[cfg(test)]
mod tests;
