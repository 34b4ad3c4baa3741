use crate::convert::prelude::*;
use crate::convert::windows::overlapped::convert_overlapped;
use crate::in_flight::windows::routines::run;

pub(in crate::convert) const COMPLETION_ROUTINES: Technique<ConvertJob> = Technique {
    name: "completion_routines",
    alias: &["atouEX"],
    idea: "ReadFileEx and WriteFileEx with 4 buffers of 64 KiB of input; their routines run in SleepEx",
    source: "Hart, Windows System Programming, atouEX",
    ..Technique::usual(|job| job.done_by(convert))
};

const BUFFERS: usize = 4;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_overlapped(job, BUFFERS, ["ReadFileEx", "WriteFileEx"], notes, run)
}
