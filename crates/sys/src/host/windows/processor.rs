//! Processors and caches, from `GetLogicalProcessorInformationEx`.
#![expect(non_upper_case_globals, reason = "the constants of windows-sys keep the names of the manual")]

use model::{CacheLevel, Processor};
use windows_sys::Win32::Foundation::LocalFree;
use windows_sys::Win32::System::Power::{PowerGetActiveScheme, PowerReadFriendlyName};
use windows_sys::Win32::System::SystemInformation::{
    CACHE_RELATIONSHIP, CacheData, CacheInstruction, CacheUnified, GetLogicalProcessorInformationEx,
    RelationAll, RelationCache, RelationNumaNode, RelationNumaNodeEx, RelationProcessorCore,
    RelationProcessorPackage, SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX,
};
use windows_sys::Win32::System::Threading::{ALL_PROCESSOR_GROUPS, GetActiveProcessorCount};

use super::{registry_bytes, registry_text};
use crate::host::vector_sets;
use crate::{affinity, windows};

const FIRST_PROCESSOR: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0";

pub(in crate::host) fn describe() -> Processor {
    let topology = Topology::read().unwrap_or_default();
    // SAFETY: the call takes a number. It gives 0 when it failed.
    let logical = unsafe { GetActiveProcessorCount(ALL_PROCESSOR_GROUPS) };
    let known = |count: u32| (count > 0).then_some(count);
    Processor {
        model: registry_text(FIRST_PROCESSOR, "ProcessorNameString"),
        microcode: microcode(),
        architecture: std::env::consts::ARCH.to_owned(),
        logical: known(logical),
        allowed: affinity::allowed(),
        cores: known(topology.cores),
        sockets: known(topology.sockets),
        numa_nodes: known(topology.numa_nodes),
        caches: topology.caches,
        governor: power_scheme(),
        // The registry holds the nominal frequency; the highest is not reported.
        frequency_max_hz: None,
        turbo: None,
        hypervisor: hypervisor(),
        vector_sets: vector_sets(),
        mitigations: None,
    }
}

/// Eight bytes: 0 on most processors, and the version.
fn microcode() -> Option<String> {
    let bytes = registry_bytes::<8>(FIRST_PROCESSOR, "Update Revision")?;
    let [.., a, b, c, d] = bytes;
    let version = u32::from_le_bytes([a, b, c, d]).max((u64::from_le_bytes(bytes) & 0xffff_ffff) as u32);
    (version != 0).then(|| format!("{version:#x}"))
}

#[derive(Default)]
struct Topology {
    cores: u32,
    sockets: u32,
    numa_nodes: u32,
    caches: Vec<CacheLevel>,
}

impl Topology {
    fn read() -> Option<Self> {
        let mut bytes = 0;
        // SAFETY: without a buffer the call only shows how large one has to be.
        unsafe { GetLogicalProcessorInformationEx(RelationAll, std::ptr::null_mut(), &raw mut bytes) };
        // Words of 64 bits, because the records in the buffer are aligned so.
        let mut buffer = vec![0_u64; (bytes as usize).div_ceil(8)];
        // SAFETY: the buffer is as large as the call asked for.
        let answer = unsafe {
            GetLogicalProcessorInformationEx(RelationAll, buffer.as_mut_ptr().cast(), &raw mut bytes)
        };
        (answer != 0).then(|| Self::from_records(&buffer, bytes as usize))
    }

    fn from_records(buffer: &[u64], bytes: usize) -> Self {
        let mut topology = Self::default();
        let mut at = 0;
        while at < bytes {
            // SAFETY: the system wrote records up to `bytes`, one behind the other; each begins with its kind and
            // its size, and `at` is the beginning of one. Nothing behind the record's own end is read.
            let record =
                unsafe { buffer.as_ptr().byte_add(at) }.cast::<SYSTEM_LOGICAL_PROCESSOR_INFORMATION_EX>();
            // SAFETY: every record is at least as large as these two fields.
            let (kind, size) = unsafe { ((*record).Relationship, (*record).Size as usize) };
            match kind {
                RelationProcessorCore => topology.cores += 1,
                RelationProcessorPackage => topology.sockets += 1,
                RelationNumaNode | RelationNumaNodeEx => topology.numa_nodes += 1,
                RelationCache => {
                    // SAFETY: a record of this kind holds a `CACHE_RELATIONSHIP`.
                    let cache = unsafe { (&raw const (*record).Anonymous.Cache).read() };
                    topology.caches.extend(cache_of_the_first_processor(&cache));
                }
                _ => {}
            }
            if size == 0 {
                break;
            }
            at += size;
        }
        topology.caches.sort_by(|one, other| (one.level, &one.kind).cmp(&(other.level, &other.kind)));
        topology
    }
}

fn cache_of_the_first_processor(cache: &CACHE_RELATIONSHIP) -> Option<CacheLevel> {
    // SAFETY: every cache has at least one mask; both forms of the union begin with it.
    let processors = unsafe { cache.Anonymous.GroupMask };
    let kind = match cache.Type {
        CacheData => "data",
        CacheInstruction => "instruction",
        CacheUnified => "unified",
        _ => return None,
    };
    let is_ours = processors.Group == 0 && processors.Mask & 1 == 1 && cache.CacheSize > 0;
    is_ours.then(|| CacheLevel {
        level: u32::from(cache.Level),
        kind: kind.to_owned(),
        bytes: u64::from(cache.CacheSize),
        shared_by: Some(processors.Mask.count_ones()),
    })
}

fn power_scheme() -> Option<String> {
    let mut scheme = std::ptr::null_mut();
    // SAFETY: the place is valid for the answer, which is ours to free.
    if unsafe { PowerGetActiveScheme(std::ptr::null_mut(), &raw mut scheme) } != 0 || scheme.is_null() {
        return None;
    }
    let mut name = [0_u16; 256];
    let mut bytes = size_of_val(&name) as u32;
    // SAFETY: `scheme` was given above; the buffer is as large as said.
    let status = unsafe {
        PowerReadFriendlyName(
            std::ptr::null_mut(),
            scheme,
            std::ptr::null(),
            std::ptr::null(),
            name.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    // SAFETY: the system allocated it for us, and nothing uses it any more.
    unsafe { LocalFree(scheme.cast()) };
    (status == 0).then(|| windows::text(&name)).flatten()
}

/// Returns what the maker of the machine says of it, where that is the maker of a hypervisor.
fn hypervisor() -> Option<String> {
    const MACHINE: &str = r"HARDWARE\DESCRIPTION\System\BIOS";
    let maker = registry_text(MACHINE, "SystemManufacturer")?;
    let product = registry_text(MACHINE, "SystemProductName").unwrap_or_default();
    let machine = format!("{maker} {product}").trim().to_owned();
    let lower = machine.to_lowercase();
    const MAKERS: &str =
        "qemu|kvm|vmware|virtualbox|innotek|xen|parallels|virtual machine|google compute|amazon ec2";
    MAKERS.split('|').any(|name| lower.contains(name)).then_some(machine)
}
