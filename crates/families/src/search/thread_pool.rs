//! One thread a processor; each takes the next file when it is ready.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use model::Class;

use super::job::{Notes, SearchJob, always, prefix_of};
use super::kernel::Best;
use super::output::OrderedAnswer;
use super::rolling::{PIECE_BYTES, Rolling};
use super::sequential::search_into;
use super::system::source::Source;
use super::threads::{on_threads, threads_for};
use crate::contract::Technique;
use crate::files::at;

pub(super) const THREAD_POOL: Technique<SearchJob> = Technique {
    name: "thread_pool",
    alias: &[],
    idea: "one thread a processor, each takes the next file when it is ready; what they found is written in file order",
    source: "ripgrep's and every other parallel grep's way",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let answer = OrderedAnswer::create(&job.answer)?;
    let files = job.files()?;
    let next = AtomicUsize::new(0);
    let threads = threads_for(files.len(), job.processors(), "files", notes);
    on_threads(threads, |stop| {
        let mut rolling = Rolling::new(job.piece_bytes(PIECE_BYTES))?;
        let mut text = Vec::new();
        while !stop.is_set() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(path) = files.get(nth) else { break };
            let source = Source::open(path)?;
            search_into(&kernel, &source, &prefix_of(path), &mut rolling, &mut text)
                .map_err(at("read", path))?;
            answer.hand_in(nth, &mut text)?;
        }
        Ok(())
    })?;
    answer.finish(job.durable)
}
