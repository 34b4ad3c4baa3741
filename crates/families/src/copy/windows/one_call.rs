//! One call does it all, as in the historical program cpCF.

use std::io;
use std::os::windows::ffi::OsStrExt;
use std::path::Path;
use std::ptr;

use model::Class;
use windows_sys::Win32::Foundation::{ERROR_ALREADY_EXISTS, ERROR_FILE_EXISTS};
use windows_sys::Win32::Storage::FileSystem::{COPYFILE2_EXTENDED_PARAMETERS, CopyFileExW};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::core::{HRESULT, PCWSTR};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{checked, make_durable};

pub(in crate::copy) const ONE_CALL: Technique<CopyJob> = Technique {
    name: "one_call",
    alias: &["cpCF"],
    idea: "CopyFile2; where the system has none, CopyFileEx",
    source: "Hart, Windows System Programming, cpCF; Microsoft, CopyFile2",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.left_to_the_system(copy),
};

/// `COPY_FILE_FAIL_IF_EXISTS`: a left-over would be another piece of work.
const FAIL_IF_EXISTS: u32 = 1;

type CopyFile2 = unsafe extern "system" fn(PCWSTR, PCWSTR, *const COPYFILE2_EXTENDED_PARAMETERS) -> HRESULT;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let (source, destination) = (wide(&job.source)?, wide(&job.destination)?);
    match copy_file_2() {
        Some(copy_file_2) => {
            by_copy_file_2(copy_file_2, &source, &destination).map_err(named("CopyFile2", job))?
        }
        None => {
            notes.push("fell back: this system has no CopyFile2, CopyFileEx took over".into());
            by_copy_file_ex(&source, &destination).map_err(named("CopyFileEx", job))?;
        }
    }
    if job.durable { make_durable(&job.destination) } else { Ok(()) }
}

/// The call does not say which of the two files it means, so both are named.
fn named(call: &str, job: &CopyJob) -> impl FnOnce(io::Error) -> io::Error {
    move |error| {
        let (source, destination) = (job.source.display(), job.destination.display());
        io::Error::new(error.kind(), format!("{call} {source} to {destination}: {error}"))
    }
}

/// Looked up at run time: a program that names the function does not even start where there is none.
fn copy_file_2() -> Option<CopyFile2> {
    let library: Vec<u16> = "kernel32.dll\0".encode_utf16().collect();
    // SAFETY: the name ends in a zero. The library is part of every process, so the handle stays valid.
    let library = unsafe { GetModuleHandleW(library.as_ptr()) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is that of a loaded library, and the name ends in a zero.
    let function = unsafe { GetProcAddress(library, c"CopyFile2".as_ptr().cast()) }?;
    // SAFETY: the function of this name has this signature (Microsoft, CopyFile2).
    Some(unsafe { std::mem::transmute::<unsafe extern "system" fn() -> isize, CopyFile2>(function) })
}

fn by_copy_file_2(copy_file_2: CopyFile2, source: &[u16], destination: &[u16]) -> io::Result<()> {
    let parameters = COPYFILE2_EXTENDED_PARAMETERS {
        dwSize: size_of::<COPYFILE2_EXTENDED_PARAMETERS>() as u32,
        dwCopyFlags: FAIL_IF_EXISTS,
        pfCancel: ptr::null_mut(),
        pProgressRoutine: None,
        pvCallbackContext: ptr::null_mut(),
    };
    // SAFETY: both paths end in a zero, and the parameters say their own size.
    match unsafe { copy_file_2(source.as_ptr(), destination.as_ptr(), &raw const parameters) } {
        0.. => Ok(()),
        refused => Err(translated(refused)),
    }
}

/// The lower half of such a code is the code that every other call would have given.
fn translated(refused: HRESULT) -> io::Error {
    let code = refused & 0xffff;
    match code as u32 {
        ERROR_FILE_EXISTS | ERROR_ALREADY_EXISTS => io::Error::from(io::ErrorKind::AlreadyExists),
        _ => io::Error::from_raw_os_error(code),
    }
}

fn by_copy_file_ex(source: &[u16], destination: &[u16]) -> io::Result<()> {
    // SAFETY: both paths end in a zero; nobody asks for progress or for a cancellation.
    checked(unsafe {
        CopyFileExW(source.as_ptr(), destination.as_ptr(), None, ptr::null(), ptr::null_mut(), FAIL_IF_EXISTS)
    })
}

fn wide(path: &Path) -> io::Result<Vec<u16>> {
    let units: Vec<u16> = path.as_os_str().encode_wide().chain([0]).collect();
    if units[..units.len() - 1].contains(&0) {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("{}: a zero in the path", path.display()),
        ));
    }
    Ok(units)
}
