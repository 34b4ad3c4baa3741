//! Techniques whose truth is known beforehand: each failure is a row with its kind and a sentence.

use crate::sandbox::{Sandbox, failure, place, samples, stderr, stdout};

#[test]
fn every_kind_of_failure_is_a_row_and_the_others_are_ranked_rightly() {
    let sandbox = Sandbox::new();
    let techniques = [
        "control/spin_a",
        "control/sleep_5ms",
        "control/wrong_answer",
        "control/crash",
        "control/fault",
        "control/hang",
        "control/refused",
        "control/exhaust_memory",
        "control/instant",
    ];
    let limits = ["--time-limit", "20s", "--memory-limit", "200MB", "--fast"];
    // Work of many times 5 ms, which a busy machine prolongs by more than a sleep.
    let work = ["--set", "iterations=52800000"];
    let assert = sandbox.run(&techniques).args(limits).args(work).assert().success();
    let (shown, run) = (stdout(&assert), sandbox.exported());
    assert_eq!(run["contests"][0]["leader"], "sleep_5ms", "{shown}");
    let standing = place(&run, "spin_a")["standing"].as_str().expect("a standing");
    assert_eq!(standing, "slower", "{shown}");
    for (technique, kind, words) in [
        ("wrong_answer", "wrong", "instead of"),
        ("instant", "wrong", "instead of"),
        ("crash", "crash", "SIGABRT"),
        ("fault", "crash", "SIGSEGV"),
        ("hang", "hang", "did not end within"),
        ("refused", "refused", "refused"),
        ("exhaust_memory", "refused", "no memory after"),
    ] {
        let (of_kind, reason) = failure(&run, technique);
        assert!(of_kind == kind && reason.contains(words), "{technique}, {of_kind}: {reason}");
        assert_eq!(place(&run, technique)["standing"], "failed", "{technique}");
        assert!(shown.contains(&format!("failed: {technique} ")), "{technique} is not told:\n{shown}");
    }
    sandbox.assert_clean();
}

#[test]
fn threads_that_the_system_refuses_are_a_failure_that_tells_how_many_there_were() {
    let sandbox = Sandbox::new();
    let pair = ["pipeline/signal_atomic_wait", "pipeline/std_mutex_notify_one", "--rounds", "3"];
    // The stacks of 802 threads take eight times as much as the address space that is allowed.
    let too_many = ["--set", "threads=400", "--set", "units=1", "--memory-limit", "200MB"];
    let shown = stdout(&sandbox.run(&pair).args(too_many).assert().code(2));
    let run = sandbox.exported();
    for technique in ["signal_atomic_wait", "std_mutex_notify_one"] {
        let (_, reason) = failure(&run, technique);
        assert!(reason.starts_with("start thread ") && reason.contains(" of 802: "), "{reason}");
        assert!(shown.contains("start thread "), "{shown}");
    }
    sandbox.assert_clean();
}

#[test]
fn a_technique_alone_is_measured_and_not_judged() {
    let sandbox = Sandbox::new();
    let assert = sandbox.run(&["control/sleep_5ms", "--rounds", "6"]).assert().success();
    assert!(stdout(&assert).contains("nothing to compare it with"));
    assert_eq!(sandbox.exported()["contests"][0]["state"], "alone");
}

#[test]
fn when_all_have_failed_the_report_says_so_and_it_is_no_success() {
    let sandbox = Sandbox::new();
    let assert = sandbox.run(&["control/crash", "control/wrong_answer", "--rounds", "6"]).assert().code(2);
    let shown = stdout(&assert);
    assert!(shown.contains("failed") && shown.contains("SIGABRT"), "{shown}");
    let said = stderr(&assert);
    let last = said.lines().last().expect("a sentence");
    assert!(last.contains("nothing was measured: every technique failed; the first was "), "{said}");
    sandbox.assert_clean();
}

#[test]
fn the_published_programs_are_found_by_their_names() {
    let sandbox = Sandbox::new();
    let programs = ["copy/cpC", "copy/cpW", "copy/cpUC", "copy/one_call", "--size", "64K", "--rounds", "6"];
    sandbox.run(&programs).assert().success();
    let run = sandbox.exported();
    for technique in ["c_stdio", "small_buffer", "posix_layer", "one_call"] {
        // One that takes more than twice as long leaves after the third round that is counted.
        assert!(samples(&run, technique) >= 4, "{technique}");
    }
}
