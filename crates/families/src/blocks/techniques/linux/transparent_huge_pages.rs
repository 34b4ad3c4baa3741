use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(in crate::blocks::techniques) const TRANSPARENT_HUGE_PAGES: Technique<BlocksJob> = Technique {
    name: "transparent_huge_pages",
    idea: "the widest registers over memory that the kernel is asked to put into huge pages (MADV_HUGEPAGE)",
    source: "madvise(2)",
    calls: &["mmap", "madvise MADV_HUGEPAGE", "!mmap MAP_HUGETLB"],
    suits: fills_a_huge_page,
    needs: "Linux with transparent huge pages that are not switched off",
    probe: |_host, _setting| available(instructions::widest(), Pages::Transparent),
    ..looping(|job| job.done_by(instructions::widest(), Pages::Transparent))
};
