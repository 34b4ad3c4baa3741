use std::ptr;

use model::{Availability, Host, Setting};
use windows_sys::Win32::Foundation::{ERROR_ALREADY_EXISTS, ERROR_FILE_EXISTS};
use windows_sys::Win32::Storage::FileSystem::COPYFILE2_EXTENDED_PARAMETERS;
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::core::{HRESULT, PCWSTR};

use super::one_call::named;
use crate::copy::prelude::*;
use crate::files::wide;

pub(in crate::copy) const COPY_FILE_2: Technique<CopyJob> = Technique {
    name: "copy_file_2",
    idea: "CopyFile2: the system copies, and may clone or hand the work to the device",
    source: "Microsoft, CopyFile2",
    needs: "Windows 8 or later",
    probe,
    ..Technique::usual(|job| job.left_to_the_system(|job, _| copy_with(job, 0)))
};

pub(in crate::copy) const COPY_FILE_2_UNBUFFERED: Technique<CopyJob> = Technique {
    name: "copy_file_2_unbuffered",
    idea: "CopyFile2 with COPY_FILE_NO_BUFFERING, which Microsoft recommends for very large files",
    source: "Microsoft, COPYFILE2_EXTENDED_PARAMETERS",
    variant_of: Some("copy_file_2"),
    needs: "Windows 8 or later",
    probe,
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.left_to_the_system(|job, _| copy_with(job, NO_BUFFERING)))
};

/// `COPY_FILE_FAIL_IF_EXISTS`: a left-over would be another piece of work.
const FAIL_IF_EXISTS: u32 = 1;

type CopyFile2 = unsafe extern "system" fn(PCWSTR, PCWSTR, *const COPYFILE2_EXTENDED_PARAMETERS) -> HRESULT;

/// `COPY_FILE_NO_BUFFERING`.
const NO_BUFFERING: u32 = 0x1000;

fn copy_with(job: &CopyJob, flags: u32) -> io::Result<()> {
    let absent = || io::Error::new(io::ErrorKind::Unsupported, ABSENT);
    let copy_file_2 = copy_file_2().ok_or_else(absent)?;
    let parameters = COPYFILE2_EXTENDED_PARAMETERS {
        dwSize: size_of::<COPYFILE2_EXTENDED_PARAMETERS>() as u32,
        dwCopyFlags: FAIL_IF_EXISTS | flags,
        pfCancel: ptr::null_mut(),
        pProgressRoutine: None,
        pvCallbackContext: ptr::null_mut(),
    };
    job.each(|file| {
        let (source, destination) = (wide(file.source)?, wide(file.destination)?);
        // SAFETY: both paths end in a zero, and the parameters say their own size.
        let status = unsafe { copy_file_2(source.as_ptr(), destination.as_ptr(), &raw const parameters) };
        if status < 0 {
            return Err(named("CopyFile2", file)(translated(status)));
        }
        file.finish_closed()
    })
}

/// The lower half of such a code is the code that every other call would have given.
fn translated(refused: HRESULT) -> io::Error {
    let code = refused & 0xffff;
    match code as u32 {
        ERROR_FILE_EXISTS | ERROR_ALREADY_EXISTS => io::Error::from(io::ErrorKind::AlreadyExists),
        _ => io::Error::from_raw_os_error(code),
    }
}

const ABSENT: &str = "this system has no CopyFile2; it came with Windows 8";

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    if copy_file_2().is_some() { Availability::Ready } else { Availability::Missing(ABSENT.into()) }
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
