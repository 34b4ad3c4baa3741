//! Whose a file is: the owner that its file system keeps, compared with the owners of what this process makes.

use std::fs::File;
use std::io;
use std::os::windows::io::AsRawHandle;

use windows_sys::Win32::Foundation::LocalFree;
use windows_sys::Win32::Security::Authorization::{ConvertSidToStringSidW, GetSecurityInfo, SE_FILE_OBJECT};
use windows_sys::Win32::Security::{
    CopySid, IsWellKnownSid, OWNER_SECURITY_INFORMATION, PSID, SECURITY_MAX_SID_SIZE,
    TOKEN_INFORMATION_CLASS, TokenOwner, TokenUser, WinWorldSid,
};

use super::Descriptor;
use crate::windows::{checked, token_information};

/// Whether an open file or folder belongs to this user. What an elevated process makes has the owner that its token names.
/// Errors: the file system does not say, or keeps no owners. The handle has to include the right to read them.
pub(super) fn is_own(file: &File) -> io::Result<bool> {
    is_ours(&Sid::of_owner(file).map_err(|error| untold(&error.to_string()))?)
}

fn is_ours(owner: &Sid) -> io::Result<bool> {
    // So the system answers for a file system without owners: FAT, exFAT.
    if owner.is_everyone() {
        return Err(untold("its file system keeps no owners"));
    }
    Ok(*owner == Sid::of_token(TokenUser)? || *owner == Sid::of_token(TokenOwner)?)
}

fn untold(why: &str) -> io::Error {
    io::Error::other(format!(
        "whose it is cannot be told ({why}); look inside, and remove it yourself if you do not need it"
    ))
}

/// The identity of a user or a group, with zeros behind its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sid([u32; SECURITY_MAX_SID_SIZE as usize / size_of::<u32>()]);

impl Sid {
    /// The user as whom this process runs.
    pub(super) fn of_user() -> io::Result<Self> {
        Self::of_token(TokenUser)
    }

    /// As the system writes it: `S-1-5-…`.
    pub(super) fn text(&self) -> io::Result<String> {
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
        let (mut owner, mut descriptor): (PSID, _) = (std::ptr::null_mut(), std::ptr::null_mut());
        // SAFETY: the handle is open; the two places live through the call; nothing else is asked for.
        let code = unsafe {
            GetSecurityInfo(
                file.as_raw_handle(),
                SE_FILE_OBJECT,
                OWNER_SECURITY_INFORMATION,
                &raw mut owner,
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &raw mut descriptor,
            )
        };
        if code != 0 {
            return Err(io::Error::from_raw_os_error(code as i32));
        }
        let _descriptor = Descriptor(descriptor);
        // SAFETY: the owner is null or an identity inside the descriptor, which lives until the end of this function.
        unsafe { Self::copied(owner) }
    }

    /// What the token of this process names first under `class`: its user, or the owner of what it makes.
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

    /// For calls that only read it.
    fn as_raw(&self) -> PSID {
        self.0.as_ptr().cast_mut().cast()
    }
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Security::Authorization::ConvertStringSidToSidW;

    use super::*;
    use crate::windows::wide;

    fn sid(text: &str) -> Sid {
        let text = wide(text);
        let mut sid = std::ptr::null_mut();
        // SAFETY: the text ends in a zero; the place for the answer lives through the call.
        checked(unsafe { ConvertStringSidToSidW(text.as_ptr(), &raw mut sid) }).expect("an identity");
        // SAFETY: the call has made it.
        let copy = unsafe { Sid::copied(sid) }.expect("an identity");
        // SAFETY: the call has allocated it, and it is not used any more.
        unsafe { LocalFree(sid) };
        copy
    }

    #[test]
    fn what_belongs_to_the_user_or_to_the_owner_of_what_the_process_makes_is_ours() {
        for class in [TokenUser, TokenOwner] {
            assert!(is_ours(&Sid::of_token(class).expect("a token")).expect("an answer"));
        }
        let (anonymous, guests) = (sid("S-1-5-7"), sid("S-1-5-32-546"));
        assert!(!is_ours(&anonymous).expect("an answer") && !is_ours(&guests).expect("an answer"));
    }

    #[test]
    fn a_file_of_everyone_has_no_owner() {
        let refused = is_ours(&sid("S-1-1-0")).expect_err("no owner").to_string();
        assert!(refused.contains("keeps no owners") && refused.contains("remove it yourself"), "{refused}");
    }

    #[test]
    fn an_identity_is_written_as_the_system_reads_it() {
        let user = Sid::of_user().expect("a token");
        assert_eq!(sid(&user.text().expect("a text")), user);
        assert_eq!(sid("S-1-5-7").text().expect("a text"), "S-1-5-7");
    }
}
