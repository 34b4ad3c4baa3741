//! A file of keys and positions is sorted in place of the records, as in the historical program sortMM.

use std::io;
use std::path::Path;

use model::Class;

use super::gather::Positioned;
use super::job::{Account, InOrder, SortJob, Sorted, always};
use super::layout::Layout;
use super::qsort::{name_the_library, qsort};
use super::room::Room;
use super::source::Source;
use super::system;
use crate::contract::Technique;
use crate::files::{Mapping, OpenFile, at};

pub(in crate::sort) const INDEX_FILE: Technique<SortJob> = Technique {
    name: "index_file",
    alias: &["sortMM"],
    idea: "write keys and positions into a mapped index file, let the C library's qsort sort that, then write the \
           records in its order; the index stays",
    source: "Hart, Windows System Programming, sortMM",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(sort),
};

/// Behind each key stands the position of its record, as eight bytes.
const POSITION_BYTES: usize = 8;

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let source = account.phase("read", || Source::looked_up(job))?;
    let index = account.phase("sort", || make_index(&job.index, &source, job.layout))?;
    name_the_library(account);
    deliver_by_index(job, source, index, account)
}

/// An index: one entry a record, each with its key first.
pub(super) struct Index {
    /// Absent where there are no records.
    entries: Option<Mapping>,
    entry_bytes: usize,
}

/// Makes the index file of records; it stays when the index is dropped.
///
/// # Errors
/// A file stands there already, or whatever the operating system reports.
pub(super) fn make_index(path: &Path, records: &[u8], layout: Layout) -> io::Result<Index> {
    let entry_bytes = layout.key_bytes() + POSITION_BYTES;
    let bytes = records.len() / layout.record_bytes() * entry_bytes;
    let file = system::create_to_reread(path)?;
    if bytes == 0 {
        return Ok(Index { entries: None, entry_bytes });
    }
    system::allocate(&file, bytes as u64, &mut Account::default())?;
    let mut entries = system::map_destination(&file, bytes)?;
    let pairs = entries.chunks_exact_mut(entry_bytes).zip(records.chunks_exact(layout.record_bytes()));
    for (position, (entry, record)) in pairs.enumerate() {
        let (key, place) = entry.split_at_mut(layout.key_bytes());
        key.copy_from_slice(layout.key(record));
        place.copy_from_slice(&(position as u64).to_ne_bytes());
    }
    qsort(&mut entries, entry_bytes, layout.key_bytes());
    Ok(Index { entries: Some(entries), entry_bytes })
}

/// Whether an index of so many records is there; its contents are not read.
///
/// # Errors
/// Something is there that the system does not tell about.
pub(super) fn is_index(path: &Path, records: usize, layout: Layout) -> io::Result<bool> {
    let bytes = (records * (layout.key_bytes() + POSITION_BYTES)) as u64;
    match std::fs::metadata(path) {
        Ok(file) => Ok(file.is_file() && file.len() == bytes),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(at("look at", path)(error)),
    }
}

/// Maps an index that is there already; `None` where it is not, or is not that of so many records.
///
/// # Errors
/// It is there and cannot be opened or mapped.
pub(super) fn find_index(path: &Path, records: usize, layout: Layout) -> io::Result<Option<Index>> {
    let entry_bytes = layout.key_bytes() + POSITION_BYTES;
    let file = match OpenFile::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let bytes = records * entry_bytes;
    if file.size_bytes()? != bytes as u64 {
        return Ok(None);
    }
    let entries = if bytes == 0 { None } else { Some(system::map_source(&file, bytes)?) };
    entries.iter().for_each(|entries| system::look_up(entries));
    Ok(Some(Index { entries, entry_bytes }))
}

/// Writes the records in the order of the index.
pub(super) fn deliver_by_index(
    job: &SortJob,
    source: Source,
    index: Index,
    account: &mut Account,
) -> io::Result<Sorted> {
    if !job.written {
        return Ok(Sorted::InMemory(Box::new(Indexed { source, index, layout: job.layout })));
    }
    let output = OpenFile::create(&job.output)?;
    system::allocate(&output, source.len() as u64, account)?;
    let (record_bytes, piece) = (job.layout.record_bytes(), job.layout.records_a_piece());
    let mut gathered = Room::<u8>::new(piece * record_bytes)?;
    let mut positions = Vec::with_capacity(piece);
    let entries = index.entries.as_deref().unwrap_or_default();
    for entries in entries.chunks(piece * index.entry_bytes) {
        let gathered = &mut gathered[..entries.len() / index.entry_bytes * record_bytes];
        account.phase("permute", || {
            positions.clear();
            positions
                .extend(entries.chunks_exact(index.entry_bytes).map(|entry| Position(position_in(entry))));
            super::gather::gather(&source, job.layout, &positions, 0, gathered);
        });
        account.phase("write", || output.write_all(gathered))?;
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn position_in(entry: &[u8]) -> u64 {
    entry.last_chunk().copied().map_or(0, u64::from_ne_bytes)
}

#[derive(Clone, Copy)]
struct Position(u64);

impl Positioned for Position {
    #[inline]
    fn position(self, _mask: u64) -> usize {
        self.0 as usize
    }
}

struct Indexed {
    source: Source,
    index: Index,
    layout: Layout,
}

impl InOrder for Indexed {
    fn visit(&self, see: &mut dyn FnMut(&[u8])) {
        let entries = self.index.entries.as_deref().unwrap_or_default();
        for entry in entries.chunks_exact(self.index.entry_bytes) {
            see(self.layout.record(&self.source, position_in(entry) as usize));
        }
    }
}
