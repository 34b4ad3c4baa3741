use super::completion_routines::copy_overlapped;
use crate::copy::prelude::*;
use crate::files::Port;
use crate::in_flight::windows::port::run;

pub(in crate::copy) const OVERLAPPED_COPY: Technique<CopyJob> = Technique {
    name: "overlapped",
    idea: "FILE_FLAG_OVERLAPPED and a completion port: 16 blocks of 256 KiB in flight, each read and then written",
    source: "Microsoft, I/O Completion Ports; Windows SDK sample UNBUFCP2",
    suits: |workload| one_file_only(workload, "no two blocks of a small one are in flight"),
    ..Technique::usual(|job| job.done_by(copy))
};

const DEPTH: usize = 16;
const BLOCK_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    copy_overlapped(job, (DEPTH, BLOCK_BYTES), ["ReadFile", "WriteFile"], |pieces| {
        let port = Port::of_files(&pieces.files())?;
        run(pieces, &port, [false; 2], notes)
    })
}
