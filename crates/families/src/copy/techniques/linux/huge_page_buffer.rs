use std::fs;

use model::{Availability, Host, Setting};

use crate::copy::prelude::*;
use crate::files::HUGE_PAGE_BYTES;

pub(in crate::copy) const HUGE_PAGE_BUFFER: Technique<CopyJob> = Technique {
    name: "huge_page_buffer",
    idea: "read and write through one huge page of 2 MiB, with POSIX_FADV_SEQUENTIAL on the source",
    source: "madvise(2), MADV_HUGEPAGE",
    calls: &["madvise MADV_HUGEPAGE|mmap MAP_HUGETLB", "fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    needs: "Linux with transparent huge pages that are not switched off",
    probe,
    suits: |workload| one_file_only(workload, "small ones do not fill a huge page"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open_sequential, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        if bytes < HUGE_PAGE_BYTES as u64 {
            notes.push("fell back: ordinary pages, since the file is smaller than one huge page".into());
            return pour(source, destination, &mut buffer_of(bytes, HUGE_PAGE_BYTES)?).map(drop);
        }
        let (mut memory, page) = Mapping::for_huge_pages(HUGE_PAGE_BYTES)?;
        pour(source, destination, &mut memory[page]).map(drop)
    })
}

/// The kernel takes the advice without a word where huge pages are turned off.
fn probe(_host: &Host, _setting: &Setting) -> Availability {
    const SWITCH: &str = "/sys/kernel/mm/transparent_hugepage/enabled";
    match fs::read_to_string(SWITCH) {
        Ok(states) if states.contains("[never]") => {
            Availability::Missing(format!("transparent huge pages are turned off in {SWITCH}"))
        }
        Ok(_) => Availability::Ready,
        Err(error) => {
            Availability::Missing(format!("this kernel has no transparent huge pages: {SWITCH}: {error}"))
        }
    }
}
