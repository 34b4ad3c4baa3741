//! The proof of an answer, on whatever host it was found; and the right one, found in the plainest way.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::ops::Range;
use std::path::Path;

use memchr::{memchr, memchr_iter};
use model::Proof;
use xxhash_rust::xxh3::Xxh3;

use super::inputs::{Listed, Place};
use super::pattern::Pattern;
use crate::files::{at, digest_of};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// The files stand in their order.
    Order,
    /// The lines of one file stand in their order, the files in any: some programs print who is ready first.
    AnyOrder,
}

/// Returns length and digest of an answer in its own form: names below the private folder, files in their order. One that names a
/// foreign file, or is not in the demanded order, is proven as it stands: never the right one.
pub(super) fn proof_of_answer(answer: &Path, place: &Place, demand: Demand) -> io::Result<Proof> {
    let text = fs::read(answer).map_err(at("read", answer))?;
    let files = place.listed()?;
    let Some(groups) = grouped(&text, &files, demand) else {
        return Ok(Proof { bytes: text.len() as u64, digest: digest_of(&text) });
    };
    let mut own_form = OwnForm::default();
    for (file, lines) in files.iter().zip(&groups) {
        lines.iter().for_each(|line| own_form.add(file, &text[line.clone()]));
    }
    Ok(own_form.proof())
}

/// The answer in a form that does not depend on the host, as far as a digest needs it.
#[derive(Default)]
pub(super) struct OwnForm {
    digest: Xxh3,
    bytes: u64,
}

impl OwnForm {
    pub(super) fn add(&mut self, file: &Listed, line: &[u8]) {
        for part in [&file.name[..], b":", line, b"\n"] {
            self.digest.update(part);
            self.bytes += part.len() as u64;
        }
    }

    pub(super) fn proof(&self) -> Proof {
        Proof { bytes: self.bytes, digest: format!("{:032x}", self.digest.digest128()) }
    }
}

/// Returns the lines of each file, as places in the text, if it is an answer. [`super::inputs`] refuses doubtful names.
fn grouped(text: &[u8], files: &[Listed], demand: Demand) -> Option<Vec<Vec<Range<usize>>>> {
    let paths: HashMap<&[u8], usize> =
        files.iter().enumerate().map(|(nth, file)| (file.path.as_os_str().as_encoded_bytes(), nth)).collect();
    let longest = paths.keys().map(|path| path.len()).max().unwrap_or(0);
    let mut groups = vec![Vec::new(); files.len()];
    let (mut from, mut latest) = (0, 0);
    while from < text.len() {
        let rest = &text[from..];
        let head = &rest[..rest.len().min(longest + 1)];
        let owner = memchr_iter(b':', head).find_map(|colon| Some((*paths.get(&head[..colon])?, colon + 1)));
        let (nth, start) = owner?;
        let end = start + memchr(b'\n', &rest[start..])?;
        if demand == Demand::Order && nth < latest {
            return None;
        }
        latest = nth;
        groups[nth].push(from + start..from + end);
        from += end + 1;
    }
    Some(groups)
}

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

pub(super) type Matcher = Box<dyn Fn(&[u8]) -> bool>;

pub(super) fn matcher(pattern: &Pattern) -> io::Result<Matcher> {
    let regex = if pattern.is_regex { Some(pattern.compiled()?) } else { None };
    let literals: Vec<Vec<u8>> = pattern.texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    Ok(Box::new(move |line| match &regex {
        Some(regex) => regex.is_match(line),
        None => literals.iter().any(|literal| holds(line, literal)),
    }))
}

fn holds(line: &[u8], literal: &[u8]) -> bool {
    line.windows(literal.len()).any(|window: &[u8]| window[0] == literal[0] && window == literal)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;
    use crate::search::inputs::Root;

    fn proof(folder: &Path, text: &str, demand: Demand) -> Proof {
        let text = text.replace("DIR/", &folder.join("").display().to_string());
        let answer = folder.join("answer");
        fs::write(&answer, text).expect("written");
        let roots = ["b", "a", "a-c"].map(|name| Root { path: folder.join(name), is_folder: false });
        let place = Place { folder: folder.to_owned(), roots: roots.to_vec() };
        proof_of_answer(&answer, &place, demand).expect("an answer")
    }

    #[test]
    fn the_same_lines_have_one_proof_in_any_folder_and_order() {
        let (one, two) = (tempfile::tempdir().expect("scratch"), tempfile::tempdir().expect("scratch"));
        let ordered = proof(one.path(), "DIR/b:1\nDIR/b:2\nDIR/a:a:b\nDIR/a-c:\n", Demand::Order);
        assert_eq!(ordered.bytes, "b:1\nb:2\na:a:b\na-c:\n".len() as u64);
        let any = |text: &str| proof(two.path(), text, Demand::AnyOrder);
        assert_eq!(any("DIR/a-c:\nDIR/b:1\nDIR/a:a:b\nDIR/b:2\n"), ordered);
        let swapped = any("DIR/b:2\nDIR/b:1\nDIR/a:a:b\nDIR/a-c:\n");
        assert_ne!(swapped, ordered, "lines of one file keep their order");
        assert_ne!(any("DIR/b:1\nDIR/b:2\nDIR/a:a:b\n"), ordered);
        assert_ne!(any("DIR/a:1\nDIR/b:2\nDIR/a:a:b\nDIR/a-c:\n"), ordered);
    }

    #[test]
    fn what_is_no_answer_is_proven_as_it_stands() {
        let scratch = tempfile::tempdir().expect("scratch");
        for text in ["DIR/x:1\n", "DIR/a\n", "DIR/a:1", "1\n", "\n", "DIR/ab:1\n"] {
            let whole = text.replace("DIR/", &scratch.path().join("").display().to_string());
            let proof = proof(scratch.path(), text, Demand::AnyOrder);
            let expected = (whole.len() as u64, digest_of(whole.as_bytes()));
            assert_eq!((proof.bytes, proof.digest), expected, "{text}");
        }
        let nothing = proof(scratch.path(), "", Demand::Order);
        assert_eq!((nothing.bytes, nothing.digest), (0, digest_of(b"")));
        let absent = Place { folder: PathBuf::new(), roots: vec![] };
        let refused =
            proof_of_answer(&scratch.path().join("gone"), &absent, Demand::Order).expect_err("absent");
        assert_eq!(refused.kind(), io::ErrorKind::NotFound);
    }
}
