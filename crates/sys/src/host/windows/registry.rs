//! Values below `HKEY_LOCAL_MACHINE`.

use windows_sys::Win32::System::Registry::{
    HKEY_LOCAL_MACHINE, REG_ROUTINE_FLAGS, RRF_RT_REG_DWORD, RRF_RT_REG_SZ, RegGetValueW,
};

use crate::windows;

/// A text; `None` when there is none, or an empty one.
pub(super) fn text(key: &str, value: &str) -> Option<String> {
    let mut buffer = [0_u16; 512];
    read(key, value, RRF_RT_REG_SZ, &mut buffer)?;
    windows::text(&buffer)
}

/// A number of 32 bits.
pub(super) fn number(key: &str, value: &str) -> Option<u32> {
    let mut number = [0_u32];
    read(key, value, RRF_RT_REG_DWORD, &mut number)?;
    Some(number[0])
}

fn read<T>(key: &str, value: &str, kind: REG_ROUTINE_FLAGS, buffer: &mut [T]) -> Option<()> {
    let (key, value) = (windows::wide(key), windows::wide(value));
    let mut bytes = size_of_val(buffer) as u32;
    // SAFETY: both names end in a zero, and the buffer is as large as said. Both kinds asked for consist of plain
    // integers, so whatever is written into it is valid.
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
    (status == 0).then_some(())
}
