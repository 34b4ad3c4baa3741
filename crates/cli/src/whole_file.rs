//! A file that is written whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use anyhow::Result;
use sys::{nameless_file, private_folder};
use tempfile::{Builder, NamedTempFile};

use crate::paths::folder_of;
use crate::terminal::harmless;

/// Beginning of the name of a file that is not in its place yet. Its writer holds its lock.
const UNFINISHED: &str = ".bakeoff-unfinished-";
/// An empty file may be younger than its lock.
const LOCKED_AFTER: Duration = Duration::from_secs(60);

/// Writes a text and puts it in its place when all of it is on the disk: neither a full disk nor a kill leaves half of it
/// there. What is no file, a terminal or a pipe, cannot be replaced and is written to.
pub(crate) fn write_whole(path: &Path, text: &str) -> Result<()> {
    let path = match fs::metadata(path) {
        Ok(there) if !there.is_file() => {
            let mut place = OpenOptions::new().write(true).open(path)?;
            let shown = if place.is_terminal() { &harmless(text) } else { text };
            return Ok(writeln!(place, "{shown}")?);
        }
        // The file that a link points to, and not the link.
        Ok(_) => dunce::canonicalize(path)?,
        Err(_) => path.to_owned(),
    };
    let folder = folder_of(&path);
    remove_unfinished(folder);
    let Some(file) = nameless_file::create(folder) else { return write_named(&path, text) };
    write(&file, text)?;
    match nameless_file::give_name(&file, &path) {
        Ok(()) => Ok(()),
        // None replaces another at once: it takes a name of its own first.
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            let name = |new: &Path| nameless_file::give_name(&file, new);
            replace(Builder::new().prefix(UNFINISHED).make_in(folder, name)?, &path)
        }
        // Where /proc is not mounted, it can get no name. Whatever else is wrong is reported by the other way.
        Err(_) => write_named(&path, text),
    }
}

/// Removes what writers that were killed have left in the folder. What cannot be removed, or whose lock cannot be had, stays.
fn remove_unfinished(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let is_unfinished = entry.file_name().to_str().is_some_and(|name| name.starts_with(UNFINISHED));
        if is_unfinished && is_left(&path) {
            fs::remove_file(path).ok();
        }
    }
}

/// Returns whether the file is ours and its writer is gone. Its lock is given back: Windows deletes no file that is locked.
fn is_left(path: &Path) -> bool {
    let Ok(Some(file)) = private_folder::open_own_file(path) else { return false };
    let Ok(about) = file.metadata() else { return false };
    let age = about.modified().ok().and_then(|changed| changed.elapsed().ok()).unwrap_or_default();
    file.try_lock().is_ok() && (about.len() > 0 || age >= LOCKED_AFTER)
}

/// Does the same with a file that has a name from the start. A writer that is killed leaves it, and its name says what it is.
fn write_named(path: &Path, text: &str) -> Result<()> {
    // With the rights of any new file: a temporary one would be its owner's alone.
    let file = Builder::new().prefix(UNFINISHED).make_in(folder_of(path), |new| File::create_new(new))?;
    write(file.as_file(), text)?;
    replace(file, path)
}

fn write(mut file: &File, text: &str) -> io::Result<()> {
    // Where the file system has no locks, none is taken from it either, and what is left stays.
    file.try_lock().ok();
    writeln!(file, "{text}")?;
    file.sync_all()
}

/// Replaces what stands there. Windows refuses that while another program has the file open to read it: then it is tried again.
fn replace<F>(mut file: NamedTempFile<F>, path: &Path) -> Result<()> {
    const ATTEMPTS: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(10);
    for _ in 1..ATTEMPTS {
        match file.persist(path) {
            Ok(_) => return Ok(()),
            Err(refused) if refused.error.kind() == io::ErrorKind::PermissionDenied => file = refused.file,
            Err(refused) => return Err(refused.error.into()),
        }
        sleep(PAUSE);
    }
    Ok(file.persist(path).map(drop).map_err(|refused| refused.error)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_writer_removes_what_killed_ones_left_and_no_other() {
        let folder = tempfile::tempdir().expect("a folder");
        let [left, living, fresh, other] = ["left", "living", "fresh", "other"]
            .map(|name| folder.path().join(format!("{UNFINISHED}{name}")));
        let [mine, file] = ["mine", "file"].map(|name| folder.path().join(name));
        fs::write(&left, "half").expect("written");
        fs::write(&living, "half").expect("written");
        fs::write(&fresh, "").expect("written");
        fs::create_dir(&other).expect("a folder of that name");
        fs::write(&mine, "kept").expect("written");
        let lock = File::options().write(true).open(&living).expect("a file");
        lock.lock().expect("its writer's lock");
        write_whole(&file, "whole").expect("written");
        let is_there = [&left, &living, &fresh, &other, &mine].map(|path| path.exists());
        assert_eq!(is_there, [false, true, true, true, true]);
        drop(lock);
        write_whole(&file, "whole").expect("written");
        assert!(!living.exists());
    }

    #[test]
    fn a_file_is_made_or_replaced_and_nothing_else_is_left() {
        for write in [write_whole as fn(&Path, &str) -> Result<()>, write_named] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            for text in ["first", "second"] {
                write(&path, text).expect("written");
                assert_eq!(fs::read_to_string(&path).expect("readable"), format!("{text}\n"));
                assert_eq!(fs::read_dir(folder.path()).expect("readable").count(), 1);
            }
            write(&folder.path().join("none").join("file"), "").expect_err("no folder");
        }
    }
}
