//! What a small copy costs next to a plain C program that makes the same calls.
//!
//! It times copies on this host, which must do nothing else meanwhile, and needs `cc`: like ignored tests these run with
//! `--ignored` only, and with `--release` to tell anything. Both read the same figures, which are taken once.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
#[path = "../plain/mod.rs"]
mod plain;
#[cfg(not(target_os = "linux"))]
mod linux {
    use crate::{Named, Outcome};

    pub(crate) struct Measured;

    pub(crate) const COMPLETE: Named<fn() -> Outcome> = &[];
    pub(crate) const TIMED: Named<fn(&Measured) -> Outcome> = &[];

    pub(crate) fn measured() -> Measured {
        Measured
    }
}

use std::io::{self, Write};
use std::process::ExitCode;

/// That it holds, or why not.
type Outcome = Result<(), String>;

/// Checks by their names.
type Named<Check> = &'static [(&'static str, Check)];

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let filters: Vec<&String> =
        words.iter().filter(|word| !word.is_empty() && !word.starts_with('-')).collect();
    let is_chosen =
        |name: &str| filters.is_empty() || filters.iter().any(|filter| name.contains(filter.as_str()));
    let mut all_hold = true;
    let mut tell = |name: &str, outcome: Outcome| {
        all_hold &= outcome.is_ok();
        let said = outcome.map_or_else(|why| format!("FAILED\n{why}"), |()| "ok".to_owned());
        let _ = writeln!(io::stdout(), "{name} ... {said}");
    };
    for (name, check) in linux::COMPLETE.iter().filter(|(name, _)| !has("--ignored") && is_chosen(name)) {
        tell(name, check());
    }
    let timed: Vec<_> = linux::TIMED.iter().filter(|(name, _)| is_chosen(name)).collect();
    if !has("--ignored") && !has("--include-ignored") {
        for (name, _) in timed {
            let _ = writeln!(
                io::stdout(),
                "{name} ... ignored, it times copies (--ignored, on a host that does nothing else)"
            );
        }
    } else if !timed.is_empty() {
        let measured = linux::measured();
        for (name, check) in timed {
            tell(name, check(&measured));
        }
    }
    ExitCode::from(u8::from(!all_hold))
}
