//! Copies a file as this host does it best: the technique and the size of the buffer come from a profile.
//!
//! ```sh
//! cargo build --release -p profile --example pick
//! bakeoff run copy --sizes 4K..64MiBx4
//! bakeoff advise copy --among "$(pick --techniques)" --profile profile.toml
//! pick profile.toml SOURCE DESTINATION
//! ```
//!
//! Advice among the techniques that this program has comes first, then advice among all. Without a profile of this host, and where
//! a technique is advised that it does not have, it copies as the standard library does, and says why.

use std::error::Error;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use profile::{Profile, Wanted};

mod ways;

#[cfg_attr(target_os = "linux", path = "linux.rs")]
#[cfg_attr(windows, path = "windows.rs")]
mod system;

use ways::{PLAIN, Way};

/// Buffer of a technique whose advice names no size.
const USUAL_BUFFER_BYTES: usize = 256 << 10;

struct Picked {
    name: String,
    way: Way,
    buffer_bytes: Option<usize>,
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    match &words[..] {
        [word] if word == "--techniques" => {
            print(&names().join(","));
            ExitCode::SUCCESS
        }
        [profile, source, destination] => {
            let [profile, source, destination] = [profile, source, destination].map(PathBuf::from);
            copy(&profile, &source, &destination)
        }
        _ => failed("usage: pick PROFILE SOURCE DESTINATION; pick --techniques names those that it has"),
    }
}

fn copy(profile: &Path, source: &Path, destination: &Path) -> ExitCode {
    let picked = pick(profile, source, destination).unwrap_or_else(|reason| {
        say(&format!("pick: {reason}; copying as the standard library does"));
        Picked { name: PLAIN.0.to_owned(), way: PLAIN.1, buffer_bytes: None }
    });
    match picked.way.copy(source, destination, picked.buffer_bytes.unwrap_or(USUAL_BUFFER_BYTES)) {
        Ok(bytes) => {
            let buffer = picked.buffer_bytes.map_or(String::new(), |bytes| format!(" with {bytes} bytes"));
            print(&format!("{bytes} bytes by {}{buffer}", picked.name));
            ExitCode::SUCCESS
        }
        Err(error) => failed(&format!("pick: {} to {}: {error}", source.display(), destination.display())),
    }
}

/// The techniques that this program has, by their names in bakeoff.
fn names() -> Vec<&'static str> {
    all().map(|(name, _)| name).collect()
}

fn all() -> impl Iterator<Item = (&'static str, Way)> {
    ways::WAYS.iter().chain(system::WAYS).copied()
}

/// Looks up a file of this size on the file system of its destination.
fn pick(profile: &Path, source: &Path, destination: &Path) -> Result<Picked, Box<dyn Error>> {
    let bytes = fs::metadata(source)?.len();
    let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty());
    let profile = Profile::load(profile)?;
    let wanted = Wanted::new("copy").at("bytes", bytes).in_directory(folder.unwrap_or(Path::new(".")))?;
    let own = wanted.clone().among(&names());
    // What is said of the techniques that it has counts, where neither answers.
    let pick = profile.best(&own).or_else(|reason| profile.best(&wanted).map_err(|_| reason))?;
    let name = pick.technique();
    let found = all().find(|(known, _)| *known == name);
    let (_, way) = found.ok_or_else(|| format!("this program has no technique '{name}'"))?;
    let buffer_bytes = pick.number("buffer_bytes").map(usize::try_from).transpose()?;
    Ok(Picked { name: name.to_owned(), way, buffer_bytes })
}

fn failed(reason: &str) -> ExitCode {
    say(reason);
    ExitCode::from(2)
}

fn print(text: &str) {
    // Where nothing can be printed, the copy stands all the same.
    let _ = writeln!(io::stdout(), "{text}");
}

fn say(text: &str) {
    // Nothing can be done about a closed standard error.
    let _ = writeln!(io::stderr(), "{text}");
}
