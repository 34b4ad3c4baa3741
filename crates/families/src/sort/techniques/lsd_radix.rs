use crate::sort::prelude::*;
use crate::sort::source::Room;
use crate::sort::tags::{Tag, sort_by_tags};

pub(in crate::sort) const LSD_RADIX: Technique<SortJob> = Technique {
    name: "lsd_radix",
    idea: "sort tags of key and position by six digits of 11 bits, the lowest first, then gather the mapped records",
    source: "Knuth, The Art of Computer Programming, volume 3, 5.2.5",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| job.done_by(|job, account| sort_by_tags(job, account, sort_digits)))
};

/// As many counters as stay in the nearest cache.
const DIGIT_BITS: u32 = 11;
const BUCKETS: usize = 1 << DIGIT_BITS;
const DIGITS: usize = u64::BITS.div_ceil(DIGIT_BITS) as usize;

fn sort_digits(tags: &mut [Tag]) -> io::Result<()> {
    let mut spare = Room::<Tag>::new(tags.len())?;
    // All digits are counted in one pass: the order of the tags does not matter for that.
    let mut counts = vec![[0_u32; BUCKETS]; DIGITS];
    for tag in tags.iter() {
        counts.iter_mut().enumerate().for_each(|(nth, counts)| counts[digit_of(tag, nth)] += 1);
    }
    let (mut from, mut to) = (&mut *tags, &mut *spare);
    let mut moved = 0;
    for (nth, places) in counts.iter_mut().enumerate() {
        // A digit that is the same everywhere moves nothing.
        if places.iter().any(|&count| count as usize == from.len()) {
            continue;
        }
        let mut start = 0;
        for place in places.iter_mut() {
            start += std::mem::replace(place, start);
        }
        for tag in from.iter() {
            let place = &mut places[digit_of(tag, nth)];
            to[*place as usize] = *tag;
            *place += 1;
        }
        (from, to) = (to, from);
        moved += 1;
    }
    if moved % 2 == 1 {
        to.copy_from_slice(from);
    }
    Ok(())
}

fn digit_of(tag: &Tag, nth: usize) -> usize {
    (tag.key >> (nth as u32 * DIGIT_BITS)) as usize % BUCKETS
}
