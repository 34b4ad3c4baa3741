//! `bakeoff generate`: the record file of the published tests (RandFile).

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, bail};
use clap::Args;
use families::records::RECORD_BYTES;
use tempfile::TempPath;

use crate::arguments::{Common, whole};
use crate::exit::Done;
use crate::interruption;
use crate::paths::{folder_of, target};
use crate::scratch::clean_register;

/// Write a file of records
///
/// 64 bytes each, printable, a random key of 8 hexadecimal digits first.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many records of 64 bytes
    #[arg(value_parser = whole::<u64>(1, u64::MAX))]
    records: u64,
    /// The file; it must not exist yet
    file: PathBuf,
    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
    /// The same seed gives the same records
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0, u64::MAX))]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let file = &arguments.file;
    let shown = file.display();
    if fs::metadata(file).is_ok_and(|there| !there.is_file()) && arguments.force {
        // What is no file, a pipe or a device, cannot be replaced and is written to.
        let place = OpenOptions::new().write(true).open(file);
        let place = place.with_context(|| format!("{shown} cannot be opened"))?;
        write(&place, arguments, &AtomicBool::new(false))
            .with_context(|| format!("{shown} cannot be written"))?;
        return Ok(Done::Well);
    }
    if file.symlink_metadata().is_ok() && !arguments.force {
        bail!("{shown} exists already and is left as it is; name another file or add --force");
    }
    refuse_too_many(arguments)?;
    // Without a register nothing is begun: a kill would leave half a file for ever.
    let refused = format!("{shown} cannot be created");
    let register = clean_register(common).context(refused.clone())?;
    let interrupted = interruption::watch(Some(register.clone()))?;
    // On the same volume; the next start removes it when this process is killed.
    let aside = register.create(folder_of(&target(file))).context(refused)?;
    // Under another name until it is whole: half a file of records looks like a whole one.
    let begun = aside.path().join("records");
    let written = File::create_new(&begun).and_then(|new| write(&new, arguments, &interrupted));
    if interrupted.load(Ordering::Relaxed) {
        return Ok(Done::Interrupted);
    }
    written.with_context(|| format!("{shown} cannot be written; what was begun is removed"))?;
    put_in_place(begun, arguments)?;
    Ok(Done::Well)
}

/// A full disk hurts more than this command.
fn refuse_too_many(arguments: &Arguments) -> Result<()> {
    let volume = sys::host::volume(folder_of(&target(&arguments.file))).ok();
    let free = volume.and_then(|volume| volume.free_bytes);
    let needed = arguments.records.saturating_mul(RECORD_BYTES as u64);
    match free.filter(|free| *free < needed) {
        None => Ok(()),
        Some(free) => bail!(
            "{} records take {}, and {} are free where {} would stand; write fewer, or name a file elsewhere",
            arguments.records,
            model::format_bytes(needed),
            model::format_bytes(free),
            arguments.file.display()
        ),
    }
}

/// Gives the whole file its name.
fn put_in_place(begun: PathBuf, arguments: &Arguments) -> Result<()> {
    let shown = arguments.file.display();
    if arguments.force {
        return fs::rename(&begun, target(&arguments.file))
            .with_context(|| format!("{shown} cannot be replaced"));
    }
    match TempPath::try_from_path(begun)?.persist_noclobber(&arguments.file) {
        Ok(()) => Ok(()),
        Err(refused) if refused.error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{shown} was made by another program meanwhile and is left as it is; name another file")
        }
        Err(refused) => Err(refused.error).with_context(|| format!("{shown} cannot be created")),
    }
}

fn write(file: &File, arguments: &Arguments, interrupted: &AtomicBool) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 20, Interruptible { file, interrupted });
    families::records::write_records(&mut writer, arguments.records, arguments.seed)?;
    writer.flush()
}

/// A file to which nothing is written any more once the user wants to stop.
struct Interruptible<'a> {
    file: &'a File,
    interrupted: &'a AtomicBool,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupted.load(Ordering::Relaxed) {
            // Not of the kind that says to try again.
            return Err(io::Error::other("interrupted"));
        }
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
