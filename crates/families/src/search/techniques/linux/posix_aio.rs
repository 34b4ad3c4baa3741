use std::os::fd::{AsFd, AsRawFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use libc::{aiocb, sigval};

use crate::files::{
    AioRoutine, AioTransfer, Mapping, OpenFile, answer_of, has_ended, idle_request, start_request,
};
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::stitch::Stitch;

pub(in crate::search) const POSIX_AIO: Technique<SearchJob> = Technique {
    name: "posix_aio",
    idea: "aio_read with SIGEV_THREAD: 128 KiB are read while the 128 KiB before are searched, a new thread reports the end of each read",
    source: "aio(7); sigevent(3type), SIGEV_THREAD",
    calls: &["clone3|clone", "pread64"],
    ..Technique::usual(|job| job.done_by(search))
};

const PIECE_BYTES: usize = 128 << 10;
/// After this, the library is asked whether a read has ended.
const PATIENCE: Duration = Duration::from_millis(100);
/// One is searched while the other is read.
const PIECES: usize = 2;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let mut reader = Reader::new(job.piece_bytes(PIECE_BYTES))?;
    let mut stitch = Stitch::default();
    for path in job.files()? {
        let prefix = prefix_of(&path);
        let mut lines = |lines: &[u8]| answer.add_lines(&kernel, lines, &prefix);
        reader.read_whole(&path, |piece| stitch.add(piece, &mut lines))?;
        stitch.end(&mut lines)?;
    }
    answer.finish(job.durable)
}

/// Says that a read has ended. The waiting and the reporting thread share it: either may be the last.
#[derive(Default)]
struct Ended {
    flag: Mutex<bool>,
    changed: Condvar,
}

impl Ended {
    fn flag(&self) -> MutexGuard<'_, bool> {
        self.flag.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Called on a new thread of the C library when a read has ended.
extern "C" fn report_end(value: sigval) {
    // SAFETY: the value was made by `Arc::into_raw` for this call, which is the only one.
    let ended = unsafe { Arc::from_raw(value.sival_ptr.cast_const().cast::<Ended>()) };
    *ended.flag() = true;
    ended.changed.notify_one();
}

struct Request {
    control: Box<aiocb>,
    ended: Arc<Ended>,
    in_flight: bool,
}

struct Reader {
    requests: [Request; PIECES],
    memory: Mapping,
    piece_bytes: usize,
}

impl Reader {
    fn new(piece_bytes: usize) -> io::Result<Self> {
        let request =
            |_| Request { control: Box::new(idle_request()), ended: Arc::default(), in_flight: false };
        let memory = Mapping::buffer(PIECES * piece_bytes)?;
        Ok(Self { requests: [0, 1].map(request), memory, piece_bytes })
    }

    /// Hands the pieces of a file to `piece`, each while the next is read. A short read is the end.
    fn read_whole(&mut self, path: &Path, mut piece: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
        let file = OpenFile::open(path)?;
        let mut offset = 0;
        self.start(&file, 0, offset)?;
        let (mut own, mut other) = (0, 1);
        loop {
            let count = self.wait(own).map_err(file.at("read"))?;
            offset += count as u64;
            let has_ended = count < self.piece_bytes;
            if !has_ended {
                self.start(&file, other, offset)?;
            }
            let searched = piece(&self.memory[own * self.piece_bytes..][..count]);
            if searched.is_err() && !has_ended {
                // The file is closed behind this, and must not be while it is read.
                let _ = self.wait(other);
            }
            searched?;
            if has_ended {
                return Ok(());
            }
            (own, other) = (other, own);
        }
    }

    fn start(&mut self, file: &OpenFile, nth: usize, offset: u64) -> io::Result<()> {
        let request = &mut self.requests[nth];
        request.ended = Arc::default();
        let argument = Arc::into_raw(Arc::clone(&request.ended));
        let transfer = AioTransfer {
            is_write: false,
            file: file.as_fd().as_raw_fd(),
            memory: self.memory.address_of(nth * self.piece_bytes),
            bytes: self.piece_bytes,
            offset,
        };
        let routine = AioRoutine { function: report_end, argument: argument.cast_mut().cast() };
        // SAFETY: not in flight. Request, memory and open file stay until it has ended: at the latest `drop` waits for that.
        let started = unsafe { start_request(&raw mut *request.control, transfer, Some(routine)) };
        if let Err(refused) = started {
            // SAFETY: it was made above, and a read that was not started has no end to be reported.
            drop(unsafe { Arc::from_raw(argument) });
            return Err(file.at("aio_read")(refused));
        }
        request.in_flight = true;
        Ok(())
    }

    fn wait(&mut self, nth: usize) -> io::Result<usize> {
        let request = &mut self.requests[nth];
        let control = &raw mut *request.control;
        let mut flag = request.ended.flag();
        while !*flag {
            let waited = request.ended.changed.wait_timeout(flag, PATIENCE);
            flag = waited.unwrap_or_else(PoisonError::into_inner).0;
            // SAFETY: the request was started. Where no thread can be had, its end is written down but never reported.
            if unsafe { has_ended(control) } {
                break;
            }
        }
        drop(flag);
        request.in_flight = false;
        // SAFETY: the request was started and has ended, and is asked for its answer once.
        unsafe { answer_of(control) }
    }
}

impl Drop for Reader {
    /// Waits: the library may write into the memory until a read has ended.
    fn drop(&mut self) {
        for nth in 0..PIECES {
            if self.requests[nth].in_flight {
                let _ = self.wait(nth);
            }
        }
    }
}
