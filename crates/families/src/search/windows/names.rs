//! The order of paths.

/// Appends the bytes by which a path is put in order: as on other systems, the separator counts as `/`.
pub(in crate::search) fn push_order_key(path: &[u8], key: &mut Vec<u8>) {
    key.extend(path.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }));
}
