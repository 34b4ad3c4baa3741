//! A folder and the names in it, read by `FindFirstFileEx`.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::os::windows::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf, Prefix};

use windows_sys::Win32::Foundation::{
    ERROR_FILE_NOT_FOUND, ERROR_NO_MORE_FILES, HANDLE, INVALID_HANDLE_VALUE,
};
use windows_sys::Win32::Storage::FileSystem::{
    FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FIND_FIRST_EX_FLAGS, FIND_FIRST_EX_LARGE_FETCH,
    FindClose, FindExInfoBasic, FindExSearchNameMatch, FindFirstFileExW, FindNextFileW, WIN32_FIND_DATAW,
};

use crate::files::{at, checked};

/// A folder with its files and folders; links and everything else are left out.
pub(in crate::search) struct Folder {
    path: PathBuf,
    entries: Vec<Entry>,
    /// The flags by which it was listed, and the folders in it will be.
    flags: FIND_FIRST_EX_FLAGS,
}

struct Entry {
    name: OsString,
    is_folder: bool,
}

/// The bit of a reparse point's tag that says: it stands for another name (winnt.h, IsReparseTagNameSurrogate).
const NAME_SURROGATE: u32 = 0x2000_0000;

impl Folder {
    pub(in crate::search) fn open(path: PathBuf) -> io::Result<Self> {
        Self::list(path, 0)
    }

    pub(in crate::search) fn open_by_large_fetches(path: PathBuf) -> io::Result<Self> {
        Self::list(path, FIND_FIRST_EX_LARGE_FETCH)
    }

    pub(in crate::search) fn inner(&self, nth: usize) -> io::Result<Self> {
        Self::list(self.path_of(nth), self.flags)
    }

    fn list(path: PathBuf, flags: FIND_FIRST_EX_FLAGS) -> io::Result<Self> {
        let mut entries = Vec::new();
        let mut found = Names::of(&path, flags).map_err(at("list", &path))?;
        while let Some(found) = found.next().map_err(at("list", &path))? {
            // What came with the name is enough: no further call is made.
            // Other reparse points than those that stand for another name are files and folders like any.
            let is_link = found.dwFileAttributes & FILE_ATTRIBUTE_REPARSE_POINT != 0
                && found.dwReserved0 & NAME_SURROGATE != 0;
            let is_folder = found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY != 0;
            let end = found.cFileName.iter().position(|&unit| unit == 0).unwrap_or(found.cFileName.len());
            let name = OsString::from_wide(&found.cFileName[..end]);
            if !is_link && name != "." && name != ".." {
                entries.push(Entry { name, is_folder });
            }
        }
        Ok(Self { path, entries, flags })
    }

    /// Puts the entries in the byte order of the paths below: a folder counts as its name with `/` behind it.
    pub(in crate::search) fn sort(&mut self) {
        let key = |entry: &Entry| {
            let mut key = entry.name.as_encoded_bytes().to_vec();
            key.extend(entry.is_folder.then_some(b'/'));
            key
        };
        self.entries.sort_by_cached_key(key);
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::search) fn is_folder(&self, nth: usize) -> bool {
        self.entries[nth].is_folder
    }

    pub(in crate::search) fn path_of(&self, nth: usize) -> PathBuf {
        self.path.join(&self.entries[nth].name)
    }

    pub(in crate::search) fn prefix_into(&self, nth: usize, prefix: &mut Vec<u8>) {
        prefix.clear();
        prefix.extend_from_slice(self.path_of(nth).as_os_str().as_encoded_bytes());
        prefix.push(b':');
    }
}

struct Names {
    handle: HANDLE,
    /// The first name comes with the opening of the list.
    first: Option<WIN32_FIND_DATAW>,
}

impl Names {
    fn of(path: &Path, flags: FIND_FIRST_EX_FLAGS) -> io::Result<Self> {
        let pattern: Vec<u16> = pattern_of(path)?.encode_wide().chain([0]).collect();
        let mut first = WIN32_FIND_DATAW::default();
        // SAFETY: the pattern ends in a zero, the place is valid for an answer of this kind, and no filter is given.
        let handle = unsafe {
            FindFirstFileExW(
                pattern.as_ptr(),
                FindExInfoBasic,
                (&raw mut first).cast(),
                FindExSearchNameMatch,
                std::ptr::null(),
                flags,
            )
        };
        if handle != INVALID_HANDLE_VALUE {
            return Ok(Self { handle, first: Some(first) });
        }
        let error = io::Error::last_os_error();
        match error.raw_os_error() {
            // The folder is there and has no names, not even its own: the root of a volume.
            Some(code) if code == ERROR_FILE_NOT_FOUND as i32 && path.is_dir() => {
                Ok(Self { handle, first: None })
            }
            _ => Err(error),
        }
    }

    fn next(&mut self) -> io::Result<Option<WIN32_FIND_DATAW>> {
        if let Some(first) = self.first.take() {
            return Ok(Some(first));
        }
        if self.handle == INVALID_HANDLE_VALUE {
            return Ok(None);
        }
        let mut found = WIN32_FIND_DATAW::default();
        // SAFETY: the handle is that of an open list, and the place is valid for the answer.
        match checked(unsafe { FindNextFileW(self.handle, &raw mut found) }) {
            Ok(()) => Ok(Some(found)),
            Err(error) if error.raw_os_error() == Some(ERROR_NO_MORE_FILES as i32) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Names {
    fn drop(&mut self) {
        if self.handle != INVALID_HANDLE_VALUE {
            // SAFETY: the handle is that of an open list, and this is its last use.
            unsafe { FindClose(self.handle) };
        }
    }
}

/// Longer paths are taken only in the form that begins with `\\?\`.
const USUAL_UNITS_MOST: usize = 240;

fn pattern_of(path: &Path) -> io::Result<OsString> {
    let is_long = path.as_os_str().encode_wide().count() > USUAL_UNITS_MOST;
    let path = if is_long { Cow::Owned(verbatim(path)?) } else { Cow::Borrowed(path) };
    Ok(path.join("*").into_os_string())
}

/// Returns the whole path in the form without a limit of length. The system is not asked: Wine's answer has such a limit itself.
fn verbatim(path: &Path) -> io::Result<PathBuf> {
    let whole = std::path::absolute(path)?;
    let (start, rest) = match whole.components().next() {
        Some(Component::Prefix(prefix)) if prefix.kind().is_verbatim() => return Ok(whole),
        Some(Component::Prefix(prefix)) if matches!(prefix.kind(), Prefix::UNC(..)) => {
            // `\\server\share` becomes `\\?\UNC\server\share`.
            (r"\\?\UNC\", whole.as_os_str().encode_wide().skip(2).collect::<Vec<u16>>())
        }
        _ => (r"\\?\", whole.as_os_str().encode_wide().collect()),
    };
    let mut verbatim = OsString::from(start);
    verbatim.push(OsString::from_wide(&rest));
    Ok(PathBuf::from(verbatim))
}

/// Appends the bytes by which a path is put in order: as on other systems, the separator counts as `/`.
pub(in crate::search) fn push_order_key(path: &[u8], key: &mut Vec<u8>) {
    key.extend(path.iter().map(|&byte| if byte == b'\\' { b'/' } else { byte }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_path_is_whole_and_has_no_limit() {
        let of = |path: &str| verbatim(Path::new(path)).expect("a path");
        assert_eq!(of(r"C:\a\b"), Path::new(r"\\?\C:\a\b"));
        assert_eq!(of(r"\\?\C:\a"), Path::new(r"\\?\C:\a"));
        assert_eq!(of(r"\\server\share\a"), Path::new(r"\\?\UNC\server\share\a"));
    }
}
