use crate::search::prelude::*;
use crate::search::techniques::sequential::Manner;
use crate::search::windows::folder::Folder;

pub(in crate::search) const LARGE_FETCH: Technique<SearchJob> = Technique {
    name: "large_fetch",
    idea: "as sequential, folders listed with FIND_FIRST_EX_LARGE_FETCH: fewer calls into the file system, more names each",
    source: "FindFirstFileEx, FIND_FIRST_EX_LARGE_FETCH",
    variant_of: Some("sequential"),
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            Manner { list: Folder::open_by_large_fetches, ..Manner::default() }.search_best(job)
        })
    })
};
