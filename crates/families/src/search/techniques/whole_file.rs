use crate::files::{Mapping, at};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::system::source::Source;

pub(super) const WHOLE_FILE: Technique<SearchJob> = Technique {
    name: "whole_file",
    idea: "one file after the other, each read as a whole into one buffer that grows to the largest",
    source: "Rust's standard library, fs::read, with one buffer for all",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(search))
};

/// Pages come when they are touched, so room for files of usual sizes costs nothing.
const FIRST_BYTES: usize = 1 << 20;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let mut buffer = Mapping::untouched(job.piece_bytes(FIRST_BYTES))?;
    for path in job.files()? {
        let source = Source::open(&path)?;
        let bytes = read_whole(&source, &mut buffer).map_err(at("read", &path))?;
        answer.add_matching(&kernel, &buffer[..bytes], &prefix_of(&path))?;
    }
    answer.finish(job.durable)
}

/// Reads to the end; returns the length. The buffer is larger than any file read so far, to see the end.
fn read_whole(source: &Source, buffer: &mut Mapping) -> io::Result<usize> {
    let refused =
        |_| io::Error::new(io::ErrorKind::OutOfMemory, "the file is too large for this machine's memory");
    let size = usize::try_from(source.size_bytes()?).map_err(refused)?;
    if size >= buffer.len() {
        *buffer = Mapping::untouched((size + 1).max(buffer.len().saturating_mul(2)))?;
    }
    let mut filled = 0;
    loop {
        let room = buffer.len() - filled;
        let count = source.read(&mut buffer[filled..])?;
        filled += count;
        if count < room {
            return Ok(filled);
        }
        // The file became longer while it was read.
        let mut larger = Mapping::untouched(2 * buffer.len())?;
        larger[..filled].copy_from_slice(&buffer[..filled]);
        *buffer = larger;
    }
}
