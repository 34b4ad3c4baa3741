//! Jobs of the user's own.

use std::fs;

use super::outputs::can_be_immutable;
use crate::sandbox::{Sandbox, assert_failed, assert_refused, assert_shows, names, samples, stderr, trial};

fn job(sandbox: &Sandbox, toml: &str) -> String {
    fs::create_dir_all(sandbox.path("job")).expect("a folder");
    sandbox.file("job/own.toml", toml);
    sandbox.word("job/own.toml")
}

/// The page of a run of three rounds.
fn ran(sandbox: &Sandbox, toml: &str) -> String {
    let path = job(sandbox, toml);
    sandbox.measured(&[&*path, "--rounds", "3"])
}

/// Refused before anything is kept.
fn refuse(toml: &str, words: &str) {
    let sandbox = Sandbox::new();
    let path = job(&sandbox, toml);
    assert_refused(&mut sandbox.run(&["--quiet", &path, "--rounds", "3"]), words);
    sandbox.assert_clean();
}

const INPUT: &str = "[input]\ngenerate = 'text'\nbytes = '64K'\n";

#[test]
fn a_job_has_what_a_family_has_and_its_question_is_kept() {
    let sandbox = Sandbox::new();
    let toml = "question = 'How do I sort?'\nproof = 'output'\n[input]\ngenerate = 'text'\nbytes = ['8K', '64K']\n\
         [[technique]]\nname = 'plain'\ncommand = 'sort -S {memory} {input}'\nmemory = ['1M', '8M']\n\
         [[technique]]\nname = 'file'\ncommand = ['sort', '-o', '{output}', '{input}']\n";
    let shown = ran(&sandbox, toml);
    assert_shows(&shown, "own: How do I sort? | 8 to 64 KiB");
    assert!(!shown.contains("(command)"), "{shown}");
    assert_eq!(sandbox.shown("report"), shown);
    let run = sandbox.exported();
    let file = trial(&run, "file");
    assert_eq!(file["command"], serde_json::json!(["sort", "-o", "{output}", "{input}"]));
    assert_eq!(file["workload"]["bytes"], 65_536);
    assert!(file["samples"][0]["resident_before"].is_object(), "{file}");
}

#[test]
fn commands_and_files_are_those_beside_the_job() {
    let sandbox = Sandbox::new();
    let path = job(
        &sandbox,
        "[input]\nfiles = ['one', 'two']\n[[technique]]\nname = 'own'\ncommand = './tool {input}'\n\
         [proof]\ncommand = 'cat {stdout}'\n",
    );
    let folder = sandbox.path("job");
    fs::write(folder.join("one"), "1\n").expect("a file");
    fs::write(folder.join("two"), "2\n").expect("a file");
    fs::write(folder.join("tool"), "#!/bin/sh\ncat \"$@\"\n").expect("a tool");
    std::process::Command::new("chmod").arg("+x").arg(folder.join("tool")).status().expect("chmod");
    sandbox.measured(&[&*path, "--rounds", "3"]);
    let run = sandbox.exported();
    assert_eq!(trial(&run, "own")["samples"][0]["proof"]["bytes"], 4);
    let mut left = names(&folder);
    left.sort();
    assert_eq!(left, ["one", "own.toml", "tool", "two"]);
}

#[test]
fn a_result_that_differs_from_the_first_disqualifies() {
    let sandbox = Sandbox::new();
    let toml = format!(
        "proof = 'output'\n{INPUT}[[technique]]\nname = 'right'\ncommand = 'cat {{input}}'\n\
         [[technique]]\nname = 'wrong'\ncommand = 'head -n 1 {{input}}'\n"
    );
    assert_shows(&ran(&sandbox, &toml), "wrong gave a wrong answer: its proof differs from that of right");
}

#[test]
fn a_command_may_work_in_place_on_what_its_preparation_made() {
    let sandbox = Sandbox::new();
    let toml = format!(
        "shell = true\nproof = 'output'\nprepare = 'cp {{input}} {{output}}'\n{INPUT}\
         [[technique]]\nname = 'sort'\ncommand = 'sort -o {{output}} {{output}}'\n\
         [[technique]]\nname = 'again'\ncommand = 'sort {{output}} > {{output}}.new && mv {{output}}.new {{output}}'\n"
    );
    let shown = ran(&sandbox, &toml);
    assert!(!shown.contains("failed") && shown.contains("a shell (sh -c) takes"), "{shown}");
}

#[test]
fn files_beside_an_output_are_removed_after_each_sample() {
    let sandbox = Sandbox::new();
    let seen = sandbox.path("seen");
    let toml = format!(
        "{INPUT}[[technique]]\nname = 'untidy'\nshell = true\n\
         command = 'ls -A $(dirname {{output}}) | wc -l >> {}; cp {{input}} {{output}}; mktemp {{output}}.XXXXXX'\n",
        seen.display()
    );
    ran(&sandbox, &toml);
    let counts = fs::read_to_string(seen).expect("what lay there");
    assert!(counts.lines().count() >= 4 && counts.lines().all(|count| count.trim() == "1"), "{counts}");
}

#[test]
fn a_cleanup_follows_a_setup_that_fails() {
    let sandbox = Sandbox::new();
    let [made, cleaned] = ["made", "cleaned"].map(|name| sandbox.word(name));
    let toml = format!(
        "{INPUT}[[technique]]\nname = 'first'\ncommand = 'cat {{input}}'\nsetup = 'touch {made}'\n\
         cleanup = 'mv {made} {cleaned}'\n\
         [[technique]]\nname = 'second'\ncommand = 'cat {{input}}'\nsetup = 'false'\n"
    );
    let path = job(&sandbox, &toml);
    assert_refused(&mut sandbox.run(&["--quiet", &path, "--rounds", "3"]), "the setup of second");
    assert!(fs::exists(cleaned).expect("a place") && !fs::exists(made).expect("a place"));
    sandbox.assert_clean();
}

#[test]
fn a_result_may_be_a_folder_where_a_command_looks_at_it() {
    let sandbox = Sandbox::new();
    let toml = format!(
        "{INPUT}[[technique]]\nname = 'folder'\ncommand = 'sh -c \"mkdir $0 && cp $1 $0/copy\" {{output}} {{input}}'\n\
         [proof]\ncommand = 'cat {{output}}/copy'\n"
    );
    assert!(!ran(&sandbox, &toml).contains("failed"));
}

#[test]
fn an_exit_code_is_looked_at_unless_it_shall_not_be() {
    let sandbox = Sandbox::new();
    let both =
        "[[technique]]\nname = 'well'\ncommand = 'true'\n[[technique]]\nname = 'odd'\ncommand = 'false'\n";
    assert!(ran(&sandbox, both).contains("failed: odd: ended with exit code 1"));
    for ignoring in ["proof = 'none'", "ignore-failure = true"] {
        let sandbox = Sandbox::new();
        assert!(!ran(&sandbox, &format!("{ignoring}\n{both}")).contains("failed: odd"));
    }
}

#[test]
fn a_job_is_refused_in_one_line_with_its_place() {
    refuse("qestion = 'x'\n", "own.toml, line 1, column 1 | did you mean 'question'?");
    refuse("[[technique]]\nname = 'a'\ncommand = 'no-such-program'\n", "line 3, column 11 | no program");
    let sandbox = Sandbox::new();
    let path =
        job(&sandbox, "[input]\nfiles = ['pipe']\n[[technique]]\nname = 'a'\ncommand = 'cat {input}'\n");
    // To open it would wait for who writes to it.
    let pipe = sandbox.path("job/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("a program").success());
    assert_refused(&mut sandbox.run(&[&*path]), "own.toml, line 2, column 10 | job/pipe is not a file");
    fs::remove_file(pipe).expect("removed");
    assert_refused(&mut sandbox.run("absent.toml"), "absent.toml cannot be read");
    let path = job(&sandbox, "[[technique]]\nname = 'a'\ncommand = 'true'\n");
    assert_refused(&mut sandbox.run(&[&*path, "copy"]), "own.toml is a job | leave 'copy' out");
    assert_refused(&mut sandbox.run(&[&*path, "--command", "a=b"]), "own.toml is a job | [[technique]]");
    sandbox.assert_untouched();
}

#[test]
fn a_name_that_is_no_text_is_refused() {
    use std::os::unix::ffi::OsStringExt;
    let sandbox = Sandbox::new();
    let folder = sandbox.path("job").join(std::ffi::OsString::from_vec(b"odd-\xff".to_vec()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("own.toml"), "[[technique]]\nname = 'a'\ncommand = 'true'\n").expect("a job");
    let mut here = sandbox.run("own.toml");
    assert_refused(here.current_dir(&folder), "own.toml | not UTF-8 | move it");
    fs::write(folder.join("latin.toml"), b"question = '\xe4'\n").expect("a job");
    let mut latin = sandbox.run("latin.toml");
    assert_refused(latin.current_dir(&folder), "latin.toml is not a file of a job | byte 13 is not UTF-8");
}

#[test]
fn what_a_job_begins_with_must_work() {
    let technique = "[[technique]]\nname = 'cat'\ncommand = 'cat {input}'\n";
    for (command, words) in [
        ("sh -c \"echo no >&2; exit 3\"", "the job own cannot begin | [input] | exit status: 3 | no"),
        ("true {input}", "left no {input}"),
    ] {
        refuse(&format!("proof = 'output'\n[input]\ncommand = '{command}'\n{technique}"), words);
    }
    refuse(&format!("setup = 'false'\n{INPUT}{technique}"), "the setup of cat | false");
    let changing = technique.replace("cat {input}", "head -c 99 /dev/urandom {input}");
    refuse(
        &format!("proof = 'output'\n{INPUT}{changing}"),
        "two runs of cat gave two different proofs | choose one that does not change",
    );
}

#[test]
fn a_word_for_a_shell_in_a_job_is_warned_of() {
    let sandbox = Sandbox::new();
    let path = job(&sandbox, "[[technique]]\nname = 'a'\ncommand = 'echo a | wc'\n");
    let assert = sandbox.run(&[&*path, "--rounds", "3"]).assert().success();
    assert!(stderr(&assert).contains("'|' reaches echo") && stderr(&assert).contains("shell = true"));
}

/// The first technique of a job fails in this way, and the second does its work.
fn fails_alone(command: &str, options: &[&str], kind: &str, words: &str) {
    let sandbox = Sandbox::new();
    let toml = format!(
        "shell = true\nproof = 'output'\n{INPUT}[[technique]]\nname = 'odd'\ncommand = '{command}'\n\
         [[technique]]\nname = 'good'\ncommand = 'cat {{input}}'\n"
    );
    let path = job(&sandbox, &toml);
    sandbox.run(&[&*path, "--rounds", "3"]).args(options).assert().success();
    sandbox.assert_clean();
    let run = sandbox.exported();
    assert!(samples(&run, "good") >= 4 && samples(&run, "odd") == 0, "{run}");
    assert_failed(&run, "odd", kind, words);
}

#[test]
fn a_first_technique_that_fails_is_alone_in_it() {
    // The other technique does not come near the limit, however busy the machine is.
    fails_alone("sleep 86399 && cat {input}", &["--time-limit", "15s"], "hang", "");
    fails_alone("mkfifo {output} && test -e {input}", &[], "wrong", "no file in the place of its output");
    if can_be_immutable(&Sandbox::new()) {
        let fixed = "cp {input} {output}; chattr +i {output}";
        fails_alone(fixed, &[], "wrong", "left what could not be removed");
    }
}

#[test]
fn a_command_of_a_job_that_prints_without_end_fills_no_disk() {
    let sandbox = Sandbox::new();
    let toml = format!(
        "proof = 'output'\n{INPUT}[[technique]]\nname = 'good'\ncommand = 'cat {{input}}'\n\
         [[technique]]\nname = 'endless'\ncommand = 'cat {{input}} /dev/zero'\n"
    );
    sandbox.measured(&[&*job(&sandbox, &toml), "--rounds", "3", "--time-limit", "60s"]);
    assert_failed(&sandbox.exported(), "endless", "wrong", "longer than any right one");
}
