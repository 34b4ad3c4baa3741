//! A machine's facts as names and values, in the order in which they are shown.

use model::{CacheLevel, Host, Volume, format_bytes, format_long_ns};

use crate::words::phrase::{counted, joined, processors};

/// A section's title and its lines. What is not known has no line.
pub(crate) type Section = (String, Vec<(&'static str, String)>);

pub(crate) fn of(host: &Host, volumes: &[Volume]) -> Vec<Section> {
    let mut sections = vec![
        ("system".to_owned(), system(host)),
        ("processor".to_owned(), processor(host)),
        ("memory".to_owned(), memory(host)),
        ("allowed".to_owned(), limits(host)),
    ];
    sections.extend(
        volumes.iter().map(|one| (format!("volume of {}", one.directory.display()), volume(one, host))),
    );
    sections.retain(|(_, lines)| !lines.is_empty());
    sections
}

#[derive(Default)]
struct Lines(Vec<(&'static str, String)>);

impl Lines {
    fn add(&mut self, name: &'static str, value: Option<impl ToString>) {
        let value = value.map(|value| value.to_string()).filter(|value| !value.is_empty());
        self.0.extend(value.map(|value| (name, value)));
    }
}

fn system(host: &Host) -> Vec<(&'static str, String)> {
    let mut lines = Lines::default();
    lines.add("name", host.name.as_ref());
    lines.add("fingerprint", host.fingerprint.as_ref());
    lines.add("system", host.os.name.as_ref().or(Some(&host.os.family)));
    lines.add("kernel", host.os.kernel.as_ref());
    lines.add("C library", host.os.c_library.as_ref());
    lines.add(
        "load",
        host.load.map(|[one, five, fifteen]| format!("{one:.2} {five:.2} {fifteen:.2} (1, 5, 15 min)")),
    );
    lines.add("up for", host.uptime_s.map(|seconds| format_long_ns(seconds.saturating_mul(1_000_000_000))));
    lines.add("clock source", host.clock_source.as_ref());
    lines.add("clock step", host.clock_step_ns.map(|step| format!("{step} ns")));
    lines.add("clock reading", host.clock_reading_ns.map(|reading| format!("{reading:.1} ns")));
    lines.0
}

fn processor(host: &Host) -> Vec<(&'static str, String)> {
    let processor = &host.processor;
    let mut lines = Lines::default();
    lines.add("model", processor.model.as_ref());
    lines.add("microcode", processor.microcode.as_ref());
    lines.add("instruction set", Some(&processor.architecture));
    let logical = processor.logical.map(|count| format!("{count} logical"));
    let further =
        [(processor.cores, "core"), (processor.sockets, "socket"), (processor.numa_nodes, "memory node")];
    let further = further.into_iter().filter_map(|(count, what)| Some(counted(count?.into(), what)));
    lines.add("count", joined(logical.into_iter().chain(further), ", "));
    lines.add("usable here", Some(processors(&processor.allowed)));
    lines.add("caches", Some(processor.caches.iter().map(cache).collect::<Vec<_>>().join(", ")));
    lines.add("power policy", processor.governor.as_ref());
    lines.add("highest rate", processor.frequency_max_hz.map(|hz| format!("{} MHz", hz / 1_000_000)));
    lines.add("turbo", processor.turbo.map(|on| if on { "on" } else { "off" }));
    lines.add("hypervisor", processor.hypervisor.as_ref());
    lines.add("vector sets", Some(processor.vector_sets.join(", ")));
    lines.add("mitigations", processor.mitigations.as_deref().map(mitigations));
    lines.0
}

/// Faults of processors whose workarounds cost something at each entry into the kernel or return from it.
const AT_SYSTEM_CALLS: &str = "indirect_target_selection mds meltdown mmio_stale_data retbleed spec_rstack_overflow \
                               spectre_v1 spectre_v2 tsa tsx_async_abort";

fn mitigations(names: &[String]) -> String {
    let at_calls: Vec<&str> =
        AT_SYSTEM_CALLS.split(' ').filter(|known| names.iter().any(|name| name == known)).collect();
    let which = if at_calls.is_empty() { "none".to_owned() } else { at_calls.join(", ") };
    format!("{} in force; at system calls: {which}", names.len())
}

fn cache(cache: &CacheLevel) -> String {
    let shared = cache.shared_by.map_or(String::new(), |by| format!(" shared by {by}"));
    format!("L{} {} {}{shared}", cache.level, cache.kind, format_bytes(cache.bytes))
}

fn memory(host: &Host) -> Vec<(&'static str, String)> {
    let memory = &host.memory;
    let mut lines = Lines::default();
    lines.add("total", memory.total_bytes.map(format_bytes));
    lines.add("available", memory.available_bytes.map(format_bytes));
    lines.add("swap", memory.swap_bytes.map(format_bytes));
    lines.add("page", memory.page_bytes.map(format_bytes));
    lines.add("huge pages", memory.huge_pages.as_ref());
    let block = memory.handed_back_bytes.map(format_bytes);
    lines
        .add("free memory", block.map(|size| format!("handed back to the host in blocks of {size} or more")));
    lines.0
}

fn limits(host: &Host) -> Vec<(&'static str, String)> {
    let limits = &host.limits;
    let mut lines = Lines::default();
    lines.add("administrator", limits.privileged.map(|yes| if yes { "yes" } else { "no" }));
    lines.add("open files", limits.open_files);
    lines.add("processes", limits.processes);
    lines.add("memory limit", limits.memory_bytes.map(format_bytes));
    let quota = limits.processor_quota_millis;
    lines.add("processor quota", quota.map(|one| format!("{}.{:03} processors", one / 1000, one % 1000)));
    lines.add("control groups", limits.control_groups.as_ref());
    lines.add("rings", limits.ring_refused.as_ref().map(|reason| format!("no: {reason}")));
    lines.add("counters", limits.counters_refused.as_ref().map(|reason| format!("no: {reason}")));
    lines.0
}

fn volume(volume: &Volume, host: &Host) -> Vec<(&'static str, String)> {
    let mut lines = Lines::default();
    lines.add("file system", volume.file_system.as_ref());
    lines.add("mounted at", volume.mount_point.as_ref().map(|path| path.display()));
    lines.add("options", volume.mount_options.as_ref());
    lines.add("device", volume.device.as_ref());
    lines.add("turns", volume.turns(&host.processor).map(|yes| if yes { "yes" } else { "no" }));
    lines.add("reads ahead", volume.read_ahead_bytes.map(format_bytes));
    lines.add("scheduler", volume.scheduler.as_ref());
    lines.add("size", volume.total_bytes.map(format_bytes));
    lines.add("free", volume.free_bytes.map(format_bytes));
    lines.add("block", volume.block_bytes.map(format_bytes));
    lines.0
}
