//! Memory straight from the kernel, in pages of a chosen kind.

use std::fs;
use std::io;
use std::ops::Range;

use model::{Availability, format_bytes};
use rustix::mm::{Advice, MapFlags, madvise};
use sys::failure::{in_context, reworded};

use crate::files::Mapping;

pub(in crate::blocks) const HUGE_PAGES_FROM_BYTES: u64 = 2 << 20;

const SWITCH: &str = "/sys/kernel/mm/transparent_hugepage/enabled";

/// A kind of pages in which memory may lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::blocks) enum Pages {
    /// Of the size that every program gets: 4 KiB on x86-64.
    Base,
    /// Base pages that the kernel joins into huge ones where it can.
    Transparent,
    /// Huge ones that an administrator has set aside.
    Explicit,
}

/// Maps zeros, and says where in the mapping they lie.
pub(in crate::blocks) fn mapped(bytes: usize, pages: Pages) -> io::Result<(Mapping, Range<usize>)> {
    let size = format_bytes(bytes as u64);
    match pages {
        Pages::Base => {
            let mapping = Mapping::untouched(bytes)?;
            // A kernel without huge pages knows no such advice, and gives base pages anyway.
            // SAFETY: the range was mapped above, and the advice does not change what stands in it.
            let _ = unsafe { madvise(mapping.address_of(0).cast(), bytes, Advice::LinuxNoHugepage) };
            Ok((mapping, 0..bytes))
        }
        Pages::Transparent => Mapping::for_huge_pages(bytes)
            .map_err(|error| in_context(format_args!("map {size} for huge pages"), error)),
        Pages::Explicit => {
            let page_bytes = huge_page_bytes();
            let flags = MapFlags::PRIVATE | MapFlags::HUGETLB;
            let mapped = Mapping::with_flags(bytes.next_multiple_of(page_bytes), flags);
            mapped.map(|mapping| (mapping, 0..bytes)).map_err(|error| {
                let error = io::Error::from(error);
                let remedy = format!("as root: sysctl vm.nr_hugepages={}", bytes.div_ceil(page_bytes));
                reworded(format!("map {size} in huge pages: {error}; {remedy}"), &error)
            })
        }
    }
}

/// Returns which part of touched memory does not lie in huge pages although they were asked for.
pub(in crate::blocks) fn shortfall(memory: &[u8], pages: Pages) -> Option<String> {
    if pages != Pages::Transparent {
        return None;
    }
    let bytes = memory.len() as u64;
    let huge_bytes = in_huge_pages(&fs::read_to_string("/proc/self/smaps").ok()?, memory.as_ptr() as u64)?;
    (huge_bytes < bytes / 2).then(|| {
        let (huge, all) = (format_bytes(huge_bytes), format_bytes(bytes));
        format!("fell back: only {huge} of {all} lie in huge pages")
    })
}

pub(in crate::blocks) fn availability(pages: Pages) -> Availability {
    let missing = match pages {
        Pages::Transparent => match fs::read_to_string(SWITCH) {
            Err(_) => "this kernel has no transparent huge pages".to_owned(),
            Ok(switch) if switch.contains("[never]") => {
                format!("transparent huge pages are switched off; as root: echo madvise > {SWITCH}")
            }
            Ok(_) => return Availability::Ready,
        },
        Pages::Explicit if mapped(huge_page_bytes(), pages).is_err() => {
            "no huge page is set aside and free; as root: sysctl vm.nr_hugepages=64 (128 MiB of 2 MiB each)"
                .to_owned()
        }
        Pages::Base | Pages::Explicit => return Availability::Ready,
    };
    Availability::Missing(missing)
}

/// Returns the size of the kernel's huge pages; the usual one where it does not say.
fn huge_page_bytes() -> usize {
    let said = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Hugepagesize:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()
    });
    said.map_or(HUGE_PAGES_FROM_BYTES as usize, |kib| kib << 10)
}

/// Returns how much of the mapping around an address lies in transparent huge pages, as `smaps` reports it.
fn in_huge_pages(smaps: &str, address: u64) -> Option<u64> {
    let behind = smaps.lines().skip_while(|line| holds(line, address) != Some(true)).skip(1);
    let kib = behind.filter_map(|line| line.strip_prefix("AnonHugePages:")).next()?;
    kib.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

/// Returns whether a line of `smaps` begins the mapping around an address; `None` for a line that begins none.
fn holds(line: &str, address: u64) -> Option<bool> {
    let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
    Some((u64::from_str_radix(begin, 16).ok()?..u64::from_str_radix(end, 16).ok()?).contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaps_says_how_much_of_a_mapping_lies_in_huge_pages() {
        let smaps = "7f0000000000-7f0000001000 rw-p 00000000 00:00 0\nRss: 4 kB\nAnonHugePages:         0 kB\n\
                     7f0000200000-7f0000a00000 rw-p 00000000 00:00 0\nRss: 8192 kB\nAnonHugePages:      6144 kB\n";
        assert_eq!(in_huge_pages(smaps, 0x7f00_0030_0000), Some(6 << 20));
        assert_eq!(in_huge_pages(smaps, 0x7f00_0000_0000), Some(0));
        assert_eq!(in_huge_pages(smaps, 0x7f00_0000_1000), None, "it belongs to no mapping");
    }

    #[test]
    fn memory_for_huge_pages_begins_at_one() {
        let has_pages = match availability(Pages::Transparent) {
            Availability::Ready => Ok(()),
            Availability::Missing(sentence) => Err(sentence),
        };
        if !needs::are_met(has_pages) {
            return;
        }
        let (mapping, range) = mapped(3 << 20, Pages::Transparent).expect("3 MiB");
        assert_eq!(range.len(), 3 << 20);
        assert_eq!(mapping[range].as_ptr() as usize % huge_page_bytes(), 0);
    }

    #[test]
    fn missing_huge_pages_are_refused_with_the_command_to_run() {
        let refused = mapped(1 << 45, Pages::Explicit).err().expect("32 TiB").to_string();
        assert!(refused.contains("in huge pages: "), "{refused}");
        assert!(refused.contains("sysctl vm.nr_hugepages="), "{refused}");
    }
}
