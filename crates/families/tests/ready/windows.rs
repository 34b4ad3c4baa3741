//! What Wine lacks on the file system of a Linux machine.

/// Entries with a part of the sentence by which they are refused.
pub(super) const MAY_BE_MISSING: &[(&str, &str)] = &[];
