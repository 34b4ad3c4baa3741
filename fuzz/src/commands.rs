//! A file of commands, and a command on the command line.

use families::Placeholder;
use measure::{ExternalCommand, parse_command, read_commands};
use toml::{Table, Value};

use crate::assert_says_why;

pub(crate) fn check(input: &[u8]) {
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
            let plain = |word: &String| {
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "/._-{}".contains(c))
            };
            if command.words.iter().all(plain) {
                let line = format!("{}={}", command.name, command.words.join(" "));
                assert_eq!(parse_command(&line), Ok(command), "{line}");
            }
        }
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}

/// All but the place in the file.
fn said(command: &ExternalCommand) -> (&str, Option<&String>, &[String]) {
    (&command.name, command.family.as_ref(), &command.words)
}

/// A line that is named must be one of the file's.
pub(crate) fn assert_place(sentence: &str, text: &str) {
    let Some((_, rest)) = sentence.split_once("FILE, line ") else { return };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let line: usize = digits.parse().expect("a line has a number");
    let lines = text.matches('\n').count() + 1;
    assert!((1..=lines).contains(&line), "line {line} of {lines}: {sentence}");
}

fn written(commands: &[ExternalCommand]) -> String {
    let row = |command: &ExternalCommand| {
        let words = command.words.iter().cloned().map(Value::String).collect();
        let mut row = Table::new();
        row.insert("name".to_owned(), command.name.clone().into());
        row.insert("command".to_owned(), Value::Array(words));
        if let Some(family) = &command.family {
            row.insert("family".to_owned(), family.clone().into());
        }
        Value::Table(row)
    };
    let rows = commands.iter().map(row).collect();
    Table::from_iter([("command".to_owned(), Value::Array(rows))]).to_string()
}

/// Placeholders are replaced in whatever stands around them.
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
