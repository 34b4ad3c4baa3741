use std::path::PathBuf;

use crate::files::at;
use crate::search::lines::{PIECE_BYTES, Rolling, matching_lines};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::system::folder::Folder;
use crate::search::system::source::{Opening, Source};

pub(super) const SEQUENTIAL: Technique<SearchJob> = Technique {
    name: "sequential",
    alias: &["grepSQ"],
    idea: "one file after the other in pieces of 128 KiB through one buffer; folders are walked on the way",
    source: "Hart, Windows System Programming, grepSQ; today's reading and crate memchr's search",
    calls: &["read"],
    ..Technique::usual(|job| job.done_by(|job, _notes| Manner::default().search_best(job)))
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
    kernel: &impl Kernel,
    source: &Source,
    prefix: &[u8],
    rolling: &mut Rolling,
    answer: &mut Answer<'_>,
) -> io::Result<()> {
    rolling.whole(
        |buffer| source.read(buffer),
        |lines| {
            matching_lines(kernel, lines, prefix, answer.text());
            answer.write_when_full()
        },
    )
}
