//! The harness of tests for which cargo's own does not serve: it prints more than they do, and runs each next to another thread.

use std::io::{self, Write};
use std::panic::catch_unwind;
use std::path::Path;
use std::process::ExitCode;

use model::{Setting, Trial, Workload};

/// A name, and a function that panics where it does not hold.
pub(crate) type Check = (&'static str, fn());

/// Runs the checks that the command line asks for, as cargo's own harness would. Those that are timed are ignored ones.
pub(crate) fn run(checks: &[Check], timed: &[Check]) -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let filters: Vec<&String> =
        words.iter().filter(|word| !word.is_empty() && !word.starts_with('-')).collect();
    let mut all_hold = true;
    for (nth, &(name, check)) in checks.iter().chain(timed).enumerate() {
        let is_timed = nth >= checks.len();
        let is_chosen = filters.is_empty() || filters.iter().any(|filter| name.contains(&**filter));
        if !is_chosen || (!is_timed && has("--ignored")) {
            continue;
        }
        let said = if is_timed && !has("--ignored") && !has("--include-ignored") {
            "ignored, it times this host (--ignored, when it does nothing else)"
        } else if catch_unwind(check).is_ok() {
            "ok"
        } else {
            all_hold = false;
            "FAILED"
        };
        let _ = writeln!(io::stdout(), "{name} ... {said}");
    }
    ExitCode::from(u8::from(!all_hold))
}

/// A trial of an entry in a folder.
#[allow(dead_code, reason = "what times this host does so on Linux alone")]
pub(crate) fn trial(
    family: &str, entry: &str, workload: &Workload, setting: Setting, scratch: &Path,
) -> Trial {
    Trial {
        family: family.to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting,
        scratch: scratch.to_owned(),
        seed: 1,
    }
}
