//! `bakeoff generate`: the record file of the published tests (RandFile).

use std::fs::{File, OpenOptions, remove_file};
use std::io::{self, BufWriter, Write};

use anyhow::{Context, Result, bail};

use crate::arguments::GenerateArguments;
use crate::exit::Done;

pub(crate) fn generate(arguments: &GenerateArguments) -> Result<Done> {
    let file = open(arguments)?;
    let shown = arguments.file.display();
    let written = write(&file, arguments);
    if written.is_err() {
        // Half a file of records looks like a whole one.
        drop(file);
        remove_file(&arguments.file).ok();
    }
    written.with_context(|| format!("{shown} cannot be written; what was begun is removed"))?;
    Ok(Done::Well)
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
