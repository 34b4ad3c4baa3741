//! Past the file cache, one thread reading while the other writes.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use model::Class;

use super::direct::{BLOCK_BYTES, cut_padding, open_direct, probe, read_block, write_block};
use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{Mapping, OpenFile};

pub(in crate::copy) const DIRECT_DOUBLE_BUFFERED: Technique<CopyJob> = Technique {
    name: "direct_double_buffered",
    alias: &[],
    idea: "O_DIRECT on both files, a reading and a writing thread, two blocks of 1 MiB between them",
    source: "double buffering; open(2), O_DIRECT",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(copy),
};

/// A block with the number of bytes in it and their offset in the file.
struct Filled {
    block: Mapping,
    count: usize,
    offset: u64,
}

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let (source, destination, alignment) = open_direct(job)?;
    let bytes = source.size_bytes()?;
    thread::scope(|scope| {
        let (give_back, empty) = channel();
        let (hand_over, filled) = channel();
        let source = &source;
        for _ in 0..2 {
            // The receiver lives in this scope: a block can always be sent.
            let _ = give_back.send(Mapping::buffer(BLOCK_BYTES)?);
        }
        let reading = thread::Builder::new()
            .name("reader".into())
            .spawn_scoped(scope, move || read_all(source, bytes, alignment, &empty, &hand_over))?;
        let written = write_filled(&destination, alignment, &filled, &give_back);
        // The reader ends by itself once nobody takes its blocks or gives them back.
        drop((filled, give_back));
        let read = reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written.and(read)
    })?;
    cut_padding(&destination, bytes, alignment)?;
    destination.finish(job.durable)
}

fn read_all(
    source: &OpenFile,
    bytes: u64,
    alignment: usize,
    empty: &Receiver<Mapping>,
    hand_over: &Sender<Filled>,
) -> io::Result<()> {
    let mut offset = 0;
    while offset < bytes {
        // The other end is gone when writing failed: that error is the one to report.
        let Ok(mut block) = empty.recv() else { return Ok(()) };
        let count = read_block(source, &mut block, offset, bytes, alignment)?;
        if hand_over.send(Filled { block, count, offset }).is_err() {
            return Ok(());
        }
        offset += count as u64;
    }
    Ok(())
}

fn write_filled(
    destination: &OpenFile,
    alignment: usize,
    filled: &Receiver<Filled>,
    give_back: &Sender<Mapping>,
) -> io::Result<()> {
    for Filled { mut block, count, offset } in filled {
        write_block(destination, &mut block, count, offset, alignment)?;
        // The reader has ended when it takes no block back.
        let _ = give_back.send(block);
    }
    Ok(())
}
