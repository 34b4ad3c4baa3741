//! What several of the Windows files need: names in UTF-16, answers of calls, and whether this is Wine.

use std::ffi::{CStr, OsStr, c_char};
use std::fs::File;
use std::io;
use std::os::windows::ffi::OsStrExt;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};

use windows_sys::Win32::Foundation::{
    ERROR_INTERNAL_ERROR, FARPROC, FILETIME, HANDLE, INVALID_HANDLE_VALUE, NTSTATUS, RtlNtStatusToDosError,
};
use windows_sys::Win32::Security::{GetTokenInformation, TOKEN_INFORMATION_CLASS, TOKEN_QUERY};
use windows_sys::Win32::Storage::FileSystem::{BY_HANDLE_FILE_INFORMATION, GetFileInformationByHandle};
use windows_sys::Win32::System::Console::{
    AttachConsole, CTRL_C_EVENT, FreeConsole, GenerateConsoleCtrlEvent, SetConsoleCtrlHandler,
};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::JobObjects::{JOBOBJECTINFOCLASS, QueryInformationJobObject};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

/// Returns the text as the system wants it: UTF-16 with a zero at its end.
pub(crate) fn wide(text: impl AsRef<OsStr>) -> Vec<u16> {
    text.as_ref().encode_wide().chain([0]).collect()
}

/// Returns the text in a buffer that the system filled: up to the first zero.
pub(crate) fn text(buffer: &[u16]) -> Option<String> {
    let end = buffer.iter().position(|&unit| unit == 0).unwrap_or(buffer.len());
    let text = String::from_utf16_lossy(&buffer[..end]).trim().to_owned();
    (!text.is_empty()).then_some(text)
}

/// Returns the text that a call writes into a buffer of this many units; it gives 0 when it failed.
pub(crate) fn text_of<const UNITS: usize>(fill: impl FnOnce(&mut [u16; UNITS]) -> i32) -> Option<String> {
    let mut buffer = [0; UNITS];
    if fill(&mut buffer) == 0 { None } else { text(&buffer) }
}

/// A call that gives 0 when it failed, and says why in the thread's last error.
pub fn checked(answer: i32) -> io::Result<()> {
    if answer == 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

/// A call of the system itself, or one whose end is looked up later: its status is negative when it failed.
pub fn checked_status(status: NTSTATUS) -> io::Result<()> {
    if status >= 0 {
        return Ok(());
    }
    // SAFETY: the call translates one number into another.
    Err(io::Error::from_raw_os_error(unsafe { RtlNtStatusToDosError(status) } as i32))
}

/// Returns what a call has opened, or why it gave no handle.
///
/// # Safety
/// The handle, where it is one, was opened for this alone.
pub(crate) unsafe fn opened(handle: HANDLE) -> io::Result<OwnedHandle> {
    if handle.is_null() || handle == INVALID_HANDLE_VALUE {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the caller vouches for it.
    Ok(unsafe { OwnedHandle::from_raw_handle(handle) })
}

/// Asks a file or a device; gives how many bytes were answered. `Q` and `A` are the structures that belong to the question.
pub(crate) fn asked<Q, A: Copy>(device: &File, question: u32, query: &Q, answer: &mut A) -> io::Result<u32> {
    let mut bytes = 0;
    // SAFETY: query and answer are numbers of the sizes that are reported and live through the call, which waits for its end.
    let done = unsafe {
        DeviceIoControl(
            device.as_raw_handle(),
            question,
            (&raw const *query).cast(),
            size_of::<Q>() as u32,
            (&raw mut *answer).cast(),
            size_of::<A>() as u32,
            &raw mut bytes,
            std::ptr::null_mut(),
        )
    };
    checked(done).map(|()| bytes)
}

pub(crate) fn information_of(file: &File) -> io::Result<BY_HANDLE_FILE_INFORMATION> {
    let mut seen = BY_HANDLE_FILE_INFORMATION::default();
    // SAFETY: the handle is open, and the structure to be filled lives through the call.
    checked(unsafe { GetFileInformationByHandle(file.as_raw_handle(), &raw mut seen) })?;
    Ok(seen)
}

/// Returns what a job answers to a question, or without one the job of this process. `T` is the structure that belongs to the class.
pub(crate) fn job_information<T: Copy + Default>(job: HANDLE, class: JOBOBJECTINFOCLASS) -> Option<T> {
    let (mut answer, bytes) = (T::default(), size_of::<T>() as u32);
    // SAFETY: the handle is none or open; the buffer is as large as said, and consists of numbers.
    let known = unsafe {
        QueryInformationJobObject(job, class, (&raw mut answer).cast(), bytes, std::ptr::null_mut())
    };
    (known != 0).then_some(answer)
}

/// Fills in what the token of this process answers. `T` begins with the structure of the class, which may point into `answer`.
pub(crate) fn token_information<T: Copy>(class: TOKEN_INFORMATION_CLASS, answer: &mut T) -> io::Result<()> {
    let (mut token, mut bytes) = (std::ptr::null_mut(), size_of::<T>() as u32);
    // SAFETY: the handle of this process needs no closing; the place for the answer lives through the call.
    checked(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &raw mut token) })?;
    // SAFETY: it was opened above, for this value alone.
    let token = unsafe { opened(token) }?;
    // SAFETY: the handle is open, the buffer is as large as said.
    checked(unsafe {
        GetTokenInformation(token.as_raw_handle(), class, (&raw mut *answer).cast(), bytes, &raw mut bytes)
    })
}

/// The system counts time in units of 100 ns.
pub(crate) fn units(time: FILETIME) -> u64 {
    u64::from(time.dwHighDateTime) << 32 | u64::from(time.dwLowDateTime)
}

/// Returns a function that a library has, which must be a part of every process.
pub(crate) fn function_of(library: &str, name: &CStr) -> FARPROC {
    let library = wide(library);
    // SAFETY: the name ends in a zero. The library is part of every process, so the handle stays valid.
    let library = unsafe { GetModuleHandleW(library.as_ptr()) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is that of a loaded library, and the name ends in a zero.
    unsafe { GetProcAddress(library, name.as_ptr().cast()) }
}

/// Wine's version when this is Wine: it exports a function of its own (Wine's developer FAQ).
pub(crate) fn wine_version() -> Option<String> {
    let function = function_of("ntdll.dll", c"wine_get_version")?;
    // SAFETY: where the function exists it is Wine's, declared as `const char *wine_get_version(void)`.
    let function: extern "system" fn() -> *const c_char = unsafe { std::mem::transmute(function) };
    // SAFETY: Wine gives a string constant that ends in a zero.
    let version = unsafe { CStr::from_ptr(function()) };
    Some(version.to_string_lossy().into_owned())
}

/// Starts a command, such as by [`std::process::Command::spawn`]; once more, up to twice, where the system gave up on the start
/// because it took too long. Wine does so on a busy machine, and nothing of the command has run then.
pub fn start_patiently<T>(mut start: impl FnMut() -> io::Result<T>) -> io::Result<T> {
    const AGAIN: u32 = 2;
    for _ in 0..AGAIN {
        match start() {
            Err(error) if error.raw_os_error() == Some(ERROR_INTERNAL_ERROR as i32) => {}
            started => return started,
        }
    }
    start()
}

/// Presses Ctrl-C at the console of another process: all processes of that console get it. This process leaves its own
/// console for the other's, and ignores Ctrl-C from now on.
pub fn press_ctrl_c(process_id: u32) -> io::Result<()> {
    // SAFETY: the call takes nothing. Without a console of its own it fails, which is as good.
    unsafe { FreeConsole() };
    // SAFETY: the call takes numbers only.
    checked(unsafe { AttachConsole(process_id) })?;
    // SAFETY: without a handler the call only begins the ignoring.
    checked(unsafe { SetConsoleCtrlHandler(None, 1) })?;
    // SAFETY: the call takes numbers only; group 0 is all processes of the console.
    checked(unsafe { GenerateConsoleCtrlEvent(CTRL_C_EVENT, 0) })
}
