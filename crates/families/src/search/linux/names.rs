//! The order of paths.

/// Appends the bytes by which a path is put in order.
pub(in crate::search) fn push_order_key(path: &[u8], key: &mut Vec<u8>) {
    key.extend_from_slice(path);
}
