//! What a command writes is bounded.

use std::fs;

use sys::process::{Growth, Launch, Status};

use crate::{part, run};

pub(crate) fn a_command_whose_file_or_folder_grows_too_long_is_killed() {
    let home = tempfile::tempdir().expect("a folder");
    let (file, folder) = (home.path().join("output"), home.path().join("folder"));
    fs::create_dir_all(folder.join("inner")).expect("folders");
    for path in [&file, &folder.join("inner/file")] {
        fs::write(path, [0; 20_000]).expect("written");
    }
    // A folder takes some room itself.
    for (path, bytes) in [(file, 20_000), (folder, 24_096)] {
        let growth = |most_bytes| Some(Growth { path: path.clone(), most_bytes });
        let ended = run(&Launch { growth: growth(bytes - 1), ..part(&["sleep", "86400000"]) });
        assert_eq!(ended.status, Status::FileTooLong, "{ended:?}");
        assert_eq!(run(&Launch { growth: growth(bytes), ..part(&["exit", "7"]) }).status, Status::Exit(7));
    }
}
