//! What to use for a task, from what was measured here, and the profile that other programs load.

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::curves::crossing;
use crate::sandbox::{Sandbox, assert_refused, assert_shows, from_json, list, names, stdout, unfolded};

/// A file for a profile, the advice for `control` written into it, and what stands there.
fn profiled(sandbox: &Sandbox) -> (String, String) {
    let name = sandbox.word("profile.toml");
    let shown = sandbox.shown(&["advise", "control", "--profile", &name]);
    assert_shows(&shown, "profile.toml");
    let text = read(&name);
    (name, text)
}

fn read(name: &str) -> String {
    fs::read_to_string(name).expect("a profile")
}

fn tasks(text: &str) -> usize {
    text.matches("[[task]]").count()
}

#[test]
fn many_runs_of_another_host_do_not_hide_the_own_one() {
    let sandbox = crossing();
    let own = sandbox.shown("advise control");
    let run = from_json(&sandbox.shown("export last --format json"));
    let files = (0..25).map(|nth| {
        let mut run = run.clone();
        run["run"]["id"] = format!("20990101T0000{nth:02}.000Z-abcdefgh").into();
        run["run"]["started"] = format!("2099-01-01T00:00:{nth:02}+00:00").into();
        run["host"]["fingerprint"] = "0000000000000000".into();
        sandbox.file(&format!("{nth}.json"), &run.to_string())
    });
    sandbox.bakeoff("import").args(files).assert().success();
    assert_eq!(sandbox.shown("advise control"), own);
    assert_shows(&sandbox.shown("advise control --verbose"), "25 runs were taken on another host");
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
        let set = if entry.is_some() { "--set " } else { "" };
        let asked = format!("advise control {set}iterations={level} --format json");
        let assert = sandbox.bakeoff(&asked).assert().code(i32::from(entry.is_none()));
        let page = from_json(&stdout(&assert));
        let advice = &page["advice"];
        let chosen = advice["choice"]["entry"].as_str();
        assert_eq!((chosen, &advice["basis"]["kind"]), (entry, &json!(kind)), "{page}");
        assert_eq!(page["schema"], 3);
        assert_eq!(page["measure_with"].is_string(), entry.is_none(), "{page}");
        assert_eq!(advice["origins"][0]["run"], sandbox.exported()["run"]["id"]);
    }
    // The thresholds are those of the run itself.
    let page = sandbox.json("advise control");
    let ends = [&page["advice"], &sandbox.exported()["curves"][0]].map(|of| -> Vec<(Value, Value)> {
        list(&of["ranges"]).iter().map(|one| (one["from"].clone(), one["to"].clone())).collect()
    });
    assert_eq!(ends[0], ends[1]);
    // Of the techniques that a program has the best is advised.
    let page = sandbox.json("advise control iterations=52800000 --among spin_a");
    assert_eq!(page["advice"]["choice"]["entry"], "spin_a");
    assert!(page["advice"]["choice"]["at_most_slower"].as_f64().is_none_or(|cost| cost > 0.5), "{page}");
}

#[test]
fn without_a_level_all_of_them_are_shown_in_every_form() {
    let sandbox = crossing();
    let shown = sandbox.shown("advise control");
    assert_shows(&shown, "Use spin_a at 66000 and 132000 iterations | from");
    for format in ["markdown", "html"] {
        let page = sandbox.shown(&["advise", "control", "--format", format]);
        assert_shows(&page, "sleep_5ms at 26400000 and 52800000 iterations");
    }
    let page = sandbox.json("advise control");
    let ranges = list(&page["advice"]["ranges"]);
    assert_eq!(ranges.len(), 2, "{page}");
    assert_eq!((&ranges[0]["from"], &ranges[1]["to"]), (&json!(66_000), &json!(52_800_000)));
}

#[test]
fn with_nothing_measured_the_command_that_measures_it_is_shown() {
    let sandbox = Sandbox::new();
    for (asked, measure) in [
        ("copy --size 300MB --cache cold", "bakeoff run copy --size 300MB --cache cold"),
        ("copy", "bakeoff run copy --sizes 4K..256MiBx4"),
        ("pipeline --threads 16", "bakeoff run pipeline --set threads=16"),
    ] {
        let assert = sandbox.bakeoff(&format!("advise {asked}")).assert().code(1);
        assert_shows(&stdout(&assert), measure);
    }
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
    let kept = read(&name);
    assert_eq!(tasks(&kept), 1, "{kept}");
    assert!(kept.contains(line) && !kept.contains("0.0.1"), "{kept}");
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
        assert_refused(sandbox.bakeoff("advise control --profile").arg(&name), &["--profile", said]);
        assert_eq!(read(&name), text);
    }
}

#[test]
fn a_profile_that_cannot_be_written_is_refused_first() {
    let sandbox = Sandbox::new();
    let (inside, folder) = (sandbox.path("none").join("profile.toml"), sandbox.word("none"));
    for (profile, words) in [
        (&inside, &["--profile", &folder, "does not exist", "make it first"][..]),
        (&inside, &["--profile", &folder, "not a folder"]),
        (&sandbox.dir(), &["--profile", "it is a folder", "profile.toml"]),
    ] {
        assert_refused(sandbox.bakeoff("advise control --profile").arg(profile), words);
        sandbox.file("none", "");
    }
    // Nothing was measured, and that is not what is said: no other reason comes before this one.
    sandbox.assert_untouched();
}

#[test]
fn a_profile_keeps_what_is_better_founded_and_says_so() {
    let sandbox = crossing();
    let (name, own) = profiled(&sandbox);
    assert_shows(&own, "certainty =  | rounds =  | date =  | confidence =  | [task.setup]");
    let founded = own.lines().map(|line| match line.split_once(" = ") {
        Some(("rounds", _)) => "rounds = 9000",
        Some(("certainty", _)) => "certainty = \"sure\"",
        _ => line,
    });
    fs::write(&name, founded.collect::<Vec<_>>().join("\n")).expect("a file");
    let shown = sandbox.shown(&["advise", "control", "--profile", &name]);
    assert_shows(&unfolded(&shown), "it rests on 9000 rounds (sure), this advice on ");
    let page = sandbox.json(&["advise", "control", "--profile", &name]);
    assert_shows(&page["profile_keeps"].to_string(), "--forget");
    assert_eq!(read(&name).matches("rounds = 9000").count(), 2);
    // Once it is forgotten, the new advice counts.
    let shown = sandbox.shown(&["advise", "control", "--forget", "--profile", &name]);
    assert_shows(&shown, "Removed 1 task of control | 0 tasks left");
    assert_eq!(tasks(&read(&name)), 0);
    let page = sandbox.json(&["advise", "control", "--profile", &name]);
    assert!(page["profile_keeps"].is_null() && !read(&name).contains("rounds = 9000"), "{page}");
}

#[test]
fn a_profile_restarts_on_another_host_when_all_is_forgotten() {
    let sandbox = crossing();
    let (name, own) = profiled(&sandbox);
    let none = sandbox.bakeoff(&["advise", "copy", "--forget", "--profile", &name]).assert().code(1);
    assert_shows(&stdout(&none), "said nothing of copy");
    assert_eq!(read(&name), own);
    let (foreign, line) = of_another_host(&own);
    fs::write(&name, &foreign).expect("a file");
    let forgotten = &mut sandbox.bakeoff(&["advise", "control", "--forget", "--profile", &name]);
    assert_refused(forgotten, "another host | name another file | --forget");
    assert_eq!(read(&name), foreign);
    sandbox.shown(&["advise", "--forget", "--profile", &name]);
    let begun = read(&name);
    assert!(begun.contains(line) && tasks(&begun) == 0, "{begun}");
}

#[test]
fn a_question_about_all_sizes_names_none() {
    let sandbox = Sandbox::new();
    let nothing = from_json(&stdout(&sandbox.in_dir("advise", "copy --format json").assert().code(1)));
    assert_eq!((&nothing["along"], &nothing["workload"]), (&json!("bytes"), &json!({"name": ""})));
    let shown = stdout(&sandbox.in_dir("advise", "copy").assert().code(1));
    assert!(shown.contains("at every size") && !shown.contains("25.6 MB"), "{shown}");
    sandbox.ran("");
    let page = sandbox.json_in_dir("advise", "copy");
    assert_eq!(page["workload"], json!({"name": ""}), "{page}");
    let sized = sandbox.json_in_dir("advise", "copy --size 64K");
    assert_eq!(sized["workload"]["bytes"], 65_536, "{sized}");
    assert_eq!(sized["advice"]["basis"]["kind"], "measured", "{sized}");
    for other in ["--cache cold", "--durable"] {
        sandbox.in_dir("advise", &format!("copy --size 64K {other}")).assert().code(1);
    }
}

#[test]
fn an_axis_is_answered_with_the_numbers_that_were_measured() {
    let sandbox = Sandbox::new();
    sandbox.measured("pipeline/crossbeam pipeline/own_queue --set units=100 --set threads=1,2,4 --rounds 6");
    let page = sandbox.json("advise pipeline");
    let advice = &page["advice"];
    assert_eq!(advice["axis"], "threads");
    assert_eq!(advice["basis"], json!({"kind": "all_levels", "from": 1, "to": 4}), "{page}");
    let remark = "This was measured with 100 units: nothing is known of 1000, the usual number of units.";
    assert_eq!(advice["remarks"][0], remark, "{page}");
    let shown = sandbox.shown("advise pipeline");
    assert_shows(&shown, "at every number of threads");
    let named = sandbox.json("advise pipeline units=100");
    assert!(!named["advice"]["remarks"].to_string().contains("the usual"), "{named}");
    let two = sandbox.json("advise pipeline --threads 2");
    assert_eq!(two["advice"]["basis"]["kind"], "measured", "{two}");
}

#[test]
fn advice_waits_for_the_process_that_writes_the_profile() {
    let sandbox = crossing();
    let dir = sandbox.dir();
    let (first, second) = (sandbox.path("first.toml"), dir.join("second.toml"));
    sandbox.shown(&["advise", "control", "--among", "spin_a", "--profile", &sandbox.word("first.toml")]);
    let lock = sys::file_lock::wait_for(&second, Duration::from_secs(60)).expect("the lock");
    let mut command = Command::new(crate::program());
    command.envs(sandbox.variables()).arg("--store").arg(sandbox.store()).stdout(Stdio::null());
    command.args(["advise", "control", "--among", "sleep_5ms", "--profile"]).arg(&second);
    let mut child = command.spawn().expect("the program");
    // Long enough to read everything that it reads; a host that is slower only makes the case easier.
    thread::sleep(Duration::from_secs(2));
    assert!(!second.exists(), "it writes without the lock");
    assert_eq!(child.try_wait().expect("the program"), None, "it has not waited");
    fs::copy(&first, &second).expect("written meanwhile");
    drop(lock);
    assert!(child.wait().expect("the program").success());
    assert_eq!(tasks(&fs::read_to_string(&second).expect("a profile")), 2);
    assert_eq!(names(&dir), ["second.toml"], "locks and halves are removed");
}

#[test]
fn what_cannot_be_advised_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (words, said) in [
        ("cpoy", "copy"),
        ("copy colour=red", "no axis 'colour' | file_bytes"),
        ("copy bytes=5", "no axis 'bytes' | --size"),
        ("copy --size many", "'many' is not a size"),
        ("copy --cache tepid", "tepid"),
        ("copy files=many", "files=many"),
        ("pipeline threads=0", "threads=0"),
        ("pipeline threads=1 --threads 2", "named twice"),
        ("pipeline --cache cold", "works on no files"),
        ("clock --size 1K", "no size to choose"),
        ("copy --size 0", "--size 0 | --size 64K"),
        ("copy --among smal", "no such technique"),
        ("copy --dir nowhere", "--dir nowhere"),
        ("", "FAMILY"),
        ("copy --forget", "--profile"),
        ("copy --forget --profile nowhere.toml", "--profile | nowhere.toml"),
        ("copy --forget --profile nowhere.toml --size 4K", "--size"),
    ] {
        assert_refused(&mut sandbox.bakeoff(&format!("advise {words}")), said);
    }
    sandbox.assert_untouched();
}
