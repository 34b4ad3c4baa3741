//! Values below `HKEY_LOCAL_MACHINE`.

use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, RRF_RT_REG_BINARY, RRF_RT_REG_SZ, RegGetValueW,
};

use crate::windows;

/// A text; `None` when there is none, or an empty one.
pub(super) fn text(key: &str, value: &str) -> Option<String> {
    let (key, value) = (windows::wide(key), windows::wide(value));
    let mut buffer = [0_u16; 512];
    let mut bytes = size_of_val(&buffer) as u32;
    // SAFETY: both names end in a zero, and the buffer is as large as said.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            value.as_ptr(),
            RRF_RT_REG_SZ,
            std::ptr::null_mut(),
            buffer.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    (status == 0).then(|| windows::text(&buffer)).flatten()
}

/// So many bytes; `None` when there are none, or another number of them.
pub(super) fn bytes<const COUNT: usize>(key: &str, value: &str) -> Option<[u8; COUNT]> {
    let (key, value) = (windows::wide(key), windows::wide(value));
    let mut buffer = [0_u8; COUNT];
    let mut bytes = COUNT as u32;
    // SAFETY: both names end in a zero, and the buffer is as large as said.
    let status = unsafe {
        RegGetValueW(
            HKEY_LOCAL_MACHINE,
            key.as_ptr(),
            value.as_ptr(),
            RRF_RT_REG_BINARY,
            std::ptr::null_mut(),
            buffer.as_mut_ptr().cast(),
            &raw mut bytes,
        )
    };
    (status == 0 && bytes as usize == COUNT).then_some(buffer)
}
