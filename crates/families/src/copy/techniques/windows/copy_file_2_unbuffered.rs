use super::copy_file_2::{copy_with, probe};
use crate::copy::prelude::*;

pub(in crate::copy) const COPY_FILE_2_UNBUFFERED: Technique<CopyJob> = Technique {
    name: "copy_file_2_unbuffered",
    idea: "CopyFile2 with COPY_FILE_NO_BUFFERING, which Microsoft recommends for very large files",
    source: "Microsoft, COPYFILE2_EXTENDED_PARAMETERS",
    variant_of: Some("copy_file_2"),
    needs: "Windows 8 or later",
    probe,
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

/// `COPY_FILE_NO_BUFFERING`.
const NO_BUFFERING: u32 = 0x1000;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    copy_with(job, NO_BUFFERING)
}
