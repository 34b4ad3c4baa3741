//! Past the file cache, one thread reading while the other writes.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use sys::thread_scope::scope;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::copy::past_cache::{BLOCK_BYTES, PastCache};
use crate::copy::workload::one_file_only;
use crate::files::{Mapping, no_thread, probe_direct};

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<CopyJob> = Technique {
    name: "direct_double_buffered",
    idea: "as direct, with a reading and a writing thread and two blocks of 1 MiB between them",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    calls: &["open O_DIRECT|openat O_DIRECT", "clone3|clone", "pread64", "pwrite64"],
    needs: "a file system that reads and writes past the file cache",
    probe: |_, setting| probe_direct(setting, 1, copy),
    suits: |workload| one_file_only(workload, "past the cache, every small one would wait for the device"),
    ..Technique::usual(|job| job.done_by(copy))
};

/// A block with the number of bytes in it and their offset in the file.
struct Filled {
    block: Mapping,
    count: usize,
    offset: u64,
}

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let files = PastCache::open(job, false)?;
    scope(|scope| {
        let (give_back, empty) = channel();
        let (hand_over, filled) = channel();
        for _ in 0..files.bytes.div_ceil(BLOCK_BYTES as u64).min(2) {
            // The receiver lives in this scope: a block can always be sent.
            let _ = give_back.send(files.block()?);
        }
        let from = &files;
        let named = thread::Builder::new().name("reader".into());
        let reading = scope.spawn(named, move || read_all(from, &empty, &hand_over)).map_err(no_thread)?;
        let written = write_filled(&files, &filled, &give_back);
        // Without this the reader would wait for a block for ever after a write that failed.
        drop((filled, give_back));
        let read = reading.join();
        written.and(read)
    })?;
    files.finish(job.durable)
}

fn read_all(files: &PastCache, empty: &Receiver<Mapping>, hand_over: &Sender<Filled>) -> io::Result<()> {
    let mut offset = 0;
    while offset < files.bytes {
        // The other end is gone when writing failed: that error is the one to report.
        let Ok(mut block) = empty.recv() else { return Ok(()) };
        let count = files.read(&mut block, offset)?;
        if hand_over.send(Filled { block, count, offset }).is_err() {
            return Ok(());
        }
        offset += count as u64;
    }
    Ok(())
}

fn write_filled(files: &PastCache, filled: &Receiver<Filled>, give_back: &Sender<Mapping>) -> io::Result<()> {
    for Filled { mut block, count, offset } in filled {
        files.write(&mut block, count, offset)?;
        // The reader has ended when it takes no block back.
        let _ = give_back.send(block);
    }
    Ok(())
}
