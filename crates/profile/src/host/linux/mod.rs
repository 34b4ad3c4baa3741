//! `/proc` and `/sys`.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use super::{Cache, Facts};

pub(super) mod mount;

const PROCESSORS: &str = "/sys/devices/system/cpu";

pub(super) fn read() -> Facts {
    let information = text("/proc/cpuinfo").unwrap_or_default();
    Facts {
        identity: text("/etc/machine-id").or_else(|| text("/var/lib/dbus/machine-id")),
        name: text("/proc/sys/kernel/hostname"),
        kernel: text("/proc/sys/kernel/osrelease"),
        processor: model(&information),
        microcode: field(&information, "microcode").map(str::to_owned),
        logical: text(Path::new(PROCESSORS).join("online")).map(|list| processors_in(&list)),
        caches: caches(),
        hypervisor: hypervisor(&information),
        memory_bytes: memory_bytes(),
        huge_pages: huge_pages(),
    }
}

pub(super) fn file_system(directory: &Path) -> io::Result<Option<String>> {
    let real = fs::canonicalize(directory)?;
    let device = fs::metadata(&real)?.dev();
    Ok(mount::Mount::of(&real, device).map(|mount| mount.file_system))
}

/// Returns what a small file holds, without the white space around it; `None` when it holds nothing.
fn text(path: impl AsRef<Path>) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn memory_bytes() -> Option<u64> {
    let meminfo = text("/proc/meminfo")?;
    let kib = field(&meminfo, "MemTotal")?.strip_suffix("kB")?.trim().parse::<u64>().ok()?;
    kib.checked_mul(1024)
}

/// The word in brackets is in force.
fn huge_pages() -> Option<String> {
    let line = text("/sys/kernel/mm/transparent_hugepage/enabled")?;
    let (_, rest) = line.split_once('[')?;
    Some(rest.split_once(']')?.0.to_owned())
}

/// Returns how many processors a list such as `0-3,8` names.
fn processors_in(list: &str) -> u32 {
    let count = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let (first, last) = (first.trim().parse::<u32>().ok()?, last.trim().parse::<u32>().ok()?);
        last.checked_sub(first)?.checked_add(1)
    };
    list.split(',').filter_map(count).sum()
}

fn field<'text>(information: &'text str, key: &str) -> Option<&'text str> {
    information.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        (name.trim() == key).then(|| value.trim())
    })
}

/// x86 has a model name; others tell it in the device tree, or not at all.
fn model(information: &str) -> Option<String> {
    let named = field(information, "model name").or_else(|| field(information, "Model")).map(str::to_owned);
    let board = || text("/proc/device-tree/model").map(|model| model.trim_end_matches('\0').to_owned());
    named.filter(|name| !name.is_empty()).or_else(board)
}

fn caches() -> Vec<Cache> {
    let folder = Path::new(PROCESSORS).join("cpu0/cache");
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut caches: Vec<Cache> = entries.filter_map(cache).collect();
    caches.sort_by(|one, other| (one.level, &one.kind).cmp(&(other.level, &other.kind)));
    caches
}

fn cache(folder: PathBuf) -> Option<Cache> {
    Some(Cache {
        level: text(folder.join("level"))?.parse().ok()?,
        kind: text(folder.join("type"))?.to_lowercase(),
        bytes: text(folder.join("size"))?.strip_suffix('K')?.parse::<u64>().ok()?.checked_mul(1024)?,
        shared_by: text(folder.join("shared_cpu_list")).map(|list| processors_in(&list)),
    })
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

/// What the hypervisor calls itself in the processor's identification, leaf 0x4000_0000.
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

/// Other processors have no such instruction.
#[cfg(not(target_arch = "x86_64"))]
fn own_name() -> Option<String> {
    text("/sys/hypervisor/type")
}
