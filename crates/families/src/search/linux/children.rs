//! Processes that each search one file and answer through a pipe.

use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;
use std::process::{Child, ChildStdout, Stdio};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::retry_on_intr;

use crate::search::job::SearchJob;
use crate::search::output::OrderedAnswer;
use crate::search::part::{checked, command_for, not_started, this_program};

const READ_BYTES: usize = 64 << 10;

/// Searches every file in a process of its own, `at_once` at a time; returns the number of files.
pub(in crate::search) fn search_in_children(job: &SearchJob, at_once: usize) -> io::Result<usize> {
    let program = this_program()?;
    let answer = OrderedAnswer::create(&job.answer)?;
    let files = job.files()?;
    let mut buffer = vec![0; READ_BYTES];
    let mut running: Vec<Running> = Vec::with_capacity(at_once);
    let mut started = 0;
    loop {
        while running.len() < at_once && started < files.len() {
            running.push(Running::start(job, &program, &files[started], started, files.len())?);
            started += 1;
        }
        if running.is_empty() {
            answer.finish(job.durable)?;
            return Ok(files.len());
        }
        for nth in ready(&running)?.into_iter().rev() {
            if running[nth].read(&mut buffer)? {
                let (file, mut text) = running.swap_remove(nth).end(&files)?;
                answer.hand_in(file, &mut text)?;
            }
        }
    }
}

struct Running {
    file: usize,
    child: Child,
    pipe: ChildStdout,
    text: Vec<u8>,
}

impl Running {
    fn start(job: &SearchJob, program: &Path, path: &Path, file: usize, count: usize) -> io::Result<Self> {
        let mut child = command_for(job, program, path, Stdio::piped())
            .spawn()
            .map_err(|error| not_started(file + 1, count, &error))?;
        let pipe = child.stdout.take().expect("its output is a pipe");
        Ok(Self { file, child, pipe, text: Vec::new() })
    }

    /// Takes what the pipe holds; returns true when there will be no more.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<bool> {
        let count = match self.pipe.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Ok(false),
            read => read?,
        };
        self.text.extend_from_slice(&buffer[..count]);
        Ok(count == 0)
    }

    /// Waits for the end of the process; returns the number of its file, and its result.
    fn end(mut self, files: &[impl AsRef<Path>]) -> io::Result<(usize, Vec<u8>)> {
        let status = self.child.wait()?;
        checked(status, files[self.file].as_ref(), &self.text)?;
        Ok((self.file, std::mem::take(&mut self.text)))
    }
}

impl Drop for Running {
    /// Leaves no process behind. One that has been waited for is not killed.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ready(running: &[Running]) -> io::Result<Vec<usize>> {
    let pipes: Vec<BorrowedFd<'_>> = running.iter().map(|one| one.pipe.as_fd()).collect();
    let mut asked: Vec<PollFd<'_>> =
        pipes.iter().map(|pipe| PollFd::from_borrowed_fd(*pipe, PollFlags::IN)).collect();
    retry_on_intr(|| poll(&mut asked, None))?;
    let said = asked.iter().enumerate().filter(|(_, pipe)| !pipe.revents().is_empty());
    Ok(said.map(|(nth, _)| nth).collect())
}
