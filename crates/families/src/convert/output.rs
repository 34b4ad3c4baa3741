//! A destination that is gone again unless it was finished: half a file must not pass for a converted one.

use std::io;
use std::ops::Deref;
use std::path::Path;

use crate::files::OpenFile;

/// An output. What maps it must be dropped first: Windows removes no file that is mapped.
pub(super) struct Output<'job> {
    /// `None` once it was finished.
    file: Option<OpenFile<'job>>,
    path: &'job Path,
}

impl<'job> Output<'job> {
    pub(super) fn new(created: OpenFile<'job>, path: &'job Path) -> Self {
        Self { file: Some(created), path }
    }

    /// Ends the work: flushed where that is asked for, then closed. A file that refuses either is removed.
    pub(super) fn finish(mut self, durable: bool) -> io::Result<()> {
        let finished = match self.file.take() {
            Some(file) => file.finish(durable),
            None => Ok(()),
        };
        if finished.is_err() {
            remove(self.path);
        }
        finished
    }
}

impl<'job> Deref for Output<'job> {
    type Target = OpenFile<'job>;

    fn deref(&self) -> &OpenFile<'job> {
        self.file.as_ref().expect("only finishing takes the file, and that ends the output")
    }
}

impl Drop for Output<'_> {
    fn drop(&mut self) {
        if let Some(file) = self.file.take() {
            drop(file);
            remove(self.path);
        }
    }
}

/// Removes without an error: the one that brought us here is the one to report.
fn remove(path: &Path) {
    let _ = std::fs::remove_file(path);
}
