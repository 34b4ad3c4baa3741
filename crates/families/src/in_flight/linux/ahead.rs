//! A second thread that looks up the pages of a mapped source ahead of what is written.

use std::io;
use std::thread::Builder;

use sys::thread_scope::scope;

use crate::files::{Notes, OpenFile, SourceMapping, fewer_threads, look_up};

/// Enough to keep the device busy while a piece is written, little enough to stay in the file cache until its turn comes.
pub(crate) const AHEAD_BYTES: u64 = 32 << 20;

/// Has a second thread look up all pages of a source in their order while `write` writes from the mapping, and asks the device for
/// what comes next. `write` looks up a page that is not there yet itself: neither waits for the other. It gets true where the file
/// is so short that it is alone.
pub(crate) fn write_looked_up_ahead<Written>(
    source: &OpenFile, bytes: u64, notes: &mut Notes,
    write: impl FnOnce(&SourceMapping, bool, &mut Notes) -> io::Result<Written>,
) -> io::Result<Written> {
    const PIECE_BYTES: usize = 1 << 20;
    /// The thread calls the kernel and no more: a small stack is a mapping that costs less.
    const STACK_BYTES: usize = 64 << 10;
    source.ask_for(0, AHEAD_BYTES);
    let mapping = SourceMapping::sequential(source, bytes)?;
    let is_alone = mapping.len() <= PIECE_BYTES;
    let look_up_all = || {
        for (nth, piece) in mapping.chunks(PIECE_BYTES).enumerate() {
            source.ask_for((nth * PIECE_BYTES) as u64 + AHEAD_BYTES, PIECE_BYTES as u64);
            look_up(piece);
        }
    };
    scope(|scope| {
        if is_alone {
            notes.extend(fewer_threads(1, 2, "nothing lies ahead of the first 1 MiB"));
        } else if let Err(refused) = scope.spawn(Builder::new().stack_size(STACK_BYTES), look_up_all) {
            notes.push(format!("fell back: no second thread could be started ({refused})"));
        }
        write(&mapping, is_alone, notes)
    })
}
