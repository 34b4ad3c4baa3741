//! Techniques whose truth is known beforehand: each failure is a row with its kind and a sentence.

use crate::sandbox::{Sandbox, assert_failed, assert_shows, failure, place, stdout};

#[test]
fn every_kind_of_failure_is_a_row_and_the_others_are_ranked() {
    let sandbox = Sandbox::new();
    // The loop takes many times 5 ms, which a busy machine prolongs by more than a sleep.
    let sound = "control/spin_a control/sleep_5ms --set iterations=52800000";
    let wrong = "control/wrong_answer control/crash control/fault control/hang control/refused control/exhaust_memory";
    let limits = "control/instant --time-limit 20s --memory-limit 200MB --fast";
    let shown = sandbox.measured(&format!("{sound} {wrong} {limits}"));
    let run = sandbox.exported();
    assert_eq!(run["contests"][0]["leader"], "sleep_5ms", "{shown}");
    assert_eq!(place(&run, "spin_a")["standing"], "slower", "{shown}");
    for (technique, kind, words) in [
        ("wrong_answer", "wrong", "instead of"),
        ("instant", "wrong", "instead of"),
        ("crash", "crash", "SIGABRT"),
        ("fault", "crash", "SIGSEGV"),
        ("hang", "hang", "did not end within"),
        ("refused", "refused", "refused"),
        ("exhaust_memory", "refused", "no memory after"),
    ] {
        assert_failed(&run, technique, kind, words);
        assert_eq!(place(&run, technique)["standing"], "failed", "{technique}");
        assert_shows(&shown, &format!("failed: {technique}"));
    }
}

#[test]
fn refused_threads_are_a_failure_with_their_number() {
    let sandbox = Sandbox::new();
    let pair = "pipeline/signal_atomic_wait pipeline/std_mutex_notify_one --rounds 3";
    // The stacks of 802 threads take eight times as much as the address space that is allowed.
    let too_many = format!("{pair} --set threads=400 --set units=1 --memory-limit 200MB");
    let shown = stdout(&sandbox.run(&too_many).assert().code(2));
    let run = sandbox.exported();
    for technique in ["signal_atomic_wait", "std_mutex_notify_one"] {
        let (_, reason) = failure(&run, technique);
        assert!(reason.starts_with("start thread ") && reason.contains(" of 802: "), "{reason}");
        assert_shows(&shown, "start thread ");
    }
    sandbox.assert_clean();
}
