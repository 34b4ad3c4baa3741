use super::sequential::Manner;
use crate::search::prelude::*;
use crate::search::system::source::Opening;

pub(super) const HINTED_LARGE_BUFFER: Technique<SearchJob> = Technique {
    name: "hinted_large_buffer",
    idea: "as rolling_buffer@1M, each file opened with the hint that it is read from its beginning to its end",
    source: "posix_fadvise(2), POSIX_FADV_SEQUENTIAL; CreateFile, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read"],
    variant_of: Some("rolling_buffer"),
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            let hinted = Manner { piece_bytes: 1 << 20, opening: Opening::Sequential, ..Manner::default() };
            hinted.search_best(job)
        })
    })
};
