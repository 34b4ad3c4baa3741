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

/// Asked for in one call: the largest round number below Linux' own limit of 2 GiB less one page.
const CALL_BYTES: usize = 1 << 30;
const LEAST_BYTES: usize = 4 << 10;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let mut buffer = None;
    for path in job.files()? {
        let source = Source::open(&path)?;
        let text = read_whole(&source, &mut buffer, CALL_BYTES).map_err(at("read", &path))?;
        answer.add_matching(&kernel, text, &prefix_of(&path))?;
    }
    answer.finish(job.durable)
}

/// Reads to the end, at most `call_bytes` by one call. The buffer is larger than any file read so far, to see the end.
fn read_whole<'buffer>(
    source: &Source, buffer: &'buffer mut Option<Mapping>, call_bytes: usize,
) -> io::Result<&'buffer [u8]> {
    let size = source.size_bytes()? as usize;
    let mut text = match buffer.take() {
        Some(large) if large.len() > size => large,
        _ => Mapping::buffer((size + 1).max(LEAST_BYTES))?,
    };
    let mut filled = 0;
    loop {
        if filled == text.len() {
            // The file became longer while it was read.
            let mut larger = Mapping::buffer(2 * filled)?;
            larger[..filled].copy_from_slice(&text);
            text = larger;
        }
        let wanted = call_bytes.min(text.len() - filled);
        let count = source.read(&mut text[filled..filled + wanted])?;
        filled += count;
        if count < wanted {
            return Ok(&buffer.insert(text)[..filled]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_longer_than_one_call_is_read_whole() {
        let text: Vec<u8> = (0..20_000_u32).map(|nth| (nth % 251) as u8).collect();
        let (_scratch, path) = crate::testing::scratch_with("file", &text);
        let mut buffer = None;
        for call_bytes in [1_000, 4_096, 20_000, 20_001, CALL_BYTES] {
            let source = Source::open(&path).expect("opened");
            let read = read_whole(&source, &mut buffer, call_bytes).expect("read");
            assert!(read == text, "{} bytes, {call_bytes} a call", read.len());
        }
    }
}
