//! Sorting within a bound of memory: sorted runs in a scratch file, then one merge of all of them.

use std::io;
use std::ops::Range;
use std::path::Path;

use model::{Availability, Workload};

use super::job::{Account, SortJob, Sorted};
use super::layout::{Layout, PAGE_BYTES, PIECE_BYTES};
use super::lockstep::{Shared, together};
use super::merge::blocks_for;
use super::ordered::{Place, write_ordered};
use super::radix::sort_positions;
use super::source::{Room, bytes_of, open, read_exactly};
use super::transfers::{merge_in_flight, merge_with_io_thread};
use super::workload::{OUTPUT_AXIS, SUPPRESSED};
use super::{direct, system};
use crate::files::{OpenFile, direct_alignment, remove_if_there, unsupported};

/// The size of the blocks of a run where the memory allows it...
const MOST_BLOCK_BYTES: usize = 2 << 20;
/// ... and never in smaller ones: half of the time would be calls.
const FEWEST_BLOCK_BYTES: usize = 64 << 10;
/// Memory of a thread next to the records: its stack, its counters, its piece.
const THREAD_BYTES: usize = 1 << 20;
/// A key with its position, twice: in the order of the records, and in their new order.
const KEYS_BYTES: usize = 16;

/// A way of writing and reading runs and output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Through the file cache, by a thread next to the merge.
    Cached,
    /// Past it, by the system itself, in whole pages.
    Direct,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Plan {
    records: usize,
    threads: usize,
    runs: usize,
    run_records: usize,
    block_bytes: usize,
}

/// An external merge never has all records in memory.
pub(super) fn with_output_only(workload: &Workload) -> Availability {
    match workload.word(OUTPUT_AXIS) {
        Some(SUPPRESSED) => {
            Availability::Missing("for sorts that write their output: --set output=written".to_owned())
        }
        _ => Availability::Ready,
    }
}

pub(super) fn sort_within(
    job: &SortJob, account: &mut Account, memory_bytes: u64, way: Way,
) -> io::Result<Sorted> {
    if !job.written {
        return Err(unsupported(
            "an external merge never has all records in memory: it needs output=written",
        ));
    }
    let (input, bytes) = open(job)?;
    let records = bytes / job.layout.record_bytes();
    let threads = job.threads_for(records, account);
    let memory = usize::try_from(memory_bytes).unwrap_or(usize::MAX);
    let plan = plan(records, job.layout, memory, threads, way)
        .ok_or_else(|| unsupported(too_small(records, job.layout, memory, threads, way)))?;
    let output = match (way, plan.runs) {
        (Way::Cached, _) => OpenFile::create(&job.output)?,
        (Way::Direct, ..=1) => OpenFile::create_direct(&job.output, false)?,
        (Way::Direct, _) => direct::create_for_queue(&job.output)?,
    };
    if way == Way::Direct {
        direct_alignment(&output, PAGE_BYTES)?;
    }
    system::allocate(&output, bytes as u64, account)?;
    if plan.runs <= 1 {
        make_runs(job, plan, &input, (&output, way), account)?;
    } else {
        merge_of_runs(job, plan, &input, (&output, way), account)?;
    }
    // What the last page was padded with.
    if way == Way::Direct && !bytes.is_multiple_of(PAGE_BYTES) {
        output.set_length(bytes as u64)?;
    }
    output.finish(job.durable)?;
    Ok(Sorted::Written)
}

fn merge_of_runs(
    job: &SortJob, plan: Plan, input: &OpenFile, (output, way): (&OpenFile, Way), account: &mut Account,
) -> io::Result<()> {
    // Declared before the file, so that it comes to its turn when the file is closed, on errors too.
    let _gone = Gone(&job.runs);
    let scratch = match way {
        Way::Cached => OpenFile::create_to_map(&job.runs)?,
        Way::Direct => OpenFile::create_direct(&job.runs, false)?,
    };
    system::allocate(&scratch, (plan.records * job.layout.record_bytes()) as u64, account)?;
    let runs = make_runs(job, plan, input, (&scratch, way), account)?;
    let mut notes = Vec::new();
    account.phase("merge", || match way {
        Way::Cached => merge_with_io_thread(&scratch, &runs, output, job.layout, plan.block_bytes),
        Way::Direct => {
            let scratch = direct::open_for_queue(&job.runs)?;
            merge_in_flight(&scratch, &runs, output, job.layout, plan.block_bytes, &mut notes)
        }
    })?;
    notes.into_iter().for_each(|note| account.note(note));
    Ok(())
}

/// Returns the largest runs that fit into the memory; `None` when they are too many to be merged in one pass.
fn plan(records: usize, layout: Layout, memory: usize, threads: usize, way: Way) -> Option<Plan> {
    // Records that end with no page make large pieces when only whole pages are written.
    let piece_bytes = match way {
        Way::Cached => 0,
        Way::Direct => layout.records_of_whole_pages().min(records) * layout.record_bytes(),
    };
    let for_records =
        memory.checked_sub(threads * (THREAD_BYTES + piece_bytes.saturating_sub(PIECE_BYTES)))?;
    let most_records = for_records / (layout.record_bytes() + KEYS_BYTES);
    let fitting = layout.records_within(most_records * layout.record_bytes());
    if records <= fitting {
        let runs = usize::from(records > 0);
        return Some(Plan { records, threads, runs, run_records: records, block_bytes: 0 });
    }
    let runs = records.div_ceil(fitting.max(1));
    let block_bytes = (memory.checked_sub(THREAD_BYTES)? / blocks_for(runs)).min(MOST_BLOCK_BYTES);
    let block_bytes = layout.records_within(block_bytes) * layout.record_bytes();
    let enough =
        FEWEST_BLOCK_BYTES.min(layout.record_bytes() * layout.records_within(FEWEST_BLOCK_BYTES).max(1));
    let run_bytes = fitting * layout.record_bytes();
    let are_pages = run_bytes.is_multiple_of(PAGE_BYTES) && block_bytes.is_multiple_of(PAGE_BYTES);
    let possible = fitting > 0 && block_bytes >= enough && (way == Way::Cached || are_pages);
    possible.then_some(Plan { records, threads, runs, run_records: fitting, block_bytes })
}

fn too_small(records: usize, layout: Layout, memory: usize, threads: usize, way: Way) -> String {
    let mut enough = memory.next_power_of_two().max(1 << 20);
    while plan(records, layout, enough, threads, way).is_none() {
        enough *= 2;
    }
    let [memory, enough] = [memory, enough].map(|bytes| model::format_bytes(bytes as u64));
    format!(
        "{records} records of {} bytes make too many runs to be merged in one pass within {memory} of memory; {enough} are enough",
        layout.record_bytes()
    )
}

/// Sorts run by run and writes each to its place in `to`; returns their places.
fn make_runs(
    job: &SortJob, plan: Plan, input: &OpenFile, (to, way): (&OpenFile, Way), account: &mut Account,
) -> io::Result<Vec<Range<u64>>> {
    let (layout, record_bytes) = (job.layout, job.layout.record_bytes());
    let Plan { records, threads, .. } = plan;
    // All memory is taken before the first thread starts: what the C library keeps for a thread must not be in the way.
    let mut memory = Room::<u64>::new((plan.run_records * record_bytes).div_ceil(8) + 2 * plan.run_records)?;
    let (keys, memory) = memory.split_at_mut(plan.run_records);
    let (order, memory) = memory.split_at_mut(plan.run_records);
    let memory = bytes_of(memory);
    let mut runs = Vec::with_capacity(plan.runs);
    for first in (0..records).step_by(plan.run_records.max(1)) {
        let count = plan.run_records.min(records - first);
        let run = (first * record_bytes) as u64..((first + count) * record_bytes) as u64;
        let memory = &mut memory[..count * record_bytes];
        account.phase("read", || read_in_parts(input, run.start, memory, threads))?;
        system::read_ahead(input, run.end);
        let (keys, order) = (&mut keys[..count], &mut order[..count]);
        let found = sort_positions(memory, layout, keys, order, threads)?;
        account.add("sort", found.read_ns + found.sort_ns);
        let place = Place { output: to, offset: run.start, whole_pages: way == Way::Direct };
        write_ordered(place, memory, layout, order, found.mask, threads, account)?;
        runs.push(run);
    }
    Ok(runs)
}

fn read_in_parts(input: &OpenFile, offset: u64, memory: &mut [u8], threads: usize) -> io::Result<()> {
    const GRAIN: usize = 2 << 20;
    let length = memory.len();
    let memory = Shared::new(memory);
    together(threads, |member| {
        let part = member.part_of(length, GRAIN);
        // SAFETY: the parts of the threads are disjoint.
        read_exactly(input, unsafe { memory.part(part.clone()) }, offset + part.start as u64)
    })?;
    Ok(())
}

struct Gone<'path>(&'path Path);

impl Drop for Gone<'_> {
    fn drop(&mut self) {
        // Where even this fails, the private folder is removed with all that is in it.
        let _ = remove_if_there(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(record_bytes: u64) -> Layout {
        Layout::new(record_bytes, 1).expect("possible")
    }

    #[test]
    fn a_file_that_fits_is_one_run_and_a_larger_one_merges_once() {
        let plans = [0, 400_000, 16 << 20].map(|records| plan(records, layout(64), 64 << 20, 2, Way::Cached));
        let [none, one, plan] = plans.map(|plan| plan.expect("64 MiB are enough for 1 GiB"));
        assert_eq!((none.runs, none.run_records, none.block_bytes), (0, 0, 0));
        assert_eq!((one.runs, one.run_records, one.block_bytes), (1, 400_000, 0));
        assert_eq!(plan.runs, (16_usize << 20).div_ceil(plan.run_records));
        assert!(plan.run_records * 80 + 2 * THREAD_BYTES <= 64 << 20);
        assert!(blocks_for(plan.runs) * plan.block_bytes + THREAD_BYTES <= 64 << 20);
        assert!(plan.block_bytes >= 1 << 20, "{}", plan.block_bytes);
    }

    #[test]
    fn too_little_memory_is_refused_with_how_much_is_enough() {
        let records = 64 << 20;
        assert_eq!(plan(records, layout(64), 16 << 20, 2, Way::Cached), None);
        let sentence = too_small(records, layout(64), 16 << 20, 2, Way::Cached);
        for part in ["one pass within 16 MiB", "32 MiB are enough"] {
            assert!(sentence.contains(part), "{sentence}");
        }
        assert!(plan(records, layout(64), 32 << 20, 2, Way::Cached).is_some());
        for memory in [0, 1, 1 << 20, 2 << 20] {
            for way in [Way::Cached, Way::Direct] {
                assert_eq!(plan(1 << 30, layout(64), memory, 2, way), None);
                assert!(too_small(1 << 30, layout(64), memory, 2, way).contains("are enough"));
            }
        }
    }

    #[test]
    fn past_the_cache_runs_and_blocks_are_whole_pages() {
        for record_bytes in [1, 8, 33, 64, 100, 5_000, 65_536] {
            for megabytes in [4, 16, 64] {
                let records = (1 << 30) / record_bytes as usize;
                let Some(plan) = plan(records, layout(record_bytes), megabytes << 20, 2, Way::Direct) else {
                    continue;
                };
                assert!(plan.runs > 1 && plan.block_bytes.is_multiple_of(PAGE_BYTES), "{record_bytes}");
                let run_bytes = plan.run_records * record_bytes as usize;
                assert!(run_bytes.is_multiple_of(PAGE_BYTES), "{record_bytes}");
            }
        }
        assert!(plan(1 << 24, layout(64), 64 << 20, 2, Way::Direct).is_some());
    }
}
