//! Where techniques try out whether they can run here.

use std::path::{Path, PathBuf};

use families::{AnyFamily, Entry};
use model::{Availability, Host, Place, Setting, Workload};

use crate::scratch::{Scratch, ScratchRegister};

/// A scratch folder in each directory, for the files that probes write. They are registered, so that a kill in the
/// middle of a probe leaves nothing that the next start does not remove.
#[derive(Debug, Default)]
pub struct ProbeFolders {
    folders: Vec<(PathBuf, Scratch)>,
}

impl ProbeFolders {
    /// Makes a folder in each directory. Where none can be registered, probes work in the directory itself: what is
    /// available can be told although the user's state directory cannot be written.
    pub fn new(register: Option<&ScratchRegister>, directories: &[PathBuf]) -> Self {
        let made = |directory: &PathBuf| {
            register
                .and_then(|register| register.create(directory).ok())
                .map(|made| (directory.clone(), made))
        };
        Self { folders: directories.iter().filter_map(made).collect() }
    }

    /// The setting with the folder for probes in place of its directory.
    pub fn setting(&self, setting: &Setting) -> Setting {
        let found = self.folders.iter().find(|(directory, _)| setting.directory() == Some(directory));
        let directory = found.map(|(_, folder)| folder.path()).or(setting.directory());
        Setting { place: Place { directory: directory.map(Path::to_owned) }, ..setting.clone() }
    }
}

/// Whether an entry can run here, and at this workload.
pub(crate) fn ready(
    family: &dyn AnyFamily,
    entry: &Entry,
    workload: &Workload,
    (host, setting): (&Host, &Setting),
) -> Availability {
    match family.fits(&entry.name, workload, setting) {
        Availability::Ready => family.probe(&entry.name, host, setting),
        missing @ Availability::Missing(_) => missing,
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use model::Durability;

    use super::*;

    fn setting(directory: &Path) -> Setting {
        Setting::warm(directory, Durability::Returned)
    }

    fn entries(folder: &Path) -> usize {
        fs::read_dir(folder).expect("readable").count()
    }

    #[test]
    fn a_probe_works_in_a_registered_folder_that_goes_with_it() {
        let home = tempfile::tempdir().expect("a folder");
        let (state, data) = (home.path().join("state"), home.path().join("data"));
        fs::create_dir(&data).expect("a folder");
        let register = ScratchRegister::open(&state).expect("a register");
        let folders = ProbeFolders::new(Some(&register), std::slice::from_ref(&data));
        let place = folders.setting(&setting(&data)).place.directory.expect("a directory");
        fs::create_dir(place.join("attempt")).expect("it may be written");
        assert_eq!(place.parent().map(Path::file_name), Some(data.file_name()));
        assert_eq!((entries(&data), entries(&state)), (1, 1));
        drop(folders);
        assert_eq!((entries(&data), entries(&state)), (0, 0));
    }

    #[test]
    fn without_a_register_a_probe_works_in_the_directory_itself() {
        let folders = ProbeFolders::new(None, &[PathBuf::from("/data")]);
        assert_eq!(folders.setting(&setting(Path::new("/data"))).directory(), Some(Path::new("/data")));
    }
}
