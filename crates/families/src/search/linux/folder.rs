//! A folder and the names in it, read by `getdents64`.

use std::ffi::{CStr, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, RawDir, openat, statat};
use rustix::io::retry_on_intr;

use crate::files::at;

/// One call of `getdents64` gives some hundred names.
const LIST_BYTES: usize = 32 << 10;

/// An open folder with its files and folders; links and everything else are left out.
pub(in crate::search) struct Folder {
    fd: OwnedFd,
    path: PathBuf,
    /// All names, those of folders with `/`, each with a zero byte behind it.
    names: Vec<u8>,
    entries: Vec<Entry>,
}

#[derive(Clone, Copy)]
struct Entry {
    start: u32,
    end: u32,
    is_folder: bool,
}

impl AsFd for &Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

impl Folder {
    pub(in crate::search) fn open(path: PathBuf) -> io::Result<Self> {
        let fd = open_below(CWD, path.as_path()).map_err(at("open", &path))?;
        Self::list(fd, path)
    }

    pub(in crate::search) fn inner(&self, nth: usize) -> io::Result<Self> {
        let path = self.path_of(nth);
        let fd = open_below(&self.fd, self.name_of(nth)).map_err(at("open", &path))?;
        Self::list(fd, path)
    }

    fn list(fd: OwnedFd, path: PathBuf) -> io::Result<Self> {
        let mut space = [MaybeUninit::<u8>::uninit(); LIST_BYTES];
        let (mut names, mut entries) = (Vec::new(), Vec::new());
        let mut list = RawDir::new(&fd, &mut space);
        while let Some(entry) = list.next() {
            let entry = entry.map_err(at("list", &path))?;
            let name = entry.file_name();
            if [c".", c".."].contains(&name) {
                continue;
            }
            let is_folder = match entry.file_type() {
                FileType::RegularFile => false,
                FileType::Directory => true,
                // Some file systems do not report in the list.
                FileType::Unknown => match kind_of(&fd, name).map_err(at("look at an entry of", &path))? {
                    FileType::RegularFile => false,
                    FileType::Directory => true,
                    _ => continue,
                },
                _ => continue,
            };
            let start = names.len() as u32;
            names.extend_from_slice(name.to_bytes());
            names.extend(is_folder.then_some(b'/'));
            entries.push(Entry { start, end: names.len() as u32, is_folder });
            names.push(0);
        }
        Ok(Self { fd, path, names, entries })
    }

    /// Puts the entries in the byte order of the paths below: that is why `/` stands behind the name of a folder.
    pub(in crate::search) fn sort(&mut self) {
        let names = &self.names;
        self.entries.sort_unstable_by(|a, b| a.key(names).cmp(b.key(names)));
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::search) fn is_folder(&self, nth: usize) -> bool {
        self.entries[nth].is_folder
    }

    pub(super) fn name_of(&self, nth: usize) -> &CStr {
        let Entry { start, end, .. } = self.entries[nth];
        CStr::from_bytes_with_nul(&self.names[start as usize..=end as usize])
            .expect("a name has its zero byte at the end")
    }

    pub(in crate::search) fn path_of(&self, nth: usize) -> PathBuf {
        self.path.join(OsStr::from_bytes(self.entries[nth].bytes(&self.names)))
    }

    pub(in crate::search) fn prefix_into(&self, nth: usize, prefix: &mut Vec<u8>) {
        prefix.clear();
        prefix.extend_from_slice(self.path.as_os_str().as_bytes());
        if prefix.last() != Some(&b'/') {
            prefix.push(b'/');
        }
        prefix.extend_from_slice(self.entries[nth].bytes(&self.names));
        prefix.push(b':');
    }
}

impl Entry {
    fn key<'names>(&self, names: &'names [u8]) -> &'names [u8] {
        &names[self.start as usize..self.end as usize]
    }

    fn bytes<'names>(&self, names: &'names [u8]) -> &'names [u8] {
        let key = self.key(names);
        &key[..key.len() - usize::from(self.is_folder)]
    }
}

fn open_below(folder: impl AsFd, name: impl rustix::path::Arg + Copy) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    retry_on_intr(|| openat(&folder, name, flags, Mode::empty()))
}

fn kind_of(folder: impl AsFd, name: &CStr) -> rustix::io::Result<FileType> {
    statat(folder, name, AtFlags::SYMLINK_NOFOLLOW).map(|status| FileType::from_raw_mode(status.st_mode))
}

pub(in crate::search) fn push_order_key(path: &[u8], key: &mut Vec<u8>) {
    key.extend_from_slice(path);
}
