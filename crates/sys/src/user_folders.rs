//! Folders in which programs keep something for a user.

use std::path::PathBuf;

/// The folders of one program; neither has to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserFolders {
    /// Data that the user wants to keep.
    pub data: PathBuf,
    /// State that the program needs when it starts again.
    pub state: PathBuf,
}

/// Returns the folders of `program` by the XDG Base Directory Specification; `None` where no home directory is known.
#[cfg(target_os = "linux")]
pub fn of_program(program: &str) -> Option<UserFolders> {
    let folders = directories::ProjectDirs::from("", "", program)?;
    let data = folders.data_dir().to_owned();
    Some(UserFolders { state: folders.state_dir().unwrap_or(&data).to_owned(), data })
}

/// Returns the folders of `program` below the user's local application data; `None` where no home directory is known. The shell's
/// function for that brings a dozen libraries into every process, also into those that are timed.
#[cfg(windows)]
pub fn of_program(program: &str) -> Option<UserFolders> {
    let named = std::env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let local = named.or_else(|| Some(std::env::home_dir()?.join("AppData").join("Local")))?;
    let data = local.join(program).join("data");
    Some(UserFolders { state: data.clone(), data })
}

#[cfg(all(test, windows))]
mod tests {
    #[test]
    fn data_and_state_lie_below_the_local_application_data() {
        let folders = super::of_program("bakeoff").expect("a home directory");
        assert!(folders.data.ends_with("bakeoff/data"), "{folders:?}");
        assert!(folders.data.is_absolute() && folders.state == folders.data, "{folders:?}");
    }
}
