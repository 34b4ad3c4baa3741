use crate::files::at;
use crate::search::lines::{matching_lines, search_into};
use crate::search::prelude::*;
use crate::search::system::source::Source;
use crate::search::threads::{ranges_of_files, search_in_turn};

pub(super) const THREAD_POOL: Technique<SearchJob> = Technique {
    name: "thread_pool",
    idea: "one thread a processor, each takes the next file when it is ready; what they found is written in file order",
    source: "ripgrep's and every other parallel grep's way",
    calls: &["clone3|clone", "read"],
    ..Technique::usual(|job| job.done_by(search))
};

pub(super) const SPLIT_RANGES: Technique<SearchJob> = Technique {
    name: "split_ranges",
    idea: "one thread a processor, each takes the next range of 1 MiB of a file, cut at the ends of lines",
    source: "xcp's parblock for searching; ugrep and others cut large files alike",
    calls: &["clone3|clone", "pread64"],
    ..Technique::usual(|job| job.done_by(search_ranges))
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let files = job.files()?;
    search_in_turn(
        job,
        ("files", &files),
        notes,
        || job.rolling(),
        |rolling, path, text| {
            let source = Source::open(path)?;
            search_into(&kernel, &source, &prefix_of(path), rolling, text).map_err(at("read", path))
        },
    )
}

fn search_ranges(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let files = job.files()?;
    let ranges = ranges_of_files(&files)?;
    search_in_turn(
        job,
        ("ranges", &ranges),
        notes,
        || job.rolling(),
        |rolling, (path, range), text| {
            let (source, prefix) = (Source::open(path)?, prefix_of(path));
            let searched = rolling.range(
                range.clone(),
                |buffer, offset| source.read_at(buffer, offset),
                |lines| {
                    matching_lines(&kernel, lines, &prefix, text);
                    Ok(())
                },
            );
            searched.map_err(at("read", path))
        },
    )
}
