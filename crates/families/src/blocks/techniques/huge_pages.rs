use crate::blocks::instructions;
use crate::blocks::prelude::*;

pub(super) const HUGE_PAGES: Technique<BlocksJob> = Technique {
    name: "huge_pages",
    idea: "the widest registers over memory in huge pages that the system keeps for it (MAP_HUGETLB, MEM_LARGE_PAGES)",
    source: "mmap(2); Microsoft, Large-Page Support",
    calls: &["mmap MAP_HUGETLB"],
    suits: fills_a_huge_page,
    needs: "huge pages that are set aside and free (vm.nr_hugepages; on Windows the right to lock pages in memory)",
    probe: |_host, _setting| available(instructions::widest(), Pages::Explicit),
    ..looping(|job| job.done_by(instructions::widest(), Pages::Explicit))
};
