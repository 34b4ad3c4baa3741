//! The folders in which techniques try out whether they can run here.

use std::path::PathBuf;

use model::{Place, Setting};

use crate::scratch::{Scratch, ScratchRegister};

/// A scratch folder in each directory, for the files that probes write. They are registered, so that a kill in the
/// middle of a probe leaves nothing that the next start does not remove.
#[derive(Debug, Default)]
pub struct ProbeFolders {
    folders: Vec<(PathBuf, Scratch)>,
    refused: Vec<(PathBuf, String)>,
}

impl ProbeFolders {
    /// Makes a folder in each directory. Where none can be registered, nothing is tried out there: what is available without
    /// can be said although the user's state directory cannot be written, and a killed probe leaves nothing for ever.
    pub fn new(register: Option<&ScratchRegister>, directories: &[PathBuf]) -> Self {
        let mut all = Self::default();
        for directory in directories {
            match register.map(|register| register.create(directory)) {
                Some(Ok(made)) => all.folders.push((directory.clone(), made)),
                Some(Err(error)) => all.refused.push((directory.clone(), error.to_string())),
                // Who has none knows why.
                None => {}
            }
        }
        all
    }

    /// Returns the setting with the folder for probes instead of its directory; with none where there is no such folder.
    pub fn setting(&self, setting: &Setting) -> Setting {
        let found = self.folders.iter().find(|(directory, _)| setting.directory() == Some(directory));
        let directory = found.map(|(_, folder)| folder.path().to_owned());
        Setting { place: Place { directory }, ..setting.clone() }
    }

    /// Returns the directories in which nothing can be tried out, each with the reason.
    pub fn refused(&self) -> &[(PathBuf, String)] {
        &self.refused
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use model::Durability;

    use super::*;
    use crate::scratch::tests::register;

    fn setting(directory: &Path) -> Setting {
        Setting::warm(directory, Durability::Returned)
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).expect("readable").count()
    }

    #[test]
    fn a_probe_works_in_a_registered_folder_that_goes_with_it() {
        let (home, register, data) = register();
        let state = home.path().join("state");
        let folders = ProbeFolders::new(Some(&register), std::slice::from_ref(&data));
        let place = folders.setting(&setting(&data)).place.directory.expect("a directory");
        fs::create_dir(place.join("attempt")).expect("it may be written");
        assert_eq!(place.parent().map(Path::file_name), Some(data.file_name()));
        assert_eq!((entries(&data), entries(&state)), (1, 1));
        drop(folders);
        assert_eq!((entries(&data), entries(&state)), (0, 0));
    }

    #[test]
    fn without_a_register_nothing_is_tried_out() {
        let folders = ProbeFolders::new(None, &[PathBuf::from("/data")]);
        assert_eq!(folders.setting(&setting(Path::new("/data"))).directory(), None);
    }

    #[test]
    fn an_unwritable_register_tries_nothing_out_and_says_why() {
        let (home, register, data) = register();
        let state = home.path().join("state");
        fs::remove_dir(&state).expect("it is empty");
        let folders = ProbeFolders::new(Some(&register), std::slice::from_ref(&data));
        assert_eq!(folders.setting(&setting(&data)).directory(), None);
        let [(directory, reason)] = folders.refused() else { panic!("{:?}", folders.refused()) };
        assert_eq!(*directory, data);
        assert!(reason.contains("scratch folders are registered in"), "{reason}");
        assert_eq!(entries(&data), 0);
    }
}
