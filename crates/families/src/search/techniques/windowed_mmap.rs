use crate::files::{OpenFile, Views};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::stitch::Stitch;

pub(super) const WINDOWED_MMAP: Technique<SearchJob> = Technique {
    name: "windowed_mmap",
    idea: "one file after the other, mapped in windows of 1 MiB: map one, search it, unmap it; a line that is cut is put together",
    source: "mmap(2), offset; MapViewOfFile, dwFileOffset; what a program with little address space does",
    calls: &["mmap file", "!read"],
    ..Technique::usual(|job| job.done_by(search))
};

/// A multiple of the 64 KiB at which a view may begin.
const WINDOW_BYTES: u64 = 1 << 20;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let mut stitch = Stitch::default();
    for path in job.files()? {
        search_windows(&kernel, &path, &mut stitch, &mut answer)?;
    }
    answer.finish(job.durable)
}

fn search_windows(
    kernel: &Best<'_>, path: &Path, stitch: &mut Stitch, answer: &mut Answer<'_>,
) -> io::Result<()> {
    let (file, prefix) = (OpenFile::open(path)?, prefix_of(path));
    let bytes = file.size_bytes()?;
    let mut lines = |lines: &[u8]| answer.add_lines(kernel, lines, &prefix);
    // No mapping can be empty.
    if bytes == 0 {
        return Ok(());
    }
    let (views, mut offset) = (Views::of_source(&file)?, 0);
    while offset < bytes {
        let length = WINDOW_BYTES.min(bytes - offset);
        let window = views.view(offset, length as usize)?;
        stitch.add(&window, &mut lines)?;
        offset += length;
    }
    stitch.end(&mut lines)
}
