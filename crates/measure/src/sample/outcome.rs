//! The outcome of a process: a timed stretch, or a failure with a sentence.

use model::{Fact, FailureKind, Proof};
use sys::process::{Ended, Status, shown_exit_code};

use crate::error::Failed;
use crate::worker::protocol::{Answer, Did, Timed};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TrialFailure {
    pub(crate) kind: FailureKind,
    pub(crate) reason: String,
    /// Its number in the assignment, from 0.
    pub(crate) trial: usize,
}

#[derive(Debug)]
pub(crate) enum Outcome {
    Whole { timed: Vec<Timed>, failed: Vec<TrialFailure> },
    Broken(TrialFailure),
    Cancelled,
}

pub(crate) fn of_worker(ended: &Ended, trials: usize) -> Outcome {
    let answers = Answer::read_all(&ended.stdout, trials);
    let begun = answers.iter().rev().find_map(|answer| match answer {
        Answer::Begin { trial } => Some(*trial),
        _ => None,
    });
    if let Some((kind, reason)) = failure_of(ended) {
        return Outcome::Broken(TrialFailure { kind, reason, trial: begun.unwrap_or(0) });
    }
    if ended.status == Status::Cancelled {
        return Outcome::Cancelled;
    }
    let (mut timed, mut failed) = (Vec::new(), Vec::new());
    for answer in answers {
        match answer {
            Answer::Timed(one) => timed.push(*one),
            Answer::Failed { trial, kind, reason } => failed.push(TrialFailure { kind, reason, trial }),
            _ => {}
        }
    }
    if timed.is_empty() && failed.is_empty() {
        let reason = format!("the worker ended without an answer{}", said(&ended.stderr));
        return Outcome::Broken(TrialFailure { kind: FailureKind::Crash, reason, trial: begun.unwrap_or(0) });
    }
    Outcome::Whole { timed, failed }
}

fn answer_of<Found>(ended: &Ended, find: impl Fn(Answer) -> Option<Found>) -> Result<Found, Failed> {
    if let Some(failure) = failure_of(ended) {
        return Err(failure);
    }
    let found = Answer::read_all(&ended.stdout, 1).into_iter().find_map(|answer| match answer {
        Answer::Failed { kind, reason, .. } => Some(Err((kind, reason))),
        other => find(other).map(Ok),
    });
    found.unwrap_or_else(|| {
        Err((FailureKind::Crash, format!("ended without an answer{}", said(&ended.stderr))))
    })
}

pub(crate) fn of_file_work(ended: &Ended) -> Result<Proof, Failed> {
    answer_of(ended, |answer| if let Answer::Proof { proof } = answer { Some(proof) } else { None })
}

pub(crate) fn of_untimed(ended: &Ended) -> Result<Did, Failed> {
    answer_of(ended, |answer| if let Answer::Did(did) = answer { Some(*did) } else { None })
}

pub(crate) fn of_facts(ended: &Ended) -> Result<Vec<Fact>, Failed> {
    answer_of(ended, |answer| if let Answer::Facts { facts } = answer { Some(facts) } else { None })
}

/// Returns why a process that ended did not end well; `None` when it did (or was cancelled).
pub(crate) fn failure_of(ended: &Ended) -> Option<Failed> {
    failure_unless(ended, |code| code == 0)
}

/// Returns what [`failure_of`] does, where `good` says which exit codes are good.
pub(crate) fn failure_unless(ended: &Ended, good: impl Fn(i32) -> bool) -> Option<Failed> {
    Some(match &ended.status {
        Status::Cancelled => return None,
        Status::Exit(code) if good(*code) => return None,
        Status::Exit(code) => {
            let code = shown_exit_code(*code);
            (FailureKind::Crash, format!("ended with exit code {code}{}", said(&ended.stderr)))
        }
        Status::MemorySpent { limit_bytes, .. } => {
            let limit = model::format_bytes(*limit_bytes);
            (FailureKind::Crash, format!("was killed for want of memory; its limit is {limit}"))
        }
        Status::FileTooLong => {
            let reason =
                "was killed when its output was longer than any right one, or than half of the free space";
            (FailureKind::Wrong, reason.to_owned())
        }
        Status::Signal { number, name } => {
            (FailureKind::Crash, format!("was killed by signal {number} ({name}){}", said(&ended.stderr)))
        }
        Status::TimedOut => {
            let after = model::format_long_ns(ended.elapsed_ns);
            (FailureKind::Hang, format!("did not end within {after} and was killed with all it had started"))
        }
    })
}

/// Returns the failure of a command that ended well while what it had started still ran: its work was not done.
pub(crate) fn left_behind(ended: &Ended, waits_for_children: bool) -> Option<Failed> {
    let longer = model::format_long_ns(ended.longer_ns);
    let processes = match ended.outlived_by {
        1 => "a process".to_owned(),
        more => format!("{more} processes"),
    };
    if waits_for_children {
        let reason = format!("left {processes} behind that did not end within {longer}");
        return (ended.survivors > 0).then_some((FailureKind::Hang, reason));
    }
    let end = if ended.survivors > 0 { "was killed" } else { "ended" };
    let reason = format!(
        "left {processes} behind: the last {end} {longer} after it; let it wait for what it starts, or time that too \
         with --wait-for-children"
    );
    ended.has_left_work().then_some((FailureKind::Wrong, reason))
}

/// Returns the last line of what a process said on its standard error, behind a colon.
fn said(stderr: &[u8]) -> String {
    const MOST_CHARACTERS: usize = 200;
    let text = String::from_utf8_lossy(stderr);
    let line = text.lines().map(str::trim).rfind(|line| !line.is_empty()).unwrap_or("");
    if line.is_empty() { String::new() } else { format!(": {line:.MOST_CHARACTERS$}") }
}

pub(crate) fn disproof(expected: &Proof, proof: &Proof) -> Option<Failed> {
    if proof == expected {
        return None;
    }
    let reason = if proof.bytes == expected.bytes {
        format!(
            "left {} bytes as expected, but not the right ones (digest {} instead of {})",
            proof.bytes, proof.digest, expected.digest
        )
    } else {
        format!("left {} bytes instead of {}", proof.bytes, expected.bytes)
    };
    Some((FailureKind::Wrong, reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(status: Status, stdout: &str, stderr: &str) -> Ended {
        let (stdout, stderr) = (stdout.into(), stderr.into());
        Ended { elapsed_ns: 2_000_000_000, stdout, stderr, ..Ended::new(status) }
    }

    fn timed(trial: usize) -> String {
        let timed = Timed { trial, sample: model::Sample::default(), proof: None };
        serde_json::to_string(&Answer::Timed(Box::new(timed))).expect("plain data") + "\n"
    }

    const BEGIN: &str = "{\"is\":\"begin\",\"trial\":3}\n";

    fn broken(status: Status, stdout: &str) -> TrialFailure {
        let outcome = of_worker(&ended(status, stdout, ""), 4);
        let Outcome::Broken(failure) = outcome else { panic!("not broken: {outcome:?}") };
        failure
    }

    #[test]
    fn an_end_before_its_time_is_blamed_on_the_trial_under_way() {
        let signal = Status::Signal { number: 11, name: "SIGSEGV".to_owned() };
        let spent = Status::MemorySpent { limit_bytes: 16 << 20, kills: 1 };
        for (status, kind, words) in [
            (signal, FailureKind::Crash, "SIGSEGV"),
            (spent, FailureKind::Crash, "its limit is 16 MiB"),
            (Status::TimedOut, FailureKind::Hang, "2 s"),
            (Status::Exit(0), FailureKind::Crash, "without an answer"),
        ] {
            let failure = broken(status, BEGIN);
            assert_eq!((failure.kind, failure.trial), (kind, 3));
            assert!(failure.reason.contains(words), "{}", failure.reason);
        }
        // Only trials of the assignment are believed.
        assert_eq!(broken(Status::TimedOut, "{\"is\":\"begin\",\"trial\":9}\n").trial, 0);
    }

    #[test]
    fn a_command_that_leaves_work_behind_has_failed() {
        let behind = |longer_ns, survivors, waits| {
            let ended = Ended { outlived_by: 2, longer_ns, survivors, ..Ended::new(Status::Exit(0)) };
            left_behind(&ended, waits)
                .map(|(kind, reason)| (kind, reason.split(';').next().unwrap_or("").to_owned()))
        };
        assert_eq!(left_behind(&Ended::new(Status::Exit(0)), false), None);
        assert_eq!(behind(2_000_000, 0, false), None, "its time counts");
        let said = "left 2 processes behind: the last ended 300 ms after it".to_owned();
        assert_eq!(behind(300_000_000, 0, false), Some((FailureKind::Wrong, said)));
        let said = "left 2 processes behind: the last was killed 1 s after it".to_owned();
        assert_eq!(behind(1_000_000_000, 1, false), Some((FailureKind::Wrong, said)));
        assert_eq!(behind(300_000_000, 0, true), None);
        let said = "left 2 processes behind that did not end within 1 s".to_owned();
        assert_eq!(behind(1_000_000_000, 1, true), Some((FailureKind::Hang, said)));
    }

    #[test]
    fn an_exit_code_comes_with_the_last_word_of_the_process() {
        for (code, stderr, reason) in [
            (1, "a\ncp: no space\n\n", "ended with exit code 1: cp: no space"),
            (-1_073_741_819, "", "ended with exit code 0xC0000005 (access violation)"),
        ] {
            let failure = failure_of(&ended(Status::Exit(code), "", stderr));
            assert_eq!(failure, Some((FailureKind::Crash, reason.to_owned())));
        }
    }

    #[test]
    fn torn_lines_and_those_about_other_trials_are_no_answers() {
        let failed = "{\"is\":\"failed\",\"trial\":4,\"kind\":\"refused\",\"reason\":\"no\"}\n";
        for (trial, rest) in
            [(0, "{\"is\":\"tim".to_owned()), (3, [timed(4), timed(usize::MAX), failed.to_owned()].concat())]
        {
            let ended = ended(Status::Exit(0), &(timed(trial) + &rest), "");
            let Outcome::Whole { timed, failed } = of_worker(&ended, 4) else { panic!("not whole") };
            assert_eq!((timed.len(), timed[0].trial, failed.len()), (1, trial, 0));
        }
    }

    #[test]
    fn work_on_files_ends_with_a_proof_or_with_a_reason() {
        let proof = "{\"is\":\"proof\",\"proof\":{\"bytes\":5,\"digest\":\"a\"}}\n";
        let done = of_file_work(&ended(Status::Exit(0), proof, ""));
        assert_eq!(done, Ok(Proof { bytes: 5, digest: "a".to_owned() }));
        let failed = "{\"is\":\"failed\",\"trial\":0,\"kind\":\"refused\",\"reason\":\"no space\"}\n";
        let refused = of_file_work(&ended(Status::Exit(0), failed, ""));
        assert_eq!(refused, Err((FailureKind::Refused, "no space".to_owned())));
        let hung = of_file_work(&ended(Status::TimedOut, "", "")).expect_err("no proof");
        assert_eq!(hung.0, FailureKind::Hang);
        let silent = of_file_work(&ended(Status::Exit(0), "", "")).expect_err("no proof");
        assert_eq!(silent.0, FailureKind::Crash);
    }

    #[test]
    fn a_wrong_answer_says_what_is_wrong() {
        let [right, short, other] =
            [(5, "a"), (4, "b"), (5, "b")].map(|(bytes, digest)| Proof { bytes, digest: digest.to_owned() });
        assert_eq!(disproof(&right, &right), None);
        let short = disproof(&right, &short).expect("short").1;
        assert!(short.contains("4 bytes instead of 5"), "{short}");
        let other = disproof(&right, &other).expect("other").1;
        assert!(other.contains("not the right ones"), "{other}");
    }
}
