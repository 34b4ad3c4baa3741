//! A command whose descendants still run when it has ended has not done its work.

use std::fs;

use crate::sandbox::{Sandbox, assert_failed, assert_shows, from_json, list, place, stderr, stdout, trial};

/// Ways to let work go on after a command has ended.
const WAYS: [(&str, &str); 6] = [
    ("background", "sh -c 'sleep 0.3 &'"),
    ("twice", "sh -c '(sleep 0.3 &) &'"),
    ("session", "sh -c 'setsid sleep 0.3 &'"),
    ("forked", "setsid -f sleep 0.3"),
    ("unhung", "sh -c 'nohup sleep 0.3 > /dev/null 2>&1 &'"),
    ("kept", "sh -c 'exec 3>&1; sleep 0.3 & exec true'"),
];

#[test]
fn work_that_goes_on_in_the_background_never_wins() {
    let sandbox = Sandbox::new();
    let mut command = sandbox.bakeoff("time -n 3 true --name true");
    for (name, way) in WAYS {
        command.args(["--name", name, way]);
    }
    let shown = stdout(&command.args(["--baseline", "true"]).assert());
    let run = sandbox.exported();
    for (name, _) in WAYS {
        assert_failed(&run, name, "wrong", "left a process behind: the last ended");
        assert_eq!(place(&run, name)["standing"], "failed", "{name}: {shown}");
    }
    assert_shows(&shown, "--wait-for-children");
}

#[test]
fn a_copy_in_the_background_fails_in_a_contest_and_in_a_job() {
    let sandbox = Sandbox::new();
    let later = "sh -c '(sleep 0.05; cp \"$0\" \"$1\") &' {input} {output}";
    let contest = ["copy/std_copy", "--size", "64K", "--rounds", "3", "--command", &format!("later={later}")];
    sandbox.measured(&contest);
    assert_failed(&sandbox.exported(), "later", "wrong", "behind: the last ended");
    let job = format!(
        "proof = 'output'\n[input]\ngenerate = 'text'\nbytes = '8K'\n\
         [[technique]]\nname = 'now'\ncommand = 'cp {{input}} {{output}}'\n\
         [[technique]]\nname = 'later'\ncommand = \"\"\"{later}\"\"\"\n"
    );
    fs::write(sandbox.path("own.toml"), job).expect("a job");
    sandbox.measured(&[&*sandbox.word("own.toml"), "--rounds", "3"]);
    assert_failed(&sandbox.exported(), "later", "wrong", "behind: the last ended");
}

#[test]
fn what_a_command_has_started_is_timed_where_that_is_asked_for() {
    let sandbox = Sandbox::new();
    let (_, way) = WAYS[0];
    sandbox.bakeoff(&["time", "-n", "3", "--wait-for-children", way, "--name", "way"]).assert().success();
    let run = sandbox.exported();
    for sample in list(&trial(&run, "way")["samples"]) {
        assert!(sample["process_ns"].as_u64().is_some_and(|ns| ns >= 300_000_000), "{sample}");
    }
    let once = |option: &[&str], code: i32| {
        let words = [&["time", "--format", "json"], option, &["--", "sh", "-c", "sleep 0.3 &"]].concat();
        from_json(&stderr(&sandbox.bakeoff(&words[..]).assert().code(code)))
    };
    let whole = once(&["--wait-for-children"], 0);
    assert!(whole["real_ns"].as_u64().is_some_and(|ns| ns >= 300_000_000), "{whole}");
    let early = once(&[], 1);
    assert!(early["real_ns"].as_u64().is_some_and(|ns| ns < 300_000_000), "{early}");
    assert_shows(&early["failures"].to_string(), "what it had started ended | --wait-for-children");
}
