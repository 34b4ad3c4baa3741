//! Jobs that are read, and those that are refused in one line with their place.

use std::path::Path;

use families::{Command, Generated, GoodExits, Job, JobInput, Proving};

use super::*;

/// Programs that every system of the tests has.
const PROGRAM: &str = sys::command_line::SHELL[0];

fn read(toml: &str) -> Result<ReadJob, Refusal> {
    read_job(&toml.replace("PROGRAM", PROGRAM), "jobs/squeeze.toml", Path::new("."))
}

fn job(toml: &str) -> Job {
    read(toml).unwrap_or_else(|refused| panic!("{refused}")).job
}

fn refused(toml: &str, words: &[&str]) {
    let said = read(toml).expect_err(toml).to_string();
    for word in words {
        assert!(said.contains(word), "'{word}' is not in: {said}");
    }
    assert!(!said.contains('\n'), "{said}");
}

fn one(command: &str) -> String {
    format!("[[technique]]\nname = 'a'\ncommand = {command}\n")
}

const ONE: &str = "[[technique]]\nname = 'one'\ncommand = 'PROGRAM {input}'\n";
const SIZED: &str = "[input]\ngenerate = 'text'\nbytes = ['64K', 1000]\n";

#[test]
fn a_job_has_a_contest_for_every_size_and_shared_value() {
    let technique = ONE.replace("{input}", "{input} {threads}");
    let job = job(&format!("{SIZED}[axes]\nthreads = {{ from = 1, to = 5, step = 2 }}\n{technique}"));
    let names = ["64KiB", "1kB"].map(|size| [1, 3, 5].map(|count| format!("{size} threads={count}")));
    let made = job.workloads.iter().map(|workload| &workload.name);
    assert!(made.eq(names.as_flattened()), "{:?}", job.workloads);
    assert_eq!((job.name.as_str(), job.input), ("squeeze", JobInput::Generated(Generated::Text)));
    assert_eq!(job.question, "Which command of squeeze is fastest?");
}

#[test]
fn a_technique_competes_once_for_every_point_of_its_own_axes() {
    let job = job(&one("'PROGRAM -{level} --mode={mode}'\nlevel = [1, 9]\nmode = ['x', 'y']"));
    let names: Vec<&str> = job.techniques.iter().map(|one| &*one.name).collect();
    assert_eq!(names, ["a@level=1,mode=x", "a@level=1,mode=y", "a@level=9,mode=x", "a@level=9,mode=y"]);
    assert_eq!(job.techniques[3].command.words()[1..], ["-9", "--mode=y"]);
}

#[test]
fn a_line_is_split_with_its_values_and_a_list_is_not() {
    let line = job(&one("'PROGRAM {flags}'\nflags = ['-a -b']"));
    assert_eq!(line.techniques[0].command.words()[1..], ["-a", "-b"]);
    let list = job(&one("['PROGRAM', '{flags}']\nflags = ['-a -b']"));
    assert_eq!(list.techniques[0].command.words()[1..], ["-a -b"]);
}

#[test]
fn what_a_technique_says_overrides_the_job() {
    let job = job(
        "shell = true\nignore-failure = true\n[prepare]\ncommand = 'PROGRAM'\n[[technique]]\nname = 'a'\n\
                   command = 'x | y'\n[[technique]]\nname = 'b'\ncommand = 'PROGRAM'\nshell = false\nignore-failure = false\nprepare = ['PROGRAM', 'own']\n",
    );
    let [a, b] = &job.techniques[..] else { panic!("two") };
    assert_eq!((&a.command, &a.good_exits), (&Command::Shell("x | y".to_owned()), &GoodExits::Any));
    assert_eq!((b.command.words().len(), &b.good_exits), (1, &GoodExits::Zero));
    assert_eq!(a.prepare, Some(Command::Shell(PROGRAM.to_owned())));
    assert_eq!(b.prepare.as_ref().map(|own| own.words().len()), Some(2));
}

#[test]
fn a_proof_is_a_word_or_a_command() {
    let proof = |toml: &str| job(&format!("{toml}\n[[technique]]\nname = 'a'\ncommand = 'PROGRAM'\n")).proof;
    assert_eq!(proof(""), Proving::Exit);
    assert_eq!(proof("proof = 'none'"), Proving::None);
    assert_eq!(proof("[proof]\nby = 'output'"), Proving::Output);
    assert!(matches!(proof("[proof]\ncommand = 'PROGRAM {output}'"), Proving::Command(_)));
    refused("proof = 'maybe'", &["line 1, column 9", "'maybe' is not a proof", "\"exit\""]);
    refused(&format!("[proof]\ncommand = 'PROGRAM x'\n{ONE}"), &["line 2", "proves nothing"]);
}

#[test]
fn an_unknown_key_is_refused_with_its_place_and_the_nearest_one() {
    let place = "jobs/squeeze.toml, line 1, column 1";
    refused("qestion = 'x'", &[place, "no key 'qestion'", "did you mean 'question'?"]);
    refused("[input]\nfils = ['x']", &["line 2, column 1", "[input] has no key 'fils'", "'files'"]);
    refused("[[technique]]\nname = 'a'\ncomand = ['x']\n", &["line 3, column 1", "did you mean 'command'?"]);
    refused(&format!("{ONE}question = 'x'\n"), &["line 4, column 1", "above the first table"]);
    refused(&one("'PROGRAM'\nlevel = 3"), &["line 4", "'level'", "level = [1, 2]"]);
}

#[test]
fn a_file_that_is_no_toml_is_refused_with_its_place() {
    refused("question = ", &["jobs/squeeze.toml, line 1, column"]);
    refused("a = 1\na = 2\n", &["line 2, column 1"]);
}

#[test]
fn values_of_the_wrong_kind_are_refused_with_an_example() {
    for (value, words) in [
        ("[1, 'two']", &["line 4, column 9", "of one kind", "'n'"][..]),
        ("[1, true]", &["line 4, column 9", "a boolean", "n = [1, 3, 9]"]),
        ("[[1]]", &["line 4, column 6", "a list"]),
        ("[]", &["line 4", "no value", "for example"]),
        ("[1, 1]", &["line 4", "'1' twice"]),
        ("{ from = 1 }", &["line 4", "'n': it needs from and to", "{ from = 1, to = 8, step = 1 }"]),
        ("{ from = 8, to = 1 }", &["line 4", "ends before it begins"]),
        ("{ from = 'a', to = 1 }", &["line 4, column 14", "from of the axis 'n' is a number"]),
        ("{ from = 1, to = 2, stp = 1 }", &["line 4", "a range has no key 'stp'", "'step'"]),
    ] {
        refused(&one(&format!("'PROGRAM {{n}}'\nn = {value}")), words);
    }
    let size = "[input]\ngenerate = 'text'\nbytes = ['64X']\n";
    refused(size, &["line 3, column 10", "'64X' is not a size", "64K"]);
    refused(&size.replace("['64X']", "true"), &["line 3, column 9", "a boolean", "for example"]);
    refused("shell = 'yes'\n", &["line 1, column 9", "true or false"]);
}

#[test]
fn names_of_axes_that_are_taken_are_refused() {
    let toml = "[axes]\nn = [1]\n[[technique]]\nname = 'a'\ncommand = 'PROGRAM {n}'\nn = [1, 2]\n";
    refused(toml, &["line 2, column 1", "two axes are called 'n'", "'a'"]);
    refused("[axes]\ninput = [1]\n", &["line 2, column 1", "'input'", "choose another name"]);
    refused("[axes]\nA = [1]\n", &["line 2, column 1", "lower-case"]);
    refused("[axes]\nn = [1]\nfiles = [1, 2]\n", &["line 3, column 1", "'files'", "choose another name"]);
    refused("[axes]\nshape = ['a', 'b']\n", &["line 2, column 1", "'shape'", "choose another name"]);
}

#[test]
fn more_points_than_can_be_compared_are_refused_by_number() {
    let axes = "a = { from = 1, to = 100 }\nb = { from = 1, to = 100 }";
    let own = one(&format!("'PROGRAM {{a}} {{b}}'\n{axes}"));
    refused(&own, &["line 3", "10000 points", "at most 1000"]);
    refused(&own.replace("to = 100 }\nb", "to = 10000 }\nb"), &["line 4", "10000 values"]);
    let shared = format!("[axes]\n{axes}\n{}", one("'PROGRAM {a} {b}'"));
    refused(&shared, &["10000 points", "at most 1000"]);
}

#[test]
fn a_placeholder_that_nothing_fills_is_refused() {
    refused(&one("'PROGRAM {lvel}'\nlevel = [1]"), &["line 3", "'level'", "no command that holds {level}"]);
    refused(&one("'PROGRAM {input}'"), &["line 3, column 11", "{input}", "nothing fills", "{output}"]);
    refused(&one("'PROGRAM {stdout}'"), &["line 3", "{stdout}", "{output}"]);
    let own = one("'PROGRAM {level}'\nlevel = [1]");
    let proof = format!("[proof]\ncommand = 'cat {{output}} {{level}}'\n{own}");
    refused(&proof, &["line 2", "{level}", "nothing fills"]);
    refused(&format!("{SIZED}{}", one("'PROGRAM'")), &["line 6", "has no {input}"]);
    refused(&format!("[axes]\nn = [1]\n{ONE}"), &["line 2", "{n}", "changes nothing"]);
    // What nothing declares is the command's own.
    let words = job(&one("'PROGRAM {print} HEAD^{tree} {{level}} {level}'\nlevel = [1]")).techniques[0]
        .command
        .words();
    assert_eq!(words[1..], ["{print}", "HEAD^{tree}", "{level}", "1"]);
}

#[test]
fn a_command_that_is_missing_is_refused() {
    refused("question = 'x'", &["[[technique]]", "for example"]);
    refused("[[technique]]\nname = 'a'\n", &["line 1", "'a' has no command", "for example"]);
    refused("[[technique]]\ncommand = 'PROGRAM'\n", &["line 1", "has a name"]);
    refused(&one("''"), &["line 3", "empty"]);
    refused(&one("'PROGRAM \"x'"), &["line 3", "quotation mark"]);
    refused(&one("'no-such-program x'"), &["line 3", "'a'", "no program", "no-such-program"]);
    refused(&format!("{ONE}{ONE}"), &["line 5", "'one'"]);
}

#[test]
fn an_input_that_cannot_be_made_is_refused() {
    refused("[input]\nfiles = ['no-such-file']\n", &["line 2, column 10", "no-such-file", "cannot be read"]);
    refused("[input]\nfiles = []\n", &["line 2", "for example files"]);
    refused("[input]\nfiles = ['.']\n", &["line 2", "is not a file"]);
    refused("[input]\ngenerate = 'noise'\nbytes = 1\n", &["line 2, column 12", "'noise'", "\"records\""]);
    refused("[input]\ngenerate = 'text'\n", &["line 1", "needs a size"]);
    refused("[input]\nbytes = 1\n", &["line 1", "one of generate, files and command"]);
}

#[test]
fn a_job_cannot_have_the_name_of_a_family() {
    let toml = "name = 'copy'\n[[technique]]\nname = 'a'\ncommand = 'PROGRAM'\n";
    refused(toml, &["line 1, column 8", "'copy'", "my-copy"]);
}

#[test]
fn a_word_for_a_shell_is_warned_of_where_none_reads_it() {
    let for_shells = ["a | wc", "a > b", "a 2>/dev/null", "a && b", "a; b", "$(a)", "a &"];
    let others = ["a", "-c \"a | b\"", "-c \"a; b\"", "s/>/x/", "a=b"];
    for command in for_shells.into_iter().chain(others) {
        let lines = vec![format!("{PROGRAM} {command}")];
        let job = TypedCommands { lines, ..TypedCommands::default() }.job(".".into()).expect("a job");
        let is_warned = matches!(&job.warnings[..], [said] if said.contains("--shell"));
        assert!(is_warned || job.warnings.is_empty(), "{command}: {:?}", job.warnings);
        assert_eq!(is_warned, for_shells.contains(&command), "{command}: {:?}", job.warnings);
    }
}

/// Returns the names of these typed commands with these `--name`s, one of them scanned over 1 and 2.
fn named(commands: &[&str], names: &[&str]) -> Result<Vec<String>, Refusal> {
    let owned = |words: &[&str]| words.iter().map(|word| word.replace("PROGRAM", PROGRAM)).collect();
    let is_scanned = commands.iter().any(|command| command.contains("{n}"));
    let axes = Vec::from_iter(is_scanned.then(|| scan_of_list("n", "1,2").expect("a scan")));
    let typed =
        TypedCommands { lines: owned(commands), names: owned(names), axes, ..TypedCommands::default() };
    Ok(typed.job(".".into())?.job.techniques.into_iter().map(|one| one.name).collect())
}

#[test]
fn typed_commands_have_names_of_their_own() {
    let same = named(&["PROGRAM 1"; 3], &[]).expect("a job");
    assert_eq!(same, ["", " (again)", " (again) (again)"].map(|again| format!("{PROGRAM} 1{again}")));
    let taken = named(&["PROGRAM 1", "PROGRAM 2"], &["x (again)", "x"]).expect("a job");
    assert_eq!(taken, ["x (again)", "x"]);
    let taken = named(&["PROGRAM 1", "PROGRAM 2", "PROGRAM 3"], &["x (again)", "x", "x"]).expect("a job");
    assert_eq!(taken, ["x (again)", "x", "x (again) (again)"]);
    let refused = named(&["PROGRAM {n}", "PROGRAM 9"], &["a {n}", "a 1"]).expect_err("one name for two");
    assert!(refused.to_string().contains("two commands are called 'a 1'"), "{refused}");
}

#[test]
fn a_scan_is_a_list_or_a_range_with_a_step() {
    let values = |read: Result<(String, Vec<String>), Refusal>| read.expect("a scan").1;
    assert_eq!(values(scan_of_list("level", "1,3,9")), ["1", "3", "9"]);
    assert_eq!(values(scan_of_range("n", "1..8:3")), ["1", "4", "7"]);
    assert_eq!(values(scan_of_range("n", "0.5..2:0.5")), ["0.5", "1.0", "1.5", "2.0"]);
    assert_eq!(values(scan_of_range("n", "-1..1")), ["-1", "0", "1"]);
    for typed in ["1", "x..2", "1..y", "2..1", "1..2:0", "1..10000", ""] {
        let said = scan_of_range("n", typed).expect_err(typed).to_string();
        assert!(said.starts_with("-P, n ") && said.contains("-P n 1..8:2"), "{said}");
    }
    assert!(scan_of_list("N", "1").expect_err("a name").to_string().contains("lower-case"));
    assert!(scan_of_list("n", "1,1").expect_err("twice").to_string().contains("'1' twice"));
}

#[test]
fn typed_commands_are_named_as_typed_with_their_values() {
    let three = ["PROGRAM -{n}", "PROGRAM", "PROGRAM"];
    let typed = named(&three, &[]).expect("a job");
    assert_eq!(typed, [" -1", " -2", "", " (again)"].map(|rest| format!("{PROGRAM}{rest}")));
    let named = named(&three, &["level {n}", "none"]).expect("a job");
    assert_eq!(named[1..3], ["level 2", "none"]);
}

#[test]
fn a_scan_without_effect_or_of_a_taken_name_is_refused() {
    let scan = |name: &str| scan_of_list(name, "1,2").expect("a scan");
    for (axes, said) in [(vec![scan("m")], "{m}"), (vec![scan("n"); 2], "two scans are called 'n'")] {
        let typed =
            TypedCommands { lines: vec![format!("{PROGRAM} -{{n}}")], axes, ..TypedCommands::default() };
        let refused = typed.job(".".into()).expect_err(said).to_string();
        assert!(refused.contains(said), "{refused}");
    }
}
