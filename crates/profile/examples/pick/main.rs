//! Copies a file as this host does it best: the technique and the size of the buffer come from a profile.
//!
//! ```sh
//! bakeoff run copy/read_write copy/std_copy copy/presized --sizes 4K..64MiBx4
//! bakeoff advise copy --among read_write,std_copy,presized --profile profile.toml
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

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux::make_room;
#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows::make_room;

/// The techniques that this program has, by their names in bakeoff.
const OWN: &[&str] = &[READ_WRITE, STD_COPY, PRESIZED];
const READ_WRITE: &str = "read_write";
const STD_COPY: &str = "std_copy";
const PRESIZED: &str = "presized";

/// A way to copy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Reading and writing through a buffer of so many bytes.
    ReadWrite { buffer_bytes: usize },
    /// The same into a destination that has its blocks and its length before the first byte.
    Presized { buffer_bytes: usize },
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
        (PRESIZED, Some(buffer_bytes)) => Ok(Way::Presized { buffer_bytes: usize::try_from(buffer_bytes)? }),
        (STD_COPY, _) => Ok(Way::Standard),
        (other, _) => Err(format!("this program has no technique '{other}'").into()),
    }
}

fn copy(way: Way, source: &Path, destination: &Path) -> io::Result<u64> {
    let (buffer_bytes, is_presized) = match way {
        Way::Standard => return fs::copy(source, destination),
        Way::ReadWrite { buffer_bytes } => (buffer_bytes, false),
        Way::Presized { buffer_bytes } => (buffer_bytes, true),
    };
    let mut from = File::open(source)?;
    let known = from.metadata()?;
    let mut to = OpenOptions::new().write(true).create(true).truncate(true).open(destination)?;
    if is_presized && known.len() > 0 {
        make_room(&to, known.len())?;
    }
    // No larger than the file: memory that is not used costs nothing only while it is not touched.
    let whole = usize::try_from(known.len()).unwrap_or(usize::MAX);
    let copied = pour(&mut from, &mut to, &mut vec![0; buffer_bytes.min(whole).max(1)])?;
    // A source that has become shorter meanwhile leaves room that nothing has filled.
    if is_presized && copied < known.len() {
        to.set_len(copied)?;
    }
    to.set_permissions(known.permissions())?;
    Ok(copied)
}

/// Reads and writes in turn until nothing is left.
fn pour(from: &mut File, to: &mut File, buffer: &mut [u8]) -> io::Result<u64> {
    let mut poured = 0;
    loop {
        match from.read(buffer) {
            Ok(0) => return Ok(poured),
            Ok(read) => {
                to.write_all(&buffer[..read])?;
                poured += read as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
