//! What work past the file cache must be aligned to.

use std::io;

use rustix::fs::{AtFlags, StatxFlags, statx};

use super::OpenFile;

/// Where the kernel does not tell the alignment: a multiple of the sectors of all devices in use.
const FALL_BACK_BYTES: usize = 4_096;

/// What offsets, lengths and memory must be multiples of where a file is accessed past the cache (`O_DIRECT`).
pub(crate) fn alignment_bytes(file: &OpenFile) -> io::Result<usize> {
    let Ok(status) = statx(file, c"", AtFlags::EMPTY_PATH, StatxFlags::DIOALIGN) else {
        return Ok(FALL_BACK_BYTES);
    };
    if status.stx_mask & StatxFlags::DIOALIGN.bits() == 0 {
        // A tmpfs takes the flag since Linux 6.6, tells no alignment, and copies from and to the cache all the same.
        return match sys::page_cache::lives_in_memory(file.path()) {
            true => Err(refused(file, "this file lives in memory, in the file cache itself")),
            false => Ok(FALL_BACK_BYTES),
        };
    }
    match status.stx_dio_offset_align.max(status.stx_dio_mem_align) as usize {
        0 => Err(refused(file, "this file cannot be accessed past the cache")),
        alignment => Ok(alignment),
    }
}

fn refused(file: &OpenFile, why: &str) -> io::Error {
    file.at("statx")(io::Error::new(io::ErrorKind::Unsupported, why))
}

#[cfg(test)]
mod tests {
    use model::{Availability, Durability, Host, Setting};

    #[test]
    fn in_a_file_system_that_is_memory_nothing_passes_the_cache() {
        let folder = tempfile::tempdir_in("/dev/shm").expect("a file system in memory");
        let setting = Setting::warm(folder.path(), Durability::Returned);
        let mut asked = 0;
        for family in crate::all() {
            for entry in family.entries().into_iter().filter(|entry| entry.name.contains("direct")) {
                match family.probe(&entry.name, &Host::default(), &setting) {
                    Availability::Missing(_) => asked += 1,
                    Availability::Ready => panic!("{}/{} is ready in a tmpfs", family.name(), entry.name),
                }
            }
        }
        assert!(asked >= 10, "{asked} entries pass the cache");
    }
}
