//! Access lists. Links of any kind are reparse points, which the standard library never follows when it removes.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};

use windows_sys::Win32::Foundation::{GENERIC_READ, LocalFree};
use windows_sys::Win32::Security::Authorization::{
    ConvertSidToStringSidW, ConvertStringSecurityDescriptorToSecurityDescriptorW, GetSecurityInfo,
    SDDL_REVISION_1, SE_FILE_OBJECT,
};
use windows_sys::Win32::Security::{
    CopySid, IsWellKnownSid, OBJECT_SECURITY_INFORMATION, OWNER_SECURITY_INFORMATION, PSECURITY_DESCRIPTOR,
    PSID, SECURITY_ATTRIBUTES, SECURITY_MAX_SID_SIZE, TOKEN_INFORMATION_CLASS, TokenOwner, TokenUser,
    WinWorldSid,
};
use windows_sys::Win32::Storage::FileSystem::{
    CreateDirectoryW, FILE_ATTRIBUTE_DIRECTORY, FILE_ATTRIBUTE_REPARSE_POINT, FILE_FLAG_BACKUP_SEMANTICS,
    FILE_FLAG_OPEN_REPARSE_POINT, FILE_READ_ATTRIBUTES, READ_CONTROL,
};

use crate::failure::named;
use crate::windows::{checked, token_information, wide};

#[cfg(test)]
mod tests;

type CheckStop<'a> = &'a dyn Fn() -> io::Result<()>;

struct Descriptor(PSECURITY_DESCRIPTOR);

impl Descriptor {
    /// Nothing is inherited from the folder around it. Its owner and the system may do all, here and in all that is made
    /// inside; others have no entry and so no right. The user is named next to the owner: on a server the user may own it
    /// under another identity, and Wine knows no entry for who owns a folder.
    fn owner_only() -> io::Result<Self> {
        let user = Sid::of_token(TokenUser)?.text()?;
        let text = wide(format!("D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;{user})(A;OICI;FA;;;SY)"));
        let mut descriptor: PSECURITY_DESCRIPTOR = std::ptr::null_mut();
        // SAFETY: the text ends in a zero; the place for the answer lives through the call; its length is not asked for.
        checked(unsafe {
            ConvertStringSecurityDescriptorToSecurityDescriptorW(
                text.as_ptr(),
                SDDL_REVISION_1,
                &raw mut descriptor,
                std::ptr::null_mut(),
            )
        })?;
        Ok(Self(descriptor))
    }

    /// Returns what the file system keeps of the wanted kind about an open file or folder, and where in it its owner stands; null
    /// where that was not asked for.
    fn of(file: &File, wanted: OBJECT_SECURITY_INFORMATION) -> io::Result<(PSID, Self)> {
        let (mut owner, mut descriptor) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the handle is open; the two places live through the call; nothing else is asked for.
        let code = unsafe {
            GetSecurityInfo(
                file.as_raw_handle(),
                SE_FILE_OBJECT,
                wanted,
                &raw mut owner,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut descriptor,
            )
        };
        if code == 0 { Ok((owner, Self(descriptor))) } else { Err(io::Error::from_raw_os_error(code as i32)) }
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        // SAFETY: a call of the system allocated the descriptor, and nothing else frees it.
        unsafe { LocalFree(self.0) };
    }
}

/// Creates a folder with an access list of its own.
pub fn create(path: &Path) -> io::Result<()> {
    let descriptor = Descriptor::owner_only()?;
    let attributes = SECURITY_ATTRIBUTES {
        nLength: size_of::<SECURITY_ATTRIBUTES>() as u32,
        lpSecurityDescriptor: descriptor.0,
        bInheritHandle: 0,
    };
    let name = wide(path);
    // SAFETY: the name ends in a zero, and the attributes and their descriptor live through the call.
    checked(unsafe { CreateDirectoryW(name.as_ptr(), &raw const attributes) })
}

/// As the folders around them are: the one of the user that holds them lets no other user in.
pub(super) fn create_around(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

pub(super) fn close_to_others(_: &Path) -> io::Result<()> {
    Ok(())
}

/// Returns whether `path` is a folder of this user, and no link of any kind.
pub fn is_own_folder(path: &Path) -> io::Result<bool> {
    let Some(folder) = open_itself(path, FILE_READ_ATTRIBUTES | READ_CONTROL)? else { return Ok(false) };
    Ok(is_plain(folder.metadata()?.file_attributes(), FILE_ATTRIBUTE_DIRECTORY) && is_own(&folder)?)
}

/// Opens a regular file of this user for reading; `None` for all else.
pub fn open_own_file(path: &Path) -> io::Result<Option<File>> {
    let Some(file) = open_itself(path, GENERIC_READ)? else { return Ok(None) };
    let seen = file.metadata()?;
    let own = seen.is_file() && is_plain(seen.file_attributes(), 0) && is_own(&file)?;
    Ok(own.then_some(file))
}

fn open_itself(path: &Path, access: u32) -> io::Result<Option<File>> {
    let flags = FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT;
    match OpenOptions::new().access_mode(access).custom_flags(flags).open(path) {
        Ok(file) => Ok(Some(file)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

fn is_plain(attributes: u32, wanted: u32) -> bool {
    attributes & FILE_ATTRIBUTE_REPARSE_POINT == 0 && attributes & wanted == wanted
}

/// A drive that is away takes its letter along, so the folder around is absent, too.
pub fn file_system_number(path: &Path) -> io::Result<Option<u64>> {
    path.symlink_metadata().map(|_| None)
}

/// No attribute of a folder keeps its owner from changing it. The owner is not asked for: not every file system keeps one.
pub fn unlock(path: &Path) -> io::Result<()> {
    let seen = path.symlink_metadata().map_err(|error| named(path, error))?;
    if is_plain(seen.file_attributes(), FILE_ATTRIBUTE_DIRECTORY) {
        return Ok(());
    }
    Err(named(path, io::Error::from(io::ErrorKind::NotADirectory)))
}

/// Removes all that is in a folder but the entry called `kept`.
pub fn remove_contents(path: &Path, kept: &OsStr, check_stop: CheckStop<'_>) -> io::Result<()> {
    let mut first = Ok(());
    for entry in fs::read_dir(path).map_err(|error| named(path, error))? {
        let entry = entry.map_err(|error| named(path, error))?;
        if entry.file_name() != kept {
            check_stop()?;
            first = first.and(remove(&entry.path(), check_stop));
        }
    }
    first
}

/// Removes the entry `name` of a folder, if it is there.
pub fn remove_entry(path: &Path, name: &OsStr, check_stop: CheckStop<'_>) -> io::Result<()> {
    match remove(&path.join(name), check_stop) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

fn remove(path: &Path, check_stop: CheckStop<'_>) -> io::Result<()> {
    let attributes = path.symlink_metadata().map_err(|error| named(path, error))?.file_attributes();
    if is_plain(attributes, FILE_ATTRIBUTE_DIRECTORY) {
        remove_contents(path, OsStr::new(""), check_stop)?;
    }
    let removed = match attributes & FILE_ATTRIBUTE_DIRECTORY {
        0 => fs::remove_file(path),
        // Of a junction, or a volume mounted here, the name goes; what it leads to stays.
        _ => fs::remove_dir(path),
    };
    removed.map_err(|error| named(path, error))
}

/// Returns a path as UTF-8. Errors: it is no Unicode.
pub fn path_to_bytes(path: &Path) -> io::Result<Vec<u8>> {
    let refused = || format!("{}: the path is no Unicode; choose another folder", path.display());
    let text = path.to_str().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, refused()))?;
    Ok(text.as_bytes().to_vec())
}

/// Returns the path that [`path_to_bytes`] wrote.
pub fn path_from_bytes(bytes: &[u8]) -> io::Result<PathBuf> {
    let text = std::str::from_utf8(bytes).map_err(io::Error::other)?;
    Ok(PathBuf::from(text))
}

/// Returns whether an open file or folder belongs to this user. What an elevated process makes has the owner that its token names.
/// Errors: the file system does not say, or keeps no owners. The handle has to include the right to read them.
fn is_own(file: &File) -> io::Result<bool> {
    is_ours(&Sid::of_owner(file).map_err(|error| unknown_owner(&error.to_string()))?)
}

fn is_ours(owner: &Sid) -> io::Result<bool> {
    // So the system answers for a file system without owners: FAT, exFAT.
    if owner.is_everyone() {
        return Err(unknown_owner("its file system keeps no owners"));
    }
    Ok(*owner == Sid::of_token(TokenUser)? || *owner == Sid::of_token(TokenOwner)?)
}

fn unknown_owner(why: &str) -> io::Error {
    io::Error::other(format!(
        "its owner is unknown ({why}); look inside, and remove it yourself if you do not need it"
    ))
}

/// The identity of a user or a group, with zeros behind its end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Sid([u32; SECURITY_MAX_SID_SIZE as usize / size_of::<u32>()]);

impl Sid {
    fn text(&self) -> io::Result<String> {
        let mut text = std::ptr::null_mut();
        // SAFETY: the identity is one that the system gave; the place for the answer lives through the call.
        checked(unsafe { ConvertSidToStringSidW(self.as_raw(), &raw mut text) })?;
        // SAFETY: the system wrote a text that ends in a zero.
        let length = (0..).take_while(|&place| unsafe { *text.add(place) } != 0).count();
        // SAFETY: this many units stand there, and nothing changes them meanwhile.
        let copy = String::from_utf16_lossy(unsafe { std::slice::from_raw_parts(text, length) });
        // SAFETY: the text was allocated by the call above, and is not used any more.
        unsafe { LocalFree(text.cast()) };
        Ok(copy)
    }

    fn of_owner(file: &File) -> io::Result<Self> {
        let (owner, _descriptor) = Descriptor::of(file, OWNER_SECURITY_INFORMATION)?;
        // SAFETY: the owner is null or an identity inside the descriptor, which lives until the end of this function.
        unsafe { Self::copied(owner) }
    }

    /// Returns what the token of this process names first under `class`: its user, or the owner of what it makes.
    fn of_token(class: TOKEN_INFORMATION_CLASS) -> io::Result<Self> {
        // Room for a pointer, a word of flags and the longest identity, which the pointer leads to.
        let mut answer = [std::ptr::null_mut::<std::ffi::c_void>(); 16];
        token_information(class, &mut answer)?;
        // SAFETY: both answers begin with a pointer to an identity, which stands in the same buffer.
        unsafe { Self::copied(answer[0]) }
    }

    /// # Safety
    /// The pointer is null or leads to an identity.
    unsafe fn copied(sid: PSID) -> io::Result<Self> {
        if sid.is_null() {
            return Err(io::Error::other("no owner is named"));
        }
        let mut copy = Self(Default::default());
        // SAFETY: the caller vouches for the pointer; the buffer is as large as said.
        checked(unsafe { CopySid(SECURITY_MAX_SID_SIZE, copy.0.as_mut_ptr().cast(), sid) })?;
        Ok(copy)
    }

    fn is_everyone(&self) -> bool {
        // SAFETY: the identity is one that the system gave.
        unsafe { IsWellKnownSid(self.as_raw(), WinWorldSid) != 0 }
    }

    fn as_raw(&self) -> PSID {
        self.0.as_ptr().cast_mut().cast()
    }
}
