//! A file of contenders, and a contender on the command line.

use families::Placeholder;
use measure::{Contender, parse_contender, read_contenders};
use toml::{Table, Value};

use crate::assert_says_why;

pub(crate) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match read_contenders(text, "FILE") {
        Ok(contenders) => {
            let written = written(&contenders);
            let again = read_contenders(&written, "FILE").expect("what was read can be written");
            assert!(again.iter().map(said).eq(contenders.iter().map(said)), "{written}");
            contenders.iter().for_each(expand);
        }
        Err(refused) => {
            let sentence = refused.to_string();
            assert_says_why(&sentence, input);
            assert_place(&sentence, text);
        }
    }
    match parse_contender(text) {
        Ok(contender) => {
            expand(&contender);
            // Words that hold nothing special stand in a line as they are, whichever system's rules split it.
            let plain = |word: &String| {
                !word.is_empty() && word.chars().all(|c| c.is_alphanumeric() || "/._-{}".contains(c))
            };
            if contender.words.iter().all(plain) {
                let line = format!("{}={}", contender.name, contender.words.join(" "));
                assert_eq!(parse_contender(&line), Ok(contender), "{line}");
            }
        }
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}

/// All but the place in the file.
fn said(contender: &Contender) -> (&str, Option<&String>, &[String]) {
    (&contender.name, contender.family.as_ref(), &contender.words)
}

/// A line that is named must be one of the file's.
pub(crate) fn assert_place(sentence: &str, text: &str) {
    let Some((_, rest)) = sentence.split_once("FILE, line ") else { return };
    let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
    let line: usize = digits.parse().expect("a line has a number");
    let lines = text.matches('\n').count() + 1;
    assert!((1..=lines).contains(&line), "line {line} of {lines}: {sentence}");
}

fn written(contenders: &[Contender]) -> String {
    let row = |contender: &Contender| {
        let words = contender.words.iter().cloned().map(Value::String).collect();
        let mut row = Table::new();
        row.insert("name".to_owned(), contender.name.clone().into());
        row.insert("command".to_owned(), Value::Array(words));
        if let Some(family) = &contender.family {
            row.insert("family".to_owned(), family.clone().into());
        }
        Value::Table(row)
    };
    let rows = contenders.iter().map(row).collect();
    Table::from_iter([("contender".to_owned(), Value::Array(rows))]).to_string()
}

/// Placeholders are replaced in whatever stands around them.
fn expand(contender: &Contender) {
    let places = [
        Placeholder::required("input", "/a b/{output}".into()),
        Placeholder::required("output", "/c".into()),
        Placeholder::optional("files", vec!["/1".into(), "/2".into()]),
    ];
    if let Err(refused) = contender.check("copy", &places) {
        assert!(refused.to_string().contains(&contender.name));
    }
    assert!(!contender.expand(&places).is_empty());
}
