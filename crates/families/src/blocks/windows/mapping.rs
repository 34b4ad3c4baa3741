//! Memory straight from the system, in pages of a chosen kind.

use std::io;
use std::ops::Range;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::ptr;

use model::Availability;
use sys::failure::in_context;
use sys::windows::checked;
use windows_sys::Win32::Foundation::{ERROR_NOT_ALL_ASSIGNED, ERROR_SUCCESS, GetLastError};
use windows_sys::Win32::Security::{
    AdjustTokenPrivileges, LUID_AND_ATTRIBUTES, LookupPrivilegeValueW, SE_LOCK_MEMORY_NAME,
    SE_PRIVILEGE_ENABLED, TOKEN_ADJUST_PRIVILEGES, TOKEN_PRIVILEGES,
};
use windows_sys::Win32::System::Memory::{GetLargePageMinimum, MEM_LARGE_PAGES};
use windows_sys::Win32::System::Threading::{GetCurrentProcess, OpenProcessToken};

use crate::files::Mapping;

pub(in crate::blocks) const HUGE_PAGES_FROM_BYTES: u64 = 2 << 20;

/// A kind of pages in which memory may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::blocks) enum Pages {
    /// Of the size that every program gets: 4 KiB on x86-64.
    Base,
    /// Large ones, which need a right.
    Explicit,
}

/// Maps zeros, and says where in the mapping they lie.
pub(in crate::blocks) fn mapped(bytes: usize, pages: Pages) -> io::Result<(Mapping, Range<usize>)> {
    let mapping = match pages {
        Pages::Base => Mapping::mapped_buffer(bytes)?,
        Pages::Explicit => {
            allow_large_pages()?;
            Mapping::of_kind(bytes.next_multiple_of(large_page_bytes()?), MEM_LARGE_PAGES)?
        }
    };
    Ok((mapping, 0..bytes))
}

/// Large pages are given whole or not at all.
pub(in crate::blocks) fn shortfall(_memory: &[u8], _pages: Pages) -> Option<String> {
    None
}

pub(in crate::blocks) fn availability(pages: Pages) -> Availability {
    match pages {
        Pages::Base => Availability::Ready,
        Pages::Explicit => match large_page_bytes().and_then(|bytes| mapped(bytes, pages)) {
            Ok(_) => Availability::Ready,
            Err(error) => Availability::Missing(format!(
                "no large page can be had ({error}); the right 'Lock pages in memory' is needed"
            )),
        },
    }
}

fn large_page_bytes() -> io::Result<usize> {
    // SAFETY: the call has no conditions.
    match unsafe { GetLargePageMinimum() } {
        0 => Err(io::Error::new(io::ErrorKind::Unsupported, "this processor has no large pages")),
        bytes => Ok(bytes),
    }
}

fn allow_large_pages() -> io::Result<()> {
    let mut handle = ptr::null_mut();
    // SAFETY: the pseudo handle is always valid; `handle` is a place for the token.
    checked(unsafe { OpenProcessToken(GetCurrentProcess(), TOKEN_ADJUST_PRIVILEGES, &raw mut handle) })
        .map_err(|error| in_context("OpenProcessToken", error))?;
    // SAFETY: it was opened above, for this value alone.
    let token = unsafe { OwnedHandle::from_raw_handle(handle) };
    let mut wanted = TOKEN_PRIVILEGES {
        PrivilegeCount: 1,
        Privileges: [LUID_AND_ATTRIBUTES { Attributes: SE_PRIVILEGE_ENABLED, ..Default::default() }],
    };
    // SAFETY: the name is a text of the system that ends in 0; the privilege has a place for its number.
    checked(unsafe {
        LookupPrivilegeValueW(ptr::null(), SE_LOCK_MEMORY_NAME, &raw mut wanted.Privileges[0].Luid)
    })
    .map_err(|error| in_context("LookupPrivilegeValue", error))?;
    // SAFETY: the token is open for this, and `wanted` holds one privilege; what was before is not asked for.
    let adjusted = unsafe {
        AdjustTokenPrivileges(
            token.as_raw_handle(),
            0,
            &raw const wanted,
            0,
            ptr::null_mut(),
            ptr::null_mut(),
        )
    };
    checked(adjusted).map_err(|error| in_context("AdjustTokenPrivileges", error))?;
    // The call succeeds also where the user has no such right, and says so in the last error.
    // SAFETY: the call has no conditions.
    match unsafe { GetLastError() } {
        ERROR_SUCCESS => Ok(()),
        ERROR_NOT_ALL_ASSIGNED => Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "this user has no right to lock pages in memory",
        )),
        code => Err(io::Error::from_raw_os_error(code as i32)),
    }
}
