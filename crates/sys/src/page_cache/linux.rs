//! `cachestat`, `mincore`, `posix_fadvise` and `drop_caches`.

use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use model::Residency;
use rustix::fs::{Access, Advice, fadvise};

use super::Eviction;
use crate::failure::named;

/// Since Linux 6.5; the same number on every architecture.
const SYS_CACHESTAT: libc::c_long = 451;
/// Pages that are being written back or read ahead come free a moment later.
const TRIES: u32 = 3;

/// Returns how many pages of the file are in the file cache. `None` when the system cannot say, or would report a lie.
pub fn residency(path: &Path) -> io::Result<Option<Residency>> {
    let file = File::open(path).map_err(|error| named(path, error))?;
    let metadata = file.metadata().map_err(|error| named(path, error))?;
    let total_pages = metadata.len().div_ceil(rustix::param::page_size() as u64);
    if total_pages == 0 {
        return Ok(Some(Residency { resident_pages: 0, total_pages }));
    }
    let pages = cachestat(&file).or_else(|| {
        // For files of others the kernel says that all is resident, so as to give nothing away.
        let ours = metadata.uid() == rustix::process::geteuid().as_raw()
            || rustix::fs::access(path, Access::WRITE_OK).is_ok();
        if ours { mincore(&file, metadata.len(), total_pages) } else { None }
    });
    Ok(pages.map(|pages| Residency { resident_pages: pages.min(total_pages), total_pages }))
}

fn cachestat(file: &File) -> Option<u64> {
    // Of linux/mman.h: a length of 0 reaches to the end of the file, and the pages that are cached come first.
    let (range, mut answer) = ([0_u64; 2], [0_u64; 5]);
    // SAFETY: both have the size and layout of the kernel's structures, and live through the call.
    let status =
        unsafe { libc::syscall(SYS_CACHESTAT, file.as_raw_fd(), &raw const range, &raw mut answer, 0) };
    (status == 0).then_some(answer[0])
}

fn mincore(file: &File, bytes: u64, pages: u64) -> Option<u64> {
    use rustix::mm::{MapFlags, ProtFlags, mmap, munmap};
    let length = usize::try_from(bytes).ok()?;
    let mut resident = vec![0_u8; usize::try_from(pages).ok()?];
    // SAFETY: a new mapping at an address of the kernel's choice touches nothing that is ours. It is never read.
    let address =
        unsafe { mmap(std::ptr::null_mut(), length, ProtFlags::READ, MapFlags::SHARED, file, 0) }.ok()?;
    // SAFETY: the mapping covers `length` bytes, and the answer has one byte for each of its pages.
    let status = unsafe { libc::mincore(address, length, resident.as_mut_ptr()) };
    // SAFETY: the mapping was made above and nothing refers to it.
    let unmapped = unsafe { munmap(address, length) };
    (status == 0 && unmapped.is_ok()).then(|| resident.iter().filter(|&&page| page & 1 == 1).count() as u64)
}

/// Drops the files from the file cache: writes them back, evicts them, and checks.
/// Errors: a file cannot be opened or written back. That something stays in the cache is no error but [`Eviction::proven`].
pub fn evict(paths: &[PathBuf]) -> io::Result<Eviction> {
    if let Some(path) = paths.iter().find(|path| lives_in_memory(path)) {
        let how = format!("{} is in a tmpfs, which is memory itself and cannot be evicted", path.display());
        return Ok(Eviction { residency: sum(paths)?, proven: false, how });
    }
    for attempt in 1..=TRIES {
        for path in paths {
            let file = File::open(path).map_err(|error| named(path, error))?;
            // Only clean pages can be dropped.
            file.sync_all().map_err(|error| named(path, error))?;
            fadvise(&file, 0, None, Advice::DontNeed).map_err(|error| named(path, io::Error::from(error)))?;
        }
        let left = sum(paths)?;
        let is_final = left.is_none() || !rustix::process::geteuid().is_root();
        if is_gone(left) || attempt == TRIES && is_final {
            return Ok(judged(left, "written back and dropped with posix_fadvise"));
        }
    }
    rustix::fs::sync();
    let how = match fs::write("/proc/sys/vm/drop_caches", "3") {
        Ok(()) => {
            "all caches of the machine dropped with drop_caches, since posix_fadvise was not enough".into()
        }
        Err(error) => format!("dropped with posix_fadvise; drop_caches was refused ({error})"),
    };
    Ok(judged(sum(paths)?, &how))
}

/// Returns whether the file stands in a file system that is memory itself (`tmpfs`): its pages are the file cache's.
pub fn lives_in_memory(path: &Path) -> bool {
    const TMPFS_MAGIC: rustix::fs::FsWord = 0x0102_1994;
    const RAMFS_MAGIC: rustix::fs::FsWord = 0x8584_58f6;
    rustix::fs::statfs(path).is_ok_and(|system| matches!(system.f_type, TMPFS_MAGIC | RAMFS_MAGIC))
}

/// Returns the sum of all files, `None` as soon as one does not say.
fn sum(paths: &[PathBuf]) -> io::Result<Option<Residency>> {
    let mut all = Residency { resident_pages: 0, total_pages: 0 };
    for path in paths {
        let Some(one) = residency(path)? else { return Ok(None) };
        all.resident_pages += one.resident_pages;
        all.total_pages += one.total_pages;
    }
    Ok(Some(all))
}

fn is_gone(residency: Option<Residency>) -> bool {
    residency.is_some_and(|left| left.resident_pages * 1000 <= left.total_pages)
}

fn judged(residency: Option<Residency>, how: &str) -> Eviction {
    let how = match residency {
        Some(left) => {
            format!("{how}; {} of {} pages are still resident", left.resident_pages, left.total_pages)
        }
        None => format!("{how}; the system does not show whether anything is still resident"),
    };
    Eviction { residency, proven: is_gone(residency), how }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_cache::load;

    /// Makes a folder in the build folder, not in a tmpfs: what lives in memory cannot be evicted from it.
    fn folder_on_a_disk() -> tempfile::TempDir {
        let program = std::env::current_exe().expect("this program");
        tempfile::tempdir_in(program.parent().expect("its folder")).expect("a folder")
    }

    fn file_of(folder: &tempfile::TempDir, name: &str, bytes: usize) -> PathBuf {
        let path = folder.path().join(name);
        std::fs::write(&path, vec![0x5a; bytes]).expect("written");
        path
    }

    #[test]
    fn an_evicted_file_has_no_resident_page_a_loaded_one_has_all() {
        let folder = folder_on_a_disk();
        let path = file_of(&folder, "data", 1_000_001);
        let written = residency(&path).expect("readable").expect("a file of ours");
        assert_eq!(written.total_pages, 1_000_001_u64.div_ceil(4096).max(1));
        assert_eq!(written.resident_pages, written.total_pages);

        let eviction = evict(std::slice::from_ref(&path)).expect("a file of ours");
        assert!(eviction.proven, "{eviction:?}");
        assert_eq!(eviction.residency.expect("known").resident_pages, 0, "{eviction:?}");
        assert!(eviction.how.contains("posix_fadvise"), "{eviction:?}");

        load(&path, &|| Ok(())).expect("readable");
        let loaded = residency(&path).expect("readable").expect("a file of ours");
        assert_eq!(loaded.resident_pages, loaded.total_pages);
    }

    #[test]
    fn the_residency_of_several_files_is_their_sum() {
        let folder = folder_on_a_disk();
        let paths = [file_of(&folder, "a", 8192), file_of(&folder, "b", 1), file_of(&folder, "empty", 0)];
        let eviction = evict(&paths).expect("files of ours");
        assert_eq!(eviction.residency, Some(Residency { resident_pages: 0, total_pages: 3 }), "{eviction:?}");
    }

    #[test]
    fn a_file_that_lives_in_memory_is_not_proven_to_be_gone() {
        let folder = tempfile::tempdir_in("/dev/shm").expect("a file system in memory");
        let path = file_of(&folder, "data", 1 << 20);
        let eviction = evict(std::slice::from_ref(&path)).expect("a file of ours");
        assert!(!eviction.proven, "{eviction:?}");
        assert!(eviction.how.contains("tmpfs"), "{eviction:?}");
    }
}
