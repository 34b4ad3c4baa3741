//! Files of the user: looked at, copied into the private folder, and left alone.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use model::Workload;

use super::{at, made_privately};

/// The workload over the one regular file that a family works on: its name, its size, its path.
pub(crate) fn workload_of_one(family: &str, files: &[PathBuf]) -> Result<Workload, String> {
    let [file] = files else {
        return Err(format!("the family {family} works on one file, and {} were named", files.len()));
    };
    let shown = file.display();
    let found = fs::metadata(file).map_err(|error| format!("{shown}: {error}"))?;
    if !found.is_file() {
        let what = if found.is_dir() { "is a directory" } else { "is no regular file" };
        return Err(format!("{shown} {what}; the family {family} works on one file"));
    }
    File::open(file).map_err(|error| format!("{shown} cannot be read: {error}"))?;
    let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
    Ok(Workload { files: vec![file.clone()], ..Workload::of_bytes(name, found.len()) })
}

/// Makes the private copy: a file of this user's alone, who may read it, and change it where the original may be changed.
pub(crate) fn copy_in(original: &Path, copy: &Path, bytes: u64) -> io::Result<()> {
    let copied = copy_into(original, made_privately(copy, original)?, bytes)?;
    if copied == bytes { Ok(()) } else { Err(changed(original, "it", bytes, copied)) }
}

/// Copies at most one byte more than there should be: enough to see that there are more, also of a file that has no end.
pub(crate) fn copy_into(original: &Path, mut to: File, bytes: u64) -> io::Result<u64> {
    let mut from = File::open(original).map_err(at("open", original))?.take(bytes.saturating_add(1));
    io::copy(&mut from, &mut to).map_err(at("copy", original))
}

/// The error about an original that has, alone or with others, another size than when it was looked at.
pub(crate) fn changed(original: &Path, what: &str, bytes: u64, copied: u64) -> io::Error {
    let now = if copied > bytes { format!("more than {bytes}") } else { copied.to_string() };
    let sentence = format!(
        "{what} had {bytes} bytes before and {now} when copied; let no program change what is copied"
    );
    at("copy", original)(io::Error::new(io::ErrorKind::InvalidData, sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_user_gives_a_workload_of_its_name_and_size() {
        let folder = tempfile::tempdir().expect("scratch");
        let file = folder.path().join("letters");
        fs::write(&file, "12345").expect("written");
        let workload = workload_of_one("copy", std::slice::from_ref(&file)).expect("a file");
        assert_eq!((workload.name.as_str(), workload.bytes()), ("letters", Some(5)));
        assert_eq!(workload.files, std::slice::from_ref(&file));
        let copy = folder.path().join("copy");
        copy_in(&file, &copy, 5).expect("copied");
        assert_eq!(fs::read(&copy).expect("readable"), b"12345");
        let changed = copy_in(&file, &copy, 4).expect_err("another size").to_string();
        assert!(
            changed.contains("letters") && changed.contains("4 bytes before and more than 4"),
            "{changed}"
        );
    }

    #[test]
    fn what_is_no_single_readable_file_is_refused_by_name() {
        let folder = tempfile::tempdir().expect("scratch");
        let refused = |files: &[PathBuf]| workload_of_one("copy", files).expect_err("no file");
        let absent = folder.path().join("absent");
        assert!(refused(std::slice::from_ref(&absent)).contains("absent"));
        assert!(refused(&[folder.path().to_owned()]).contains("is a directory"));
        assert!(refused(&[absent.clone(), absent]).contains("2 were named"));
    }
}
