//! Functions that are looked up at run time: a program that names them does not even start where there are none.

use std::ffi::CStr;
use std::io;
use std::marker::PhantomData;

use windows_sys::Win32::Foundation::FILETIME;
use windows_sys::Win32::System::LibraryLoader::{GetProcAddress, LoadLibraryA};
use windows_sys::Win32::System::Performance::QueryPerformanceFrequency;
use windows_sys::Win32::System::SystemInformation::GetSystemTimeAdjustment;

use crate::clock::time_source::{Tells, TimeSource};

/// 100 ns, in which most of the system's times are counted.
pub(in crate::clock) const HUNDRED_NS: f64 = 100.0;

/// The number of a time in two halves.
#[inline(always)]
pub(in crate::clock) fn number_of(time: &FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

/// A place for a time in two halves.
pub(in crate::clock) const NO_TIME: FILETIME = FILETIME { dwLowDateTime: 0, dwHighDateTime: 0 };

/// Nanoseconds between two ticks of the system's timer.
pub(in crate::clock) fn tick_ns() -> Option<f64> {
    let (mut adjustment, mut increment, mut disabled) = (0, 0, 0);
    // SAFETY: the places are valid for the answers.
    let asked =
        unsafe { GetSystemTimeAdjustment(&raw mut adjustment, &raw mut increment, &raw mut disabled) };
    (asked != 0 && increment != 0).then(|| f64::from(increment) * HUNDRED_NS)
}

/// Nanoseconds in a unit of the performance counter.
pub(in crate::clock) fn performance_unit_ns() -> Option<f64> {
    let mut frequency = 0;
    // SAFETY: the place is valid for the answer.
    let asked = unsafe { QueryPerformanceFrequency(&raw mut frequency) };
    (asked != 0 && frequency > 0).then(|| 1e9 / frequency as f64)
}

/// The function of that name. Its library stays loaded until the process ends.
///
/// # Errors
/// There is no such library or no such function.
pub(in crate::clock) fn found(
    library: &CStr,
    function: &CStr,
) -> io::Result<unsafe extern "system" fn() -> isize> {
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

/// Which function of `kernelbase.dll` reads a clock of interrupts.
pub(in crate::clock) trait InterruptFunction: Send + Sync + 'static {
    const NAME: &'static CStr;
    /// Whether it stands still between two ticks.
    const IS_COARSE: bool;
}

/// A clock that one of these functions reads.
pub(in crate::clock) struct InterruptTime<F> {
    function: unsafe extern "system" fn(*mut u64),
    of: PhantomData<F>,
}

impl<F: InterruptFunction> TimeSource for InterruptTime<F> {
    type Reading = u64;
    const EMPTY: u64 = 0;
    const TELLS: Tells = Tells::ElapsedTime;

    fn open() -> io::Result<Self> {
        let function = found(c"kernelbase.dll", F::NAME)?;
        // SAFETY: all functions of these names take one place for a number and return nothing.
        let function = unsafe {
            std::mem::transmute::<unsafe extern "system" fn() -> isize, unsafe extern "system" fn(*mut u64)>(
                function,
            )
        };
        Ok(Self { function, of: PhantomData })
    }

    #[inline(always)]
    fn read(&self, place: &mut u64) {
        // SAFETY: `place` is a valid place for the answer.
        unsafe { (self.function)(place) };
    }

    #[inline(always)]
    fn number(&self, reading: &u64) -> u64 {
        *reading
    }

    fn unit_ns(&self) -> Option<f64> {
        Some(HUNDRED_NS)
    }

    fn stated_resolution_ns(&self) -> Option<f64> {
        if F::IS_COARSE { tick_ns() } else { Some(HUNDRED_NS) }
    }
}
