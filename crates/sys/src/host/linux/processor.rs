//! Processors and caches.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use model::{CacheLevel, Processor};

use super::{number, text};
use crate::affinity;
use crate::host::vector_sets;

const PROCESSORS: &str = "/sys/devices/system/cpu";

pub(in crate::host) fn describe() -> Processor {
    let information = text("/proc/cpuinfo").unwrap_or_default();
    let online = text(Path::new(PROCESSORS).join("online")).map(|list| processors_in(&list));
    let frequency = Path::new(PROCESSORS).join("cpu0/cpufreq");
    Processor {
        model: model(&information),
        microcode: field(&information, "microcode").map(str::to_owned),
        architecture: std::env::consts::ARCH.to_owned(),
        logical: online.as_ref().map(|online| online.len() as u32),
        allowed: affinity::allowed(),
        // Cores are counted by the set of their threads: core numbers repeat from socket to socket.
        cores: online.as_ref().and_then(|online| count_of(online, "thread_siblings_list")),
        sockets: online.as_ref().and_then(|online| count_of(online, "physical_package_id")),
        numa_nodes: text("/sys/devices/system/node/online").map(|list| processors_in(&list).len() as u32),
        caches: caches(),
        governor: text(frequency.join("scaling_governor")),
        frequency_max_hz: number(frequency.join("cpuinfo_max_freq")).map(|khz| khz * 1000),
        turbo: turbo(),
        hypervisor: hypervisor(&information),
        vector_sets: vector_sets(),
        mitigations: mitigations(),
    }
}

fn field<'text>(information: &'text str, key: &str) -> Option<&'text str> {
    information.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// Returns the model name of x86; others report it in the device tree, or not at all.
fn model(information: &str) -> Option<String> {
    let named = field(information, "model name").or_else(|| field(information, "Model")).map(str::to_owned);
    named
        .filter(|name| !name.is_empty())
        .or_else(|| Some(text("/proc/device-tree/model")?.trim_end_matches('\0').to_owned()))
}

/// Returns how many different texts a file of their topology has for these processors; `None` where it has none.
fn count_of(online: &[u32], file: &str) -> Option<u32> {
    let files = online.iter().map(|processor| format!("{PROCESSORS}/cpu{processor}/topology/{file}"));
    let different: BTreeSet<String> = files.filter_map(text).collect();
    (!different.is_empty()).then_some(different.len() as u32)
}

/// Returns the numbers in a list such as `0-3,8`.
fn processors_in(list: &str) -> Vec<u32> {
    model::parse_processors(list).unwrap_or_default()
}

fn caches() -> Vec<CacheLevel> {
    let folder = Path::new(PROCESSORS).join("cpu0/cache");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut caches: Vec<CacheLevel> = entries.filter_map(cache).collect();
    caches.sort_by(|one, other| (one.level, &one.kind).cmp(&(other.level, &other.kind)));
    caches
}

fn cache(folder: PathBuf) -> Option<CacheLevel> {
    Some(CacheLevel {
        level: number(folder.join("level"))?.try_into().ok()?,
        kind: text(folder.join("type"))?.to_lowercase(),
        bytes: model::parse_bytes(&text(folder.join("size"))?).ok()?,
        shared_by: text(folder.join("shared_cpu_list")).map(|list| processors_in(&list).len() as u32),
    })
}

/// Returns the faults of the processor that the kernel works around (Documentation/ABI/testing/sysfs-devices-system-cpu).
fn mitigations() -> Option<Vec<String>> {
    let files = fs::read_dir(Path::new(PROCESSORS).join("vulnerabilities")).ok()?.flatten();
    let is_mitigated = |file: &PathBuf| text(file).is_some_and(|said| said.starts_with("Mitigation"));
    let mitigated = files.map(|file| file.path()).filter(is_mitigated);
    let mut names: Vec<String> =
        mitigated.filter_map(|file| Some(file.file_name()?.to_str()?.to_owned())).collect();
    names.sort();
    Some(names)
}

fn turbo() -> Option<bool> {
    if let Some(forbidden) = number(Path::new(PROCESSORS).join("intel_pstate/no_turbo")) {
        return Some(forbidden == 0);
    }
    number(Path::new(PROCESSORS).join("cpufreq/boost")).map(|allowed| allowed != 0)
}

fn hypervisor(information: &str) -> Option<String> {
    let vendor = text("/sys/class/dmi/id/sys_vendor");
    let product = text("/sys/class/dmi/id/product_name");
    let machine = [vendor, product].into_iter().flatten().collect::<Vec<_>>().join(" ");
    let flagged =
        field(information, "flags").is_some_and(|flags| flags.split(' ').any(|flag| flag == "hypervisor"));
    let sure = flagged || known_by_its_maker(&machine);
    match (own_name(), sure, machine.is_empty()) {
        (Some(name), _, true) => Some(name),
        (Some(name), _, false) => Some(format!("{name} ({machine})")),
        (None, true, true) => Some("unnamed".to_owned()),
        (None, true, false) => Some(machine),
        // Only x86 has the flag, so only there does its absence say anything.
        (None, false, _) => field(information, "flags").map(|_| "none".to_owned()),
    }
}

fn known_by_its_maker(machine: &str) -> bool {
    let machine = machine.to_lowercase();
    let makers =
        ["qemu", "kvm", "vmware", "virtualbox", "innotek", "xen", "bochs", "parallels", "firecracker"];
    makers.iter().any(|maker| machine.contains(maker)) || machine.contains("virtual machine")
}

/// Returns what the hypervisor calls itself in the processor's identification, leaf 0x4000_0000.
#[cfg(target_arch = "x86_64")]
fn own_name() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    const FEATURES: u32 = 1;
    const HYPERVISOR: u32 = 0x4000_0000;
    if __cpuid(FEATURES).ecx & (1 << 31) == 0 {
        return None;
    }
    let leaf = __cpuid(HYPERVISOR);
    let bytes: Vec<u8> = [leaf.ebx, leaf.ecx, leaf.edx].iter().flat_map(|word| word.to_le_bytes()).collect();
    let name = String::from_utf8_lossy(&bytes).trim_matches(['\0', ' ']).to_owned();
    let usual = match name.as_str() {
        "KVMKVMKVM" => "KVM",
        "Microsoft Hv" => "Hyper-V",
        "VMwareVMware" => "VMware",
        "XenVMMXenVMM" => "Xen",
        "TCGTCGTCGTCG" => "QEMU without KVM",
        "bhyve bhyve" => "bhyve",
        "VBoxVBoxVBox" => "VirtualBox",
        "ACRNACRNACRN" => "ACRN",
        "" => return None,
        other => other,
    };
    Some(usual.to_owned())
}

/// Returns the name in `/sys`: other processors have no such instruction.
#[cfg(not(target_arch = "x86_64"))]
fn own_name() -> Option<String> {
    text("/sys/hypervisor/type")
}
