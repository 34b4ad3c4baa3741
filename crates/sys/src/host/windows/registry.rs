//! Values below `HKEY_LOCAL_MACHINE`.

use windows_sys::Win32::System::Registry::{HKEY_LOCAL_MACHINE, RRF_RT_REG_SZ, RegGetValueW};

use crate::windows;

/// Returns a text; `None` when there is none, an empty one, or one of more than 512 units.
pub(super) fn text(key: &str, value: &str) -> Option<String> {
    let mut buffer = [0_u16; 512];
    let (key, value) = (windows::wide(key), windows::wide(value));
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
