//! What a command prints, read by a thread a stream.

use std::fs::File;
use std::io::{self, PipeReader, Read};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use windows_sys::Win32::System::IO::CancelSynchronousIo;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use crate::process::Output;

/// How often a pipe that a process still writes to is looked at before it is given up.
const LOOKS: u32 = 100;

/// One of a command's two output streams.
pub(super) struct Stream {
    pipe: OwnedHandle,
    reader: JoinHandle<Vec<u8>>,
}

/// Connects the command's outputs; what has to be read is read from now on. The last stream is standard error.
pub(super) fn connect(command: &mut Command, output: &Output) -> io::Result<Vec<Stream>> {
    let room = match output {
        Output::Inherit => {
            command.stdout(Stdio::inherit()).stderr(Stdio::inherit());
            return Ok(Vec::new());
        }
        Output::File { path, limit_bytes } => {
            let named = |error: io::Error| crate::failure::in_context(path.display(), error);
            let (stderr, stderr_writer) = io::pipe()?;
            command.stdout(File::create(path).map_err(named)?).stderr(stderr_writer);
            return Ok(vec![Stream::new(stderr, *limit_bytes)?]);
        }
        Output::Capture { limit_bytes } => *limit_bytes,
        Output::Drain => 0,
    };
    let (stdout, stdout_writer) = io::pipe()?;
    let (stderr, stderr_writer) = io::pipe()?;
    command.stdout(stdout_writer).stderr(stderr_writer);
    Ok(vec![Stream::new(stdout, room)?, Stream::new(stderr, room)?])
}

impl Stream {
    fn new(pipe: PipeReader, room: u64) -> io::Result<Self> {
        let pipe = OwnedHandle::from(pipe);
        let read_end = File::from(pipe.try_clone()?);
        let reader = thread::Builder::new().name("output".to_owned()).spawn(move || read(read_end, room))?;
        Ok(Self { pipe, reader })
    }

    /// What was kept. With `left_open` a process outlives the command and may hold the pipe open for ever: then only
    /// what stands in it now is read.
    pub(super) fn finish(self, left_open: bool) -> Vec<u8> {
        let mut looks = 0;
        while left_open && !self.reader.is_finished() {
            looks += 1;
            if looks > LOOKS || self.is_empty() {
                // SAFETY: the handle is that of the thread, which is joined below and so still exists.
                unsafe { CancelSynchronousIo(self.reader.as_raw_handle()) };
            }
            thread::sleep(Duration::from_millis(1));
        }
        self.reader.join().unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        let mut waiting = 0;
        let none = std::ptr::null_mut();
        // SAFETY: the handle is open, the place is valid for the answer, and nothing is read.
        let answer = unsafe {
            PeekNamedPipe(
                self.pipe.as_raw_handle(),
                none,
                0,
                std::ptr::null_mut(),
                &raw mut waiting,
                std::ptr::null_mut(),
            )
        };
        answer == 0 || waiting == 0
    }
}

/// Reads until the end, or until the reading is cancelled; keeps the first `room` bytes.
fn read(mut pipe: File, room: u64) -> Vec<u8> {
    let mut kept = Vec::new();
    let mut buffer = vec![0; 1 << 16];
    while let Ok(count @ 1..) = pipe.read(&mut buffer) {
        let left = usize::try_from(room).unwrap_or(usize::MAX) - kept.len();
        kept.extend_from_slice(&buffer[..count.min(left)]);
    }
    kept
}
