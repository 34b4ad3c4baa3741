//! What a command prints, read by a thread a stream.

use std::fs::{File, OpenOptions};
use std::io::{self, PipeReader, Read};
use std::os::windows::fs::{MetadataExt, OpenOptionsExt};
use std::os::windows::io::{AsRawHandle, OwnedHandle};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_REPARSE_POINT, FILE_FLAG_OPEN_REPARSE_POINT};
use windows_sys::Win32::System::IO::CancelSynchronousIo;
use windows_sys::Win32::System::Pipes::PeekNamedPipe;

use crate::process::Output;

/// How often a pipe that a process still writes to is looked at before it is given up.
const LOOKS: u32 = 100;

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
            let (stderr, stderr_writer) = io::pipe()?;
            let file = output_file(path).map_err(|error| crate::failure::named(path, error))?;
            command.stdout(file).stderr(stderr_writer);
            return Ok(vec![Stream::new(stderr, *limit_bytes)?]);
        }
        Output::Capture { limit_bytes } => *limit_bytes,
    };
    let (stdout, stdout_writer) = io::pipe()?;
    let (stderr, stderr_writer) = io::pipe()?;
    command.stdout(stdout_writer).stderr(stderr_writer);
    Ok(vec![Stream::new(stdout, room)?, Stream::new(stderr, room)?])
}

/// Opens the file that shall hold what a command prints: not through a link, which could lead to a file of another's. It is
/// made empty only once it is seen what it is.
fn output_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false).custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    let file = options.open(path)?;
    refuse_link(file.metadata()?.file_attributes())?;
    file.set_len(0)?;
    Ok(file)
}

fn refuse_link(attributes: u32) -> io::Result<()> {
    match attributes & FILE_ATTRIBUTE_REPARSE_POINT {
        0 => Ok(()),
        _ => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a link; a file of its own is needed")),
    }
}

impl Stream {
    fn new(pipe: PipeReader, room: u64) -> io::Result<Self> {
        let pipe = OwnedHandle::from(pipe);
        let read_end = File::from(pipe.try_clone()?);
        let reader = thread::Builder::new().name("output".to_owned()).spawn(move || read(read_end, room))?;
        Ok(Self { pipe, reader })
    }

    /// Returns what was kept. With `left_open` a process may hold the pipe open for ever: then only what stands in it now is read.
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::windows::fs::symlink_file;

    use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_ARCHIVE, FILE_ATTRIBUTE_NORMAL};

    use super::*;

    /// Links are made for developers and administrators only, and by Wine 8 for none: it says that it made one, and there is
    /// none. There the two other tests are what shows it.
    fn make_link(target: &Path, link: &Path) -> Result<(), String> {
        symlink_file(target, link).map_err(|error| format!("no link can be made here: {error}"))?;
        match (link.symlink_metadata(), crate::windows::wine_version()) {
            (Ok(_), _) => Ok(()),
            (Err(_), Some(wine)) => Err(format!("Wine {wine} makes no links")),
            (Err(error), None) => Err(format!("a link that was made is not there: {error}")),
        }
    }

    #[test]
    fn an_output_that_is_a_link_is_refused_and_its_target_stays() {
        let folder = tempfile::tempdir().expect("a folder");
        let (target, link) = (folder.path().join("target"), folder.path().join("link"));
        fs::write(&target, "kept").expect("written");
        if !needs::are_met(make_link(&target, &link)) {
            return;
        }
        let refused = output_file(&link).expect_err("no file of its own").to_string();
        assert!(refused.contains("link"), "{refused}");
        assert_eq!(fs::read_to_string(&target).expect("a text"), "kept");
    }

    #[test]
    fn a_reparse_point_is_a_link_whatever_else_it_is() {
        for plain in [FILE_ATTRIBUTE_NORMAL, FILE_ATTRIBUTE_ARCHIVE] {
            refuse_link(plain).expect("a file");
            refuse_link(plain | FILE_ATTRIBUTE_REPARSE_POINT).expect_err("a link");
        }
    }

    #[test]
    fn an_output_is_made_or_made_empty_and_a_folder_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("output");
        for _ in 0..2 {
            drop(output_file(&path).expect("an output"));
            assert_eq!(fs::read(&path).expect("readable"), b"");
            fs::write(&path, "what an earlier command left").expect("written");
        }
        output_file(folder.path()).expect_err("a folder");
    }
}
