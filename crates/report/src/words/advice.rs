//! Sentences on what a machine will do to the numbers.

use model::{Host, Volume, format_bytes, format_long_ns, format_ns};
use serde::Serialize;

/// Load average from which a machine is called busy: half a processor's worth of other work disturbs every round.
const BUSY: f64 = 0.5;
/// Below this share of free memory the file cache is too small to stay warm by itself.
const SHORT_OF_MEMORY: u64 = 10;
/// A coarser clock cannot time a thousand steps within a microsecond.
const COARSE_STEP_NS: u64 = 1_000;
/// Handing back blocks of this size is hardly ever due: it is the largest that Linux keeps on x86.
const LARGEST_BLOCK_BYTES: u64 = 4 << 20;
/// Services still start during the first minutes.
const JUST_BOOTED_S: u64 = 300;

/// One thing that a machine will do to the numbers.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// A short key: `virtual`, `governor`, `tmpfs`.
    pub topic: &'static str,
    /// The sentence, with what to do where something can be done.
    pub text: String,
}

/// Adds one thing more, and returns its text, which is still empty.
fn on<'a>(found: &'a mut Vec<Advice>, topic: &'static str) -> &'a mut String {
    &mut found.push_mut(Advice { topic, text: String::new() }).text
}

/// Returns what this machine and these volumes will do to the numbers. Facts that are not known say nothing.
pub fn of(host: &Host, volumes: &[Volume]) -> Vec<Advice> {
    let mut found = Vec::new();
    of_the_system(host, &mut found);
    of_the_processor(host, &mut found);
    of_the_memory(host, &mut found);
    of_the_clock(host, &mut found);
    of_the_limits(host, &mut found);
    volumes.iter().for_each(|volume| of_a_volume(volume, host, &mut found));
    found
}

fn of_the_system(host: &Host, found: &mut Vec<Advice>) {
    if host.os.name.as_ref().is_some_and(|name| name.to_lowercase().contains("wine")) {
        *on(found, "wine") =
            "This is Wine, not Windows: answers are checked here, but speeds say nothing of Windows.".into();
    }
    if let Some(name) = host.processor.virtual_by() {
        *on(found, "virtual") = format!(
            "The machine is virtual ({name}): other guests take time from it, so absolute times move from minute \
             to minute. The ratios of one run are safer, because all techniques share the bad minutes."
        );
    }
    if let Some([one, ..]) = host.load.filter(|load| load[0] >= BUSY) {
        *on(found, "load") = format!(
            "The load average of the last minute is {one:.2}: other work competes for processors, caches and \
             disk. Stop it, or expect to need more rounds."
        );
    }
    if let Some(seconds) = host.uptime_s.filter(|seconds| *seconds < JUST_BOOTED_S) {
        *on(found, "boot") = format!(
            "The system booted {} ago: services may still be starting.",
            format_long_ns(seconds * 1_000_000_000)
        );
    }
}

fn of_the_processor(host: &Host, found: &mut Vec<Advice>) {
    let processor = &host.processor;
    let usable = match processor.allowed.len() {
        0 => processor.logical,
        some => u32::try_from(some).ok(),
    };
    if usable == Some(1) {
        *on(found, "processors") =
            "There is one processor: threads only take turns, and this program takes its turns too.".into();
    }
    if usable == Some(2) {
        *on(found, "processors") =
            "There are two processors: with more than two threads it is the scheduler that is \
                                    measured, and the system's own work always takes one of the two."
                .into();
    }
    if let (Some(cores), Some(logical)) = (processor.cores, processor.logical)
        && cores < logical
    {
        *on(found, "smt") = format!(
            "{logical} logical processors share {cores} cores: two busy neighbours on a core slow each other."
        );
    }
    match processor.governor.as_deref() {
        None | Some("performance" | "High performance" | "Ultimate Performance") => {}
        Some(name) => {
            *on(found, "governor") = format!(
                "The power policy is '{name}', not performance: the clock rate follows the load, so short or idle \
                 techniques look slower than they are. Choose performance while you measure."
            )
        }
    }
    if processor.turbo == Some(true) {
        *on(found, "turbo") =
            "Turbo is on: the clock rate falls when more cores work or the machine gets warm.".into();
    }
    if let Some(nodes) = processor.numa_nodes.filter(|nodes| *nodes > 1) {
        *on(found, "numa") = format!(
            "There are {nodes} memory nodes: memory of another node is slower. Pin with --processors."
        );
    }
}

fn of_the_memory(host: &Host, found: &mut Vec<Advice>) {
    let memory = &host.memory;
    if let Some(swap) = memory.swap_bytes.filter(|swap| *swap > 0) {
        *on(found, "swap") = format!(
            "There are {} of swap: what needs more than the free memory is slowed by the disk instead of failing.",
            format_bytes(swap)
        );
    }
    if let (Some(available), Some(total)) = (memory.available_bytes, memory.total_bytes)
        && available < total / SHORT_OF_MEMORY
    {
        *on(found, "memory") = format!(
            "Only {} of {} memory are available: large files will not stay in the cache.",
            format_bytes(available),
            format_bytes(total)
        );
    }
    if memory.handed_back_bytes.is_some_and(|bytes| bytes < LARGEST_BLOCK_BYTES) {
        *on(found, "free-memory") = "Free memory is handed back to the virtual machine's host (free page reporting): \
                                     now and then work that takes much memory waits until the host has found some, and \
                                     takes up to ten times as long. \
                                     'echo 10 > /sys/module/page_reporting/parameters/page_reporting_order', as root, \
                                     stops that until the next boot."
            .into();
    }
    if memory.huge_pages.as_deref() == Some("always") {
        *on(found, "huge-pages") =
            "Huge pages are given to every large allocation: its first touch is cheaper than \
                                    on other systems."
                .into();
    }
}

fn of_the_clock(host: &Host, found: &mut Vec<Advice>) {
    match host.clock_source.as_deref() {
        None | Some("tsc") => {}
        Some(name @ ("kvm-clock" | "hyperv_clocksource_tsc_page" | "xen")) => {
            *on(found, "clock") = format!(
                "The clock source is {name}, not tsc: reading the time goes through the hypervisor's page."
            )
        }
        Some(name) => {
            *on(found, "clock") = format!(
                "The clock source is {name}, not tsc: reading the time may be a slow system call, which the family \
                 clock will show."
            )
        }
    }
    if let Some(step) = host.clock_step_ns.filter(|step| *step >= COARSE_STEP_NS) {
        *on(found, "clock-step") = format!(
            "The clock moves in steps of {}: short work is repeated until it is long enough.",
            format_ns(step as f64)
        );
    }
}

fn of_the_limits(host: &Host, found: &mut Vec<Advice>) {
    let limits = &host.limits;
    if let Some(reason) = &limits.counters_refused {
        *on(found, "counters") =
            format!("Hardware counters cannot be used: {reason}. Cycles and cache misses stay unknown.");
    }
    if let Some(reason) = &limits.ring_refused {
        *on(found, "ring") = format!(
            "Rings for system calls cannot be used: {reason}. Techniques that need one are left out."
        );
    }
    if limits.privileged == Some(false) {
        *on(found, "privilege") =
            "You are not the administrator: a cold cache is reached file by file and checked, \
                                   and a run that cannot prove it says so."
                .into();
    }
    if let Some(millis) = limits.processor_quota_millis {
        *on(found, "quota") = format!(
            "The control group allows {}.{:03} processors' worth of time: a process that uses more is paused \
             for the rest of each period.",
            millis / 1000,
            millis % 1000
        );
    }
    if let Some(bytes) = limits.memory_bytes {
        *on(found, "memory-limit") =
            format!("Memory is limited to {}; the file cache counts towards it.", format_bytes(bytes));
    }
}

fn of_a_volume(volume: &Volume, host: &Host, found: &mut Vec<Advice>) {
    let place = volume.directory.display();
    match volume.file_system.as_deref() {
        Some(name @ ("tmpfs" | "ramfs")) => {
            *on(found, "tmpfs") = format!(
                "{place} lies on {name}: its files are memory, so nothing there says anything about a disk, and there is no \
                 cold cache."
            )
        }
        Some("overlay") => {
            *on(found, "overlay") = format!(
                "{place} lies on an overlay: the first write to a file of a lower layer copies it whole."
            )
        }
        Some(name) if is_remote(name) => {
            *on(found, "remote") = format!(
                "{place} lies on {name}: another machine or program answers, with caches that are not seen here."
            )
        }
        _ => {}
    }
    match (volume.turns(&host.processor), host.processor.virtual_by()) {
        (Some(true), _) => {
            *on(found, "rotational") =
                format!("The disk of {place} turns: where a file lies decides how fast it is.")
        }
        (_, Some(_)) if volume.device.is_some() => {
            *on(found, "virtual-disk") = format!(
                "The disk of {place} is the hypervisor's: what device lies below, and what it caches, is not seen here."
            )
        }
        _ => {}
    }
    let options = volume.mount_options.as_deref().unwrap_or("");
    if options.split(',').any(|option| option == "sync") {
        *on(found, "sync") = format!("{place} is mounted with sync: every write waits for the device.");
    }
    if let (Some(free), Some(total)) = (volume.free_bytes, volume.total_bytes)
        && free < total / 20
    {
        *on(found, "full") = format!(
            "Only {} are free in {place}: nearly full file systems write more slowly.",
            format_bytes(free)
        );
    }
}

fn is_remote(file_system: &str) -> bool {
    let name = file_system.to_lowercase();
    ["nfs", "cifs", "smb", "9p", "fuse", "virtiofs", "ceph", "sshfs", "drvfs"]
        .iter()
        .any(|known| name.starts_with(known))
}

#[cfg(test)]
mod tests;
