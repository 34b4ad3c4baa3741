//! By the XDG Base Directory Specification.

use directories::ProjectDirs;

use super::UserFolders;

pub(super) fn of_program(program: &str) -> Option<UserFolders> {
    let folders = ProjectDirs::from("", "", program)?;
    let data = folders.data_dir().to_owned();
    let state = folders.state_dir().map_or_else(|| data.clone(), ToOwned::to_owned);
    Some(UserFolders { data, state })
}
