//! What the user does to end the program early.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use measure::ScratchRegister;

use crate::terminal::say;

/// Returns a flag that becomes true at the first Ctrl-C; the second one ends the program at once and shows what it leaves behind.
///
/// A request to end and a terminal that is closed do the same, unless `nohup` asked for going on without one.
pub(crate) fn watch(register: Option<ScratchRegister>) -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    let heed = move || {
        if seen.swap(true, Ordering::Relaxed) {
            let left = register.as_ref().and_then(|register| left_behind(&register.in_use()));
            left.iter().for_each(|left| say(left));
            std::process::exit(130);
        }
    };
    sys::signals::keep_hangups_ignored(|| ctrlc::set_handler(heed)).map_err(|error| match error {
        ctrlc::Error::System(error) if error.kind() == io::ErrorKind::WouldBlock => {
            sys::limits::thread_refused(&error).into()
        }
        error => anyhow::Error::new(error).context("Ctrl-C cannot be watched for"),
    })?;
    Ok(flag)
}

/// Returns what is said of the folders in use when the program is ended at once; `None` where there are none.
fn left_behind(folders: &[PathBuf]) -> Option<String> {
    let shown: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    (!shown.is_empty())
        .then(|| format!("bakeoff: ended at once; the next start removes {}", shown.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_folders_that_are_left_are_named() {
        let folders = [PathBuf::from("/a/.bakeoff-1"), PathBuf::from("/b/.bakeoff-1")];
        let said = left_behind(&folders).expect("two");
        assert!(said.ends_with("the next start removes /a/.bakeoff-1, /b/.bakeoff-1"), "{said}");
        assert_eq!(left_behind(&[]), None);
    }
}
