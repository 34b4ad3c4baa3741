//! The job: one file, or a folder of many, is to be copied to a place where none stands.

use std::io;
use std::path::Path;

pub(super) use crate::files::{FileJob as CopyJob, Notes, OneOfMany};
use crate::files::{Mapping, OpenFile, at, capped, flush_folder, make_data_durable, make_durable};

/// A file to copy, alone or one of many.
#[derive(Debug, Clone, Copy)]
pub(super) struct FileToCopy<'job> {
    pub(super) source: &'job Path,
    pub(super) destination: &'job Path,
    durable: bool,
    is_one_of_many: bool,
}

impl FileToCopy<'_> {
    pub(super) fn finish(&self, destination: OpenFile) -> io::Result<()> {
        if self.is_one_of_many {
            destination.finish_one_of_many(self.durable)
        } else {
            destination.finish(self.durable)
        }
    }

    pub(super) fn finish_closed(&self) -> io::Result<()> {
        match (self.durable, self.is_one_of_many) {
            (false, _) => Ok(()),
            (true, true) => make_data_durable(self.destination),
            (true, false) => make_durable(self.destination),
        }
    }
}

impl CopyJob {
    /// Copies every file in turn. A folder is created before, and flushed once in the end when the job is durable.
    pub(super) fn each<'job>(
        &'job self, mut copy_one: impl FnMut(FileToCopy<'job>) -> io::Result<()>,
    ) -> io::Result<()> {
        let Some(files) = &self.many else {
            return copy_one(FileToCopy {
                source: &self.source,
                destination: &self.destination,
                durable: self.durable,
                is_one_of_many: false,
            });
        };
        self.in_new_folder(|| files.iter().try_for_each(|file| copy_one(self.one_of(file))))
    }

    /// Opens both files of each in these ways, and finishes the copy.
    pub(super) fn each_opened<'job>(
        &'job self, mut open: impl FnMut(&'job Path) -> io::Result<OpenFile<'job>>,
        create: impl Fn(&'job Path) -> io::Result<OpenFile<'job>>,
        mut copy: impl FnMut(&OpenFile, &OpenFile) -> io::Result<()>,
    ) -> io::Result<()> {
        self.each(|file| {
            let source = open(file.source)?;
            let destination = create(file.destination)?;
            copy(&source, &destination)?;
            file.finish(destination)
        })
    }

    pub(super) fn in_new_folder(&self, copy_all: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
        std::fs::create_dir(&self.destination).map_err(at("create", &self.destination))?;
        copy_all()?;
        if self.durable { flush_folder(&self.destination) } else { Ok(()) }
    }

    pub(super) fn one_of<'job>(&self, file: &'job OneOfMany) -> FileToCopy<'job> {
        FileToCopy {
            source: &file.source,
            destination: &file.destination,
            durable: self.durable,
            is_one_of_many: true,
        }
    }

    pub(super) fn files(&self) -> &[OneOfMany] {
        self.many.as_deref().unwrap_or_default()
    }
}

/// A buffer that is made for the first file and used again for those after it.
pub(super) struct Buffer {
    most_bytes: usize,
    memory: Option<Mapping>,
}

impl Buffer {
    pub(super) fn of_at_most(most_bytes: usize) -> Self {
        Self { most_bytes, memory: None }
    }

    pub(super) fn for_file(&mut self, source: &OpenFile) -> io::Result<&mut [u8]> {
        let bytes = if self.memory.is_some() { 0 } else { source.size_bytes()? };
        self.for_bytes(bytes)
    }

    pub(super) fn for_bytes(&mut self, source_bytes: u64) -> io::Result<&mut [u8]> {
        let memory = match self.memory.take() {
            Some(memory) => memory,
            None => buffer_of(source_bytes, self.most_bytes)?,
        };
        Ok(self.memory.insert(memory))
    }
}

/// Returns a buffer of `most_bytes` bytes, or as many as the source has where those are fewer.
pub(super) fn buffer_of(source_bytes: u64, most_bytes: usize) -> io::Result<Mapping> {
    Mapping::buffer(capped(most_bytes, source_bytes))
}
