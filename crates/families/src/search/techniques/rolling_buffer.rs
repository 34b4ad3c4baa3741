use super::sequential::Manner;
use crate::parameters::buffer_bytes;
use crate::search::prelude::*;
use crate::search::system::source::Opening;

pub(super) const ROLLING_BUFFER: Technique<SearchJob> = Technique {
    name: "rolling_buffer",
    idea: "one file after the other in pieces of this size through one buffer, without a hint to the system",
    source: "ripgrep, crates/searcher/src/line_buffer.rs (64 KiB)",
    calls: &["read"],
    parameters: &[buffer_bytes(&[64 << 10, 1 << 20])],
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            let piece_bytes = job.buffer_bytes()?;
            Manner { piece_bytes, opening: Opening::Plain, ..Manner::default() }.search_best(job)
        })
    })
};
