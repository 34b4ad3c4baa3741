//! Waits for the moment, and sends the signals.

use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use rustix::process::{Pid, Signal, kill_process_group};

use super::draw::{Kill, Moment, Target};
use super::processes;

/// How often one looks for what comes within milliseconds.
const SHORT: Duration = Duration::from_micros(500);
/// How often one looks whether a process has ended, and how many times at the most. Looks are counted and not time: a
/// machine that stands still for a while must not make a process late.
const PAUSE: Duration = Duration::from_millis(10);
const LOOKS: u32 = 6000;

/// Sends the signals of a kill at its moment. Returns whether one reached whom it was meant for: the program may be over before, or
/// that process never was.
pub(super) fn strike(kill: &Kill, program: &mut Child, mark: &str, start: Instant) -> Result<bool> {
    match kill.moment {
        Moment::After(time) => {
            while let Some(left) = time.checked_sub(start.elapsed()) {
                if program.try_wait()?.is_some() {
                    return Ok(false);
                }
                thread::sleep(left.min(PAUSE));
            }
        }
        Moment::Between { ended, delay } => {
            if !wait_for_workers(program, ended)? {
                return Ok(false);
            }
            thread::sleep(delay);
        }
    }
    let mut is_hit = false;
    for (nth, signal) in kill.signals.iter().enumerate() {
        if nth > 0 {
            thread::sleep(kill.gap);
        }
        let find = match kill.target {
            Target::Coordinator => Some,
            Target::Supervisor => processes::supervisor,
            Target::Guard => processes::guard,
            Target::Worker => processes::worker,
            Target::Terminal => {
                // Not waited for yet, so the number is still that of this process.
                is_hit |= program.try_wait()?.is_none()
                    && kill_process_group(Pid::from_child(program), *signal).is_ok();
                continue;
            }
        };
        is_hit |= until_there(program, mark, *signal, find)?;
    }
    Ok(is_hit)
}

/// Sends a signal to a process as soon as there is one; false when the program has ended.
fn until_there(
    program: &mut Child,
    mark: &str,
    signal: Signal,
    find: fn(i32) -> Option<i32>,
) -> Result<bool> {
    while program.try_wait()?.is_none() {
        if find(program.id() as i32).is_some_and(|id| processes::signal(id, mark, signal)) {
            return Ok(true);
        }
        thread::sleep(SHORT);
    }
    Ok(false)
}

/// Waits until this many workers have ended; false when the program ended before.
fn wait_for_workers(program: &mut Child, wanted: u32) -> Result<bool> {
    let coordinator = program.id() as i32;
    let (mut ended, mut last) = (0, None);
    while ended < wanted {
        if program.try_wait()?.is_some() {
            return Ok(false);
        }
        let now = processes::worker(coordinator);
        if last.is_some() && now != last {
            ended += 1;
        }
        last = now;
        thread::sleep(SHORT);
    }
    Ok(true)
}

/// Waits until a program has ended; `None` when it does not.
pub(super) fn end_of(program: &mut Child) -> Result<Option<ExitStatus>> {
    for _ in 0..LOOKS {
        if let Some(status) = program.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}

/// Looks so often until nothing is left, or gives what is left.
pub(super) fn settled<T>(looks: u32, mut left: impl FnMut() -> Vec<T>) -> Vec<T> {
    for _ in 1..looks {
        if left().is_empty() {
            return Vec::new();
        }
        thread::sleep(PAUSE);
    }
    left()
}
