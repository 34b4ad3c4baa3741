use crate::convert::prelude::*;
use crate::convert::windows::overlapped::{convert_in, convert_overlapped};
use crate::in_flight::windows::routines::{run, run_polling};

pub(in crate::convert) const COMPLETION_ROUTINES: Technique<ConvertJob> = Technique {
    name: "completion_routines",
    idea: "as presized, by ReadFileEx and WriteFileEx with 4 buffers of 64 KiB of input; their routines run in SleepEx",
    source: "Microsoft, ReadFileEx",
    ..Technique::usual(|job| job.done_by(|job, notes| convert_overlapped(job, BUFFERS, STEPS, notes, run)))
};

pub(in crate::convert) const COMPLETION_ROUTINES_8K: Technique<ConvertJob> = Technique {
    name: "completion_routines_8k",
    alias: &["atouEX"],
    idea: "as completion_routines, with buffers of 8 KiB, the output not presized, and SleepEx(0, TRUE) in a loop",
    source: "Hart, Windows System Programming, atouEX",
    variant_of: Some("completion_routines"),
    ..Technique::usual(|job| {
        job.done_by(|job, notes| convert_in(job, (BUFFERS, 8 << 10), false, STEPS, notes, run_polling))
    })
};

const BUFFERS: usize = 4;
const STEPS: [&str; 2] = ["ReadFileEx", "WriteFileEx"];
