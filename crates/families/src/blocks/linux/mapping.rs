//! Memory straight from the kernel, in pages of a chosen kind.

use std::fs;
use std::io;
use std::ptr::{self, NonNull};
use std::slice;

use model::{Availability, format_bytes};
use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
use sys::failure::in_context;
use sys::trace;

/// Smaller memory has no room for a huge page.
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

/// Memory of this process alone, zeros at first.
pub(in crate::blocks) struct Mapping {
    /// What was mapped.
    reserved: NonNull<u8>,
    reserved_bytes: usize,
    /// The part that is used, which begins at a page of its kind.
    start: NonNull<u32>,
    words: usize,
    pages: Pages,
}

impl Mapping {
    /// # Errors
    /// There is not this much memory, or not this many of these pages.
    pub(in crate::blocks) fn new(bytes: usize, pages: Pages) -> io::Result<Self> {
        let page_bytes = match pages {
            Pages::Base => rustix::param::page_size(),
            Pages::Transparent | Pages::Explicit => huge_page_bytes(),
        };
        // Room to begin at a huge page; those that are mapped as such do so anyway.
        let beside = if pages == Pages::Transparent { page_bytes } else { 0 };
        let rounded = bytes.checked_next_multiple_of(page_bytes).and_then(|bytes| bytes.checked_add(beside));
        let reserved_bytes = rounded.unwrap_or(usize::MAX / 2);
        // Which pages these are is the idea of some techniques, though the clock does not run yet.
        trace::resumed(|| {
            Self::reserved(bytes, reserved_bytes, if beside == 0 { 1 } else { page_bytes }, pages)
        })
    }

    /// This many bytes, which begin at a multiple of `alignment` among those that are reserved.
    fn reserved(bytes: usize, reserved_bytes: usize, alignment: usize, pages: Pages) -> io::Result<Self> {
        let flags = match pages {
            Pages::Explicit => MapFlags::PRIVATE | MapFlags::HUGETLB,
            Pages::Base | Pages::Transparent => MapFlags::PRIVATE,
        };
        let access = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: a new private mapping at an address of the kernel's choice touches no memory in use.
        let mapped = unsafe { mmap_anonymous(ptr::null_mut(), reserved_bytes, access, flags) };
        let mapped = mapped.map_err(|error| refused(bytes, pages, error.into()))?;
        let reserved = NonNull::new(mapped.cast::<u8>()).expect("the kernel never maps at address 0 unasked");
        let skipped = reserved.align_offset(alignment);
        // SAFETY: no more is skipped than was reserved next to the bytes.
        let start = unsafe { reserved.add(skipped) };
        let mapping =
            Self { reserved, reserved_bytes, start: start.cast(), words: bytes / size_of::<u32>(), pages };
        mapping.advise(reserved_bytes - skipped)?;
        Ok(mapping)
    }

    fn advise(&self, bytes: usize) -> io::Result<()> {
        let advice = match self.pages {
            Pages::Base => Advice::LinuxNoHugepage,
            Pages::Transparent => Advice::LinuxHugepage,
            Pages::Explicit => return Ok(()),
        };
        // SAFETY: the range was mapped by this value, and the advice does not change what stands in it.
        match unsafe { madvise(self.start.as_ptr().cast(), bytes, advice) } {
            // A kernel without huge pages knows no such advice, and gives base pages anyway.
            Err(_) if self.pages == Pages::Base => Ok(()),
            done => done.map_err(|error| in_context("madvise(MADV_HUGEPAGE)", io::Error::from(error))),
        }
    }

    /// All of it.
    pub(in crate::blocks) fn words(&mut self) -> &mut [u32] {
        // SAFETY: this many words were mapped for reading and writing, and are borrowed as `self` is.
        unsafe { slice::from_raw_parts_mut(self.start.as_ptr(), self.words) }
    }

    /// Of memory that was touched: what of it does not lie in huge pages although they were asked for.
    pub(in crate::blocks) fn shortfall(&self) -> Option<String> {
        if self.pages != Pages::Transparent {
            return None;
        }
        let huge_bytes =
            in_huge_pages(&fs::read_to_string("/proc/self/smaps").ok()?, self.start.as_ptr() as u64)?;
        let bytes = (self.words * size_of::<u32>()) as u64;
        (huge_bytes < bytes / 2).then(|| {
            let (huge, all) = (format_bytes(huge_bytes), format_bytes(bytes));
            format!("fell back: only {huge} of {all} lie in huge pages")
        })
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        // SAFETY: the range was mapped by this value and no reference into it outlives the value.
        let unmapped = unsafe { munmap(self.reserved.as_ptr().cast(), self.reserved_bytes) };
        debug_assert!(unmapped.is_ok(), "{unmapped:?}");
    }
}

fn refused(bytes: usize, pages: Pages, error: io::Error) -> io::Error {
    let size = format_bytes(bytes as u64);
    match pages {
        Pages::Explicit => {
            let count = bytes.div_ceil(huge_page_bytes());
            let remedy = format!("as root: sysctl vm.nr_hugepages={count}");
            sys::failure::reworded(format!("map {size} in huge pages: {error}; {remedy}"), &error)
        }
        Pages::Base | Pages::Transparent => in_context(format_args!("map {size}"), error),
    }
}

/// Whether there are such pages here.
pub(in crate::blocks) fn availability(pages: Pages) -> Availability {
    let missing = |sentence: &str| Availability::Missing(sentence.to_owned());
    match pages {
        Pages::Base => Availability::Ready,
        Pages::Transparent => match fs::read_to_string(SWITCH) {
            Err(_) => missing("this kernel has no transparent huge pages"),
            Ok(switch) if switch.contains("[never]") => Availability::Missing(format!(
                "transparent huge pages are switched off; as root: echo madvise > {SWITCH}"
            )),
            Ok(_) => Availability::Ready,
        },
        Pages::Explicit => match Mapping::new(huge_page_bytes(), pages) {
            Ok(_) => Availability::Ready,
            Err(_) => missing(
                "no huge page is set aside and free; as root: sysctl vm.nr_hugepages=64 (128 MiB of 2 MiB each)",
            ),
        },
    }
}

/// The size of the kernel's huge pages; the usual one where it does not say.
fn huge_page_bytes() -> usize {
    let told = fs::read_to_string("/proc/meminfo").ok().and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Hugepagesize:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<usize>().ok()
    });
    told.map_or(HUGE_PAGES_FROM_BYTES as usize, |kib| kib << 10)
}

/// How much of the mapping around an address lies in transparent huge pages, as `smaps` tells it.
fn in_huge_pages(smaps: &str, address: u64) -> Option<u64> {
    let holds = |line: &str| {
        let (begin, end) = line.split_once(' ')?.0.split_once('-')?;
        let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
        Some((hexadecimal(begin)?..hexadecimal(end)?).contains(&address))
    };
    let behind = smaps.lines().skip_while(|line| holds(line) != Some(true)).skip(1);
    let kib = behind.filter_map(|line| line.strip_prefix("AnonHugePages:")).next()?;
    kib.trim().strip_suffix("kB")?.trim().parse::<u64>().ok().map(|kib| kib << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaps_tells_how_much_of_a_mapping_lies_in_huge_pages() {
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
        let mut mapping = Mapping::new(3 << 20, Pages::Transparent).expect("3 MiB");
        assert_eq!(mapping.words().len(), 3 << 18);
        assert_eq!(mapping.words().as_ptr() as usize % huge_page_bytes(), 0);
    }

    #[test]
    fn huge_pages_that_were_not_set_aside_are_refused_with_the_command_that_would() {
        let refused = Mapping::new(1 << 45, Pages::Explicit).err().expect("32 TiB").to_string();
        assert!(
            refused.contains("in huge pages: ") && refused.contains("sysctl vm.nr_hugepages="),
            "{refused}"
        );
    }
}
