//! The input in memory: its pages in the file cache, or a private copy of them.

use std::io;
use std::ops::Deref;

use super::job::SortJob;
use super::room::Room;
use super::system;
use crate::files::{OpenFile, SourceMapping, at};

/// A mapped file of whole records. A file without a byte cannot be mapped, and needs not be.
pub(super) struct Source {
    mapping: Option<SourceMapping>,
}

impl Source {
    /// Maps the input; its pages are not looked up yet.
    pub(super) fn map(job: &SortJob) -> io::Result<Self> {
        let (file, bytes) = open(job)?;
        let mapping = if bytes == 0 { None } else { Some(system::map_source(&file, bytes)?) };
        Ok(Self { mapping })
    }

    /// Maps the input and looks up all of its pages at once.
    pub(super) fn looked_up(job: &SortJob) -> io::Result<Self> {
        let source = Self::map(job)?;
        system::look_up(&source);
        Ok(source)
    }
}

impl Deref for Source {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.mapping.as_deref().unwrap_or_default()
    }
}

pub(super) fn read_whole(job: &SortJob) -> io::Result<Room<u8>> {
    let (file, bytes) = open(job)?;
    let mut records = Room::new(bytes)?;
    read_exactly(&file, &mut records, 0)?;
    Ok(records)
}

pub(super) fn read_exactly(file: &OpenFile, mut memory: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !memory.is_empty() {
        match file.read_at(memory, offset)? {
            0 => return Err(file.at("read")(io::Error::from(io::ErrorKind::UnexpectedEof))),
            count => {
                memory = &mut memory[count..];
                offset += count as u64;
            }
        }
    }
    Ok(())
}

/// How many records the input holds, by its length alone.
pub(super) fn records_in_input(job: &SortJob) -> io::Result<usize> {
    let status = std::fs::metadata(&job.input).map_err(at("open", &job.input))?;
    job.layout.records_in(status.len(), &job.input)
}

/// Opens the input and sees that it holds whole records; gives its length.
pub(super) fn open(job: &SortJob) -> io::Result<(OpenFile<'_>, usize)> {
    let file = OpenFile::open(&job.input)?;
    let bytes = file.size_bytes()?;
    job.layout.records_in(bytes, &job.input)?;
    if bytes == 0 {
        // A folder may have no length; it says what it is when it is read.
        file.read_at(&mut [0], 0)?;
    }
    Ok((file, bytes as usize))
}
