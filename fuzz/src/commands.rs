//! A file of commands or of a job; a command, and a scan on the command line.

use std::path::Path;

use families::{Job, Placeholder};
use measure::{ExternalCommand, parse_command, read_commands, read_job, scan_of_list, scan_of_range};
use toml::{Table, Value};

use crate::assert_says_why;

pub(crate) fn check_commands(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match read_commands(text, "FILE") {
        Ok(commands) => {
            let written = written(&commands);
            let again = read_commands(&written, "FILE").expect("what was read can be written");
            assert!(again.iter().map(said).eq(commands.iter().map(said)), "{written}");
            commands.iter().for_each(expand);
        }
        Err(refused) => {
            let sentence = refused.to_string();
            assert_says_why(&sentence, input);
            assert_place(&sentence, text);
        }
    }
    match parse_command(text) {
        Ok(command) => {
            expand(&command);
            // Words that hold nothing special stand in a line as they are, whichever system's rules split it.
            if command.words.iter().all(|word| {
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "/._-{}".contains(c))
            }) {
                let line = format!("{}={}", command.name, command.words.join(" "));
                assert_eq!(parse_command(&line), Ok(command), "{line}");
            }
        }
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}

pub(crate) fn check_job(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match read_job(text, "FILE", Path::new("/nowhere")) {
        Ok(read) => {
            let written = serde_json::to_vec(&read.job).expect("a job is text");
            let again: Job = serde_json::from_slice(&written).expect("what was written can be read");
            assert_eq!(again, read.job);
            assert!(!read.job.techniques.is_empty() && !read.job.workloads.is_empty());
        }
        Err(refused) => {
            assert_says_why(&refused.to_string(), input);
            assert_place(&refused.to_string(), text);
        }
    }
    for scan in [scan_of_list("n", text), scan_of_range("n", text)] {
        match scan {
            Ok((_, values)) => assert!((1..=1_000).contains(&values.len())),
            Err(refused) => assert_says_why(&refused.to_string(), input),
        }
    }
}

/// Returns all but the place in the file.
fn said(command: &ExternalCommand) -> (&str, Option<&String>, &[String]) {
    (&command.name, command.family.as_ref(), &command.words)
}

/// Checks that a line that is named is one of the file's.
fn assert_place(sentence: &str, text: &str) {
    let Some((_, rest)) = sentence.split_once("FILE, line ") else { return };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let line: usize = digits.parse().expect("a line has a number");
    let lines = text.matches('\n').count() + 1;
    assert!((1..=lines).contains(&line), "line {line} of {lines}: {sentence}");
}

fn written(commands: &[ExternalCommand]) -> String {
    let rows = commands.iter().map(|ExternalCommand { name, family, words, .. }| {
        let own = [("name", name.clone().into()), ("command", words.clone().into())];
        let family = family.iter().map(|family| ("family", family.clone().into()));
        own.into_iter().chain(family).map(|(key, value)| (key.to_owned(), value)).collect::<Table>()
    });
    Table::from_iter([("command".to_owned(), Value::from(rows.collect::<Vec<_>>()))]).to_string()
}

/// Checks that placeholders are replaced in whatever stands around them.
fn expand(command: &ExternalCommand) {
    let places = [
        Placeholder::required("input", "/a b/{output}".into()),
        Placeholder::required("output", "/c".into()),
        Placeholder::optional("files", vec!["/1".into(), "/2".into()]),
    ];
    if let Err(refused) = command.check("copy", &places) {
        assert!(refused.to_string().contains(&command.name));
    }
    assert!(!command.expand(&places).is_empty());
}
