//! `bakeoff generate`: the record file of the published tests (RandFile).

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use anyhow::{Context, Result, bail};
use families::records::RECORD_BYTES;

use crate::arguments::GenerateArguments;
use crate::exit::Done;

pub(crate) fn generate(arguments: &GenerateArguments) -> Result<Done> {
    refuse_too_many(arguments)?;
    let file = open(arguments)?;
    let shown = arguments.file.display();
    let written = write(&file, arguments);
    if written.is_ok() {
        return Ok(Done::Well);
    }
    // Half a file of records looks like a whole one. What is no file, a pipe or a device, is not ours to remove.
    let removed = file.metadata().is_ok_and(|begun| begun.is_file()) && {
        drop(file);
        fs::remove_file(&arguments.file).is_ok()
    };
    let what_was_begun = if removed { "; what was begun is removed" } else { "" };
    written.with_context(|| format!("{shown} cannot be written{what_was_begun}"))?;
    Ok(Done::Well)
}

/// A full disk hurts more than this command.
fn refuse_too_many(arguments: &GenerateArguments) -> Result<()> {
    if fs::metadata(&arguments.file).is_ok_and(|there| !there.is_file()) {
        return Ok(());
    }
    let folder = arguments.file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let volume = sys::host::volume(folder.unwrap_or(Path::new("."))).ok();
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

fn open(arguments: &GenerateArguments) -> Result<File> {
    let shown = arguments.file.display();
    let mut options = OpenOptions::new();
    options.write(true);
    match arguments.force {
        true => options.create(true).truncate(true),
        false => options.create_new(true),
    };
    match options.open(&arguments.file) {
        Ok(file) => Ok(file),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
            bail!("{shown} exists already and is left as it is; name another file or add --force")
        }
        Err(error) => Err(error).with_context(|| format!("{shown} cannot be created")),
    }
}

fn write(file: &File, arguments: &GenerateArguments) -> io::Result<()> {
    let mut writer = BufWriter::with_capacity(1 << 20, file);
    families::records::write_records(&mut writer, arguments.records, arguments.seed)?;
    writer.flush()
}
