//! What a profile is tied to.

use std::collections::BTreeMap;

use crate::ProfileError;

/// A host and the kernel that it runs. The fingerprint is that of `bakeoff host`: made of the machine's identity, its processor, the
/// number of processors, its memory and its hypervisor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostKey {
    /// Tells the machine from all others: 16 hexadecimal digits.
    pub fingerprint: String,
    /// Kernel release.
    pub kernel: String,
    /// What else decides which technique is fastest, and does not change by itself, as far as it is known: `microcode`,
    /// `caches`, and `huge_pages`, which tells who is given transparent ones.
    pub setup: BTreeMap<String, String>,
}

impl HostKey {
    /// This host. Takes less than a millisecond.
    ///
    /// # Errors
    /// The system says nothing by which it could be told from others.
    pub fn here() -> Result<Self, ProfileError> {
        let identity = sys::host::identity();
        let setup = identity.setup.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        match (identity.fingerprint, identity.kernel) {
            (Some(fingerprint), Some(kernel)) => Ok(Self { fingerprint: fingerprint.0, kernel, setup }),
            _ => Err(ProfileError::UnknownHost),
        }
    }
}
