//! The commands that are launched.

use std::io::{self, Read, Write};
use std::process::{Command, ExitCode, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

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
        "sleep" => sleep(number(1)),
        "spin" => spin(number(1)),
        "meter" => meter(&words[1..]),
        "spin-then-sleep" => spin(number(1)) + sleep(number(2)),
        "fill" => fill(number(1) as usize),
        "orphan" => orphan(&words[1..]),
        "start-then-sleep" => orphan(&words[2..]) + sleep(number(1)),
        "family" => family(&words[1]),
        "family-child" => family_child(&words[1]),
        "abandon" => abandon(&words[1]),
        other => panic!("no part is called {other}"),
    };
    ExitCode::from(code)
}

fn say(text: &str) -> u8 {
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

fn sleep(milliseconds: u64) -> u8 {
    std::thread::sleep(Duration::from_millis(milliseconds));
    0
}

/// Uses so much processor time, however long that takes.
fn spin(milliseconds: u64) -> u8 {
    let used = || sys::usage::of_this_process();
    let deadline = Instant::now() + Duration::from_secs(60);
    while used().user_ns.unwrap_or(0) + used().system_ns.unwrap_or(0) < milliseconds * 1_000_000 {
        assert!(Instant::now() < deadline, "no processor time to be had");
        for value in 0..10_000_u32 {
            std::hint::black_box(value);
        }
    }
    0
}

/// Starts another part, waits for it, and says what that used: processor time and peak memory.
fn meter(words: &[String]) -> u8 {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let mut meter = sys::usage::Meter::open();
    let before = meter.read();
    assert!(myself(&words).status().expect("this program").success());
    let used = sys::usage::difference(&before, &meter.read());
    let busy_ns = used.user_ns.unwrap_or(0) + used.system_ns.unwrap_or(0);
    say(&format!("{busy_ns} {}", meter.peak_memory_bytes().unwrap_or(0)))
}

fn fill(bytes: usize) -> u8 {
    let mut block: Vec<u8> = Vec::new();
    if block.try_reserve_exact(bytes).is_err() {
        return 1;
    }
    block.resize(bytes, 1);
    std::hint::black_box(&block);
    0
}

fn myself(words: &[&str]) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("this program"));
    command.arg("part").args(words).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Starts another part and does not wait for it.
#[expect(clippy::zombie_processes, reason = "that is the point")]
fn orphan(words: &[String]) -> u8 {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    myself(&words).spawn().expect("this program");
    0
}

#[expect(clippy::zombie_processes, reason = "that is the point")]
fn family(token: &str) -> u8 {
    let mut child = myself(&["family-child", token]);
    crate::system::escape(&mut child);
    child.spawn().expect("this program");
    sleep(60_000)
}

#[expect(clippy::zombie_processes, reason = "that is the point")]
fn family_child(token: &str) -> u8 {
    let mut child = myself(&["sleep", "60000", token]);
    crate::system::escape(&mut child);
    child.spawn().expect("this program");
    sleep(60_000)
}

/// Dies in the middle of a launch, without a word to the launcher.
fn abandon(token: &str) -> u8 {
    let token = token.to_owned();
    std::thread::spawn(move || {
        crate::launcher().run(&crate::part(&["family", &token]), &AtomicBool::new(false))
    });
    sleep(500);
    std::process::exit(0)
}
