//! Memory in huge pages that were set aside for it.

use crate::blocks::instructions;
use crate::blocks::job::{BlocksJob, Way, looping};
use crate::blocks::kernels::Kernels;
use crate::blocks::mapping::Pages;
use crate::contract::Technique;

pub(super) const HUGE_PAGES: Technique<BlocksJob> = looping::<HugePages>(
    "huge_pages",
    "the widest registers over memory in huge pages that the system keeps for it (MAP_HUGETLB, MEM_LARGE_PAGES)",
    "mmap(2); Microsoft, Large-Page Support",
);

struct HugePages;

impl Way for HugePages {
    const PAGES: Pages = Pages::Explicit;
    const CALLS: &'static [&'static str] = &["mmap MAP_HUGETLB"];
    const NEEDS: &'static str = "huge pages that are set aside and free (vm.nr_hugepages; on Windows the right to lock pages in memory)";

    fn kernels() -> Result<Kernels, String> {
        instructions::widest()
    }
}
