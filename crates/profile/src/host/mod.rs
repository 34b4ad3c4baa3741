//! What a profile is tied to, and how it is read.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;

use crate::ProfileError;

mod facts;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as system;

pub use facts::{Cache, Facts};
#[cfg(target_os = "linux")]
pub use linux::mount::Mount;

/// A host and the kernel that it runs. The fingerprint is that of `bakeoff host`: made of the machine's identity, its processor, the
/// number of processors, its memory and its hypervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKey {
    /// Distinguishes the machine from all others: 16 hexadecimal digits.
    pub fingerprint: String,
    /// Kernel release.
    pub kernel: String,
    /// What else decides which technique is fastest, and does not change by itself, as far as it is known: see [`Facts::setup`].
    pub setup: BTreeMap<String, String>,
}

impl HostKey {
    /// Reads the key of this host. Takes less than a millisecond.
    ///
    /// # Errors
    /// Nothing that the system reports distinguishes it from others.
    pub fn here() -> Result<Self, ProfileError> {
        let facts = Facts::read();
        match (facts.fingerprint(), facts.kernel.clone()) {
            (Some(fingerprint), Some(kernel)) => Ok(Self { fingerprint, kernel, setup: facts.setup() }),
            _ => Err(ProfileError::UnknownHost),
        }
    }
}

/// Returns the name of the file system that holds a directory (`ext4`, `NTFS`), where it is known.
///
/// # Errors
/// The directory does not exist or may not be looked at.
pub fn file_system(directory: &Path) -> io::Result<Option<String>> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
    system::file_system(directory).map_err(named)
}
