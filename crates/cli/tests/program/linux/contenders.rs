//! External commands in the contest.

use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use super::outputs::can_be_immutable;
use crate::sandbox::{Program, SMALL, Sandbox, assert_refused, names, place, stderr, stdout, trial};

/// The export of a small run with these contenders, which ends well whatever they do.
fn contest(sandbox: &Sandbox, contenders: &[&str]) -> Value {
    contest_with(sandbox, contenders, &[])
}

/// The same with these options.
fn contest_with(sandbox: &Sandbox, contenders: &[&str], options: &[&str]) -> Value {
    let mut command = sandbox.run(SMALL);
    for contender in contenders {
        command.args(["--contender", contender]);
    }
    command.args(options).assert().success();
    sandbox.assert_clean();
    sandbox.exported()
}

/// The first failure of a technique: its kind and its sentence.
fn failure(run: &Value, technique: &str) -> (String, String) {
    let failure = &trial(run, technique)["failures"][0];
    let text = |key: &str| failure[key].as_str().unwrap_or_else(|| panic!("{failure}")).to_owned();
    (text("kind"), text("reason"))
}

/// Refused before anything is measured, with these words.
fn refuse(contenders: &[&str], words: &[&str]) {
    let sandbox = Sandbox::new();
    let mut command = sandbox.run(SMALL);
    for contender in contenders {
        command.args(["--contender", contender]);
    }
    assert_refused(&mut command, words);
    sandbox.assert_untouched();
}

#[test]
fn a_contender_and_the_techniques_are_compared_by_the_time_of_their_processes() {
    let sandbox = Sandbox::new();
    let run = contest(&sandbox, &["cp=cp {input} {output}"]);
    let ranking = &run["contests"][0];
    assert_eq!(ranking["quantity"]["key"], "process_ns");
    for technique in ["cp", "std_copy", "posix_layer"] {
        let samples = trial(&run, technique)["samples"].as_array().expect("samples");
        // One that takes more than twice as long leaves after the third round that is counted.
        assert!([4, 7].contains(&samples.len()), "{technique}");
        assert!(samples.iter().all(|sample| sample["process_ns"].as_u64().is_some_and(|ns| ns > 0)));
        assert!(place(&run, technique)["median_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    }
    assert_eq!(trial(&run, "cp")["kind"], "contender");
    let failures: Vec<&Value> = run["trials"].as_array().expect("trials").iter().collect();
    assert!(
        failures.iter().all(|trial| trial["failures"].as_array().is_none_or(Vec::is_empty)),
        "{failures:?}"
    );
}

#[test]
fn an_untimed_process_comes_before_the_first_of_each_program_alone() {
    let sandbox = Sandbox::new();
    let log = sandbox.path("log");
    let command = |name: &str, program: &str| {
        let script = format!("echo {name} >> {}; cp {{input}} {{output}}", log.display());
        format!("{name}={program} -c '{script}'")
    };
    let contenders = [command("one", "sh"), command("other", "sh"), command("third", "bash")];
    let run = contest(&sandbox, &contenders.each_ref().map(String::as_str));
    let lines = fs::read_to_string(&log).expect("the log");
    let more_than_samples = |name: &str| {
        let samples = trial(&run, name)["samples"].as_array().expect("samples").len();
        lines.lines().filter(|&line| line == name).count() - samples
    };
    // On a busy host the first process may be so slow that it is the sample of round 0 itself.
    assert!(more_than_samples("one") + more_than_samples("other") <= 1, "{lines}");
    assert!(more_than_samples("third") <= 1, "{lines}");
}

#[test]
fn a_contender_that_fails_is_a_row_with_its_last_words() {
    let sandbox = Sandbox::new();
    let run = contest(&sandbox, &["odd=sh -c 'echo no such luck >&2; exit 3' {input} {output}"]);
    let (kind, reason) = failure(&run, "odd");
    assert_eq!(kind, "crash");
    assert!(reason.contains("exit code 3") && reason.contains("no such luck"), "{reason}");
}

#[test]
fn a_contender_that_does_other_work_is_disqualified() {
    let sandbox = Sandbox::new();
    let run = contest(
        &sandbox,
        &["other=sh -c 'echo short > \"$1\"' {input} {output}", "nothing=true {input} {output}"],
    );
    let (kind, reason) = failure(&run, "other");
    assert_eq!(kind, "wrong");
    assert!(reason.contains("6 bytes instead of 65536"), "{reason}");
    assert_eq!(failure(&run, "nothing").0, "wrong");
    for technique in ["other", "nothing"] {
        assert_eq!(place(&run, technique)["standing"], "failed");
    }
}

#[test]
fn a_contender_that_is_not_there_is_missing() {
    let sandbox = Sandbox::new();
    let run = contest(&sandbox, &["ghost=/no/such/program {input} {output}"]);
    let (kind, reason) = failure(&run, "ghost");
    assert_eq!(kind, "missing");
    assert!(reason.contains("/no/such/program"), "{reason}");
}

#[test]
fn a_contender_that_sleeps_for_ever_is_killed_at_the_time_limit() {
    let sandbox = Sandbox::new();
    // The others do not come near it, however busy the machine is.
    let limit = ["--time-limit", "15s"];
    let run = contest_with(&sandbox, &["sleeper=sh -c 'sleep 86399' {input} {output}"], &limit);
    let (kind, reason) = failure(&run, "sleeper");
    assert_eq!(kind, "hang");
    assert!(reason.contains("killed"), "{reason}");
}

#[test]
fn a_contender_that_takes_its_input_away_is_disqualified_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    let later = "later=sh -c 'cp {input} {output}; [ $BAKEOFF_ROUND -lt 2 ] || rm {input}; exit 0'";
    let all = "all=sh -c 'cp \"$1\" \"$2\"; rm -r \"$(dirname \"$2\")\"' x {input} {output}";
    let run = contest(&sandbox, &["mv=mv {input} {output}", later, all]);
    for technique in ["mv", "later", "all"] {
        let (kind, reason) = failure(&run, technique);
        assert_eq!(kind, "wrong");
        assert!(reason.contains("changed or removed its input"), "{reason}");
    }
    for technique in ["std_copy", "posix_layer"] {
        assert!(
            trial(&run, technique)["samples"].as_array().is_some_and(|all| all.len() >= 4),
            "{technique}"
        );
    }
    assert_eq!(run["run"]["complete"], true);
}

#[test]
fn a_link_to_the_input_is_no_copy() {
    let sandbox = Sandbox::new();
    let run = contest(&sandbox, &["hard=ln {input} {output}", "symbolic=ln -s {input} {output}"]);
    for technique in ["hard", "symbolic"] {
        let (kind, reason) = failure(&run, technique);
        assert_eq!(kind, "wrong");
        assert!(reason.contains("a link in place of a file"), "{reason}");
    }
    assert!(trial(&run, "std_copy")["samples"].as_array().is_some_and(|all| all.len() >= 4));
}

#[test]
fn what_is_left_in_place_of_a_file_is_a_wrong_answer_and_no_end_of_the_run() {
    let sandbox = Sandbox::new();
    let made = |name: &str, command: &str| format!("{name}=sh -c '{command} \"$1\"' x {{output}} {{input}}");
    let mut contenders =
        vec![made("pipe", "mkfifo"), made("folder", "mkdir"), made("loop", "ln -s copy.output")];
    let mut left = vec![("pipe", "a pipe"), ("folder", "a folder"), ("loop", "a link")];
    let device = || Err("this user may make no device, so none was an output".to_owned());
    if needs::are_met(if may_make_devices(&sandbox) { Ok(()) } else { device() }) {
        // It never ends: one that is opened is read for ever.
        contenders.push("device=sh -c 'mknod \"$1\" c 1 5' x {output} {input}".to_owned());
        left.push(("device", "a pipe, socket or device"));
    }
    let run = contest(&sandbox, &contenders.iter().map(String::as_str).collect::<Vec<_>>());
    for (technique, what) in left {
        let (kind, reason) = failure(&run, technique);
        assert_eq!(kind, "wrong", "{reason}");
        assert!(reason.contains(&format!("left {what}")), "{reason}");
    }
    assert!(trial(&run, "std_copy")["samples"].as_array().is_some_and(|all| all.len() >= 4));
}

/// Whether this user may make a device, as root may outside of most containers.
fn may_make_devices(sandbox: &Sandbox) -> bool {
    let made = std::process::Command::new("mknod").arg(sandbox.path("device")).args(["c", "1", "5"]).output();
    made.is_ok_and(|made| made.status.success())
}

#[test]
fn a_folder_without_end_is_a_wrong_answer_and_fills_no_disk() {
    let sandbox = Sandbox::new();
    let flood = "flood=sh -c 'mkdir -p \"$1/inner\"; while i=$((i+1)); do head -c 1000000 /dev/zero >\"$1/inner/$i\"; \
                 done' x {output} {input}";
    let crowd = "crowd=sh -c 'cp -r \"$2\" \"$1\" && cd \"$1\" && seq 2000 | xargs touch' x {output} {input}";
    let mut command = sandbox.run(&["copy/std_copy", "--set", "files=3", "--size", "16MiB", "--rounds", "6"]);
    command.args(["--contender", flood, "--contender", crowd]).assert().success();
    sandbox.assert_clean();
    let run = sandbox.exported();
    for (technique, told) in
        [("flood", "longer than any right one"), ("crowd", "entries in the folder of its")]
    {
        let (kind, reason) = failure(&run, technique);
        assert_eq!(kind, "wrong", "{reason}");
        assert!(reason.contains(told), "{technique}: {reason}");
    }
    assert!(trial(&run, "std_copy")["failures"].as_array().is_none_or(Vec::is_empty), "{run}");
}

#[test]
fn a_contender_that_changes_its_input_and_sets_the_time_back_is_disqualified_and_no_other_one() {
    let sandbox = Sandbox::new();
    let change = "cp \"$1\" \"$2\"; touch -r \"$1\" \"$2.time\"; printf x | dd of=\"$1\" conv=notrunc 2>&1; \
                  touch -r \"$2.time\" \"$1\"";
    let sly = format!("sly=sh -c '{change}' x {{input}} {{output}}");
    let reader = "reader=sh -c 'cp \"$1\" \"$2\"; touch -a \"$1\"' x {input} {output}";
    let run = contest(&sandbox, &[&sly, reader]);
    let (kind, reason) = failure(&run, "sly");
    assert_eq!(kind, "wrong");
    assert!(reason.contains("changed or removed its input"), "{reason}");
    for technique in ["std_copy", "posix_layer", "reader"] {
        assert!(trial(&run, technique)["failures"].as_array().is_none_or(Vec::is_empty), "{technique}");
        assert!(
            trial(&run, technique)["samples"].as_array().is_some_and(|all| all.len() >= 4),
            "{technique}"
        );
    }
}

#[test]
fn a_result_that_is_mostly_a_hole_is_wrong_before_it_is_read() {
    let sandbox = Sandbox::new();
    let run = contest(&sandbox, &["hole=sh -c 'truncate -s 1T \"$1\"' x {output} {input}"]);
    let (kind, reason) = failure(&run, "hole");
    assert_eq!(kind, "wrong", "{reason}");
    // The supervisor, which watches the output grow, or the look at the result may find it first.
    let told = ["left 1099511627776 bytes", "longer than any right one"];
    assert!(told.iter().any(|told| reason.contains(told)), "{reason}");
    assert!(trial(&run, "std_copy")["samples"].as_array().is_some_and(|all| all.len() >= 4));
}

#[test]
fn a_contender_that_leaves_what_cannot_be_removed_has_failed_and_the_run_goes_on() {
    let sandbox = Sandbox::new();
    // Modes are tried by a user without rights.
    if !can_be_immutable(&sandbox) {
        return;
    }
    let run = contest(&sandbox, &["fixed=sh -c 'cp \"$1\" \"$2\"; chattr +i \"$2\"' x {input} {output}"]);
    let (kind, reason) = failure(&run, "fixed");
    assert_eq!(kind, "wrong", "{reason}");
    assert!(reason.contains("left what could not be removed"), "{reason}");
    assert!(trial(&run, "std_copy")["samples"].as_array().is_some_and(|all| all.len() >= 4));
}

#[test]
fn output_without_end_is_a_wrong_answer_and_does_not_fill_the_disk() {
    let sandbox = Sandbox::new();
    let endless = "endless=sh -c 'cat /dev/zero > \"$1\"' x {output} {input}";
    sandbox.run(SMALL).args(["--contender", endless]).assert().success();
    let (kind, reason) = failure(&sandbox.exported(), "endless");
    assert_eq!(kind, "wrong");
    assert!(reason.contains("longer than any right one"), "{reason}");
    // Where the answer is what a contender prints.
    let endless = "endless=sh -c 'cat /dev/zero' {pattern}";
    let small = ["search/sequential", "--size", "100K", "--rounds", "6"];
    sandbox.run(&small).args(["--contender", endless]).assert().success();
    let (kind, reason) = failure(&sandbox.exported(), "endless");
    assert_eq!(kind, "wrong");
    assert!(reason.contains("longer than any right one"), "{reason}");
    sandbox.assert_clean();
}

/// The command between quotation marks by which a run is shown again, without the name of the program.
fn shown_again(said: &str) -> Vec<String> {
    let command = said.split('\'').find_map(|part| part.strip_prefix("bakeoff ")).expect("a command");
    command.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_disk_that_is_taken_away_ends_the_run_with_a_sentence_and_keeps_its_whole_rounds() {
    let sandbox = Sandbox::new();
    let thief = "thief=sh -c 'cp {input} {output}; [ $BAKEOFF_ROUND -lt 3 ] || rm -r \"$(dirname \"$(dirname {output})\")\"; exit 0'";
    let assert = sandbox.run(SMALL).args(["--contender", thief, "--quiet"]).assert().code(2);
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert!(said.contains("whole rounds are kept"), "{said}");
    // What is said to be typed is typed, without the store that the sandbox would add.
    let mut again = Program::new(crate::program());
    again.envs(sandbox.variables()).args(shown_again(&said)).assert().success();
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    assert_eq!(run["contests"][0]["rounds"], 2, "round 0 is not counted");
}

#[test]
fn a_store_that_is_lost_while_it_is_in_use_is_not_said_to_be_kept() {
    for loss in ["rm {}", "mv {} {}.moved", "truncate -s 5000 {}", "echo hello > {}"] {
        let sandbox = Sandbox::new();
        let loss = loss.replace("{}", sandbox.store().to_str().expect("a UTF-8 path"));
        let thief = format!("thief=sh -c 'cp {{input}} {{output}}; [ $BAKEOFF_ROUND -ne 2 ] || {loss}'");
        let assert = sandbox.run(SMALL).args(["--contender", &thief, "--quiet"]).assert().code(2);
        let said = stderr(&assert);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("cannot be read from the store any more"), "{loss}: {said}");
        assert!(said.contains("store.sqlite") && !said.contains("are kept"), "{loss}: {said}");
        sandbox.assert_clean();
    }
}

#[test]
fn a_contender_without_its_places_is_refused() {
    refuse(&["cp=cp {input} elsewhere"], &["'cp'", "{output}", "cp {input} {output}"]);
    refuse(&["cp=cp elsewhere {output}"], &["'cp'", "{input}", "cp {input} {output}"]);
}

#[test]
fn a_placeholder_that_is_not_known_is_refused_with_those_that_are() {
    refuse(&["cp=cp {source} {output}"], &["'cp'", "{source}", "{input}, {output}"]);
}

#[test]
fn a_contender_that_is_no_command_is_refused_with_an_example() {
    refuse(&["cp {input} {output}"], &["'cp {input} {output}'", "cp=cp {input} {output}"]);
    refuse(&["cp="], &["'cp'", "empty"]);
    refuse(&["cp=cp 'x {input} {output}"], &["'cp'", "quotation mark"]);
}

#[test]
fn two_contenders_of_one_name_are_refused() {
    let cp = "cp=cp {input} {output}";
    refuse(&[cp, cp], &["'cp'", "twice"]);
}

#[test]
fn a_contender_with_the_name_of_a_technique_is_refused() {
    refuse(&["std_copy=cp {input} {output}"], &["'std_copy'", "technique", "another name"]);
}

#[test]
fn contenders_come_from_a_file_too_and_a_directory_may_hold_a_space() {
    let sandbox = Sandbox::new();
    let spaced = sandbox.path("a directory");
    fs::create_dir(&spaced).expect("a directory");
    let file = sandbox.file(
        "contenders.toml",
        "[[contender]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
         [[contender]]\nname = 'shell'\ncommand = ['sh', '-c', 'cp \"$1\" \"$2\"', 'sh', '{input}', '{output}']\n",
    );
    let mut command = sandbox.bakeoff(&["run", "--dir"]);
    command.arg(&spaced).args(SMALL).arg("--contenders-file").arg(file);
    let shown = stdout(&command.assert().success());
    assert!(shown.contains("a directory") && shown.contains("shell (command)"), "{shown}");
    assert_eq!(names(&spaced), Vec::<String>::new());
    for technique in ["cp", "shell"] {
        // One that takes more than twice as long leaves after the third round that is counted.
        assert!(
            trial(&sandbox.exported(), technique)["samples"].as_array().is_some_and(|all| all.len() >= 4)
        );
    }
}

#[test]
fn a_bad_file_of_contenders_is_refused_with_its_line() {
    let sandbox = Sandbox::new();
    let file =
        sandbox.file("contenders.toml", "[[contender]]\nname = 'cp'\nkommand = 'cp {input} {output}'\n");
    assert_refused(
        sandbox.run(SMALL).arg("--contenders-file").arg(file),
        &["contenders.toml", "line 3", "kommand"],
    );
    assert_refused(sandbox.run(SMALL).args(["--contenders-file", "absent.toml"]), &["absent.toml"]);
    let endless = &["/dev/zero", "1 MiB", "another file"];
    assert_refused(sandbox.run(SMALL).args(["--contenders-file", "/dev/zero"]), endless);
    let latin = sandbox.path("latin.toml");
    fs::write(&latin, b"[[contender]]\nname = 'caf\xe9'\n").expect("a file");
    assert_refused(
        sandbox.run(SMALL).arg("--contenders-file").arg(latin),
        &["latin.toml", "byte 26", "UTF-8"],
    );
    let empty = sandbox.file("empty.toml", "");
    assert_refused(sandbox.run(SMALL).arg("--contenders-file").arg(empty), &["empty.toml", "[[contender]]"]);
    sandbox.assert_untouched();
}

#[test]
fn a_contender_of_a_family_that_does_not_exist_is_refused_with_its_place() {
    let sandbox = Sandbox::new();
    let text = "[[contender]]\nname = 'cp'\nfamily = 'cpoy'\ncommand = 'cp {input} {output}'\n";
    let file = sandbox.file("contenders.toml", text);
    let words = &["contenders.toml, line 3, column 10", "'cp'", "'cpoy'", "copy, "];
    assert_refused(sandbox.run(SMALL).arg("--contenders-file").arg(file), words);
    let text = "[[contender]]\nname = 'cp'\ncommand = 'cp {source} {output}'\n";
    let file = sandbox.file("contenders.toml", text);
    let words = &["contenders.toml, line 3, column 11", "'cp'", "{source}", "{input}, {output}"];
    assert_refused(sandbox.run(SMALL).arg("--contenders-file").arg(file), words);
    sandbox.assert_untouched();
}

#[test]
fn contenders_for_other_families_are_left_out_with_a_word_and_refused_when_there_is_no_other() {
    let sandbox = Sandbox::new();
    let of = |family: &str, command: &str| {
        format!("[[contender]]\nname = 'of_{family}'\nfamily = '{family}'\ncommand = '{command}'\n")
    };
    let sort = of("sort", "sort {input} -o {output}");
    let file = sandbox.file("contenders.toml", &sort);
    let words = &["contenders.toml, line 2, column 8", "'of_sort'", "family sort", "leaves out"];
    assert_refused(sandbox.run(SMALL).arg("--contenders-file").arg(file), words);
    sandbox.assert_untouched();
    let file = sandbox.file("contenders.toml", &(sort + &of("copy", "cp {input} {output}")));
    let said = "contender 'of_sort' is for the family sort, which this run leaves out";
    let assert = sandbox.run(SMALL).arg("--contenders-file").arg(file).assert().success();
    assert.stderr(predicate::str::contains(said)).stdout(predicate::str::contains("of_copy (command)"));
}

#[test]
fn a_contender_that_copies_a_folder_is_proven_file_by_file() {
    let sandbox = Sandbox::new();
    let contenders = [
        "whole=cp -r {input} {output}",
        "lacking=sh -c 'cp -r {input} {output} && rm {output}/file-07'",
        "exchanged=sh -c 'cp -r {input} {output} && cp {input}/file-01 {output}/file-02'",
        "more=sh -c 'cp -r {input} {output} && mkdir {output}/more'",
        "linked=cp -rl {input} {output}",
        "file=cp {input}/file-01 {output}",
    ];
    let mut command = sandbox.run(&["copy/std_copy", "--set", "files=20", "--rounds", "6", "--durable"]);
    for contender in contenders {
        command.args(["--contender", contender]);
    }
    command.assert().success();
    let run = sandbox.exported();
    assert!(trial(&run, "whole")["failures"].as_array().is_none_or(Vec::is_empty), "{run}");
    for (name, reason) in [
        ("lacking", "190000"),
        ("exchanged", ""),
        ("more", "a folder in place of a file"),
        ("linked", "a link in place of a file"),
        ("file", "left no folder in the place of its output"),
    ] {
        let failure = &trial(&run, name)["failures"][0];
        assert_eq!(failure["kind"], "wrong", "{name}: {failure}");
        assert!(failure["reason"].as_str().is_some_and(|said| said.contains(reason)), "{name}: {failure}");
    }
    sandbox.assert_clean();
}
