//! What the answer must be, found out in the plainest way: line by line, byte by byte, one file after the other.

use std::fs::File;
use std::io::{self, BufRead, BufReader};

use model::Proof;

use super::inputs::Place;
use super::pattern::Pattern;
use super::proof::OwnForm;
use crate::files::at;

/// The proof of the right answer. Holds one line at a time in memory.
pub(super) fn expected(place: &Place, pattern: &Pattern) -> io::Result<Proof> {
    let matches = matcher(pattern)?;
    let mut own_form = OwnForm::default();
    let mut line = Vec::new();
    for file in place.listed()? {
        let opened = File::open(&file.path).map_err(at("open", &file.path))?;
        let mut reader = BufReader::with_capacity(256 << 10, opened);
        loop {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(at("read", &file.path))? == 0 {
                break;
            }
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            if matches(line) {
                own_form.add(&file, line);
            }
        }
    }
    Ok(own_form.proof())
}

/// Tells whether a line, without its newline, has a match.
pub(super) type Matcher = Box<dyn Fn(&[u8]) -> bool>;

pub(super) fn matcher(pattern: &Pattern) -> io::Result<Matcher> {
    let regex = if pattern.is_regex() { Some(pattern.compiled()?) } else { None };
    let literals: Vec<Vec<u8>> = pattern.texts().iter().map(|text| text.as_bytes().to_vec()).collect();
    Ok(Box::new(move |line| match &regex {
        Some(regex) => regex.is_match(line),
        None => literals.iter().any(|literal| holds(line, literal)),
    }))
}

fn holds(line: &[u8], literal: &[u8]) -> bool {
    let at_the_same_place = |window: &[u8]| window[0] == literal[0] && window == literal;
    line.windows(literal.len()).any(at_the_same_place)
}
