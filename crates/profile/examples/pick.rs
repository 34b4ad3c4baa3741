//! Copies a file as this host does it best: the technique and the size of the buffer come from a profile.
//!
//! ```sh
//! bakeoff run copy/read_write copy/std_copy --sizes 4K..64MiBx4
//! bakeoff advise copy --among read_write,std_copy --profile profile.toml
//! cargo run --release -p profile --example pick -- profile.toml SOURCE DESTINATION
//! ```
//!
//! Without a profile of this host it copies as the standard library does, and says why.

use std::error::Error;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use profile::{Profile, Wanted};

/// The techniques that this program has, by their names in bakeoff.
const OWN: &[&str] = &[READ_WRITE, STD_COPY];
const READ_WRITE: &str = "read_write";
const STD_COPY: &str = "std_copy";

/// A way to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Reading and writing through a buffer of so many bytes.
    ReadWrite { buffer_bytes: usize },
    /// Whatever the standard library does.
    Standard,
}

fn main() -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().skip(1).collect();
    let [profile, source, destination] = &words[..] else {
        return failed("usage: pick PROFILE SOURCE DESTINATION");
    };
    let [profile, source, destination] = [profile, source, destination].map(PathBuf::from);
    let way = way(&profile, &source, &destination).unwrap_or_else(|reason| {
        say(&format!("pick: {reason}; copying as the standard library does"));
        Way::Standard
    });
    match copy(way, &source, &destination) {
        Ok(bytes) => {
            // Where nothing can be printed, the copy stands all the same.
            let _ = writeln!(io::stdout(), "{bytes} bytes by {way:?}");
            ExitCode::SUCCESS
        }
        Err(error) => failed(&format!("pick: {} to {}: {error}", source.display(), destination.display())),
    }
}

fn failed(reason: &str) -> ExitCode {
    say(reason);
    ExitCode::from(2)
}

fn say(text: &str) {
    // Nothing can be done about a closed standard error.
    let _ = writeln!(io::stderr(), "{text}");
}

/// What the profile of this host says of a file of this size on the file system of its destination.
fn way(profile: &Path, source: &Path, destination: &Path) -> Result<Way, Box<dyn Error>> {
    let bytes = fs::metadata(source)?.len();
    let folder = destination.parent().filter(|folder| !folder.as_os_str().is_empty());
    let profile = Profile::load(profile)?;
    let wanted =
        Wanted::new("copy").at("bytes", bytes).among(OWN).in_directory(folder.unwrap_or(Path::new(".")))?;
    let pick = profile.best(&wanted)?;
    match (pick.technique(), pick.number("buffer_bytes")) {
        (READ_WRITE, Some(buffer_bytes)) => {
            Ok(Way::ReadWrite { buffer_bytes: usize::try_from(buffer_bytes)? })
        }
        (STD_COPY, _) => Ok(Way::Standard),
        (other, _) => Err(format!("this program has no technique '{other}'").into()),
    }
}

fn copy(way: Way, source: &Path, destination: &Path) -> io::Result<u64> {
    let Way::ReadWrite { buffer_bytes } = way else { return fs::copy(source, destination) };
    let mut from = File::open(source)?;
    let known = from.metadata()?;
    let mut to = OpenOptions::new().write(true).create(true).truncate(true).open(destination)?;
    // No larger than the file: memory that is not used costs nothing only while it is not touched.
    let whole = usize::try_from(known.len()).unwrap_or(usize::MAX);
    let mut buffer = vec![0; buffer_bytes.min(whole).max(1)];
    let mut copied = 0;
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                to.write_all(&buffer[..read])?;
                copied += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    to.set_permissions(known.permissions())?;
    Ok(copied)
}
