//! Below the user's local application data.
//!
//! The function of the shell that tells where that is brings `shell32`, `user32`, `gdi32` and a dozen more libraries into every
//! process that is started, also into those that are timed. The variable says the same.

use std::env;
use std::path::PathBuf;

use super::UserFolders;

pub(super) fn of_program(program: &str) -> Option<UserFolders> {
    let named = env::var_os("LOCALAPPDATA").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let local = named.or_else(|| Some(env::home_dir()?.join("AppData").join("Local")))?;
    let data = local.join(program).join("data");
    Some(UserFolders { state: data.clone(), data })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_and_state_lie_below_the_local_application_data() {
        let folders = of_program("bakeoff").expect("a home directory");
        assert!(folders.data.ends_with("bakeoff/data"), "{folders:?}");
        assert!(folders.data.is_absolute() && folders.state == folders.data, "{folders:?}");
    }
}
