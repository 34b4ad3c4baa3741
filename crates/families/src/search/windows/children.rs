//! Processes that each search one file and answer into a file of their own, as grepMP's did.

use std::fs::{self, File};
use std::io;
use std::os::windows::io::AsRawHandle;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use sys::process::start_patiently;
use windows_sys::Win32::Foundation::{HANDLE, WAIT_FAILED, WAIT_OBJECT_0};
use windows_sys::Win32::System::Threading::{INFINITE, WaitForMultipleObjects};

use crate::files::at;
use crate::search::job::SearchJob;
use crate::search::output::OrderedAnswer;
use crate::search::part::{checked, command_for, not_started, this_program};

/// No call waits for more (`MAXIMUM_WAIT_OBJECTS`).
const GROUP: usize = 64;

pub(in crate::search) fn search_in_children(job: &SearchJob, at_once: usize) -> io::Result<usize> {
    let program = this_program()?;
    let answer = OrderedAnswer::create(&job.answer)?;
    let files = job.files()?;
    let beside = job.answer.parent().unwrap_or(Path::new("."));
    let folder = tempfile::Builder::new()
        .prefix("answers-")
        .tempdir_in(beside)
        .map_err(at("create a folder in", beside))?;
    let mut running: Vec<Running> = Vec::new();
    let mut started = 0;
    loop {
        while running.len() < at_once && started < files.len() {
            let out = folder.path().join(started.to_string());
            running.push(Running::start(job, &program, &files[started], started, files.len(), out)?);
            started += 1;
        }
        if running.is_empty() {
            answer.finish(job.durable)?;
            return Ok(files.len());
        }
        let ended = running.remove(one_that_ended(&running)?);
        let nth = ended.file;
        let mut text = ended.end(&files[nth])?;
        answer.hand_in(nth, &mut text)?;
    }
}

struct Running {
    file: usize,
    child: Child,
    out: PathBuf,
}

impl Running {
    fn start(
        job: &SearchJob, program: &Path, path: &Path, file: usize, count: usize, out: PathBuf,
    ) -> io::Result<Self> {
        let taken = File::create_new(&out).map_err(at("create", &out))?;
        let mut command = command_for(job, program, path, Stdio::from(taken));
        let child =
            start_patiently(|| command.spawn()).map_err(|error| not_started(file + 1, count, &error))?;
        Ok(Self { file, child, out })
    }

    fn end(mut self, path: &Path) -> io::Result<Vec<u8>> {
        let status = self.child.wait()?;
        let text = fs::read(&self.out).map_err(at("read", &self.out))?;
        fs::remove_file(&self.out).map_err(at("remove", &self.out))?;
        checked(status, path, &text)?;
        Ok(text)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn one_that_ended(running: &[Running]) -> io::Result<usize> {
    let handles: Vec<HANDLE> =
        running.iter().take(GROUP).map(|one| one.child.as_raw_handle().cast()).collect();
    // SAFETY: the handles are open, as many as announced, and stay so through the call.
    let answer = unsafe { WaitForMultipleObjects(handles.len() as u32, handles.as_ptr(), 0, INFINITE) };
    match answer {
        WAIT_FAILED => Err(io::Error::last_os_error()),
        nth => Ok((nth - WAIT_OBJECT_0) as usize),
    }
}
