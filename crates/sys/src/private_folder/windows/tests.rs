//! What the file system keeps about a private folder, and what belongs to others.

use std::process::Command;
use std::time::{Duration, Instant};

use windows_sys::Win32::Security::Authorization::{
    ConvertSecurityDescriptorToStringSecurityDescriptorW, ConvertStringSidToSidW,
};
use windows_sys::Win32::Security::DACL_SECURITY_INFORMATION;

use super::*;
use crate::windows::wine_version;

/// Returns the access list of a file or folder as the system writes it down, with all its entries.
fn access_list(path: &Path) -> String {
    let file = open_itself(path, READ_CONTROL).expect("readable").expect("it is there");
    written(&Descriptor::of(&file, DACL_SECURITY_INFORMATION).expect("a descriptor").1)
}

fn written(descriptor: &Descriptor) -> String {
    let (mut text, mut length) = (std::ptr::null_mut(), 0);
    // SAFETY: the descriptor is one that the system made; the two places live through the call.
    checked(unsafe {
        ConvertSecurityDescriptorToStringSecurityDescriptorW(
            descriptor.0,
            SDDL_REVISION_1,
            DACL_SECURITY_INFORMATION,
            &raw mut text,
            &raw mut length,
        )
    })
    .expect("a text");
    // SAFETY: the system wrote this many units there, the zero at the end among them.
    let units = unsafe { std::slice::from_raw_parts(text, length as usize) };
    let copy = crate::windows::text(units).expect("a text");
    // SAFETY: the text was allocated by the call above, and is not used any more.
    unsafe { LocalFree(text.cast()) };
    copy
}

/// Returns the entries of an access list without what stands before them.
fn entries(list: &str) -> Vec<&str> {
    let mut entries: Vec<&str> = list.split('(').skip(1).map(|entry| entry.trim_end_matches(')')).collect();
    entries.sort_unstable();
    entries
}

fn user() -> String {
    Sid::of_token(TokenUser).and_then(|user| user.text()).expect("a user")
}

/// Wine keeps a mode, not access lists, and makes entries of it: those of the user and the system, and one of everyone where others
/// have a right. What Windows has to keep beyond that, the next test looks at.
#[test]
fn only_the_owner_and_the_system_have_rights_to_a_folder() {
    let home = tempfile::tempdir().expect("a folder");
    let path = home.path().join("private");
    create(&path).expect("a new name");
    let list = access_list(&path);
    let user = user();
    let of_user = format!("A;OICI;FA;;;{user}");
    if wine_version().is_some() {
        assert_eq!(entries(&list), [&of_user, "A;OICI;FA;;;SY"], "{list}");
        return;
    }
    assert!(list.starts_with("D:P"), "nothing is inherited from around it: {list}");
    assert_eq!(entries(&list), ["A;OICI;FA;;;OW", &of_user, "A;OICI;FA;;;SY"], "{list}");
    fs::write(path.join("file"), "x").expect("its owner may write");
    let list = access_list(&path.join("file"));
    let of_user = format!("A;ID;FA;;;{user}");
    assert_eq!(entries(&list), ["A;ID;FA;;;OW", &of_user, "A;ID;FA;;;SY"], "{list}");
}

#[test]
fn an_access_list_inherits_nothing_and_passes_to_all_inside() {
    let asked = written(&Descriptor::owner_only().expect("a descriptor"));
    assert_eq!(asked, format!("D:P(A;OICI;FA;;;OW)(A;OICI;FA;;;{})(A;OICI;FA;;;SY)", user()));
}

/// Returns a folder and a file in it that belong to another. On Windows those of the system. To Wine every other user of the host
/// is another: who is not root has root's; root gives something away, which only a program of the host can.
#[expect(clippy::zombie_processes, reason = "no handle is given of a program of the host")]
fn anothers(home: &Path) -> [PathBuf; 2] {
    if wine_version().is_none() {
        let root = PathBuf::from(std::env::var_os("SystemRoot").expect("a folder of the system"));
        return [root.clone(), root.join("explorer.exe")];
    }
    let of_root = PathBuf::from(r"Z:\");
    if !is_own_folder(&of_root).expect("readable") {
        return [of_root.join("etc"), of_root.join("etc").join("passwd")];
    }
    let [folder, file] = [home.join("another's"), home.join("another's").join("file")];
    fs::create_dir(&folder).expect("a new name");
    fs::write(&file, "x").expect("written");
    let [host_folder, host_file] =
        [&folder, &file].map(|path| path.to_str().expect("Unicode").replace("Z:", "").replace('\\', "/"));
    Command::new(r"Z:\bin\chown").args(["12345", &host_file, &host_folder]).spawn().expect("chown");
    let began = Instant::now();
    while [&folder, &file].into_iter().any(|path| access_list(path).contains(&user())) {
        assert!(began.elapsed() < Duration::from_secs(600), "{}", access_list(&folder));
        std::thread::sleep(Duration::from_millis(5));
    }
    [folder, file]
}

#[test]
fn what_belongs_to_another_user_is_not_taken_for_ours() {
    // Under Wine a folder whose name on the host is known.
    let home = match wine_version() {
        Some(_) => tempfile::tempdir_in(r"Z:\tmp"),
        None => tempfile::tempdir(),
    };
    let home = home.expect("a folder");
    let own = home.path().join("own");
    fs::write(&own, "x").expect("written");
    assert!(
        is_own_folder(home.path()).expect("readable") && open_own_file(&own).expect("readable").is_some()
    );
    let [folder, file] = anothers(home.path());
    assert!(folder.is_dir() && file.is_file());
    assert!(!is_own_folder(&folder).expect("readable"), "{}", folder.display());
    assert!(open_own_file(&file).expect("readable").is_none(), "{}", file.display());
}

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
fn what_belongs_to_the_user_or_its_default_owner_is_ours() {
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
    let user = Sid::of_token(TokenUser).expect("a token");
    assert_eq!(sid(&user.text().expect("a text")), user);
    assert_eq!(sid("S-1-5-7").text().expect("a text"), "S-1-5-7");
}
