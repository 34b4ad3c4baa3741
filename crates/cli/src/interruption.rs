//! What the user does to end the program early.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Result;
use measure::ScratchRegister;

use crate::scratch::left_behind;
use crate::terminal::say;

/// Becomes true at the first Ctrl-C; the second one ends the program at once and shows what it leaves behind.
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
