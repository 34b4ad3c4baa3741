//! Overlapped calls whose ends come out of a completion port.

use std::io;
use std::ptr;

use windows_sys::Win32::System::IO::{OVERLAPPED, OVERLAPPED_ENTRY};

use super::calls::{Begun, Calls, answer_in};
use crate::files::Port;
use crate::in_flight::pieces::{Pieces, Transfer};

/// One block: the structure that the system holds on to while it is in flight.
struct Slot {
    overlapped: OVERLAPPED,
    is_write: bool,
}

struct Ported<'job> {
    pieces: Pieces<'job>,
    /// For each file, true where a call that was done at once is not also reported by the port.
    is_spared: [bool; 2],
    /// Never moved or touched while in flight.
    slots: Vec<Slot>,
    in_flight: usize,
    calls: Calls,
}

/// Moves all pieces of two files that have joined the port; a note counts the calls.
pub(crate) fn run(
    pieces: Pieces, port: &Port, is_spared: [bool; 2], notes: &mut Vec<String>,
) -> io::Result<()> {
    let slot = || Slot { overlapped: OVERLAPPED::default(), is_write: false };
    let slots: Vec<Slot> = std::iter::repeat_with(slot).take(pieces.blocks()).collect();
    let mut entries = vec![OVERLAPPED_ENTRY::default(); slots.len()];
    let mut ported = Ported { pieces, is_spared, slots, in_flight: 0, calls: Calls::default() };
    for nth in 0..ported.slots.len() {
        let first = ported.pieces.begin(nth);
        ported.start_next(nth, first);
    }
    // After an error too: the system may still write into the buffers of what is in flight.
    while ported.in_flight > 0 {
        let count = match port.wait(&mut entries) {
            Ok(count) => count,
            Err(error) => {
                std::mem::forget(ported);
                return Err(error);
            }
        };
        for entry in &entries[..count] {
            let nth = (entry.lpOverlapped.addr() - ported.slots.as_ptr().addr()) / size_of::<Slot>();
            ported.in_flight -= 1;
            // SAFETY: the port says that the call has ended.
            let answer = unsafe { answer_in(&raw const ported.slots[nth].overlapped) };
            let next = ported.pieces.ended(nth, ported.slots[nth].is_write, answer);
            ported.start_next(nth, next);
        }
    }
    notes.push(ported.calls.note());
    ported.pieces.finish()
}

impl Ported<'_> {
    /// Starts transfers of a block until one of them is in flight or none is left.
    fn start_next(&mut self, nth: usize, mut next: Option<Transfer>) {
        while let Some(transfer) = next {
            let file = self.pieces.file(&transfer);
            let slot = &mut self.slots[nth];
            slot.is_write = transfer.is_write;
            // SAFETY: the block's memory and structure are not touched until its end has come out of the port.
            let begun =
                unsafe { self.calls.start(file, transfer, ptr::null_mut(), &raw mut slot.overlapped) };
            match begun {
                Begun::AtOnce(answer)
                    if self.is_spared[usize::from(transfer.is_write)] || !is_queued(&answer) =>
                {
                    next = self.pieces.ended(nth, transfer.is_write, answer);
                }
                Begun::AtOnce(_) | Begun::Pending => {
                    self.in_flight += 1;
                    return;
                }
            }
        }
    }
}

/// Returns whether the port also reports a call that was done at once: not one that was refused, as behind the end of the file.
fn is_queued(answer: &io::Result<usize>) -> bool {
    matches!(answer, Ok(1..))
}

#[cfg(test)]
mod tests {
    use windows_sys::Win32::Foundation::ERROR_HANDLE_EOF;
    use windows_sys::Win32::Storage::FileSystem::FILE_FLAG_OVERLAPPED;

    use super::*;
    use crate::files::{OpenFile, Use};
    use crate::in_flight::windows::calls::read_to_the_end;

    #[test]
    fn a_source_that_shrank_is_an_error_and_no_hang() {
        assert!(!is_queued(&read_to_the_end(io::Error::from_raw_os_error(ERROR_HANDLE_EOF as i32))));
        let (folder, path) = crate::testing::scratch_with("source", [b'x'; 5_000]);
        let output = folder.path().join("output");
        let source = OpenFile::open_with(&path, Use::Read, FILE_FLAG_OVERLAPPED).expect("opened");
        let destination = OpenFile::open_with(&output, Use::Create, FILE_FLAG_OVERLAPPED).expect("created");
        let steps = ["ReadFile", "WriteFile"];
        let pieces = Pieces::new([&source, &destination], steps, 20_000, (2, 4_096), None).expect("memory");
        let port = Port::of_files(&pieces.files()).expect("a port");
        let refused = run(pieces, &port, [false; 2], &mut Vec::new()).expect_err("5,000 bytes are there");
        assert_eq!(refused.kind(), io::ErrorKind::UnexpectedEof, "{refused}");
    }
}
