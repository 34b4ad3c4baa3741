//! What a job's family says of its files.

use std::fs;
use std::path::Path;

use model::Workload;

use super::text::write_text;
use super::*;
use crate::contract::AnyFamily;
use crate::placeholders::names_in;

fn job(proof: Proving, commands: &[&str]) -> Job {
    let techniques = commands.iter().map(|&line| JobTechnique {
        name: line.to_owned(),
        command: Command::Shell(line.to_owned()),
        setup: None,
        prepare: None,
        cleanup: None,
        good_exits: GoodExits::Zero,
    });
    Job {
        name: "own".to_owned(),
        question: "Which?".to_owned(),
        directory: std::env::temp_dir(),
        input: JobInput::Generated(Generated::Text),
        workloads: vec![Workload::of_bytes("1kB", 1_000)],
        techniques: techniques.collect(),
        proof,
        show_output: false,
    }
}

#[test]
fn a_generated_text_has_its_size_and_follows_from_its_seed() {
    fn text(bytes: u64, seed: u64) -> Vec<u8> {
        let mut text = Vec::new();
        write_text(&mut text, bytes, seed).expect("memory takes all");
        text
    }
    for bytes in [0, 1, 79, 10_000] {
        assert_eq!(text(bytes, 1).len() as u64, bytes);
    }
    assert_eq!(text(10_000, 1), text(10_000, 1));
    assert_ne!(text(10_000, 1), text(10_000, 2));
    assert!(text(10_000, 1).iter().all(|byte| byte.is_ascii_lowercase() || b" \n".contains(byte)));
}

#[test]
fn every_placeholder_of_a_workload_is_filled() {
    let family = Commands::leaked(job(Proving::Exit, &["true"]));
    let workload = Workload::of_bytes("1kB", 1_000).with("threads", "4");
    let places = family.placeholders(&workload, Path::new("/scratch"));
    for name in names_in("{input} {output} {stdout} {bytes} {threads}") {
        assert!(places.iter().any(|place| place.name == name && place.values.len() == 1), "{name}");
    }
}

#[test]
fn what_a_trial_leaves_is_removed_be_it_file_or_folder() {
    let scratch = tempfile::tempdir().expect("scratch");
    let family = Commands::leaked(job(Proving::Exit, &["true"]));
    let (workload, output) = (Workload::default(), scratch.path().join("output"));
    fs::create_dir_all(output.join("inner")).expect("a folder");
    family.clear(&workload, scratch.path()).expect("a folder is removed");
    fs::write(&output, "text").expect("a file");
    family.clear(&workload, scratch.path()).expect("a file is removed");
    family.clear(&workload, scratch.path()).expect("nothing is there to be removed");
    assert!(!output.exists());
}

#[test]
fn what_is_right_is_what_the_first_command_gives_that_works() {
    let scratch = tempfile::tempdir().expect("scratch");
    let family = Commands::leaked(job(Proving::Output, &["exit 3", "echo right"]));
    let workload = &family.workloads(model::Preset::Quick)[0];
    family.generate(workload, scratch.path(), 1).expect("a text");
    let expected = family.expected(workload, scratch.path()).expect("the second works");
    assert!(expected.bytes >= 6, "{expected:?}");
    assert!(!scratch.path().join("output").exists(), "it was removed again");
}

#[test]
fn commands_of_which_none_works_are_named_by_the_first() {
    let scratch = tempfile::tempdir().expect("scratch");
    let family = Commands::leaked(job(Proving::Output, &["exit 3", "exit 4"]));
    let refused = family.expected(&Workload::default(), scratch.path()).expect_err("none works").to_string();
    assert!(refused.contains("exit 3") && !refused.contains("exit 4"), "{refused}");
}
