//! Modes, owners, and removal through descriptors, so that no name is looked up twice.

use std::ffi::{CStr, CString, OsStr};
use std::fs::{DirBuilder, File, Permissions};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Dir, FileType, IFlags, Mode, OFlags, ResolveFlags};
use rustix::io::Errno;

type CheckStop<'a> = &'a dyn Fn() -> io::Result<()>;

const OWNER_ONLY: u32 = 0o700;
const WHOLE_MODE: u32 = 0o7777;
const OTHERS_MAY_WRITE: u32 = 0o022;
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Creates a folder that only the user may enter, whatever the umask or the folder around it allow.
/// Errors: something of this name exists, or the folder around it does not exist or is not writable.
pub fn create(path: &Path) -> io::Result<()> {
    DirBuilder::new().mode(OWNER_ONLY).create(path)?;
    let seen = path.symlink_metadata()?.mode();
    if seen & WHOLE_MODE == OWNER_ONLY {
        return Ok(());
    }
    match std::fs::set_permissions(path, Permissions::from_mode(OWNER_ONLY)) {
        // A umask may have taken away what the owner needs; without that the folder is of no use.
        Err(error) if seen & OWNER_ONLY != OWNER_ONLY => Err(error),
        // Where the mount reports the modes, as of a FAT volume, none but its owner may even try to change them.
        _ => Ok(()),
    }
}

/// Creates the folders around one, private too: who may write to a folder may replace what is in it.
pub(super) fn create_around(path: &Path) -> io::Result<()> {
    super::create_all(path)
}

pub(super) fn close_to_others(path: &Path) -> io::Result<()> {
    let folder = File::open(path)?;
    let seen = folder.metadata()?;
    if seen.uid() == rustix::process::geteuid().as_raw() && seen.mode() & OTHERS_MAY_WRITE != 0 {
        // Refused where nothing can be written, and where the mount reports the modes: there they are not the folder's own.
        folder.set_permissions(Permissions::from_mode(seen.mode() & OWNER_ONLY)).ok();
    }
    Ok(())
}

/// Returns whether `path` is a folder of this user, and no link to one. An absent one is not.
/// Errors: the system does not say: on Windows also where the file system keeps no owners.
pub fn is_own_folder(path: &Path) -> io::Result<bool> {
    match path.symlink_metadata() {
        Ok(seen) => Ok(seen.is_dir() && seen.uid() == rustix::process::geteuid().as_raw()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Opens a regular file of this user for reading, without waiting; `None` for links, devices, pipes, files of other users.
/// Errors: the file is there and cannot be opened, or the system does not report whose it is.
pub fn open_own_file(path: &Path) -> io::Result<Option<File>> {
    // Without NONBLOCK the open of a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = match rustix::fs::open(path, flags, Mode::empty()) {
        Ok(file) => File::from(file),
        Err(Errno::LOOP | Errno::NOENT | Errno::NXIO) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let seen = file.metadata()?;
    let own = seen.is_file() && seen.uid() == rustix::process::geteuid().as_raw();
    Ok(own.then_some(file))
}

/// Returns the number of the file system that holds `path`; `None` where the system numbers none.
pub fn file_system_number(path: &Path) -> io::Result<Option<u64>> {
    Ok(Some(path.symlink_metadata()?.dev()))
}

/// Returns a path as bytes, from which [`path_from_bytes`] makes the same path again.
/// Errors: the path cannot be written so: on Windows one that is no Unicode.
pub fn path_to_bytes(path: &Path) -> io::Result<Vec<u8>> {
    Ok(path.as_os_str().as_bytes().to_vec())
}

/// Returns the path that [`path_to_bytes`] wrote.
pub fn path_from_bytes(bytes: &[u8]) -> io::Result<PathBuf> {
    Ok(PathBuf::from(std::ffi::OsString::from_vec(bytes.to_vec())))
}

/// Gives the owner of a folder back the right to enter and change it, whatever a program has done. Whose it is, is not asked: not
/// every file system shows that of what this user has made.
pub fn unlock(path: &Path) -> io::Result<()> {
    // Through a handle that needs no rights, so that no link is followed.
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let handle = open(path, flags)?;
    let seen = rustix::fs::fstat(&handle).map_err(|error| failed(path, error))?;
    if seen.st_mode & OWNER_ONLY != OWNER_ONLY {
        let same = format!("/proc/self/fd/{}", handle.as_raw_fd());
        std::fs::set_permissions(same, Permissions::from_mode(OWNER_ONLY))
            .map_err(|error| crate::failure::named(path, error))?;
    }
    make_mutable(open(path, FOLDER)?.as_fd());
    Ok(())
}

/// Removes all that is in a folder but the entry called `kept`, whatever rights and attributes forbid it. Links are never followed,
/// and what is mounted inside is left alone. Goes on after an error; that of `check_stop`, called before each entry, ends it.
/// Errors: the first that occurred, with its path, or what `check_stop` said.
pub fn remove_contents(path: &Path, kept: &OsStr, check_stop: CheckStop<'_>) -> io::Result<()> {
    empty(&open(path, FOLDER)?, path, Some(kept), check_stop)
}

/// Removes the entry `name` of a folder, as [`remove_contents`] would. An absent one is what was wanted.
pub fn remove_entry(path: &Path, name: &OsStr, check_stop: CheckStop<'_>) -> io::Result<()> {
    let folder = open(path, FOLDER)?;
    let name_in_c = CString::new(name.as_bytes())?;
    remove(folder.as_fd(), &name_in_c, &path.join(name), check_stop)
}

fn empty(folder: &OwnedFd, path: &Path, kept: Option<&OsStr>, check_stop: CheckStop<'_>) -> io::Result<()> {
    let mut first = Ok(());
    let entries = Dir::read_from(folder).map_err(|error| failed(path, error))?;
    for entry in entries {
        let entry = entry.map_err(|error| failed(path, error))?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." || Some(name) == kept {
            continue;
        }
        check_stop()?;
        first = first.and(remove(folder.as_fd(), entry.file_name(), &path.join(name), check_stop));
    }
    first
}

fn remove(folder: BorrowedFd<'_>, name: &CStr, path: &Path, check_stop: CheckStop<'_>) -> io::Result<()> {
    match unlink(folder, name, AtFlags::empty()) {
        Ok(()) | Err(Errno::NOENT) => return Ok(()),
        Err(Errno::ISDIR) => {}
        Err(error) => return Err(failed(path, error)),
    }
    let inner = match open_here(folder, name) {
        // A program took away its own right to enter; what is ours may be opened again.
        Err(Errno::ACCESS) => {
            let mode = Mode::from_raw_mode(OWNER_ONLY);
            rustix::fs::chmodat(folder, name, mode, AtFlags::empty()).map_err(|error| failed(path, error))?;
            open_here(folder, name)
        }
        other => other,
    };
    let inner = inner.map_err(|error| match error {
        Errno::XDEV => {
            let text = format!("{}: something is mounted here; unmount it", path.display());
            io::Error::new(io::ErrorKind::CrossesDevices, text)
        }
        other => failed(path, other),
    })?;
    empty(&inner, path, None, check_stop)?;
    unlink(folder, name, AtFlags::REMOVEDIR).map_err(|error| failed(path, error))
}

/// Removes a name. Where that is refused, takes away what keeps it: a program may have closed the folder to its owner, or root may have
/// made the folder or the file immutable.
fn unlink(folder: BorrowedFd<'_>, name: &CStr, flags: AtFlags) -> Result<(), Errno> {
    let refused = match rustix::fs::unlinkat(folder, name, flags) {
        Err(refused @ (Errno::PERM | Errno::ACCESS)) => refused,
        answer => return answer,
    };
    if refused == Errno::ACCESS {
        rustix::fs::fchmod(folder, Mode::from_raw_mode(OWNER_ONLY))?;
    }
    make_mutable(folder);
    let seen = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    // To open a device may do something; a device or link that is immutable is not worth that.
    if matches!(FileType::from_raw_mode(seen.st_mode), FileType::RegularFile | FileType::Directory) {
        let opened = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        if let Ok(file) = rustix::fs::openat(folder, name, opened, Mode::empty()) {
            make_mutable(file.as_fd());
        }
    }
    rustix::fs::unlinkat(folder, name, flags)
}

/// Takes away the attributes that keep files from being removed, where there are any. Whether it helped, the removal reports.
fn make_mutable(file: BorrowedFd<'_>) {
    let fixed = IFlags::IMMUTABLE | IFlags::APPEND;
    if let Ok(flags) = rustix::fs::ioctl_getflags(file)
        && flags.intersects(fixed)
    {
        rustix::fs::ioctl_setflags(file, flags - fixed).ok();
    }
}

/// Opens a folder inside `folder` unless something is mounted there, be it another part of the same file system.
fn open_here(folder: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let here = ResolveFlags::NO_XDEV | ResolveFlags::NO_SYMLINKS;
    match rustix::fs::openat2(folder, name, FOLDER, Mode::empty(), here) {
        // Kernels before 5.6, and filters of system calls that know no openat2.
        Err(Errno::NOSYS | Errno::PERM) => open_on_same_device(folder, name),
        answer => answer,
    }
}

/// Opens it without openat2. It does not see another part of the same file system that is mounted there.
fn open_on_same_device(folder: BorrowedFd<'_>, name: &CStr) -> Result<OwnedFd, Errno> {
    let inner = rustix::fs::openat(folder, name, FOLDER, Mode::empty())?;
    let is_here = rustix::fs::fstat(&inner)?.st_dev == rustix::fs::fstat(folder)?.st_dev;
    if is_here { Ok(inner) } else { Err(Errno::XDEV) }
}

fn open(path: &Path, flags: OFlags) -> io::Result<OwnedFd> {
    rustix::fs::open(path, flags, Mode::empty()).map_err(|error| failed(path, error))
}

fn failed(path: &Path, error: Errno) -> io::Error {
    crate::failure::named(path, io::Error::from(error))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use rustix::fs::{CWD, FileType};

    use super::*;

    /// The variable that makes this test the program with another umask; its value is the place of the folder.
    const PLACE: &str = "BAKEOFF_TEST_PRIVATE_FOLDER";

    #[test]
    fn only_the_owner_may_enter_whatever_the_umask() {
        if let Some(path) = std::env::var_os(PLACE) {
            return create(Path::new(&path)).expect("created");
        }
        // The umask is one of a whole process: other tests of this one must not see it.
        let this = std::env::current_exe().expect("this program");
        for umask in ["0", "022", "0277", "0777"] {
            let home = tempfile::tempdir().expect("a folder");
            let path = home.path().join("private");
            let script = format!("umask {umask} && exec \"$0\" --exact \"$1\"");
            let name = "private_folder::system::tests::only_the_owner_may_enter_whatever_the_umask";
            let mut shell = std::process::Command::new("sh");
            shell.args(["-c", &script]).arg(&this).arg(name).env(PLACE, &path);
            let ended = shell.output().expect("a shell");
            assert!(ended.status.success(), "{ended:?}");
            assert_eq!(fs::metadata(&path).expect("made").mode() & 0o7777, 0o700, "umask {umask}");
        }
    }

    #[test]
    fn a_link_or_pipe_is_neither_a_folder_nor_a_file_of_ours() {
        let home = tempfile::tempdir().expect("a folder");
        fs::write(home.path().join("file"), "x").expect("written");
        symlink(home.path(), home.path().join("to_folder")).expect("a link");
        symlink("file", home.path().join("to_file")).expect("a link");
        symlink("/dev/zero", home.path().join("to_device")).expect("a link");
        assert!(!is_own_folder(&home.path().join("to_folder")).expect("an answer"));
        // A pipe is not waited for.
        let (pipe, mode) = (home.path().join("pipe"), Mode::RUSR | Mode::WUSR);
        rustix::fs::mknodat(CWD, &pipe, FileType::Fifo, mode, 0).expect("a pipe");
        for other in ["to_file", "to_device", "pipe"] {
            assert!(open_own_file(&home.path().join(other)).expect("an answer").is_none(), "{other}");
        }
    }

    #[test]
    fn links_are_removed_and_what_they_lead_to_stays() {
        let home = tempfile::tempdir().expect("a folder");
        let (ours, foreign) = (home.path().join("ours"), home.path().join("foreign"));
        create(&ours).expect("created");
        fs::create_dir(&foreign).expect("created");
        fs::write(foreign.join("thesis"), "years").expect("written");
        symlink(&foreign, ours.join("link")).expect("a link");
        remove_contents(&ours, OsStr::new(""), &|| Ok(())).expect("all is ours");
        assert!(foreign.join("thesis").exists());
        assert_eq!(fs::read_dir(&ours).expect("readable").count(), 0);
    }

    /// Does something as a user does whom modes bind: root may enter and change all else. Rights are those of a thread.
    fn bound_by_modes(body: impl FnOnce() + Send) {
        use rustix::thread::{CapabilitySet, capabilities, set_capabilities};
        let done = std::thread::scope(|scope| {
            let bound = scope.spawn(|| {
                let mut rights = capabilities(None).expect("our own");
                rights.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
                set_capabilities(None, rights).expect("rights may be given up");
                let home = tempfile::tempdir().expect("a folder");
                let closed = home.path().join("closed");
                DirBuilder::new().mode(0o0).create(&closed).expect("created");
                assert_eq!(
                    fs::read_dir(&closed).expect_err("closed").kind(),
                    io::ErrorKind::PermissionDenied
                );
                body();
            });
            bound.join()
        });
        done.expect("no panic");
    }

    #[test]
    fn what_its_owner_may_not_enter_is_unlocked_and_removed() {
        bound_by_modes(|| {
            for is_unlocked in [false, true] {
                let home = tempfile::tempdir().expect("a folder");
                let (closed, link) = (home.path().join("closed"), home.path().join("link"));
                let inner = closed.join("inner");
                fs::create_dir_all(&inner).expect("created");
                fs::write(inner.join("file"), "x").expect("written");
                fs::set_permissions(&inner, Permissions::from_mode(0o500)).expect("ours");
                fs::set_permissions(&closed, Permissions::from_mode(0o000)).expect("ours");
                symlink(&closed, &link).expect("a link");
                unlock(&link).expect_err("a link");
                assert_eq!(fs::metadata(&closed).expect("there").mode() & 0o7777, 0);
                if is_unlocked {
                    unlock(&closed).expect("ours");
                    assert_eq!(fs::metadata(&closed).expect("there").mode() & 0o7777, 0o700);
                }
                remove_contents(home.path(), OsStr::new(""), &|| Ok(())).expect("all is ours");
                assert!(!closed.exists());
            }
        });
    }

    #[test]
    fn a_folder_that_seems_to_have_another_owner_is_unlocked() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("folder");
        create(&folder).expect("created");
        let given_away = std::os::unix::fs::chown(&folder, Some(65534), Some(65534));
        if !needs::are_met(given_away.map_err(|error| format!("no folder can be given away here: {error}"))) {
            return;
        }
        for mode in [0o700, 0o500] {
            fs::set_permissions(&folder, Permissions::from_mode(mode)).expect("root may");
            assert!(!is_own_folder(&folder).expect("an answer"));
            unlock(&folder).expect("its owner is not asked for");
            assert_eq!(fs::metadata(&folder).expect("there").mode() & 0o7777, 0o700);
        }
    }

    #[test]
    fn what_root_made_immutable_is_removed() {
        let home = tempfile::tempdir().expect("a folder");
        let folder = home.path().join("folder");
        fs::create_dir(&folder).expect("created");
        fs::write(folder.join("fixed"), "x").expect("written");
        fs::write(folder.join("log"), "x").expect("written");
        let set = |path: &Path, flag: IFlags| {
            let file = File::open(path).expect("readable");
            rustix::fs::ioctl_getflags(&file)
                .and_then(|flags| rustix::fs::ioctl_setflags(&file, flags | flag))
        };
        // Only root may set them, and not every file system knows them.
        let made = set(&folder.join("fixed"), IFlags::IMMUTABLE);
        if !needs::are_met(made.map_err(|error| format!("no file can be made immutable here: {error}"))) {
            return;
        }
        set(&folder.join("log"), IFlags::APPEND).expect("as the other");
        set(&folder, IFlags::IMMUTABLE).expect("as the others");
        assert!(fs::remove_file(folder.join("log")).is_err());
        remove_contents(home.path(), OsStr::new(""), &|| Ok(())).expect("all is ours");
        assert!(!folder.exists());
    }

    #[test]
    fn without_openat2_no_other_file_system_or_link_is_entered() {
        let home = tempfile::tempdir().expect("a folder");
        fs::create_dir(home.path().join("inner")).expect("created");
        symlink("inner", home.path().join("link")).expect("a link");
        fs::write(home.path().join("file"), "x").expect("written");
        for (folder, name, found) in [
            (home.path(), c"inner", Ok(())),
            (Path::new("/"), c"proc", Err(Errno::XDEV)),
            (home.path(), c"absent", Err(Errno::NOENT)),
        ] {
            let folder = rustix::fs::open(folder, FOLDER, Mode::empty()).expect("a folder");
            assert_eq!(open_on_same_device(folder.as_fd(), name).map(drop), found, "{name:?}");
            assert_eq!(open_here(folder.as_fd(), name).map(drop), found, "with openat2: {name:?}");
        }
        for no_folder in [c"link", c"file"] {
            let folder = rustix::fs::open(home.path(), FOLDER, Mode::empty()).expect("a folder");
            open_on_same_device(folder.as_fd(), no_folder).expect_err("no folder");
        }
    }

    #[test]
    fn a_path_that_is_no_text_comes_back_from_its_bytes() {
        let path = PathBuf::from(OsStr::from_bytes(b"/tmp/\xff\xfe"));
        assert_eq!(path_from_bytes(&path_to_bytes(&path).expect("bytes")).expect("a path"), path);
    }
}
