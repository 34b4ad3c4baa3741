use std::path::PathBuf;

use crate::files::at;
use crate::parameters::buffer_bytes;
use crate::search::lines::{PIECE_BYTES, Rolling};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::system::folder::Folder;
use crate::search::system::source::{Opening, Source};

pub(super) const SEQUENTIAL: Technique<SearchJob> = Technique {
    name: "sequential",
    idea: "one file after the other in pieces of 128 KiB through one buffer; folders are walked on the way",
    source: "read(2), ReadFile; crate memchr",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(|job, _notes| Manner::default().search_best(job)))
};

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

/// Searches all files with a kernel, as all kernels do.
pub(super) fn one_after_the_other(job: &SearchJob, kernel: &impl Kernel) -> io::Result<()> {
    Manner::default().search(job, kernel)
}

pub(super) struct Manner {
    pub(super) piece_bytes: usize,
    pub(super) opening: Opening,
    pub(super) list: fn(PathBuf) -> io::Result<Folder>,
}

impl Default for Manner {
    fn default() -> Self {
        Self { piece_bytes: PIECE_BYTES, opening: Opening::USUAL, list: Folder::open }
    }
}

impl Manner {
    pub(super) fn search_best(&self, job: &SearchJob) -> io::Result<()> {
        self.search(job, &Best::of(&job.pattern)?)
    }

    pub(super) fn search(&self, job: &SearchJob, kernel: &impl Kernel) -> io::Result<()> {
        let mut answer = Answer::create(&job.answer)?;
        let mut rolling = Rolling::new(job.piece_bytes(self.piece_bytes))?;
        for root in &job.place.roots {
            if !root.is_folder {
                let source = Source::open_as(&root.path, self.opening)?;
                search_source(kernel, &source, &prefix_of(&root.path), &mut rolling, &mut answer)
                    .map_err(|error| at("read", &root.path)(error))?;
                continue;
            }
            let mut prefix = Vec::new();
            visit_below((self.list)(root.path.clone())?, &mut |folder, nth| {
                let source = Source::open_in(folder, nth, self.opening)?;
                folder.prefix_into(nth, &mut prefix);
                search_source(kernel, &source, &prefix, &mut rolling, &mut answer)
                    .map_err(|error| at("read", &folder.path_of(nth))(error))
            })?;
        }
        answer.finish(job.durable)
    }
}

fn search_source(
    kernel: &impl Kernel, source: &Source, prefix: &[u8], rolling: &mut Rolling, answer: &mut Answer<'_>,
) -> io::Result<()> {
    rolling.whole(|buffer| source.read(buffer), |lines| answer.add_lines(kernel, lines, prefix))
}
