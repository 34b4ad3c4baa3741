//! Threads that share a piece of work, or take pieces in turn.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::Builder;

use sys::thread_scope;

use super::job::{Notes, SearchJob};
use super::output::OrderedAnswer;
use crate::files::{at, fewer_threads};

/// Searching needs little of it, and many threads fit into the address space.
const STACK_BYTES: usize = 256 << 10;

/// Reports all threads that one of them has failed, so that the others do not finish in vain.
#[derive(Default)]
pub(super) struct Stop(AtomicBool);

impl Stop {
    pub(super) fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Runs `work` on `count` threads, of which the calling one is the last; returns their results.
pub(super) fn on_threads<Made: Send>(
    count: usize, work: impl Fn(&Stop) -> io::Result<Made> + Sync,
) -> io::Result<Vec<Made>> {
    let stop = Stop::default();
    let guarded = || {
        let made = work(&stop);
        if made.is_err() {
            stop.set();
        }
        made
    };
    thread_scope::scope(|scope| {
        let mut others = Vec::new();
        for nth in 1..count {
            match scope.spawn(builder(), guarded) {
                Ok(other) => others.push(other),
                Err(error) => {
                    stop.set();
                    return Err(refused(nth, count, &error));
                }
            }
        }
        let own = guarded();
        let mut all = Vec::with_capacity(count);
        // All threads are waited for; the first error is the one that is reported.
        let mut outcome = Ok(());
        for other in others {
            match other.join() {
                Ok(made) => all.push(made),
                Err(error) => outcome = outcome.and(Err(error)),
            }
        }
        all.push(own?);
        outcome.map(|()| all)
    })
}

pub(super) fn builder() -> Builder {
    Builder::new().stack_size(STACK_BYTES)
}

pub(super) fn refused(nth: usize, count: usize, error: &io::Error) -> io::Error {
    let sentence = format!(
        "thread {nth} of {count} could not be started: {error} (memory or a limit on processes and threads is used up)"
    );
    sys::failure::reworded(sentence, error)
}

/// Returns one thread a processor, or fewer where there is less to do, which a note says.
pub(super) fn threads_for(pieces: usize, processors: usize, what: &str, notes: &mut Notes) -> usize {
    let count = pieces.min(processors).max(1);
    let reason = format_args!("the number of {what} is {pieces}");
    notes.extend(fewer_threads(count, processors, reason));
    count
}

/// Has one thread a processor take the next piece, with a state from `begin`; the results are written in the pieces' order.
pub(super) fn search_in_turn<Piece: Sync, State>(
    job: &SearchJob, (what, pieces): (&str, &[Piece]), notes: &mut Notes,
    begin: impl Fn() -> io::Result<State> + Sync,
    search: impl Fn(&mut State, &Piece, &mut Vec<u8>) -> io::Result<()> + Sync,
) -> io::Result<()> {
    let answer = OrderedAnswer::create(&job.answer)?;
    let next = AtomicUsize::new(0);
    let threads = threads_for(pieces.len(), job.processors(), what, notes);
    on_threads(threads, |stop| {
        let mut state = begin()?;
        let mut text = Vec::new();
        while !stop.is_set() {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = pieces.get(nth) else { break };
            search(&mut state, piece, &mut text)?;
            answer.hand_in(nth, &mut text)?;
        }
        Ok(())
    })?;
    answer.finish(job.durable)
}

/// Large next to the cost of opening a file again, small next to what a processor would otherwise wait at the end.
const RANGE_BYTES: u64 = 1 << 20;

pub(super) type FileRange<'files> = (&'files Path, Range<u64>);

pub(super) fn ranges_of_files(files: &[impl AsRef<Path>]) -> io::Result<Vec<FileRange<'_>>> {
    let mut ranges = Vec::with_capacity(files.len());
    for path in files.iter().map(AsRef::as_ref) {
        let bytes = fs::metadata(path).map_err(at("look at", path))?.len();
        ranges.extend(ranges_of(bytes).map(|range| (path, range)));
    }
    Ok(ranges)
}

/// Cuts into ranges of one length; the last one reaches to the end of the file when it is read, and takes a short rest.
fn ranges_of(bytes: u64) -> impl Iterator<Item = Range<u64>> {
    let count = ((bytes + RANGE_BYTES / 2) / RANGE_BYTES).max(1);
    (0..count).map(move |nth| {
        let end = if nth + 1 == count { u64::MAX } else { (nth + 1) * RANGE_BYTES };
        nth * RANGE_BYTES..end
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;

    use super::*;

    #[test]
    fn fewer_threads_than_processors_are_noted() {
        fn asked(pieces: usize) -> (usize, Notes) {
            let mut notes = Notes::new();
            (threads_for(pieces, 4, "files", &mut notes), notes)
        }
        let few = "fell back: 3 of 4 threads, since the number of files is 3".to_owned();
        assert_eq!(asked(3), (3, vec![few]));
        assert_eq!((asked(0).0, asked(0).1.len()), (1, 1));
        assert_eq!(asked(4), (4, vec![]));
        assert_eq!(asked(9), (4, vec![]));
    }

    #[test]
    fn an_error_of_one_stops_the_others() {
        let begun = AtomicUsize::new(0);
        let refused = on_threads::<()>(3, |stop| {
            if begun.fetch_add(1, Ordering::Relaxed) == 1 {
                return Err(io::Error::other("no more"));
            }
            while !stop.is_set() {
                std::thread::yield_now();
            }
            Ok(())
        });
        assert_eq!(refused.expect_err("one failed").to_string(), "no more");
    }
}
