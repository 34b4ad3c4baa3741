use std::path::PathBuf;

use model::Residency;

use crate::page_cache::{evict, load, residency};

/// In the build folder, not in a tmpfs: what lives in memory cannot be evicted from it.
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
fn an_evicted_file_has_no_resident_page_and_a_loaded_one_has_all() {
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
