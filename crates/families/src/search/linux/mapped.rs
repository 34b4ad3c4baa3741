//! Mapped files, and when their pages are looked up.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::files::{OpenFile, SourceMapping};

/// Maps a whole file, none of its pages looked up yet; `None` for an empty one, which no mapping can be.
pub(in crate::search) fn mapped(path: &Path) -> io::Result<Option<SourceMapping>> {
    map(path, false)
}

/// Maps a whole file with all of its pages (`MAP_POPULATE`).
pub(in crate::search) fn mapped_at_once(path: &Path) -> io::Result<Option<SourceMapping>> {
    map(path, true)
}

fn map(path: &Path, populate: bool) -> io::Result<Option<SourceMapping>> {
    let file = OpenFile::open(path)?;
    match file.size_bytes()? as usize {
        0 => Ok(None),
        bytes => SourceMapping::of_source(&file, bytes, populate).map(Some),
    }
}

/// Tells the kernel that a mapping will be read from its beginning to its end.
pub(in crate::search) fn advise_sequential(mapping: &SourceMapping) -> io::Result<()> {
    mapping.advise_sequential()
}

/// Looks up the pages of a range, which begins at a page, in one call.
pub(in crate::search) fn look_up(mapping: &SourceMapping, range: Range<usize>) {
    mapping.populate(range);
}
