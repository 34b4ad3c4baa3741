//! Functions that are looked up at run time: a program that names them does not even start where there are none.

use std::ffi::CStr;
use std::io;
use std::mem::transmute;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::LibraryLoader::{GetProcAddress, LoadLibraryA};
use windows_sys::Win32::System::Performance::QueryPerformanceFrequency;
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAdjustment;

/// 100 ns, in which most of the system's times are counted.
pub(in crate::clock) const HUNDRED_NS: f64 = 100.0;

#[inline(always)]
pub(in crate::clock) fn number_of(time: &FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

pub(in crate::clock) const NO_TIME: FILETIME = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };

pub(in crate::clock) fn tick_ns() -> Option<f64> {
    let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
    // SAFETY: the places are valid for the answers.
    let asked =
        unsafe { GetSystemTimeAdjustment(&raw mut adjustment, &raw mut increment, &raw mut disabled) };
    (asked != 0 && increment != 0).then(|| f64::from(increment) * HUNDRED_NS)
}

pub(in crate::clock) fn performance_unit_ns() -> Option<f64> {
    let mut frequency = 0;
    // SAFETY: the place is valid for the answer.
    let asked = unsafe { QueryPerformanceFrequency(&raw mut frequency) };
    (asked != 0 && frequency > 0).then(|| 1e9 / frequency as f64)
}

/// A function of which nothing but its address is known.
type Function = unsafe extern "system" fn() -> isize;

/// Finds a function; its library stays loaded until the process ends.
fn found(library: &CStr, function: &CStr) -> io::Result<Function> {
    let missing = |what: &CStr| {
        let sentence = format!("this Windows has no {}", what.to_string_lossy());
        io::Error::new(io::ErrorKind::Unsupported, sentence)
    };
    // SAFETY: both names end with a zero.
    let library_handle = unsafe { LoadLibraryA(library.as_ptr().cast()) };
    if library_handle.is_null() {
        return Err(missing(library));
    }
    // SAFETY: the library is loaded, and the name ends with a zero.
    unsafe { GetProcAddress(library_handle, function.as_ptr().cast()) }.ok_or_else(|| missing(function))
}

pub(in crate::clock) type InterruptTime = unsafe extern "system" fn(*mut u64);

pub(in crate::clock) fn interrupt_time(name: &CStr) -> io::Result<InterruptTime> {
    let function = found(c"kernelbase.dll", name)?;
    // SAFETY: all functions of these names take one place for a number and return nothing.
    Ok(unsafe { transmute::<Function, InterruptTime>(function) })
}

pub(in crate::clock) type MultimediaTime = unsafe extern "system" fn() -> u32;

pub(in crate::clock) fn multimedia_time() -> io::Result<MultimediaTime> {
    let function = found(c"winmm.dll", c"timeGetTime")?;
    // SAFETY: the function of this name takes nothing and gives a number of 32 bits.
    Ok(unsafe { transmute::<Function, MultimediaTime>(function) })
}
