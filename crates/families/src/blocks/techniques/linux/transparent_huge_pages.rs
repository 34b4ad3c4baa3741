//! Memory that the kernel puts into huge pages where it can.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::blocks::mapping::Pages;
use crate::contract::Technique;

pub(in crate::blocks::techniques) const TRANSPARENT_HUGE_PAGES: Technique<BlocksJob> =
    looping::<TransparentHugePages>(
        "transparent_huge_pages",
        "the widest registers over memory that the kernel is asked to put into huge pages (MADV_HUGEPAGE)",
        "madvise(2)",
    );

struct TransparentHugePages;

impl Way for TransparentHugePages {
    const PAGES: Pages = Pages::Transparent;
    const CALLS: &'static [&'static str] = &["mmap", "madvise MADV_HUGEPAGE", "!mmap MAP_HUGETLB"];
    const NEEDS: &'static str = "Linux with transparent huge pages that are not switched off";

    fn kernels() -> Result<Kernels, String> {
        instructions::widest()
    }
}
