//! `RLIMIT_NOFILE`.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

pub(super) fn raise_open_files() -> Option<u64> {
    let now = getrlimit(Resource::Nofile);
    if now.current != now.maximum {
        // Where even this is refused the old limit stays, and is what we report.
        let _ = setrlimit(Resource::Nofile, Rlimit { current: now.maximum, maximum: now.maximum });
    }
    // The system has no unlimited number of files: `None` would be a limit it does not tell.
    getrlimit(Resource::Nofile).current
}
