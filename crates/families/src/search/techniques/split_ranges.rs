use crate::files::at;
use crate::search::lines::{PIECE_BYTES, Rolling, matching_lines};
use crate::search::prelude::*;
use crate::search::system::source::Source;
use crate::search::threads::{ranges_of_files, search_in_turn};

pub(super) const SPLIT_RANGES: Technique<SearchJob> = Technique {
    name: "split_ranges",
    idea: "one thread a processor, each takes the next range of 1 MiB of a file, cut at the ends of lines",
    source: "xcp's parblock for searching; ugrep and others cut large files alike",
    calls: &["clone3|clone", "pread64"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let files = job.files()?;
    let ranges = ranges_of_files(&files)?;
    let begin = || Rolling::new(job.piece_bytes(PIECE_BYTES));
    search_in_turn(job, ("ranges", &ranges), notes, begin, |rolling, (path, range), text| {
        let (source, prefix) = (Source::open(path)?, prefix_of(path));
        let read = |buffer: &mut [u8], offset| source.read_at(buffer, offset);
        let lines = |lines: &[u8]| {
            matching_lines(&kernel, lines, &prefix, text);
            Ok(())
        };
        rolling.range(range.clone(), read, lines).map_err(at("read", path))
    })
}
