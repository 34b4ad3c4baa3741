//! The controls do what they say: the instrument is judged by them.

use std::path::Path;
use std::process::{Command, ExitStatus};

use model::{Durability, Preset, Proof, Trial, Workload};

use super::{CONTROL, POSITION_VARIABLE, ROUND_VARIABLE, TECHNIQUES};
use crate::testing::{self, done_twice};

fn work() -> Workload {
    CONTROL.workloads(Preset::Quick).remove(0)
}

fn trial(technique: &str, scratch: &Path, memory_limit_bytes: Option<u64>) -> Trial {
    let mut trial = testing::trial(CONTROL, technique, &work(), scratch, Durability::Returned);
    trial.setting.conditions.memory_limit_bytes = memory_limit_bytes;
    trial
}

fn performed(trial: &Trial) -> std::io::Result<Proof> {
    done_twice(CONTROL, trial).map(|(proof, _)| proof)
}

#[test]
fn only_the_wrong_controls_give_another_proof() {
    let scratch = tempfile::tempdir().expect("scratch");
    let expected = CONTROL.expected(&work(), scratch.path()).expect("known");
    let never_return = ["hang", "crash", "fault", "exhaust_memory", "refused", "shrinking_file"];
    for technique in TECHNIQUES.iter().filter(|technique| !never_return.contains(&technique.name)) {
        let proof = performed(&trial(technique.name, scratch.path(), None)).expect(technique.name);
        let inspected = CONTROL.inspect(&work(), scratch.path()).expect("known");
        let right = !["wrong_answer", "instant"].contains(&technique.name);
        assert_eq!(proof == expected, right, "{}", technique.name);
        assert_eq!(inspected, proof, "{}: another process sees the same", technique.name);
    }
    CONTROL.clear(&work(), scratch.path()).expect("cleared");
    assert_eq!(CONTROL.inspect(&work(), scratch.path()).expect("known"), expected);
}

#[test]
fn an_answer_that_is_no_number_is_refused_by_name() {
    let scratch = tempfile::tempdir().expect("scratch");
    let path = super::false_answer_in(scratch.path());
    std::fs::write(&path, "many").expect("written");
    let refused = CONTROL.inspect(&work(), scratch.path()).expect_err("no number").to_string();
    assert!(refused.starts_with(&format!("read {}: ", path.display())), "{refused}");
}

#[test]
fn a_proof_before_the_work_is_refused() {
    let scratch = tempfile::tempdir().expect("scratch");
    let before =
        CONTROL.perform(&trial("spin_a", scratch.path(), None), &mut |technique| technique.proof().map(drop));
    assert!(before.is_err());
}

#[test]
fn memory_is_exhausted_up_to_a_limit_only() {
    let scratch = tempfile::tempdir().expect("scratch");
    for never in ["refused", "exhaust_memory"] {
        let refused = performed(&trial(never, scratch.path(), None)).expect_err(never);
        assert_eq!(refused.kind(), std::io::ErrorKind::Unsupported, "{never}");
    }
    let limited = performed(&trial("exhaust_memory", scratch.path(), Some(8 << 20))).expect_err("limited");
    assert_eq!(limited.kind(), std::io::ErrorKind::OutOfMemory);
    assert!(limited.to_string().contains("8 MiB"), "{limited}");
}

/// Runs one control in a process of its own: this program, reported by the environment which one.
fn in_a_process(technique: &str) -> ExitStatus {
    Command::new(std::env::current_exe().expect("this program"))
        .args(["control::tests::one_control_alone", "--exact", "--ignored", "--nocapture"])
        .env("BAKEOFF_CONTROL_ALONE", technique)
        .env(ROUND_VARIABLE, "3")
        .env(POSITION_VARIABLE, "0")
        .output()
        .expect("started")
        .status
}

#[test]
#[ignore = "may end its process: started by the other tests"]
fn one_control_alone() {
    let technique = std::env::var("BAKEOFF_CONTROL_ALONE").expect("which one");
    let scratch = tempfile::tempdir().expect("scratch");
    performed(&trial(&technique, scratch.path(), None)).expect("it returned");
}

#[test]
fn crash_and_fault_end_their_process_and_the_others_do_not() {
    assert!(in_a_process("drifting").success());
    assert!(in_a_process("first_is_slower").success());
    for technique in ["crash", "fault"] {
        let status = in_a_process(technique);
        // A failed test ends with 101: the control must not get that far.
        assert!(!status.success() && status.code() != Some(101), "{technique}: {status}");
    }
}

/// A lost page ends the process with a signal; Windows lets no file be cut off while it is mapped.
#[test]
fn a_mapped_file_that_shrinks_ends_its_process_or_cannot_shrink() {
    let status = in_a_process("shrinking_file");
    let refused_by_the_system = status.code() == Some(101);
    assert_eq!(refused_by_the_system, std::env::consts::OS == "windows", "{status}");
    assert!(!status.success(), "{status}");
}
