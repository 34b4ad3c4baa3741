//! Whether a file shares its extents with another: what a silent reflink leaves behind.

use std::fs::File;
use std::os::fd::AsRawFd;
use std::path::Path;

/// `FS_IOC_FIEMAP` of `linux/fs.h`: `_IOWR('f', 11, struct fiemap)`.
const FS_IOC_FIEMAP: u32 = 0xc020_660b;
/// `FIEMAP_EXTENT_SHARED` of `linux/fiemap.h`.
const SHARED: u32 = 0x2000;
/// Extents asked for: whoever shares extents shares the first ones.
const EXTENTS: usize = 32;

/// `struct fiemap_extent` of `linux/fiemap.h`.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct Extent {
    logical: u64,
    physical: u64,
    length: u64,
    reserved64: [u64; 2],
    flags: u32,
    reserved: [u32; 3],
}

/// `struct fiemap` of `linux/fiemap.h` with room for its extents.
#[repr(C)]
#[derive(Default)]
struct Request {
    start: u64,
    length: u64,
    flags: u32,
    mapped_extents: u32,
    extent_count: u32,
    reserved: u32,
    extents: [Extent; EXTENTS],
}

/// Whether one of the file's first extents is shared with another file; `None` where the file system cannot tell.
pub(crate) fn shares_extents(path: &Path) -> Option<bool> {
    let file = File::open(path).ok()?;
    let mut request = Request { length: u64::MAX, extent_count: EXTENTS as u32, ..Request::default() };
    // SAFETY: the request has the layout that the kernel expects and room for `extent_count` extents.
    let answer = unsafe { libc::ioctl(file.as_raw_fd(), FS_IOC_FIEMAP as _, &raw mut request) };
    let mapped = (request.mapped_extents as usize).min(EXTENTS);
    (answer == 0).then(|| request.extents[..mapped].iter().any(|extent| extent.flags & SHARED != 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_request_has_the_size_that_the_kernel_knows() {
        assert_eq!(size_of::<Extent>(), 56);
        assert_eq!(size_of::<Request>(), 32 + EXTENTS * 56);
    }

    #[test]
    fn a_freshly_written_file_shares_nothing() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("data");
        std::fs::write(&path, vec![1; 100_000]).expect("written");
        assert_ne!(shares_extents(&path), Some(true));
        assert_eq!(shares_extents(&folder.path().join("missing")), None);
    }
}
