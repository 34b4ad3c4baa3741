use std::path::Path;

use model::Class;
use sys::page_cache::evict;

use crate::files::{Mapping, OpenFile, SourceMapping, at, look_up, remove_if_there};
use crate::sort::layout::Layout;
use crate::sort::ordered::gather;
use crate::sort::prelude::*;
use crate::sort::qsort::{name_the_library, qsort};
use crate::sort::source::{Room, Source, map_source, records_in_input};
use crate::sort::system;
use crate::sort::workload::for_each_record;

pub(in crate::sort) const INDEX_FILE: Technique<SortJob> = Technique {
    name: "index_file",
    idea: "put keys and positions into a mapped index file, let the C library's qsort sort that, then write the \
           records in its order; the index stays",
    source: "mmap(2); Microsoft, CreateFileMapping",
    calls: &["mmap file", "write"],
    ..Technique::usual(|job| job.done_by(|job, account| sort(job, account, Source::looked_up, fill_mapped)))
};

pub(in crate::sort) const INDEX_FILE_BY_CALLS: Technique<SortJob> = Technique {
    name: "index_file_by_calls",
    alias: &["sortMM"],
    idea: "as index_file, with key and position of each record written to the index by two calls before it is mapped, \
           and the input mapped without a hint",
    source: "Hart, Windows System Programming, sortMM",
    calls: &["mmap file", "!fallocate|ftruncate"],
    calls_at: |workload| for_each_record("write", |_layout| 2, workload),
    variant_of: Some("index_file"),
    ..Technique::usual(|job| {
        job.done_by(|job, account| sort(job, account, Source::map_unhinted, write_by_calls))
    })
};

pub(in crate::sort) const INDEX_FILE_REUSED: Technique<SortJob> = Technique {
    name: "index_file_reused",
    idea: "find the index file that an earlier run left, and write the records in its order",
    source: "Hart, Windows System Programming, sortMM -I",
    calls: &["mmap file", "write"],
    class: Class::ReusesEarlierWork,
    ..Technique::usual(|job| job.done_after(make_ready, sort_by_kept_index))
};

const POSITION_BYTES: usize = 8;

/// Puts keys and positions of records into a new index; returns it mapped.
type Fill = fn(&OpenFile, &[u8], Layout, &mut Account) -> io::Result<Mapping>;

fn sort(
    job: &SortJob, account: &mut Account, map: fn(&SortJob) -> io::Result<Source>, fill: Fill,
) -> io::Result<Sorted> {
    let source = account.phase("read", || map(job))?;
    let start = Instant::now();
    let index = make_index(&job.index, &source, job.layout, fill, account)?;
    account.add("sort", elapsed_ns(start));
    name_the_library(account);
    deliver_by_index(job, source, index, account)
}

struct Index {
    entries: Option<SourceMapping>,
}

fn make_index(
    path: &Path, records: &[u8], layout: Layout, fill: Fill, account: &mut Account,
) -> io::Result<Index> {
    let file = OpenFile::create_to_map(path)?;
    if records.is_empty() {
        return Ok(Index { entries: None });
    }
    let mut entries = fill(&file, records, layout, account)?;
    qsort(&mut entries, entry_bytes(layout), layout.key_bytes());
    Ok(Index { entries: Some(entries.into_source()) })
}

fn fill_mapped(
    file: &OpenFile, records: &[u8], layout: Layout, account: &mut Account,
) -> io::Result<Mapping> {
    let bytes = records.len() / layout.record_bytes() * entry_bytes(layout);
    system::allocate(file, bytes as u64, account)?;
    let mut entries = Mapping::of_destination(file, bytes)?;
    let pairs =
        entries.chunks_exact_mut(entry_bytes(layout)).zip(records.chunks_exact(layout.record_bytes()));
    for (position, (entry, record)) in pairs.enumerate() {
        let (key, place) = entry.split_at_mut(layout.key_bytes());
        key.copy_from_slice(layout.key(record));
        place.copy_from_slice(&(position as u64).to_ne_bytes());
    }
    Ok(entries)
}

fn write_by_calls(
    file: &OpenFile, records: &[u8], layout: Layout, _account: &mut Account,
) -> io::Result<Mapping> {
    for (position, record) in records.chunks_exact(layout.record_bytes()).enumerate() {
        file.write_all(layout.key(record))?;
        file.write_all(&(position as u64).to_ne_bytes())?;
    }
    Mapping::of_destination(file, records.len() / layout.record_bytes() * entry_bytes(layout))
}

/// Returns whether a file as long as the index stands there. A cold one stays cold.
fn stands_there(path: &Path, records: usize, layout: Layout) -> io::Result<bool> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        seen => Ok(seen.map_err(at("look at", path))?.len() == (records * entry_bytes(layout)) as u64),
    }
}

fn entry_bytes(layout: Layout) -> usize {
    layout.key_bytes() + POSITION_BYTES
}

/// Maps an index that is there already; returns `None` where it is not that of this many records.
fn find_index(path: &Path, records: usize, layout: Layout) -> io::Result<Option<Index>> {
    let file = match OpenFile::open(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        opened => opened?,
    };
    let bytes = records * entry_bytes(layout);
    if file.size_bytes()? != bytes as u64 {
        return Ok(None);
    }
    let entries = if bytes == 0 { None } else { Some(map_source(&file, bytes as u64)?) };
    entries.iter().for_each(|entries| look_up(entries));
    Ok(Some(Index { entries }))
}

fn deliver_by_index(
    job: &SortJob, source: Source, index: Index, account: &mut Account,
) -> io::Result<Sorted> {
    let (entries, entry_bytes) = (index.entries.as_deref().unwrap_or_default(), entry_bytes(job.layout));
    let mut positions = Vec::with_capacity(job.layout.records_a_piece().min(entries.len() / entry_bytes));
    let mut gather = |entries: &[u8], gathered: &mut [u8]| {
        positions.clear();
        let of_entry = |entry: &[u8]| entry.last_chunk().copied().map_or(0, u64::from_ne_bytes);
        positions.extend(entries.chunks_exact(entry_bytes).map(of_entry));
        gather(&source, job.layout, &positions, u64::MAX, gathered);
    };
    let pieces = entries.chunks(job.layout.records_a_piece() * entry_bytes);
    let piece_bytes = job.layout.records_a_piece() * job.layout.record_bytes();
    if !job.written {
        let mut moved = Room::<u8>::new(source.len())?;
        account.phase("permute", || {
            pieces.zip(moved.chunks_mut(piece_bytes)).for_each(|(entries, moved)| gather(entries, moved));
        });
        return Ok(Sorted::InMemory(Box::new(moved)));
    }
    let output = OpenFile::create(&job.output)?;
    let mut gathered = Room::<u8>::new(piece_bytes.min(source.len()))?;
    for entries in pieces {
        let gathered = &mut gathered[..entries.len() / entry_bytes * job.layout.record_bytes()];
        account.phase("permute", || gather(entries, gathered));
        account.phase("write", || output.write_all(gathered))?;
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn sort_by_kept_index(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let (source, found) = account.phase("read", || -> io::Result<_> {
        let source = Source::looked_up(job)?;
        let found = find_index(&job.kept_index, source.len() / job.layout.record_bytes(), job.layout)?;
        Ok((source, found))
    })?;
    let index = match found {
        Some(index) => index,
        None => {
            account.note("fell back: no index stood there, so this run had to make it".to_owned());
            let start = Instant::now();
            let made = make_again(job, &source, account)?;
            account.add("sort", elapsed_ns(start));
            made
        }
    };
    deliver_by_index(job, source, index, account)
}

fn make_again(job: &SortJob, source: &Source, account: &mut Account) -> io::Result<Index> {
    remove_if_there(&job.kept_index)?;
    make_index(&job.kept_index, source, job.layout, fill_mapped, account)
}

/// Makes the index outside the clock, once. Reads nothing when it is there: all stays out of the file cache for a cold sample.
fn make_ready(job: &SortJob) -> io::Result<()> {
    if stands_there(&job.kept_index, records_in_input(job)?, job.layout)? {
        return Ok(());
    }
    make_again(job, &Source::map(job)?, &mut Account::default())?;
    // What was read and written here would be warm for a sample that is to be cold.
    if job.cold { evict(&[job.input.clone(), job.kept_index.clone()]).map(drop) } else { Ok(()) }
}
