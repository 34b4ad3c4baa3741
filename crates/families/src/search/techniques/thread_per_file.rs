use sys::thread_scope::scope;

use crate::files::at;
use crate::search::lines::{Rolling, piece_for, search_into};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::system::source::Source;
use crate::search::threads::{Stop, builder, refused};

pub(super) const THREAD_PER_FILE: Technique<SearchJob> = Technique {
    name: "thread_per_file",
    alias: &["grepMT"],
    idea: "one thread a file, all at once, each with a buffer of its own; what they found is collected in file \
           order. It reads pieces of 64 KiB, the published one lines of the C library",
    source: "Hart, Windows System Programming, grepMT",
    calls: &["clone3|clone", "read"],
    ..Technique::usual(|job| job.done_by(search))
};

/// There may be as many buffers as files; none is larger than its file.
const PIECE_BYTES: usize = 64 << 10;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = &Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let files = job.files()?;
    let stop = &Stop::default();
    scope(|scope| {
        let mut threads = Vec::with_capacity(files.len());
        for (nth, path) in files.iter().enumerate() {
            match scope.spawn(builder(), move || search_one(kernel, path, stop)) {
                Ok(thread) => threads.push(thread),
                Err(error) => {
                    stop.set();
                    return Err(refused(nth + 1, files.len(), &error));
                }
            }
        }
        for thread in threads {
            if let Err(error) = thread.join().and_then(|text| answer.add(&text)) {
                stop.set();
                return Err(error);
            }
        }
        Ok(())
    })?;
    answer.finish(job.durable)
}

fn search_one(kernel: &impl Kernel, path: &Path, stop: &Stop) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    if !stop.is_set() {
        let source = Source::open(path)?;
        let bytes = source.size_bytes().map_err(at("look at", path))?;
        let mut rolling = Rolling::new(piece_for(PIECE_BYTES, bytes))?;
        search_into(kernel, &source, &prefix_of(path), &mut rolling, &mut text).map_err(at("read", path))?;
    }
    Ok(text)
}
