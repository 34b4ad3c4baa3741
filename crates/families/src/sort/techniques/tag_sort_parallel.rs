use std::ops::Range;

use crate::files::look_up;
use crate::sort::layout::Layout;
use crate::sort::lockstep::{GRAIN, Member, Shared, together};
use crate::sort::loser_tree::LoserTree;
use crate::sort::ordered::deliver;
use crate::sort::prelude::*;
use crate::sort::source::{Room, Source};
use crate::sort::tags::{Tag, fill};

pub(in crate::sort) const TAG_SORT_PARALLEL: Technique<SortJob> = Technique {
    name: "tag_sort_parallel",
    idea: "one thread a processor sorts the tags of its part, then merges one range of keys out of all parts; \
           records are gathered and written by all",
    source: "Nyberg et al., AlphaSort, 1994",
    calls: &["read|pread64|mmap file"],
    ..Technique::usual(|job| job.done_by(sort))
};

fn sort(job: &SortJob, account: &mut Account) -> io::Result<Sorted> {
    let source = Source::map(job)?;
    let records = source.len() / job.layout.record_bytes();
    let threads = job.threads_for(records, account);
    let mut tags = Room::<Tag>::new(records)?;
    // One thread has nothing to merge.
    let mut merged = Room::<Tag>::new(if threads > 1 { records } else { 0 })?;
    let (all, to) = (Shared::new(&mut tags), Shared::new(&mut merged));
    let times = together(threads, |member| {
        let start = Instant::now();
        let part = member.part_of(records, GRAIN);
        look_up(&source[job.layout.bytes_of(&part)]);
        // SAFETY: the parts of the threads are disjoint.
        let tags = unsafe { all.part(part.clone()) };
        fill(tags, &source, job.layout, part.start);
        let read_ns = elapsed_ns(start);
        let start = Instant::now();
        tags.sort_unstable_by(|a, b| compare(a, b, &source, job.layout));
        if threads > 1 {
            member.meet()?;
            // SAFETY: all parts are sorted, and from here on they are only read.
            let sorted = unsafe { all.read(0..records) };
            merge_own_range(member, threads, sorted, &to, &source, job.layout);
        }
        Ok((read_ns, elapsed_ns(start)))
    })?;
    account.add("read", times[0].0);
    account.add("sort", times[0].1);
    deliver(job, source, if threads > 1 { merged } else { tags }, 0, threads, account)
}

fn compare(a: &Tag, b: &Tag, records: &[u8], layout: Layout) -> std::cmp::Ordering {
    let rest = |tag: &Tag| layout.rest(layout.record(records, tag.position as usize));
    let by_prefix = a.key.cmp(&b.key);
    if layout.has_rest() { by_prefix.then_with(|| rest(a).cmp(rest(b))) } else { by_prefix }
}

fn merge_own_range(
    member: &Member, threads: usize, tags: &[Tag], to: &Shared<Tag>, records: &[u8], layout: Layout,
) {
    let parts: Vec<&[Tag]> =
        (0..threads).map(|nth| &tags[member.part_of_nth(nth, tags.len(), GRAIN)]).collect();
    let lower = starts_below(&parts, splitter(&parts, member.nth(), threads));
    let upper = starts_below(&parts, splitter(&parts, member.nth() + 1, threads));
    let ranges: Vec<Range<usize>> = lower.iter().zip(&upper).map(|(&start, &end)| start..end).collect();
    let (start, end) = (lower.iter().sum(), upper.iter().sum());
    let mut left: Vec<&[Tag]> = parts.iter().zip(ranges).map(|(part, range)| &part[range]).collect();
    // A part that is at its end is behind all others.
    let before = |a: &(Option<Tag>, usize), b: &(Option<Tag>, usize)| match (&a.0, &b.0) {
        (Some(one), Some(other)) => compare(one, other, records, layout).then(a.1.cmp(&b.1)).is_lt(),
        (one, other) => one.is_some() && other.is_none(),
    };
    let heads: Vec<(Option<Tag>, usize)> =
        left.iter().enumerate().map(|(nth, part)| (part.first().copied(), nth)).collect();
    let mut tree = LoserTree::new(&heads, before);
    // SAFETY: the ranges of keys are disjoint, so are the places of their tags.
    for place in unsafe { to.part(start..end) } {
        let (Some(tag), nth) = tree.winner() else { return };
        *place = tag;
        left[nth] = &left[nth][1..];
        tree.replace(nth, (left[nth].first().copied(), nth), before);
    }
}

/// Returns the smallest key that at least the `nth` share of all keys does not exceed; `None` is behind all.
fn splitter(parts: &[&[Tag]], nth: usize, shares: usize) -> Option<u64> {
    let all: usize = parts.iter().map(|part| part.len()).sum();
    let wanted = all * nth / shares;
    if nth == shares {
        return None;
    }
    let at_most =
        |key: u64| parts.iter().map(|part| part.partition_point(|tag| tag.key <= key)).sum::<usize>();
    let (mut low, mut high) = (0, u64::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        if at_most(middle) > wanted { high = middle } else { low = middle + 1 }
    }
    Some(low)
}

/// Returns how many keys of each part are below a splitter. Equal keys stay together.
fn starts_below(parts: &[&[Tag]], splitter: Option<u64>) -> Vec<usize> {
    let below = parts.iter().map(|part| match splitter {
        Some(key) => part.partition_point(|tag| tag.key < key),
        None => part.len(),
    });
    below.collect()
}
