use crate::files::at;
use crate::search::lines::{PIECE_BYTES, Rolling, search_into};
use crate::search::prelude::*;
use crate::search::system::source::Source;
use crate::search::threads::search_in_turn;

pub(super) const THREAD_POOL: Technique<SearchJob> = Technique {
    name: "thread_pool",
    idea: "one thread a processor, each takes the next file when it is ready; what they found is written in file order",
    source: "ripgrep's and every other parallel grep's way",
    calls: &["clone3|clone", "read"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let files = job.files()?;
    let begin = || Rolling::new(job.piece_bytes(PIECE_BYTES));
    search_in_turn(job, ("files", &files), notes, begin, |rolling, path, text| {
        let source = Source::open(path)?;
        search_into(&kernel, &source, &prefix_of(path), rolling, text).map_err(at("read", path))
    })
}
