//! Views of files, and when their pages are asked for.

use std::io;
use std::ops::Range;
use std::path::Path;

use crate::files::{OpenFile, SourceMapping};

/// Maps a whole file, none of its pages asked for yet; `None` for an empty one, which no mapping can be.
pub(in crate::search) fn mapped(path: &Path) -> io::Result<Option<SourceMapping>> {
    let file = OpenFile::open(path)?;
    match file.size_bytes()? as usize {
        0 => Ok(None),
        bytes => SourceMapping::of_source(&file, bytes).map(Some),
    }
}

/// Maps a whole file and asks for all of its pages (`PrefetchVirtualMemory`).
pub(in crate::search) fn mapped_at_once(path: &Path) -> io::Result<Option<SourceMapping>> {
    let mapping = mapped(path)?;
    mapping.iter().for_each(|mapping| mapping.prefetch(0..mapping.len()));
    Ok(mapping)
}

/// A view takes no such advice.
pub(in crate::search) fn advise_sequential(_mapping: &SourceMapping) -> io::Result<()> {
    Ok(())
}

/// Asks for the pages of a range in one call.
pub(in crate::search) fn look_up(mapping: &SourceMapping, range: Range<usize>) {
    mapping.prefetch(range);
}
