//! Little to be had: processes, memory, file sizes, no `/dev`. All of it ends in a sentence.

use assert_cmd::assert::Assert;

use super::unprivileged::{after_in_a_shell, hand_over, ordinary_limited};
use crate::sandbox::{Program, SMALL, Sandbox, stderr, stdout};

/// It went well, or it was refused with one sentence about `words`; never by a panic, an abort or a signal.
fn assert_explained(assert: &Assert, words: &[&str]) {
    let (shown, said) = (stdout(assert), stderr(assert));
    assert!(!said.contains("panicked") && !said.contains("allocation"), "{said}");
    match assert.get_output().status.code() {
        Some(0) => assert!(shown.contains("std_copy"), "{shown}"),
        Some(2) => {
            let last = said.lines().last().unwrap_or_default();
            assert!(last.starts_with("bakeoff: ") && words.iter().any(|word| last.contains(word)), "{said}");
        }
        other => panic!("{other:?}: {said}"),
    }
}

#[test]
fn few_processes_are_a_sentence() {
    for processes in 1..8 {
        let sandbox = Sandbox::new();
        let dir = sandbox.word("dir");
        let run = [&["run", "--dir", &*dir], SMALL].concat();
        let mut command = ordinary_limited(&sandbox, &format!("--nproc={processes}"), &run[..]);
        hand_over(&sandbox);
        assert_explained(&command.assert(), &["ulimit -u", "Resource temporarily unavailable"]);
        sandbox.assert_clean();
    }
}

#[test]
fn a_system_without_devices_is_enough() {
    let sandbox = Sandbox::new();
    let mut unshare = Program::new("unshare");
    unshare.envs(sandbox.variables()).args(["--user", "--map-root-user", "--mount", "sh", "-c"]);
    unshare.args(["mount -t tmpfs none /dev && exec \"$@\"", "sh"]);
    unshare.arg(crate::program()).arg("--store").arg(sandbox.store());
    let assert = unshare.args(["run", "--dir"]).arg(sandbox.dir()).args(SMALL).assert().success();
    assert!(stdout(&assert).contains("std_copy"), "{}", stderr(&assert));
    sandbox.assert_clean();
}

#[test]
fn little_memory_or_small_files_are_a_sentence_or_enough() {
    // With less than its own size, a program is killed by the kernel before its first instruction.
    let memory = [35_000, 45_000, 60_000, 80_000, 100_000, 150_000, 300_000];
    let blocks = [0, 1, 8, 40, 100, 200, 1000];
    for (option, limits, words) in [
        ("-v", memory, &["memory", "ulimit -v"][..]),
        ("-f", blocks, &["File too large", "disk I/O error", "ulimit -f"]),
    ] {
        for limit in limits {
            let sandbox = Sandbox::new();
            assert_explained(
                &after_in_a_shell(&sandbox, &format!("ulimit {option} {limit}"), SMALL).assert(),
                words,
            );
            sandbox.assert_clean();
        }
    }
}
