//! The commands that are launched.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

use sys::process::Launch;

use crate::{PATIENCE, wait_until};

/// Plays the part named by the first word. Further words that the part does not know only serve to find it.
pub(crate) fn play(words: &[String]) -> ExitCode {
    let number = |place: usize| -> u64 { words[place].parse().expect("a number") };
    let code = match words[0].as_str() {
        "launcher" => {
            sys::process::supervisor::serve().expect("a well-behaved harness");
            0
        }
        "exit" => number(1) as u8,
        "exit-with" => std::process::exit(number(1) as u32 as i32),
        "print" => print(number(1) as usize),
        "repeat-input" => repeat_input(),
        "surroundings" => surroundings(),
        "processors" => say(&format!("{:?}", sys::affinity::allowed())),
        "sleep" => sleep(),
        "mark-then-sleep" => mark(&words[1]) + sleep(),
        "spin" => spin(number(1)),
        "await-then-spin" => wait_for(&words[1]) + spin(number(2)),
        "spin-mark-await" => spin(number(1)) + mark(&words[2]) + wait_for(&words[3]),
        "meter" => meter(&words[1..]),
        "fill" => fill(number(1) as usize),
        "orphan" => orphan(&words[1..]),
        "orphan-then-await" => orphan(&words[2..]) + wait_for(&words[1]),
        "mark-then-outlive" => mark(&words[1]) + outlive(&[&words[2][..], &words[3]].concat()),
        "family" => escaped(&["family-child", &words[1], &words[2]]),
        "family-child" => escaped(&["mark-then-sleep", &words[2], &words[1]]),
        "abandon" => abandon(&words[1], &words[2]),
        other => crate::system::play(other, words),
    };
    ExitCode::from(code)
}

pub(crate) fn say(text: &str) -> u8 {
    io::stdout().write_all(text.as_bytes()).expect("standard output");
    0
}

fn print(bytes: usize) -> u8 {
    let errors = std::thread::spawn(move || io::stderr().write_all(&vec![b'e'; bytes]));
    io::stdout().write_all(&vec![b'o'; bytes]).expect("standard output");
    errors.join().expect("the thread").expect("standard error");
    0
}

fn repeat_input() -> u8 {
    let mut bytes = Vec::new();
    io::stdin().read_to_end(&mut bytes).expect("standard input");
    io::stdout().write_all(&bytes).expect("standard output");
    0
}

fn surroundings() -> u8 {
    let word = std::env::var("SYS_WORD").expect("the variable");
    say(&format!("{word}\n{}\n", std::env::current_dir().expect("a directory").display()))
}

pub(crate) fn sleep() -> u8 {
    std::thread::sleep(PATIENCE);
    1
}

/// Makes a file that shows others that it has come so far.
pub(crate) fn mark(path: &str) -> u8 {
    fs::write(path, "").expect("a place for the mark");
    0
}

fn wait_for(path: &str) -> u8 {
    wait_until(path, || Path::new(path).exists());
    0
}

fn outlive(token: &str) -> u8 {
    let start = Instant::now();
    while crate::system::running(token) > 0 {
        assert!(start.elapsed() < PATIENCE, "it does not end");
        // Looking takes processor time, which is counted.
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    0
}

fn spin(milliseconds: u64) -> u8 {
    let deadline = Instant::now() + PATIENCE;
    while sys::usage::of_this_process().cpu_ns().unwrap_or(0) < milliseconds * 1_000_000 {
        assert!(Instant::now() < deadline, "no processor time to be had");
        for value in 0..10_000_u32 {
            std::hint::black_box(value);
        }
    }
    0
}

/// Starts another part, waits for it, and says what that used: processor time and peak memory.
fn meter(words: &[String]) -> u8 {
    let mut meter = sys::usage::Meter::open();
    let before = meter.read();
    assert!(myself(words).status().expect("this program").success());
    let used = sys::usage::difference(&before, &meter.read());
    say(&format!("{} {}", used.cpu_ns().unwrap_or(0), meter.peak_memory_bytes().unwrap_or(0)))
}

fn fill(bytes: usize) -> u8 {
    let mut block: Vec<u8> = Vec::new();
    let reserved = block.try_reserve_exact(bytes);
    if reserved.is_ok() {
        block.resize(bytes, 1);
        std::hint::black_box(&block);
    }
    u8::from(reserved.is_err())
}

pub(crate) fn myself<W: AsRef<OsStr>>(words: &[W]) -> Command {
    let mut command = Command::new(crate::this_program());
    command.arg("part").args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

#[expect(clippy::zombie_processes, reason = "that is the point")]
pub(crate) fn orphan(words: &[String]) -> u8 {
    myself(words).spawn().expect("this program");
    0
}

/// Starts another part in a session of its own, and does nothing until it is killed.
#[expect(clippy::zombie_processes, reason = "that is the point")]
fn escaped(words: &[&str]) -> u8 {
    let mut child = myself(words);
    crate::system::escape(&mut child);
    child.spawn().expect("this program");
    sleep()
}

/// Dies in the middle of a launch, without a word to the launcher.
fn abandon(token: &str, path: &str) -> u8 {
    launch_in_the_background(token, path);
    std::process::exit(0)
}

pub(crate) fn launch_in_the_background(token: &str, path: &str) {
    // Where the host has groups, what is killed leaves one as well.
    let group_memory_bytes = sys::memory_group::available().ok().map(|_| 256 << 20);
    let launch = Launch { group_memory_bytes, ..crate::part(&["family", token, path]) };
    std::thread::spawn(move || crate::launcher().run(&launch, &crate::GO));
    wait_for(path);
}
