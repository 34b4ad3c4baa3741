//! What to use for a task, from what was measured here, and the profile that other programs load.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::curves::crossing;
use crate::sandbox::{Sandbox, assert_refused, names, stdout};

/// The advice as JSON.
fn advised(sandbox: &Sandbox, words: &[&str]) -> Value {
    sandbox.json(&[&["advise"], words].concat())
}

/// A file for a profile, the advice for `control` written into it, and what stands there.
fn profiled(sandbox: &Sandbox) -> (String, String) {
    let name = sandbox.path("profile.toml").to_str().expect("UTF-8").to_owned();
    let shown = sandbox.shown(&["advise", "control", "--profile", &name]);
    assert!(shown.contains("profile.toml"), "{shown}");
    let text = read(&name);
    (name, text)
}

fn read(name: &str) -> String {
    fs::read_to_string(name).expect("a profile")
}

fn tasks(text: &str) -> usize {
    text.matches("[[task]]").count()
}

/// A profile as if it were of a host with no such fingerprint; and the line of this one.
fn of_another_host(own: &str) -> (String, &str) {
    let line = own.lines().find(|line| line.starts_with("fingerprint")).expect("a fingerprint");
    (own.replace(line, "fingerprint = \"0000000000000000\""), line)
}

#[test]
fn advice_is_given_where_it_is_known_and_nowhere_else() {
    let sandbox = crossing();
    for (level, entry, kind) in [
        ("66000", Some("spin_a"), "measured"),
        ("100000", Some("spin_a"), "between"),
        ("40000000", Some("sleep_5ms"), "between"),
        ("52800000", Some("sleep_5ms"), "measured"),
        ("1000000", None, "between"),
        ("1000", None, "outside"),
        ("99000000", None, "outside"),
    ] {
        let words = ["advise", "control", &format!("iterations={level}"), "--format", "json"];
        let assert = sandbox.bakeoff(&words).assert().code(i32::from(entry.is_none()));
        let page: Value = serde_json::from_str(&stdout(&assert)).expect("JSON");
        let advice = &page["advice"];
        let chosen = advice["choice"]["entry"].as_str();
        assert_eq!((chosen, &advice["basis"]["kind"]), (entry, &json!(kind)), "{page}");
        assert_eq!(page["schema"], 3);
        assert_eq!(page["measure_with"].is_string(), entry.is_none(), "{page}");
        assert_eq!(advice["origins"][0]["run"], sandbox.exported()["run"]["id"]);
    }
    // The thresholds are those of the run itself.
    let page = advised(&sandbox, &["control"]);
    let ends = |ranges: &Value| -> Vec<(Value, Value)> {
        let ranges = ranges.as_array().expect("ranges").iter();
        ranges.map(|one| (one["from"].clone(), one["to"].clone())).collect()
    };
    assert_eq!(ends(&page["advice"]["ranges"]), ends(&sandbox.exported()["curves"][0]["ranges"]));
}

#[test]
fn without_a_level_all_of_them_are_told_in_every_form() {
    let sandbox = crossing();
    let shown = sandbox.shown(&["advise", "control"]);
    assert!(shown.contains("Use spin_a at 66000 and 132000 iterations"), "{shown}");
    assert!(shown.contains("from"), "{shown}");
    for format in ["markdown", "html"] {
        let page = sandbox.shown(&["advise", "control", "--format", format]);
        assert!(page.contains("sleep_5ms at 26400000 and 52800000 iterations"), "{page}");
    }
    let page = advised(&sandbox, &["control"]);
    let ranges = page["advice"]["ranges"].as_array().expect("ranges");
    assert_eq!(ranges.len(), 2, "{page}");
    assert_eq!((&ranges[0]["from"], &ranges[1]["to"]), (&json!(66_000), &json!(52_800_000)));
}

#[test]
fn with_nothing_measured_the_command_that_measures_it_is_told() {
    let sandbox = Sandbox::new();
    let assert = sandbox.bakeoff(&["advise", "copy", "--size", "300MB", "--cache", "cold"]).assert().code(1);
    let shown = stdout(&assert);
    assert!(shown.contains("bakeoff run copy --size 300000000 --cache cold"), "{shown}");
    let all = stdout(&sandbox.bakeoff(&["advise", "copy"]).assert().code(1));
    assert!(all.contains("bakeoff run copy --sizes 4K..256MiBx4"), "{all}");
    let of_threads = stdout(&sandbox.bakeoff(&["advise", "pipeline", "--threads", "16"]).assert().code(1));
    assert!(of_threads.contains("bakeoff run pipeline --set threads=16"), "{of_threads}");
    assert!(!sandbox.store().exists(), "reading makes no store");
}

#[test]
fn a_profile_keeps_what_it_says_of_other_tasks() {
    let sandbox = crossing();
    let (name, first) = profiled(&sandbox);
    for technique in ["spin_a", "sleep_5ms"] {
        assert!(first.contains(&format!("technique = \"{technique}\"")), "{first}");
    }
    sandbox.shown(&["advise", "control", "--among", "spin_a", "--profile", &name]);
    assert_eq!(tasks(&read(&name)), 2);
    profiled(&sandbox);
    assert_eq!(tasks(&read(&name)), 2);
    // What another version put there goes.
    let line = first.lines().find(|line| line.starts_with("version")).expect("a version");
    fs::write(&name, first.replace(line, "version = \"0.0.1\"")).expect("a file");
    sandbox.shown(&["advise", "control", "--among", "spin_a", "--profile", &name]);
    let told = read(&name);
    assert_eq!(tasks(&told), 1, "{told}");
    assert!(told.contains(line) && !told.contains("0.0.1"), "{told}");
}

#[test]
fn a_profile_of_another_host_or_a_damaged_one_stays_as_it_was() {
    let sandbox = crossing();
    let (name, own) = profiled(&sandbox);
    for (text, said) in [
        (of_another_host(&own).0, "name another file for this host"),
        (own.replace("format = 1", "format = 9"), "format 9"),
        ("half a profile".to_owned(), "damaged"),
    ] {
        fs::write(&name, &text).expect("a file");
        assert_refused(
            &mut sandbox.bakeoff(&["advise", "control", "--profile", &name]),
            &["--profile", said],
        );
        assert_eq!(read(&name), text);
    }
}

#[test]
fn a_profile_in_a_folder_that_does_not_exist_is_refused_before_anything_else() {
    let sandbox = Sandbox::new();
    let inside = sandbox.path("none").join("profile.toml");
    let words = ["advise", "control", "--profile", inside.to_str().expect("UTF-8")];
    let folder = sandbox.path("none");
    let folder = folder.to_str().expect("UTF-8");
    assert_refused(&mut sandbox.bakeoff(&words), &["--profile", folder, "does not exist", "make it first"]);
    sandbox.file("none", "");
    assert_refused(&mut sandbox.bakeoff(&words), &["--profile", folder, "no folder"]);
    let dir = sandbox.dir();
    let words = ["advise", "control", "--profile", dir.to_str().expect("UTF-8")];
    assert_refused(&mut sandbox.bakeoff(&words), &["--profile", "it is a folder", "profile.toml"]);
    // Nothing was measured, and that is not what is said: no other reason comes before this one.
    sandbox.assert_untouched();
}

#[test]
fn a_profile_keeps_what_is_better_founded_and_says_so() {
    let sandbox = crossing();
    let (name, own) = profiled(&sandbox);
    for key in ["certainty = ", "rounds = ", "date = ", "confidence = ", "[task.setup]"] {
        assert!(own.contains(key), "{key}: {own}");
    }
    let founded = |line: &str| match line.split_once(" = ") {
        Some(("rounds", _)) => "rounds = 9000".to_owned(),
        Some(("certainty", _)) => "certainty = \"sure\"".to_owned(),
        _ => line.to_owned(),
    };
    fs::write(&name, own.lines().map(founded).collect::<Vec<_>>().join("\n")).expect("a file");
    let shown = sandbox.shown(&["advise", "control", "--profile", &name]);
    let told = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(told.contains("it rests on 9000 rounds (sure), this advice on "), "{shown}");
    let page = advised(&sandbox, &["control", "--profile", &name]);
    assert!(page["profile_keeps"].as_str().is_some_and(|told| told.contains("--forget")), "{page}");
    assert_eq!(read(&name).matches("rounds = 9000").count(), 2);
    // Once it is forgotten, the new advice counts.
    sandbox.shown(&["advise", "control", "--forget", "--profile", &name]);
    let page = advised(&sandbox, &["control", "--profile", &name]);
    assert!(page["profile_keeps"].is_null(), "{page}");
    assert!(!read(&name).contains("rounds = 9000"));
}

#[test]
fn a_profile_forgets_a_family_and_restarts_on_another_host() {
    let sandbox = crossing();
    let (name, own) = profiled(&sandbox);
    let none = stdout(&sandbox.bakeoff(&["advise", "copy", "--forget", "--profile", &name]).assert().code(1));
    assert!(none.contains("said nothing of copy"), "{none}");
    assert_eq!(read(&name), own);
    let forgotten = ["advise", "control", "--forget", "--profile", &name];
    let shown = sandbox.shown(&forgotten);
    assert!(shown.contains("Removed 1 task of control") && shown.contains("0 tasks left"), "{shown}");
    assert_eq!(tasks(&read(&name)), 0);
    let (foreign, line) = of_another_host(&own);
    fs::write(&name, &foreign).expect("a file");
    assert_refused(&mut sandbox.bakeoff(&forgotten), &["another host", "name another file", "--forget"]);
    assert_eq!(read(&name), foreign);
    let all = ["advise", "--forget", "--profile", &name];
    sandbox.shown(&all);
    let begun = read(&name);
    assert!(begun.contains(line) && tasks(&begun) == 0, "{begun}");
    fs::write(&name, "half a profile").expect("a file");
    assert_refused(&mut sandbox.bakeoff(&all), &["damaged"]);
    assert_eq!(read(&name), "half a profile");
}

#[test]
fn a_question_about_all_sizes_names_none() {
    let sandbox = Sandbox::new();
    let dir = sandbox.dir();
    let dir = dir.to_str().expect("UTF-8");
    let words = ["advise", "copy", "--dir", dir, "--format", "json"];
    let nothing = stdout(&sandbox.bakeoff(&words).assert().code(1));
    let nothing: Value = serde_json::from_str(&nothing).expect("JSON");
    assert_eq!(
        (&nothing["along"], &nothing["workload"]),
        (&json!("bytes"), &json!({"name": ""})),
        "{nothing}"
    );
    let shown = stdout(&sandbox.bakeoff(&["advise", "copy", "--dir", dir]).assert().code(1));
    assert!(shown.contains("at every size") && !shown.contains("25.6 MB"), "{shown}");
    sandbox.ran(&[]);
    let page = advised(&sandbox, &["copy", "--dir", dir]);
    assert_eq!(page["workload"], json!({"name": ""}), "{page}");
    let sized = advised(&sandbox, &["copy", "--size", "64K", "--dir", dir]);
    assert_eq!(sized["workload"]["bytes"], 65_536, "{sized}");
}

#[test]
fn where_the_usual_numbers_were_not_measured_the_family_s_axis_is_answered_with_those_that_were() {
    let sandbox = Sandbox::new();
    let words = ["pipeline/crossbeam", "pipeline/own_queue", "--set", "units=100", "--set", "threads=1,2,4"];
    sandbox.run(&[&words[..], &["--rounds", "6"]].concat()).assert().success();
    let page = advised(&sandbox, &["pipeline"]);
    let advice = &page["advice"];
    assert_eq!(
        (&advice["axis"], &advice["basis"]["kind"]),
        (&json!("threads"), &json!("all_levels")),
        "{page}"
    );
    assert_eq!((&advice["basis"]["from"], &advice["basis"]["to"]), (&json!(1), &json!(4)), "{page}");
    let remark = "This was measured with 100 units: nothing is known of 1000, the usual number of units.";
    assert_eq!(advice["remarks"][0], remark, "{page}");
    let shown = sandbox.shown(&["advise", "pipeline"]);
    assert!(shown.contains("at every number of threads"), "{shown}");
    let named = advised(&sandbox, &["pipeline", "units=100"]);
    assert!(!named["advice"]["remarks"].to_string().contains("the usual"), "{named}");
    let two = advised(&sandbox, &["pipeline", "--threads", "2"]);
    assert_eq!(two["advice"]["basis"]["kind"], "measured", "{two}");
}

/// Advises for these techniques into a profile, in a process next to this one.
fn advise_beside(sandbox: &Sandbox, profile: &str, among: &str) -> Child {
    let mut command = Command::new(crate::program());
    command.envs(sandbox.variables()).arg("--store").arg(sandbox.store());
    command.args(["advise", "control", "--among", among, "--profile", profile]).stdout(Stdio::null());
    command.spawn().expect("the program")
}

#[test]
fn no_advice_is_lost_when_several_processes_write_one_profile_at_once() {
    let sandbox = crossing();
    let dir = sandbox.path("profiles");
    fs::create_dir(&dir).expect("a folder");
    for round in 0..3 {
        let file = dir.join(format!("profile{round}.toml"));
        let name = file.to_str().expect("UTF-8");
        let among = ["spin_a", "sleep_5ms", "spin_a,sleep_5ms", "spin_a,spin_b", "sleep_5ms,spin_b"];
        let children: Vec<Child> = among.iter().map(|among| advise_beside(&sandbox, name, among)).collect();
        for mut child in children {
            assert!(child.wait().expect("the program").success());
        }
        let text = fs::read_to_string(&file).expect("a profile");
        assert_eq!(text.matches("[[task]]").count(), among.len(), "{text}");
    }
    let left: Vec<String> = names(&dir).into_iter().filter(|name| name.starts_with('.')).collect();
    assert_eq!(left, Vec::<String>::new(), "locks and halves are removed");
}

#[test]
fn advice_waits_for_the_process_that_writes_the_profile_and_keeps_what_that_wrote() {
    let sandbox = crossing();
    let (first, second) = (sandbox.path("first.toml"), sandbox.path("second.toml"));
    let name = first.to_str().expect("UTF-8");
    sandbox.bakeoff(&["advise", "control", "--among", "spin_a", "--profile", name]).assert().success();
    let lock = sys::file_lock::wait_for(&second, Duration::from_secs(60)).expect("the lock");
    let mut child = advise_beside(&sandbox, second.to_str().expect("UTF-8"), "sleep_5ms");
    // Long enough to read everything that it reads; a host that is slower only makes the case easier.
    thread::sleep(Duration::from_secs(2));
    assert!(!second.exists(), "it writes without the lock");
    assert_eq!(child.try_wait().expect("the program"), None, "it has not waited");
    fs::copy(&first, &second).expect("written meanwhile");
    drop(lock);
    assert!(child.wait().expect("the program").success());
    let text = fs::read_to_string(&second).expect("a profile");
    assert_eq!(text.matches("[[task]]").count(), 2, "{text}");
}

#[test]
fn of_the_techniques_that_a_program_has_the_best_is_advised() {
    let sandbox = crossing();
    let page = advised(&sandbox, &["control", "iterations=52800000", "--among", "spin_a"]);
    assert_eq!(page["advice"]["choice"]["entry"], "spin_a");
    assert!(page["advice"]["choice"]["at_most_slower"].as_f64().is_none_or(|cost| cost > 0.5), "{page}");
}

#[test]
fn what_cannot_be_advised_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (words, said) in [
        (&["cpoy"][..], &["copy"][..]),
        (&["copy", "colour=red"], &["no axis 'colour'", "file_bytes"]),
        (&["copy", "bytes=5"], &["no axis 'bytes'", "--size"]),
        (&["copy", "--size", "many"], &["'many' is not a size"]),
        (&["copy", "--cache", "tepid"], &["tepid"]),
        (&["copy", "files=many"], &["files=many"]),
        (&["pipeline", "threads=0"], &["threads=0"]),
        (&["pipeline", "threads=1", "--threads", "2"], &["named twice"]),
        (&["pipeline", "--cache", "cold"], &["works on no files"]),
        (&["clock", "--size", "1K"], &["no sizes to choose"]),
        (&["copy", "--among", "smal"], &["no such technique"]),
        (&["copy", "--dir", "nowhere"], &["--dir nowhere"]),
        (&[], &["FAMILY"]),
        (&["copy", "--forget"], &["--profile"]),
        (&["copy", "--forget", "--profile", "nowhere.toml"], &["--profile", "nowhere.toml"]),
        (&["copy", "--forget", "--profile", "nowhere.toml", "--size", "4K"], &["--size"]),
    ] {
        assert_refused(&mut sandbox.bakeoff(&[&["advise"], words].concat()), said);
    }
    sandbox.assert_untouched();
}

#[test]
fn what_was_measured_with_a_warm_cache_is_no_advice_for_a_cold_one() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let dir = sandbox.dir();
    let dir = dir.to_str().expect("UTF-8");
    let page = advised(&sandbox, &["copy", "--size", "64K", "--dir", dir]);
    assert_eq!(page["advice"]["basis"]["kind"], "measured", "{page}");
    sandbox.bakeoff(&["advise", "copy", "--size", "64K", "--dir", dir, "--cache", "cold"]).assert().code(1);
    sandbox.bakeoff(&["advise", "copy", "--size", "64K", "--dir", dir, "--durable"]).assert().code(1);
}
