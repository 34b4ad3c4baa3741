//! Values below `HKEY_LOCAL_MACHINE`.

use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, REG_ROUTINE_FLAGS, RRF_RT_REG_BINARY, RRF_RT_REG_SZ, RegGetValueW,
};

use crate::windows;

/// A text; `None` when there is none, or an empty one.
pub(super) fn text(key: &str, value: &str) -> Option<String> {
    let mut buffer = [0_u16; 512];
    read(key, value, RRF_RT_REG_SZ, &mut buffer)?;
    windows::text(&buffer)
}

/// This many bytes; `None` when there are none, or another number of them.
pub(super) fn bytes<const COUNT: usize>(key: &str, value: &str) -> Option<[u8; COUNT]> {
    let mut buffer = [0_u8; COUNT];
    let length_bytes = read(key, value, RRF_RT_REG_BINARY, &mut buffer)?;
    (length_bytes == COUNT).then_some(buffer)
}

/// Reads a value of this kind and answers its length in bytes; `None` when there is none, or one that the buffer cannot hold.
fn read<T: Copy>(key: &str, value: &str, kind: REG_ROUTINE_FLAGS, buffer: &mut [T]) -> Option<usize> {
    let (key, value) = (windows::wide(key), windows::wide(value));
    let mut bytes = size_of_val(buffer) as u32;
    // SAFETY: both names end in a zero, and the buffer is as large as said; what is written there are whole numbers, for which
    // every pattern of bits is a value.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            value.as_ptr(),
            kind,
            std::ptr::null_mut(),
            buffer.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    (status == 0).then_some(bytes as usize)
}
