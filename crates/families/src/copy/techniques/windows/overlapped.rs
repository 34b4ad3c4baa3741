use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_OVERLAPPED, FILE_FLAG_SEQUENTIAL_SCAN};

use super::completion_routines::copy_overlapped;
use crate::copy::prelude::*;
use crate::files::Port;
use crate::in_flight::windows::calls::Calls;
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
    let flags = FILE_FLAG_OVERLAPPED | FILE_FLAG_SEQUENTIAL_SCAN;
    let mut calls = Calls::default();
    copy_overlapped(job, flags, (DEPTH, BLOCK_BYTES), ["ReadFile", "WriteFile"], |pieces| {
        let port = Port::of_files(&pieces.files())?;
        run(pieces, &port, [false; 2], &mut calls)
    })?;
    let (at_once, all) = (calls.at_once(), calls.all());
    if at_once > 0 {
        notes.push(format!("fell back: {at_once} of {all} calls were done before they returned"));
    }
    Ok(())
}
