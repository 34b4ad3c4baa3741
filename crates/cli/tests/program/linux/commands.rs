//! External commands in the contest.

use std::fs;

use predicates::prelude::*;
use serde_json::Value;

use super::outputs::can_be_immutable;
use crate::sandbox::{
    Program, SMALL, Sandbox, assert_failed, assert_measured, assert_refused, assert_shows, failure, is_well,
    list, measured, names, place, samples, stderr, stdout, trial,
};

/// Adds commands that enter the contest.
fn entered<'a>(program: &'a mut Program, externals: &[&str]) -> &'a mut Program {
    program.args(externals.iter().flat_map(|external| ["--command", external]))
}

/// The export of a small run with these commands, which ends well whatever they do.
fn contest(externals: &[&str], options: &[&str]) -> Value {
    let sandbox = Sandbox::new();
    let mut command = sandbox.run(SMALL);
    entered(&mut command, externals).args(options).assert().success();
    sandbox.assert_clean();
    sandbox.exported()
}

#[test]
fn commands_and_techniques_compete_by_process_time() {
    let sandbox = Sandbox::new();
    entered(&mut sandbox.run(SMALL), &["cp=cp {input} {output}"]).assert().success();
    let run = sandbox.exported();
    assert_eq!(run["contests"][0]["metric"]["key"], "process_ns");
    // Advice is by what was compared.
    let size = run["trials"][0]["workload"]["bytes"].to_string();
    let advised = stdout(&sandbox.bakeoff(&format!("advise copy --size {size}")).assert());
    assert_shows(&advised, "nothing was compared by");
    for technique in ["cp", "std_copy", "posix_layer"] {
        assert!([4, 7].contains(&samples(&run, technique)), "{technique}");
        let all = list(&trial(&run, technique)["samples"]);
        assert!(all.iter().all(|sample| sample["process_ns"].as_u64().is_some_and(|ns| ns > 0)));
        assert!(place(&run, technique)["median_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    }
    assert_eq!(trial(&run, "cp")["kind"], "command");
    assert!(list(&run["trials"]).iter().all(is_well), "{run}");
}

#[test]
fn an_untimed_process_comes_before_the_first_of_each_program() {
    let aside = Sandbox::new();
    let log = aside.path("log");
    let externals = [("one", "sh"), ("other", "sh"), ("third", "bash")].map(|(name, program)| {
        let script = format!("echo {name} >> {}; cp {{input}} {{output}}", log.display());
        format!("{name}={program} -c '{script}'")
    });
    let run = contest(&externals.each_ref().map(String::as_str), &[]);
    let lines = fs::read_to_string(&log).expect("the log");
    let more_than_samples =
        |name: &str| lines.lines().filter(|&line| line == name).count() - samples(&run, name);
    // On a busy host the first process may be so slow that it is the sample of round 0 itself.
    assert!(more_than_samples("one") + more_than_samples("other") <= 1, "{lines}");
    assert!(more_than_samples("third") <= 1, "{lines}");
}

#[test]
fn a_command_that_sleeps_for_ever_is_killed_at_the_time_limit() {
    // The others do not come near it, however busy the machine is.
    let run = contest(&["sleeper=sh -c 'sleep 86399' {input} {output}"], &["--time-limit", "15s"]);
    assert_failed(&run, "sleeper", "hang", "killed");
}

#[test]
fn removing_or_changing_the_input_disqualifies() {
    let later = "later=sh -c 'cp {input} {output}; [ $BAKEOFF_ROUND -lt 2 ] || rm {input}; exit 0'";
    let all = "all=sh -c 'cp \"$1\" \"$2\"; rm -r \"$(dirname \"$2\")\"' x {input} {output}";
    // Behind a false time.
    let change = "cp \"$1\" \"$2\"; touch -r \"$1\" \"$2.time\"; printf x | dd of=\"$1\" conv=notrunc 2>&1; \
                  touch -r \"$2.time\" \"$1\"";
    let sly = format!("sly=sh -c '{change}' x {{input}} {{output}}");
    let reader = "reader=sh -c 'cp \"$1\" \"$2\"; touch -a \"$1\"' x {input} {output}";
    let run = contest(&["mv=mv {input} {output}", later, all, &sly, reader], &[]);
    for technique in ["mv", "later", "all", "sly"] {
        assert_failed(&run, technique, "wrong", "changed or removed its input");
    }
    assert_measured(&run, 4, &["std_copy", "posix_layer", "reader"]);
    assert!(is_well(trial(&run, "reader")), "{run}");
    assert_eq!(run["run"]["complete"], true);
}

#[test]
fn what_a_command_does_wrong_is_a_row_and_no_end_of_the_run() {
    let sandbox = Sandbox::new();
    let mut wrong = vec![
        ("odd", "echo no such luck >&2; exit 3", "crash", "exit code 3"),
        ("other", "echo short > \"$1\"", "wrong", "6 bytes instead of 65536"),
        ("nothing", "true", "wrong", ""),
        ("hard", "ln \"$2\" \"$1\"", "wrong", "a link instead of a file"),
        ("symbolic", "ln -s \"$2\" \"$1\"", "wrong", "a link instead of a file"),
        ("pipe", "mkfifo \"$1\"", "wrong", "left a pipe"),
        ("folder", "mkdir \"$1\"", "wrong", "left a folder"),
        ("loop", "ln -s copy.output \"$1\"", "wrong", "left a link"),
        // The supervisor, which watches the output grow, or the look at the result may find it first.
        ("hole", "truncate -s 1T \"$1\"", "wrong", ""),
        ("endless", "cat /dev/zero > \"$1\"", "wrong", "longer than any right one"),
    ];
    let may = may_make_devices(&sandbox).then_some(());
    if needs::are_met(may.ok_or_else(|| "this user may make no device, so none was an output".to_owned())) {
        // It never ends: one that is opened is read for ever.
        wrong.push(("device", "mknod \"$1\" c 1 5", "wrong", "left a pipe, socket or device"));
    }
    // Modes are tried by a user without rights.
    if can_be_immutable(&sandbox) {
        let fixed = "cp \"$2\" \"$1\"; chattr +i \"$1\"";
        wrong.push(("fixed", fixed, "wrong", "left what could not be removed"));
    }
    let in_shells =
        wrong.iter().map(|(name, script, ..)| format!("{name}=sh -c '{script}' x {{output}} {{input}}"));
    let mut externals: Vec<String> = in_shells.collect();
    externals.push("ghost=/no/such/program {input} {output}".to_owned());
    wrong.push(("ghost", "", "missing", "/no/such/program"));
    let run = contest(&externals.iter().map(String::as_str).collect::<Vec<_>>(), &[]);
    for (name, _, kind, words) in wrong {
        assert_failed(&run, name, kind, words);
        assert_eq!(place(&run, name)["standing"], "failed", "{name}");
    }
    assert!(failure(&run, "odd").1.contains("no such luck"), "its last words");
    let (_, of_hole) = failure(&run, "hole");
    let found = ["left 1099511627776 bytes", "longer than any right one"];
    assert!(found.iter().any(|found| of_hole.contains(found)), "{of_hole}");
    assert!(samples(&run, "std_copy") >= 4);
    // Where the answer is what a command prints.
    let endless = "--command \"endless=sh -c 'cat /dev/zero' {pattern}\"";
    let run = measured(&format!("search/sequential --size 100K --rounds 6 {endless}"));
    assert_failed(&run, "endless", "wrong", "longer than any right one");
}

/// Returns whether this user may make a device, as root may outside of most containers.
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
    let mut command = sandbox.run("copy/std_copy --set files=3 --size 16MiB --rounds 6");
    command.args(["--command", flood, "--command", crowd]).assert().success();
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_failed(&run, "flood", "wrong", "longer than any right one");
    assert_failed(&run, "crowd", "wrong", "entries in the folder of its");
    assert!(is_well(trial(&run, "std_copy")), "{run}");
}

/// The command between quotation marks by which a run is shown again, without the name of the program.
fn shown_again(said: &str) -> Vec<String> {
    let command = said.split('\'').find_map(|part| part.strip_prefix("bakeoff ")).expect("a command");
    command.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_run_whose_disk_is_taken_away_keeps_its_whole_rounds() {
    let sandbox = Sandbox::new();
    let thief = "thief=sh -c 'cp {input} {output}; [ $BAKEOFF_ROUND -lt 3 ] || rm -r \"$(dirname \"$(dirname {output})\")\"; exit 0'";
    let assert = sandbox.run(SMALL).args(["--command", thief, "--quiet"]).assert().code(2);
    let said = stderr(&assert);
    assert_eq!(said.lines().count(), 1, "{said}");
    assert_shows(&said, "whole rounds are kept");
    // What is said to be typed is typed, without the store that the sandbox would add.
    let mut again = Program::new(crate::program());
    again.envs(sandbox.variables()).args(shown_again(&said)).assert().success();
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert_eq!(run["run"]["complete"], false);
    assert_eq!(run["contests"][0]["rounds"], 2, "round 0 is not counted");
}

#[test]
fn a_store_that_is_lost_in_use_is_not_said_to_be_kept() {
    for loss in ["rm {}", "mv {} {}.moved", "truncate -s 5000 {}", "echo hello > {}"] {
        let sandbox = Sandbox::new();
        let loss = loss.replace("{}", sandbox.store().to_str().expect("a UTF-8 path"));
        let thief = format!("thief=sh -c 'cp {{input}} {{output}}; [ $BAKEOFF_ROUND -ne 2 ] || {loss}'");
        let assert = sandbox.run(SMALL).args(["--command", &thief, "--quiet"]).assert().code(2);
        let said = stderr(&assert);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("cannot be read from the store any more"), "{loss}: {said}");
        assert!(said.contains("store.sqlite") && !said.contains("are kept"), "{loss}: {said}");
        sandbox.assert_clean();
    }
}

#[test]
fn a_command_that_cannot_take_part_is_refused_with_an_example() {
    let cp = "cp=cp {input} {output}";
    for (externals, words) in [
        (&["cp=cp {input} elsewhere"][..], "'cp' | {output} | cp {input} {output}"),
        (&["cp=cp 'x {input} {output}"], "'cp' | quotation mark"),
        (&[cp, cp], "'cp' | twice"),
        (&["std_copy=cp {input} {output}"], "'std_copy' | technique | another name"),
    ] {
        let sandbox = Sandbox::new();
        assert_refused(entered(&mut sandbox.run(SMALL), externals), words);
        sandbox.assert_untouched();
    }
}

#[test]
fn commands_come_from_a_file_and_run_in_a_spaced_directory() {
    let sandbox = Sandbox::new();
    let spaced = sandbox.path("a directory");
    fs::create_dir(&spaced).expect("a directory");
    let file = sandbox.file(
        "commands.toml",
        "[[command]]\nname = 'cp'\ncommand = 'cp {input} {output}'\n\
         [[command]]\nname = 'shell'\ncommand = ['sh', '-c', 'cp \"$1\" \"$2\"', 'sh', '{input}', '{output}']\n",
    );
    let mut command = sandbox.bakeoff("run --verbose --dir");
    command.arg(&spaced).args(SMALL).arg("--commands-file").arg(file);
    assert_shows(&stdout(&command.assert().success()), "a directory | shell (command)");
    assert_eq!(names(&spaced), Vec::<String>::new());
    assert_measured(&sandbox.exported(), 4, &["cp", "shell"]);
}

#[test]
fn a_bad_file_of_commands_is_refused_with_its_place() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("commands.toml", "[[command]]\nname = 'cp'\nkommand = 'cp {input} {output}'\n");
    let latin = sandbox.path("latin.toml");
    fs::write(&latin, b"[[command]]\nname = 'caf\xe9'\n").expect("a file");
    for (file, words) in [
        (file, "commands.toml | line 3 | kommand"),
        (sandbox.file("empty.toml", ""), "empty.toml | [[command]]"),
        (latin, "latin.toml | byte 24 | UTF-8"),
        (sandbox.path("absent.toml"), "absent.toml"),
        ("/dev/zero".into(), "/dev/zero | 1 MiB | another file"),
    ] {
        assert_refused(sandbox.run(SMALL).arg("--commands-file").arg(file), words);
    }
    sandbox.assert_untouched();
}

#[test]
fn commands_of_other_families_are_left_out() {
    let sandbox = Sandbox::new();
    let both =
        [("sort", "sort {input} -o {output}"), ("copy", "cp {input} {output}")].map(|(family, command)| {
            format!("[[command]]\nname = 'of_{family}'\nfamily = '{family}'\ncommand = '{command}'\n")
        });
    let file = sandbox.file("commands.toml", &both.concat());
    let said = "command 'of_sort' is for the family sort, which this run leaves out";
    let assert = sandbox.run(SMALL).arg("--commands-file").arg(file).assert().success();
    assert.stderr(predicate::str::contains(said)).stdout(predicate::str::contains("of_copy (command)"));
}

#[test]
fn a_command_that_copies_a_folder_is_proven_file_by_file() {
    let sandbox = Sandbox::new();
    let externals = [
        "whole=cp -r {input} {output}",
        "lacking=sh -c 'cp -r {input} {output} && rm {output}/file-07'",
        "exchanged=sh -c 'cp -r {input} {output} && cp {input}/file-01 {output}/file-02'",
        "more=sh -c 'cp -r {input} {output} && mkdir {output}/more'",
        "linked=cp -rl {input} {output}",
        "file=cp {input}/file-01 {output}",
    ];
    let mut command = sandbox.run("copy/std_copy --set files=20 --rounds 6 --durable");
    entered(&mut command, &externals).assert().success();
    let run = sandbox.exported();
    assert!(is_well(trial(&run, "whole")), "{run}");
    for (name, reason) in [
        ("lacking", "190000"),
        ("exchanged", ""),
        ("more", "a folder instead of a file"),
        ("linked", "a link instead of a file"),
        ("file", "left no folder in the place of its output"),
    ] {
        assert_failed(&run, name, "wrong", reason);
    }
    sandbox.assert_clean();
}
