//! IoRing, the ring of submissions and completions of Windows 11 22H2 and later.
//!
//! Its functions are looked up at run time: a program that names them does not even start where there are none.

use std::io;
use std::ptr;

use windows_sys::Win32::Foundation::HANDLE;
use windows_sys::Win32::Storage::FileSystem::{
    FILE_WRITE_FLAGS, FILE_WRITE_FLAGS_NONE, HIORING, IORING_BUFFER_REF, IORING_BUFFER_REF_0,
    IORING_CAPABILITIES, IORING_CQE, IORING_CREATE_FLAGS, IORING_HANDLE_REF, IORING_HANDLE_REF_0,
    IORING_REF_RAW, IORING_SQE_FLAGS, IORING_VERSION, IORING_VERSION_3, IOSQE_FLAGS_NONE,
};
use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
use windows_sys::Win32::System::Threading::INFINITE;
use windows_sys::core::HRESULT;

type Query = unsafe extern "system" fn(*mut IORING_CAPABILITIES) -> HRESULT;
type Create =
    unsafe extern "system" fn(IORING_VERSION, IORING_CREATE_FLAGS, u32, u32, *mut HIORING) -> HRESULT;
type Read = unsafe extern "system" fn(
    HIORING,
    IORING_HANDLE_REF,
    IORING_BUFFER_REF,
    u32,
    u64,
    usize,
    IORING_SQE_FLAGS,
) -> HRESULT;
type Write = unsafe extern "system" fn(
    HIORING,
    IORING_HANDLE_REF,
    IORING_BUFFER_REF,
    u32,
    u64,
    FILE_WRITE_FLAGS,
    usize,
    IORING_SQE_FLAGS,
) -> HRESULT;
type Submit = unsafe extern "system" fn(HIORING, u32, u32, *mut u32) -> HRESULT;
type Pop = unsafe extern "system" fn(HIORING, *mut IORING_CQE) -> HRESULT;
type Close = unsafe extern "system" fn(HIORING) -> HRESULT;

struct Functions {
    create: Create,
    read: Read,
    write: Write,
    submit: Submit,
    pop: Pop,
    close: Close,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Piece {
    pub(crate) file: HANDLE,
    pub(crate) memory: *mut u8,
    pub(crate) bytes: u32,
    pub(crate) offset: u64,
    /// Comes back with the end.
    pub(crate) mark: usize,
}

/// A ring. Dropping it waits for what is in flight.
pub(crate) struct Ring {
    functions: Functions,
    handle: HIORING,
    in_flight: u32,
}

impl Ring {
    pub(crate) fn new(entries: u32) -> io::Result<Self> {
        let functions = functions().ok_or_else(unsupported)?;
        let mut handle = ptr::null_mut();
        // SAFETY: the place is valid for the answer, which is ours to close.
        let status = unsafe {
            (functions.create)(
                IORING_VERSION_3,
                IORING_CREATE_FLAGS::default(),
                entries,
                2 * entries,
                &raw mut handle,
            )
        };
        checked("CreateIoRing", status)?;
        Ok(Self { functions, handle, in_flight: 0 })
    }

    pub(crate) fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Starts reading or writing, with the next [`Ring::wait`].
    ///
    /// # Safety
    /// The file and the memory must stay, and the memory must not be touched, until the completion has come or the
    /// ring has been dropped.
    pub(crate) unsafe fn start(&mut self, piece: &Piece, is_write: bool) -> io::Result<()> {
        let (file, memory) = references(piece);
        let Piece { bytes, offset, mark, .. } = *piece;
        let Functions { read, write, .. } = self.functions;
        // SAFETY: the ring is open, and the caller vouches for the file and the memory.
        let status = unsafe {
            match is_write {
                false => read(self.handle, file, memory, bytes, offset, mark, IOSQE_FLAGS_NONE),
                true => {
                    let flags = FILE_WRITE_FLAGS_NONE;
                    write(self.handle, file, memory, bytes, offset, flags, mark, IOSQE_FLAGS_NONE)
                }
            }
        };
        checked(if is_write { "BuildIoRingWriteFile" } else { "BuildIoRingReadFile" }, status)?;
        self.in_flight += 1;
        Ok(())
    }

    /// Waits until something has ended; returns its [`Piece::mark`], and the bytes that it moved or why it failed.
    pub(crate) fn wait(&mut self) -> io::Result<(usize, io::Result<usize>)> {
        loop {
            let mut entry = IORING_CQE::default();
            // SAFETY: the ring is open, and the place is valid for the answer.
            let status = unsafe { (self.functions.pop)(self.handle, &raw mut entry) };
            checked("PopIoRingCompletion", status)?;
            // S_FALSE: there is none now.
            if status == 0 {
                self.in_flight -= 1;
                let moved = checked("the ring", entry.ResultCode).map(|()| entry.Information);
                return Ok((entry.UserData, moved));
            }
            let mut submitted = 0;
            // SAFETY: the ring is open, and the place is valid for the answer.
            let status = unsafe { (self.functions.submit)(self.handle, 1, INFINITE, &raw mut submitted) };
            checked("SubmitIoRing", status)?;
        }
    }
}

impl Drop for Ring {
    fn drop(&mut self) {
        // The memory of what is in flight may be freed as soon as this has returned.
        while self.in_flight > 0 && self.wait().is_ok() {}
        // SAFETY: the ring is open, and this is its last use.
        unsafe { (self.functions.close)(self.handle) };
    }
}

fn references(piece: &Piece) -> (IORING_HANDLE_REF, IORING_BUFFER_REF) {
    let file = IORING_HANDLE_REF { Kind: IORING_REF_RAW, Handle: IORING_HANDLE_REF_0 { Handle: piece.file } };
    let memory = IORING_BUFFER_REF {
        Kind: IORING_REF_RAW,
        Buffer: IORING_BUFFER_REF_0 { Address: piece.memory.cast() },
    };
    (file, memory)
}

fn checked(call: &str, status: HRESULT) -> io::Result<()> {
    if status >= 0 {
        return Ok(());
    }
    // The lower half of most codes is the code that every other call would have given.
    let error = io::Error::from_raw_os_error(status & 0xffff);
    Err(sys::failure::reworded(format!("{call}: {error} ({status:#010x})"), &error))
}

fn unsupported() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "there is no IoRing that writes; it came with Windows 11 22H2")
}

fn functions() -> Option<Functions> {
    let library: Vec<u16> = "kernelbase.dll\0".encode_utf16().collect();
    // SAFETY: the name ends in a zero. The library is part of every process, so the handle stays valid.
    let library = unsafe { GetModuleHandleW(library.as_ptr()) };
    if library.is_null() {
        return None;
    }
    // SAFETY: the handle is that of a loaded library, and all names end in a zero.
    let find = |name: &std::ffi::CStr| unsafe { GetProcAddress(library, name.as_ptr().cast()) };
    // SAFETY: the functions of these names have these signatures (Microsoft, ioringapi.h).
    let (query, functions) = unsafe {
        use std::mem::transmute;
        type Any = unsafe extern "system" fn() -> isize;
        let query = transmute::<Any, Query>(find(c"QueryIoRingCapabilities")?);
        let functions = Functions {
            create: transmute::<Any, Create>(find(c"CreateIoRing")?),
            read: transmute::<Any, Read>(find(c"BuildIoRingReadFile")?),
            write: transmute::<Any, Write>(find(c"BuildIoRingWriteFile")?),
            submit: transmute::<Any, Submit>(find(c"SubmitIoRing")?),
            pop: transmute::<Any, Pop>(find(c"PopIoRingCompletion")?),
            close: transmute::<Any, Close>(find(c"CloseIoRing")?),
        };
        (query, functions)
    };
    let mut capabilities = IORING_CAPABILITIES::default();
    // SAFETY: the place is valid for the answer.
    let status = unsafe { query(&raw mut capabilities) };
    (status >= 0 && capabilities.MaxVersion >= IORING_VERSION_3).then_some(functions)
}
