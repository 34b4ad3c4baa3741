//! The launcher's own streams, kept apart from those of the commands.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::windows::io::{
    AsHandle, AsRawHandle, BorrowedHandle, FromRawHandle, IntoRawHandle, OwnedHandle,
};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use windows_sys::Win32::Foundation::{HANDLE_FLAG_INHERIT, HANDLE_FLAGS, SetHandleInformation};
use windows_sys::Win32::System::Console::{
    STD_HANDLE, STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, SetConsoleCtrlHandler, SetStdHandle,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CreateEventW, ResetEvent, SetEvent};

use super::{STREAMS, take_line};
use crate::process::Ended;
use crate::process::system::{Cancel, Hold};
use crate::windows::{checked, opened, start_patiently};

/// Lets the launcher, and whatever else is started until the answer is dropped, inherit this program's standard input and output.
pub(super) fn pass_streams(command: &mut Command) -> io::Result<[OwnedHandle; 2]> {
    let streams = [copy_or_nothing(io::stdin().as_handle())?, copy_or_nothing(io::stdout().as_handle())?];
    for stream in &streams {
        set_inherited(stream, HANDLE_FLAG_INHERIT)?;
    }
    command
        .env(STREAMS, format!("{},{}", streams[0].as_raw_handle().addr(), streams[1].as_raw_handle().addr()));
    Ok(streams)
}

/// Starts the launcher. A new group ignores Ctrl-C from its first moment on; see [`outlive_the_terminal`].
pub(super) fn spawn(command: &mut Command) -> io::Result<Child> {
    start_patiently(|| command.creation_flags(CREATE_NEW_PROCESS_GROUP).spawn())
}

pub(super) fn clear_up(_: &Child) {}

pub(super) fn forget(_: &Child) {}

/// A program without a console may have no streams at all.
fn copy_or_nothing(stream: BorrowedHandle<'_>) -> io::Result<OwnedHandle> {
    match stream.try_clone_to_owned() {
        Ok(copy) if !copy.as_raw_handle().is_null() => Ok(copy),
        _ => nothing(),
    }
}

fn nothing() -> io::Result<OwnedHandle> {
    Ok(OpenOptions::new().read(true).write(true).open("NUL")?.into())
}

fn set_inherited(handle: &OwnedHandle, flag: HANDLE_FLAGS) -> io::Result<()> {
    // SAFETY: the handle is open.
    checked(unsafe { SetHandleInformation(handle.as_raw_handle(), HANDLE_FLAG_INHERIT, flag) })
}

pub(super) struct Control {
    inbox: Arc<Inbox>,
    answers: File,
    hold: Option<Hold>,
}

struct Inbox {
    state: Mutex<State>,
    changed: Condvar,
    /// Set while there is something unread, be it the end.
    event: Arc<OwnedHandle>,
}

#[derive(Default)]
struct State {
    unread: Vec<u8>,
    ended: bool,
}

impl Inbox {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fill(&self, mut requests: File) {
        let mut buffer = [0; 4096];
        loop {
            // A pipe that cannot be read is at its end as far as we are concerned.
            let count = requests.read(&mut buffer).unwrap_or(0);
            let mut state = self.state();
            state.unread.extend_from_slice(&buffer[..count]);
            state.ended = count == 0;
            // SAFETY: the event is open.
            unsafe { SetEvent(self.event.as_raw_handle()) };
            self.changed.notify_all();
            if state.ended {
                return;
            }
        }
    }
}

impl Control {
    /// Takes standard input and output for requests and answers, and puts in their places what commands inherit.
    pub(super) fn take() -> io::Result<Self> {
        let requests = File::from(io::stdin().as_handle().try_clone_to_owned()?);
        let answers = File::from(io::stdout().as_handle().try_clone_to_owned()?);
        let (input, output) = match passed_streams() {
            Some(streams) => streams,
            None => (nothing()?, io::stderr().as_handle().try_clone_to_owned()?),
        };
        stand_in(STD_INPUT_HANDLE, input)?;
        stand_in(STD_OUTPUT_HANDLE, output)?;
        outlive_the_terminal()?;
        // SAFETY: without attributes and name the event is new, and its handle ours alone.
        let event = Arc::new(unsafe { opened(CreateEventW(std::ptr::null(), 1, 0, std::ptr::null())) }?);
        let inbox = Arc::new(Inbox { state: Mutex::default(), changed: Condvar::new(), event });
        std::thread::Builder::new().name("requests".to_owned()).spawn({
            let inbox = Arc::clone(&inbox);
            move || inbox.fill(requests)
        })?;
        Ok(Self { inbox, answers, hold: None })
    }

    /// Nothing outlives this process when it is killed, also what is born and not in its job yet.
    #[expect(clippy::unnecessary_wraps, reason = "the same question can be refused by other systems")]
    pub(super) fn prepare(&mut self) -> io::Result<()> {
        // Systems on which jobs do not nest leave that moment.
        self.hold = Hold::over_this_process().ok();
        Ok(())
    }

    pub(super) fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut state = self.inbox.state();
        let mut searched = 0;
        loop {
            if let Some(line) = take_line(&mut state.unread, &mut searched) {
                if state.unread.is_empty() && !state.ended {
                    // SAFETY: the event is open.
                    checked(unsafe { ResetEvent(self.inbox.event.as_raw_handle()) })?;
                }
                return line.map(Some);
            }
            if state.ended {
                return Ok(None);
            }
            state = self.inbox.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Stops a launch when anything comes after the line read last.
    #[expect(clippy::unnecessary_wraps, reason = "the same question can be refused by other systems")]
    pub(super) fn cancel(&self) -> io::Result<Cancel> {
        Ok(Cancel { event: Arc::clone(&self.inbox.event) })
    }

    /// Returns a launch that ended as this launcher sees it: no Ctrl-C reaches what it starts, from its first moment on.
    pub(super) fn seen(&self, ended: Ended) -> Ended {
        ended
    }

    pub(super) fn answer(&mut self, line: &[u8]) -> io::Result<()> {
        self.answers.write_all(line)
    }
}

/// The handle stays open for as long as the process lives.
fn stand_in(place: STD_HANDLE, stream: OwnedHandle) -> io::Result<()> {
    // SAFETY: the handle is open and given away.
    checked(unsafe { SetStdHandle(place, stream.into_raw_handle()) })
}

fn passed_streams() -> Option<(OwnedHandle, OwnedHandle)> {
    let text = std::env::var(STREAMS).ok()?;
    // SAFETY: on Windows the environment may be changed at any time. A command that is another launcher must not see it.
    unsafe { std::env::remove_var(STREAMS) };
    let (input, output) = text.split_once(',')?;
    let own = |number: &str| -> Option<OwnedHandle> {
        let handle = std::ptr::with_exposed_provenance_mut(number.parse().ok()?);
        // SAFETY: `pass_streams` made this handle for us; nothing else here uses it.
        let handle = unsafe { OwnedHandle::from_raw_handle(handle) };
        match set_inherited(&handle, 0) {
            Ok(()) => Some(handle),
            Err(_) => {
                // Not a handle of ours, so not ours to close.
                let _ = handle.into_raw_handle();
                None
            }
        }
    };
    Some((own(input)?, own(output)?))
}

/// A Ctrl-C reaches every process of the console, and the launcher has to live on to kill what it started. By a handler: commands
/// would ignore an *ignored* Ctrl-C.
fn outlive_the_terminal() -> io::Result<()> {
    unsafe extern "system" fn handled(_: u32) -> i32 {
        1
    }
    // SAFETY: the handler touches nothing, so it may run at any time in any thread.
    checked(unsafe { SetConsoleCtrlHandler(Some(handled), 1) })?;
    // SAFETY: without a handler the call only ends the ignoring.
    checked(unsafe { SetConsoleCtrlHandler(None, 0) })
}
