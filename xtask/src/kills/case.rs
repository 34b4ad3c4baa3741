//! One kill from its start to the judgement: signals, what is lost or left, and whether the program starts again.

use std::fs::File;
use std::io::{Read, Seek};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use rustix::process::{Pid, Signal, kill_process_group};

use super::draw::{Kill, Moment, Target};
use super::place::Place;
use super::processes;
use super::rounds::{self, Rounds};

#[derive(Debug)]
pub(super) struct Outcome {
    /// True if a signal reached a process.
    pub(super) is_hit: bool,
    /// Rounds that were seen in the store before the kill.
    pub(super) rounds: usize,
    pub(super) problems: Vec<String>,
    /// Its folders, when they are to be kept.
    pub(super) kept: Option<PathBuf>,
}

/// The part that all kills share.
#[derive(Debug)]
pub(super) struct Means {
    pub(super) binary: PathBuf,
    /// A store with one whole run.
    pub(super) store: PathBuf,
    /// True if control groups can be made here.
    pub(super) with_groups: bool,
    /// True if the folders of failed kills stay.
    pub(super) keep: bool,
    /// Number of looks, 10 ms apart, for what was killed.
    pub(super) looks: u32,
}

pub(super) fn carry_out(kill: &Kill, seed: u64, means: &Means) -> Result<Outcome> {
    let mark = format!("{}-{seed}-{}", std::process::id(), kill.number);
    let place = Place::new(&mark, means.with_groups)?;
    if kill.keeps_a_run {
        place.take_store(&means.store)?;
    }
    let mut case = Case { kill, place, binary: &means.binary, problems: Vec::new() };
    let (is_hit, seen) = case.kill()?;
    let mut known = case.store_holds("before the kill", &seen, "after it");
    if let Some(delay) = kill.again {
        case.kill_the_next_start(delay)?;
        known = case.store_holds("after the kill", &known, "after the second one");
    }
    case.start_again()?;
    case.store_holds("after the kill", &known, "after the next start");
    case.look_for_what_is_left(means.looks);
    case.place.end_processes();
    settled(means.looks, || case.place.processes());
    let Case { problems, place, .. } = case;
    let kept = (means.keep && !problems.is_empty()).then(|| place.keep());
    Ok(Outcome { is_hit, rounds: seen.count(), problems, kept })
}

struct Case<'a> {
    kill: &'a Kill,
    place: Place,
    binary: &'a Path,
    problems: Vec<String>,
}

impl Case<'_> {
    fn kill(&mut self) -> Result<(bool, Rounds)> {
        let kill = self.kill;
        let words = kill.scenario.words(&self.place.path("work"), &self.place.file(), kill.seed);
        let start = Instant::now();
        let (mut program, said) = self.start(&words)?;
        let (store, stop) = (self.place.store(), AtomicBool::new(false));
        let mark = self.place.mark();
        let (struck, seen) = thread::scope(|scope| {
            let watcher = scope.spawn(|| rounds::watch(&store, &stop));
            let struck = strike(kill, &mut program, mark, start);
            stop.store(true, Ordering::Relaxed);
            (struck, watcher.join())
        });
        let seen = seen.map_err(|_| anyhow::anyhow!("the thread that reads the store ended early"))?;
        let status = self.end(&mut program, "the program does not end after the signal")?;
        if let Some(status) = status {
            self.judge_the_end(status, &text(said)?);
        }
        Ok((struck?, seen))
    }

    /// Starts the program, and returns it with the file of its two streams.
    fn start(&self, words: &[String]) -> Result<(Child, File)> {
        let said = tempfile::tempfile()?;
        let mut command = self.place.command(self.binary, words);
        let program = command.stdout(said.try_clone()?).stderr(said.try_clone()?).spawn();
        let program = program.with_context(|| format!("{} cannot be started", self.binary.display()))?;
        Ok((program, said))
    }

    /// Waits for the end of the program; when it does not come, that is a problem, and the program is killed.
    fn end(&mut self, program: &mut Child, problem: &str) -> Result<Option<ExitStatus>> {
        let status = end_of(program)?;
        if status.is_none() {
            self.problems.push(problem.to_owned());
            program.kill()?;
            program.wait()?;
        }
        Ok(status)
    }

    fn judge_the_end(&mut self, status: ExitStatus, said: &str) {
        if said.contains("panicked at") {
            self.problems.push(format!("a panic: {}", last_lines(said)));
        }
        let is_hit = matches!(self.kill.target, Target::Coordinator | Target::Terminal);
        let signals = self.kill.signals.iter().map(|signal| signal.as_raw());
        let is_expected = match (status.code(), status.signal()) {
            (Some(0..=2 | 130), _) => true,
            (_, Some(number)) => is_hit && signals.into_iter().any(|sent| sent == number),
            _ => false,
        };
        if !is_expected {
            self.problems.push(format!("the program ended with {status}: {}", last_lines(said)));
        }
    }

    /// Returns what the store holds now; it must be a whole database with all that was `known`.
    fn store_holds(&mut self, then: &str, known: &Rounds, now: &str) -> Rounds {
        match rounds::of_a_copy(&self.place.store()) {
            Ok(found) => {
                if let Some(lost) = known.lost_in(&found) {
                    self.problems.push(format!("in the store {then}, no longer {now}: {lost}"));
                }
                found
            }
            Err(error) => {
                let reason = format!("the store is damaged {now}: {error:#}");
                self.problems.push(reason.lines().next().unwrap_or_default().to_owned());
                known.clone()
            }
        }
    }

    fn words_of_the_next_start(&self) -> Vec<String> {
        if self.kill.next_runs { self.place.small_run() } else { vec!["list".into()] }
    }

    /// Kills the program while it starts again, when it removes what the first kill has left.
    fn kill_the_next_start(&mut self, delay: Duration) -> Result<()> {
        let (mut program, _) = self.start(&self.words_of_the_next_start())?;
        thread::sleep(delay);
        program.kill()?;
        self.end(&mut program, "the next start does not end after a SIGKILL")?;
        Ok(())
    }

    fn start_again(&mut self) -> Result<()> {
        let (mut program, said) = self.start(&self.words_of_the_next_start())?;
        let status = self.end(&mut program, "the next start does not end")?;
        if let Some(status) = status.filter(|status| !status.success()) {
            self.problems.push(format!("the next start ended with {status}: {}", last_lines(&text(said)?)));
        }
        Ok(())
    }

    fn look_for_what_is_left(&mut self, looks: u32) {
        for id in settled(looks, || self.place.processes()) {
            self.problems.push(format!("a process is left: {}", processes::shown(id)));
        }
        for group in settled(looks, || self.place.groups()) {
            self.problems.push(format!("a control group is left: {}", group.display()));
        }
        let mut files = self.place.files();
        let more = files.len().saturating_sub(3);
        files.truncate(3);
        let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
        if !files.is_empty() {
            self.problems.push(format!("left in its folders: {}{and_more}", files.join(", ")));
        }
    }
}

fn text(mut said: File) -> Result<String> {
    said.rewind()?;
    let mut bytes = Vec::new();
    said.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = &lines[lines.len().saturating_sub(3)..];
    if last.is_empty() { "it said nothing".to_owned() } else { last.join(" | ") }
}

/// Pause between looks for what comes within milliseconds.
const SHORT: Duration = Duration::from_micros(500);
/// Pause and number of looks for the end of a process. Looks are counted and not time: a machine may stand still for a while.
const PAUSE: Duration = Duration::from_millis(10);
const LOOKS: u32 = 6000;

/// Sends the signals of a kill at its moment, and returns whether one reached its process.
fn strike(kill: &Kill, program: &mut Child, mark: &str, start: Instant) -> Result<bool> {
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
        is_hit |= send(program, mark, *signal, find)?;
    }
    Ok(is_hit)
}

/// Sends a signal to a process as soon as there is one. Returns false when the program has ended.
fn send(program: &mut Child, mark: &str, signal: Signal, find: fn(i32) -> Option<i32>) -> Result<bool> {
    while program.try_wait()?.is_none() {
        if find(program.id() as i32).is_some_and(|id| processes::signal(id, mark, signal)) {
            return Ok(true);
        }
        thread::sleep(SHORT);
    }
    Ok(false)
}

/// Waits until this many workers have ended. Returns false when the program ended before.
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

/// Waits until a program has ended. Returns `None` when it does not.
fn end_of(program: &mut Child) -> Result<Option<ExitStatus>> {
    for _ in 0..LOOKS {
        if let Some(status) = program.try_wait()? {
            return Ok(Some(status));
        }
        thread::sleep(PAUSE);
    }
    Ok(None)
}

/// Looks up to `looks` times, until nothing is left, and returns what is left.
fn settled<T>(looks: u32, mut left: impl FnMut() -> Vec<T>) -> Vec<T> {
    for _ in 1..looks {
        if left().is_empty() {
            return Vec::new();
        }
        thread::sleep(PAUSE);
    }
    left()
}

#[cfg(test)]
mod tests;
