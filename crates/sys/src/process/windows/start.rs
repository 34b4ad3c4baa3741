//! Starting a command so that it is in its job, on its processors, before it does anything.

use std::fs::{File, OpenOptions};
use std::io::{self, IsTerminal, Seek, Write};
use std::os::windows::fs::OpenOptionsExt;
use std::os::windows::io::AsRawHandle;
use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Stdio};

use windows_sys::Win32::Foundation::{HANDLE, NTSTATUS};
use windows_sys::Win32::Storage::FileSystem::{FILE_ATTRIBUTE_TEMPORARY, FILE_FLAG_DELETE_ON_CLOSE};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, SetProcessAffinityMask,
};

use super::job::Job;
use crate::affinity::system::mask_of;
use crate::clock::now_ns;
use crate::process::{Input, Launch, equipped};
use crate::windows::{checked, checked_status, start_patiently};

#[link(name = "ntdll", kind = "raw-dylib")]
unsafe extern "system" {
    /// Resumes all threads of a process. The documented way needs the handle of the first thread, which the
    /// standard library does not give; searching the machine for it takes milliseconds.
    fn NtResumeProcess(process: HANDLE) -> NTSTATUS;
}

/// The command, ready to be started but for its output.
pub(super) fn command(launch: &Launch) -> io::Result<Command> {
    if let Some(directory) = &launch.directory {
        // The system would refuse the start without saying which of the two paths it means.
        if !directory.is_dir() {
            let refused = format!("the directory {} does not exist", directory.display());
            return Err(io::Error::new(io::ErrorKind::NotFound, refused));
        }
    }
    let mut command = equipped(Command::new(&launch.program), launch);
    command.stdin(match &launch.input {
        Input::Null => Stdio::null(),
        Input::Inherit => Stdio::inherit(),
        Input::File(path) => {
            let file = File::open(path);
            file.map_err(|error| crate::failure::named(path, error))?.into()
        }
        Input::Bytes(bytes) => temporary_file(bytes)?.into(),
    });
    // In a group of its own a command does not see the Ctrl-C by which the user stops the program that measures it, and cannot
    // be blamed for an end by it. One that reads from the terminal is what the user talks to.
    let talks = launch.input == Input::Inherit && io::stdin().is_terminal();
    command.creation_flags(CREATE_SUSPENDED | if talks { 0 } else { CREATE_NEW_PROCESS_GROUP });
    Ok(command)
}

/// A file that holds these bytes and is gone as soon as it is closed. Unlike a pipe it takes any number of them before
/// the command starts.
fn temporary_file(bytes: &[u8]) -> io::Result<File> {
    let name = format!("bakeoff-{}-{}.input", std::process::id(), now_ns());
    let path = std::env::temp_dir().join(name);
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create_new(true)
        .attributes(FILE_ATTRIBUTE_TEMPORARY)
        .custom_flags(FILE_FLAG_DELETE_ON_CLOSE)
        .open(&path);
    let mut file = opened.map_err(|error| crate::failure::named(&path, error))?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// Starts the command inside the job.
pub(super) fn spawn(command: &mut Command, launch: &Launch, job: &Job) -> io::Result<Child> {
    let named = |error: io::Error| crate::failure::in_context(launch.program.display(), error);
    let mut child = start_patiently(|| command.spawn()).map_err(named)?;
    let process = child.as_raw_handle();
    let ready = job
        .assign(process)
        .and_then(|()| restrict(process, &launch.processors))
        .and_then(|()| resume(process));
    if let Err(error) = ready {
        // It has done nothing yet, and must not stay behind asleep.
        let _ = child.kill();
        let _ = child.wait();
        return Err(named(error));
    }
    Ok(child)
}

/// What the process starts inherits its processors.
fn restrict(process: HANDLE, processors: &[u32]) -> io::Result<()> {
    if processors.is_empty() {
        return Ok(());
    }
    let mask = mask_of(processors)?;
    // SAFETY: the handle is open; the mask is a number.
    checked(unsafe { SetProcessAffinityMask(process, mask) })
        .map_err(|error| crate::failure::in_context(format_args!("processors {processors:?}"), error))
}

fn resume(process: HANDLE) -> io::Result<()> {
    // SAFETY: the handle is open.
    checked_status(unsafe { NtResumeProcess(process) })
}
