//! A program that runs next to its test and can be interrupted as from its console.

use std::os::windows::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc;
use std::thread::spawn;

use crate::sandbox::{PATIENCE, Sandbox, with_time};

/// The program gets a hidden console.
const CREATE_NO_WINDOW: u32 = 0x0800_0000;

/// Names the process at whose console [`the_key`] is pressed.
const WHOSE: &str = "BAKEOFF_PRESS_CTRL_C_AT";

/// A bakeoff that runs next to its test, in a console of its own.
pub(crate) struct Beside {
    child: Child,
}

impl Beside {
    pub(crate) fn start(sandbox: &Sandbox, arguments: &[&str]) -> Self {
        let mut command = Command::new(crate::program());
        command.envs(sandbox.variables()).arg("--store").arg(sandbox.store()).args(with_time(arguments));
        command.creation_flags(CREATE_NO_WINDOW);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Self { child: command.spawn().expect("the program starts") }
    }

    /// Presses Ctrl-C. A process can be at one console only, so this is another one's business.
    pub(crate) fn press_ctrl_c(&self) {
        let mut key = Command::new(std::env::current_exe().expect("this program"));
        key.args(["--exact", "windows::processes::the_key", "--ignored"]);
        key.env(WHOSE, self.child.id().to_string()).stdin(Stdio::null());
        let pressed = key.output().expect("this program");
        assert!(pressed.status.success(), "{}", String::from_utf8_lossy(&pressed.stdout));
    }

    /// Waits for its end.
    pub(crate) fn end(self) -> Output {
        let id = self.child.id();
        let (sender, receiver) = mpsc::channel();
        spawn(move || sender.send(self.child.wait_with_output()));
        let output = receiver.recv_timeout(PATIENCE);
        output.unwrap_or_else(|_| panic!("process {id} does not end")).expect("an output")
    }
}

/// Not a test: what [`Beside::press_ctrl_c`] starts.
#[test]
#[ignore = "a part that another test starts"]
fn the_key() {
    let Ok(whose) = std::env::var(WHOSE) else { return };
    sys::windows::press_ctrl_c(whose.parse().expect("a number")).expect("a process with a console");
}
