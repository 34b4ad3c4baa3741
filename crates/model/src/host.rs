//! Machines, as far as they bear on the numbers.

use std::fmt;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

/// Identity of a machine: 16 hexadecimal digits, made of what makes figures comparable. It stays the same over boots, runs and network
/// names, and changes with the processor, the number of processors, the memory or the system.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
pub struct Fingerprint(pub String);

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A machine. Every fact is optional: no system reports all of them.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Host {
    /// Its identity.
    pub fingerprint: Option<Fingerprint>,
    /// Its network name.
    pub name: Option<String>,
    /// System software.
    pub os: OperatingSystem,
    /// Processors and caches.
    pub processor: Processor,
    /// Memory.
    pub memory: Memory,
    /// Limits of this user.
    pub limits: SystemLimits,
    /// Load averages over 1, 5 and 15 minutes.
    pub load: Option<[f64; 3]>,
    /// Seconds since boot.
    pub uptime_s: Option<u64>,
    /// The kernel's clock source, e.g. `tsc` or `kvm-clock`.
    pub clock_source: Option<String>,
    /// Smallest step seen between two different readings of the clock that times the work.
    pub clock_step_ns: Option<u64>,
    /// Cost of one reading of that clock.
    pub clock_reading_ns: Option<f64>,
}

/// System software.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OperatingSystem {
    /// `linux` or `windows`.
    pub family: String,
    /// Distribution or edition, e.g. `Debian GNU/Linux 12 (bookworm)`; names Wine where it is Wine.
    pub name: Option<String>,
    /// Kernel release.
    pub kernel: Option<String>,
    /// C library with its version, e.g. `glibc 2.36` or `msvcrt`.
    pub c_library: Option<String>,
}

/// Processors and caches.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Processor {
    /// Model name.
    pub model: Option<String>,
    /// Version of the microcode, as the system reports it: `0xd0003f5`.
    pub microcode: Option<String>,
    /// Instruction set, e.g. `x86_64`.
    pub architecture: String,
    /// Logical processors of the machine.
    pub logical: Option<u32>,
    /// Logical processors this process may run on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub allowed: Vec<u32>,
    /// Physical cores.
    pub cores: Option<u32>,
    /// Sockets.
    pub sockets: Option<u32>,
    /// NUMA nodes.
    pub numa_nodes: Option<u32>,
    /// Caches seen from the first processor, smallest level first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub caches: Vec<CacheLevel>,
    /// Frequency governor (Linux) or power scheme (Windows).
    pub governor: Option<String>,
    /// Highest frequency.
    pub frequency_max_hz: Option<u64>,
    /// True if turbo is allowed.
    pub turbo: Option<bool>,
    /// Name of the hypervisor when virtualised, `none` when the machine says that it is real.
    pub hypervisor: Option<String>,
    /// Instructions that work on several values at once and that a program may use here: `AVX2`, `AVX-512F`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub vector_sets: Vec<String>,
    /// Faults of the processor that the kernel works around, by their names in Linux: `spectre_v2`. Empty where there are none, absent
    /// where the system does not say.
    pub mitigations: Option<Vec<String>>,
}

impl Processor {
    /// Returns the name of the hypervisor of a virtual machine.
    pub fn virtual_by(&self) -> Option<&str> {
        self.hypervisor.as_deref().filter(|name| *name != "none")
    }
}

/// One cache.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CacheLevel {
    /// 1, 2, 3...
    pub level: u32,
    /// `data`, `instruction` or `unified`.
    pub kind: String,
    /// Size.
    pub bytes: u64,
    /// Logical processors that share it.
    pub shared_by: Option<u32>,
}

/// Memory.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Memory {
    /// Physical memory.
    pub total_bytes: Option<u64>,
    /// Memory that could be had without swapping when the run began.
    pub available_bytes: Option<u64>,
    /// Swap space.
    pub swap_bytes: Option<u64>,
    /// Size of a page.
    pub page_bytes: Option<u64>,
    /// Transparent huge pages: `always`, `madvise` or `never`.
    pub huge_pages: Option<String>,
    /// Size of the smallest free block that a virtual machine returns to its host: the next program waits until the host provides it
    /// again. `None` where free memory stays.
    pub handed_back_bytes: Option<u64>,
}

/// Limits of this user. `None` is "not known", a sentence is the reason for a no.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SystemLimits {
    /// True if the user is root (Windows: an elevated administrator).
    pub privileged: Option<bool>,
    /// Open files.
    pub open_files: Option<u64>,
    /// Processes or threads of the user.
    pub processes: Option<u64>,
    /// Memory limit of the control group (or job), when there is one.
    pub memory_bytes: Option<u64>,
    /// Processors' worth of time that the control group allows, in thousandths.
    pub processor_quota_millis: Option<u64>,
    /// Reason why io_uring (Windows: IoRing) cannot be used; `None` when it can.
    pub ring_refused: Option<String>,
    /// Reason why hardware counters cannot be used; `None` when they can.
    pub counters_refused: Option<String>,
    /// Version of the control groups: `v1`, `v2`, `hybrid`.
    pub control_groups: Option<String>,
}

/// The volume of a directory.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Volume {
    /// The directory that was asked about.
    pub directory: PathBuf,
    /// File system, e.g. `ext4`, `NTFS`.
    pub file_system: Option<String>,
    /// Mount point.
    pub mount_point: Option<PathBuf>,
    /// Mount options as the system prints them.
    pub mount_options: Option<String>,
    /// Device or remote source.
    pub device: Option<String>,
    /// True if the device turns.
    pub rotational: Option<bool>,
    /// Largest stretch of a file that the system reads ahead of a program.
    pub read_ahead_bytes: Option<u64>,
    /// I/O scheduler of the device.
    pub scheduler: Option<String>,
    /// Size of the file system.
    pub total_bytes: Option<u64>,
    /// Free space for this user.
    pub free_bytes: Option<u64>,
    /// Allocation unit.
    pub block_bytes: Option<u64>,
}

impl Volume {
    /// Returns whether the device turns; `None` in a virtual machine too, whose disks call themselves turning whatever lies below them.
    pub fn turns(&self, processor: &Processor) -> Option<bool> {
        self.rotational.filter(|_| processor.virtual_by().is_none())
    }
}
