//! The files that are made: lines of words, in some of which the pattern is planted, and in no others does it stand.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use model::Workload;
use regex_syntax::hir::{Class, Hir, HirKind};

use super::inputs::{Place, copy_in};
use super::pattern::Pattern;
use super::proof::{Matcher, matcher};
use super::workload::{ABSENT, COMMON, FILE_BYTES, KIND_INPUT, KIND_TREE, files_of, frequency_of, kind_of};
use crate::files::{at, invalid, remove_if_there};
use crate::random::Random;

const FOLDER_FILES: u64 = 20;
const FOLDER_FOLDERS: u64 = 8;

pub(super) fn generate(workload: &Workload, place: &Place, seed: u64) -> io::Result<()> {
    remove_if_there(&place.folder)?;
    fs::create_dir(&place.folder).map_err(at("create", &place.folder))?;
    if kind_of(workload) == KIND_INPUT {
        return copy_in(workload, place);
    }
    let total_bytes = workload.bytes().unwrap_or(0);
    let mut random = Random(seed);
    let sizes = sizes_of(workload, &mut random);
    let mut text = Text::new(&Pattern::of(workload)?, frequency_of(workload), total_bytes, random)?;
    for (path, bytes) in paths_of(workload, place).into_iter().zip(sizes) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(at("create", folder))?;
        }
        let file = File::create_new(&path).map_err(at("create", &path))?;
        let mut writer = BufWriter::with_capacity(256 << 10, file);
        text.write(&mut writer, bytes).and_then(|()| writer.flush()).map_err(at("write", &path))?;
    }
    Ok(())
}

/// Returns the files' paths. A tree has folders up to three deep, and files at every depth.
fn paths_of(workload: &Workload, place: &Place) -> Vec<PathBuf> {
    if kind_of(workload) != KIND_TREE {
        return place.roots.iter().map(|root| root.path.clone()).collect();
    }
    let in_tree = (0..files_of(workload)).map(|nth| {
        let leaf = nth / FOLDER_FILES;
        let mut path = place.folder.clone();
        // Every fourth group of files stands one folder higher, every sixteenth two.
        let depth = 3 - u64::from(leaf.is_multiple_of(4)) - u64::from(leaf.is_multiple_of(16));
        let mut rest = leaf;
        for _ in 0..depth {
            path.push(format!("folder-{}", rest % FOLDER_FOLDERS));
            rest /= FOLDER_FOLDERS;
        }
        path.push(format!("file-{nth:05}.txt"));
        path
    });
    in_tree.collect()
}

/// Returns the sizes of the files: together exactly what the workload says.
fn sizes_of(workload: &Workload, random: &mut Random) -> Vec<u64> {
    let files = files_of(workload);
    if let Some(each) = workload.number(FILE_BYTES) {
        return vec![each; files as usize];
    }
    let mut weights: Vec<u64> = match kind_of(workload) {
        // From 1 KB to 40 KB when the mean is 10 KB: many are small, few are large.
        KIND_TREE => {
            (0..files).map(|_| 1_000 + cube(random.below(1 << 20)) * 39_000 / cube(1 << 20)).collect()
        }
        // From 4 KB to over 1 MB in the published size: evenly spread over the square root of the size.
        _ => (0..files).map(|nth| 4_000 + 990_000 * nth * nth / (files - 1).pow(2).max(1)).collect(),
    };
    random.shuffle(&mut weights);
    apportioned(workload.bytes().unwrap_or(0), &weights)
}

fn cube(number: u64) -> u64 {
    (number >> 4).pow(3)
}

/// Shares a total in proportion to weights that are not all 0, without a rest.
fn apportioned(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let (mut weight_before, mut bytes_before) = (0_u128, 0_u64);
    let shares = weights.iter().map(|&weight| {
        weight_before += u128::from(weight);
        let bytes_until = (u128::from(total) * weight_before / sum) as u64;
        bytes_until - std::mem::replace(&mut bytes_before, bytes_until)
    });
    shares.collect()
}

/// A rare pattern is planted about every this many bytes: a few lines in a megabyte.
const RARE_EVERY_BYTES: u64 = 250_000;
/// A common pattern is planted about every this many lines.
const COMMON_EVERY_LINES: u64 = 20;
/// Most words of a line; the fewest are none.
const LINE_WORDS: u64 = 22;
const WORDS: usize = 1_000;
const DRAWS: usize = 20;

/// Letters as often as they stand in English text.
const LETTERS: &[u8] =
    b"eeeeeeeeeeeetttttttttaaaaaaaaoooooooiiiiiiinnnnnnnsssssshhhhhhrrrrrrddddllllcccuuummmwwffggyyppbbvk";
/// Words and separators for patterns that stand in every word of letters.
const SPARE_WORDS: [&[u8]; 6] = [b"0", b"17", b"2048", b"~", b"#", b"X"];
const SEPARATORS: [u8; 5] = [b' ', b'\t', b'_', b'-', b'.'];

enum Plan {
    Never,
    /// At the first line that begins at or behind this byte.
    AtByte(u64),
    AtLine(u64),
}

pub(super) struct Text {
    random: Random,
    matches: Matcher,
    planted: Vec<Vec<u8>>,
    words: Vec<Vec<u8>>,
    separator: u8,
    fewest_words: u64,
    plan: Plan,
    bytes: u64,
    lines: u64,
    plants: usize,
}

impl Text {
    pub(super) fn new(
        pattern: &Pattern, frequency: &str, total_bytes: u64, mut random: Random,
    ) -> io::Result<Self> {
        let matches = matcher(pattern)?;
        let refused = |what: &str| {
            let shown = pattern.alternatives().replace('\n', "' or '");
            invalid(format!("no line can be made {what} '{shown}': bring files with --input"))
        };
        let planted = samples(pattern).ok_or_else(|| refused("that matches"))?;
        let mut words: Vec<Vec<u8>> = Vec::with_capacity(WORDS);
        words.resize_with(WORDS, || (0..1 + random.below(9)).map(|_| *random.pick(LETTERS)).collect());
        words.retain(|word| !matches(word));
        words.extend(SPARE_WORDS.iter().filter(|word| !matches(word)).map(|word| word.to_vec()));
        let separator = SEPARATORS.into_iter().find(|&separator| !matches(&[separator]));
        let (Some(separator), false) = (separator, words.is_empty()) else {
            return Err(refused("without a match for"));
        };
        let plan = match frequency {
            ABSENT => Plan::Never,
            COMMON => Plan::AtLine(random.below(COMMON_EVERY_LINES)),
            _ => Plan::AtByte(random.below((total_bytes / 2).clamp(1, RARE_EVERY_BYTES))),
        };
        let fewest_words = u64::from(matches(b""));
        Ok(Self {
            random,
            matches,
            planted,
            words,
            separator,
            fewest_words,
            plan,
            bytes: 0,
            lines: 0,
            plants: 0,
        })
    }

    /// Writes exactly `bytes` bytes; the last line is cut off.
    pub(super) fn write(&mut self, writer: &mut impl Write, bytes: u64) -> io::Result<()> {
        let mut left = bytes;
        let mut line = Vec::new();
        while left > 0 {
            if self.is_due() {
                self.matching_line(&mut line)
            } else {
                self.other_line(&mut line)
            }
            line.push(b'\n');
            let taken = left.min(line.len() as u64);
            writer.write_all(&line[..taken as usize])?;
            left -= taken;
            self.bytes += taken;
            self.lines += 1;
        }
        Ok(())
    }

    /// Returns whether the next line gets the pattern; if so, plans the one after it.
    fn is_due(&mut self) -> bool {
        match self.plan {
            Plan::AtByte(byte) if self.bytes >= byte => {
                let jitter = self.random.below(RARE_EVERY_BYTES / 2);
                self.plan = Plan::AtByte(byte + RARE_EVERY_BYTES * 3 / 4 + jitter);
                true
            }
            Plan::AtLine(line) if self.lines >= line => {
                let jitter = self.random.below(COMMON_EVERY_LINES / 2);
                self.plan = Plan::AtLine(line + COMMON_EVERY_LINES * 3 / 4 + jitter);
                true
            }
            _ => false,
        }
    }

    /// Makes words, the pattern, words; where that does not match (`^x$`), the pattern alone.
    fn matching_line(&mut self, line: &mut Vec<u8>) {
        let nth = self.plants % self.planted.len();
        self.plants += 1;
        self.draw(line);
        let (before, after) = (line.clone(), [self.separator]);
        line.extend_from_slice(&after);
        line.extend_from_slice(&self.planted[nth]);
        line.extend_from_slice(&after);
        line.extend_from_slice(&before[..before.len() / 2]);
        if !(self.matches)(line) {
            line.clone_from(&self.planted[nth]);
        }
    }

    /// Makes words without the pattern. Where chance puts it between words again and again, one word alone, which never holds it.
    fn other_line(&mut self, line: &mut Vec<u8>) {
        for _ in 0..DRAWS {
            self.draw(line);
            if !(self.matches)(line) {
                return;
            }
        }
        line.clone_from(self.random.pick(&self.words));
    }

    fn draw(&mut self, line: &mut Vec<u8>) {
        line.clear();
        let words = self.fewest_words + self.random.below(LINE_WORDS);
        for nth in 0..words {
            if nth > 0 {
                line.push(self.separator);
            }
            let word: &Vec<u8> = self.random.pick(&self.words);
            line.extend_from_slice(word);
        }
    }
}

fn samples(pattern: &Pattern) -> Option<Vec<Vec<u8>>> {
    if !pattern.is_regex {
        return Some(pattern.texts.iter().map(|text| text.as_bytes().to_vec()).collect());
    }
    let matches = matcher(pattern).ok()?;
    let trees = pattern.trees().ok()?;
    let samples = trees.iter().map(|tree| {
        let mut sample = Vec::new();
        append_sample(tree, &mut sample)?;
        (!sample.contains(&b'\n') && matches(&sample)).then_some(sample)
    });
    samples.collect()
}

/// Appends the plainest text that a part of an expression matches; returns `None` where there is none.
fn append_sample(tree: &Hir, sample: &mut Vec<u8>) -> Option<()> {
    match tree.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => sample.extend_from_slice(&literal.0),
        HirKind::Class(class) => append_member(class, sample)?,
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                append_sample(&repetition.sub, sample)?;
            }
        }
        HirKind::Capture(capture) => append_sample(&capture.sub, sample)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| append_sample(part, sample))?,
        HirKind::Alternation(parts) => append_sample(parts.first()?, sample)?,
    }
    Some(())
}

/// Appends a member of a class: a letter or a digit if there is one.
fn append_member(class: &Class, sample: &mut Vec<u8>) -> Option<()> {
    match class {
        Class::Unicode(class) => {
            let members = || class.iter().flat_map(|range| (range.start()..=range.end()).take(256));
            let member =
                members().find(char::is_ascii_alphanumeric).or_else(|| members().find(|&c| c != '\n'))?;
            sample.extend_from_slice(member.encode_utf8(&mut [0; 4]).as_bytes());
        }
        Class::Bytes(class) => {
            let members = || class.iter().flat_map(|range| range.start()..=range.end());
            let plain = members().find(u8::is_ascii_alphanumeric);
            sample.push(plain.or_else(|| members().find(|&byte| byte != b'\n'))?);
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use model::Preset;

    use super::*;
    use crate::search::workload::{RARE, of_bytes, of_preset};

    fn sizes(workload: &Workload, seed: u64) -> Vec<u64> {
        sizes_of(workload, &mut Random(seed))
    }

    #[test]
    fn the_published_files_are_a_few_kilobytes_to_over_a_megabyte() {
        let workload = of_preset(Preset::Published).remove(0);
        let mut sizes = sizes(&workload, 7);
        assert_eq!((sizes.len(), sizes.iter().sum::<u64>()), (20, 7_500_000));
        sizes.sort_unstable();
        assert!((3_000..6_000).contains(&sizes[0]) && sizes[19] > 1_000_000, "{sizes:?}");
    }

    #[test]
    fn sizes_add_up_to_what_was_asked_for_and_depend_on_the_seed() {
        for bytes in [0, 1, 19, 20, 12_345, 30_000_000] {
            for kind in ["files", "one", "tree"] {
                let mut workload = of_bytes(bytes);
                crate::SEARCH.set(&mut workload, "kind", kind).expect("a kind");
                let sizes = sizes(&workload, 3);
                assert_eq!(sizes.iter().sum::<u64>(), workload.bytes().expect("a size"), "{bytes} {kind}");
                assert_eq!(sizes.len() as u64, files_of(&workload));
            }
        }
        let workload = of_preset(Preset::Quick).remove(0);
        assert_eq!(sizes(&workload, 1), sizes(&workload, 1));
        assert_ne!(sizes(&workload, 1), sizes(&workload, 2));
    }

    #[test]
    fn a_tree_has_small_files_at_several_depths() {
        let workload = of_preset(Preset::Large).remove(1);
        let mut sizes = sizes(&workload, 1);
        sizes.sort_unstable();
        assert!(sizes[0] >= 800 && sizes[9_999] < 50_000, "{} {}", sizes[0], sizes[9_999]);
        assert!((4_000..9_000).contains(&sizes[5_000]), "{}", sizes[5_000]);
        let place = Place::of(&workload, Path::new("/scratch"));
        let mut paths = paths_of(&workload, &place);
        for depth in 1..=3 {
            let at_depth = paths.iter().filter(|path| path.components().count() == 3 + depth + 1).count();
            assert!(at_depth >= 500, "{at_depth} files stand {depth} deep");
        }
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), 10_000);
    }

    fn text(pattern: &str, is_regex: bool, frequency: &str, bytes: u64) -> Vec<u8> {
        let pattern = Pattern::new(pattern, is_regex).expect("a pattern");
        let mut written = Vec::new();
        let mut text = Text::new(&pattern, frequency, bytes, Random(5)).expect("a text can be made");
        text.write(&mut written, bytes).expect("memory takes all");
        assert_eq!(written.len() as u64, bytes);
        written
    }

    fn matching(pattern: &str, is_regex: bool, text: &[u8]) -> (usize, usize) {
        let matches = matcher(&Pattern::new(pattern, is_regex).expect("a pattern")).expect("compiled");
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        (lines.iter().filter(|line| matches(line)).count(), lines.len())
    }

    #[test]
    fn the_pattern_stands_as_often_as_was_asked_for() {
        let literals = ["needle", "e", " ", "alpha\nbeta\ngamma", "~"].map(|text| (text, false));
        let expressions = ["n.{3}[0-9]+", "^whole line$", r"\bend$", "[[:upper:]]é"].map(|text| (text, true));
        for (pattern, is_regex) in literals.into_iter().chain(expressions) {
            let rare = matching(pattern, is_regex, &text(pattern, is_regex, RARE, 2_000_000)).0;
            assert!((6..=11).contains(&rare), "{pattern:?}: {rare} in 2 MB");
            let (common, lines) = matching(pattern, is_regex, &text(pattern, is_regex, COMMON, 300_000));
            let every = lines / common;
            assert!((17..=23).contains(&every), "{pattern:?}: every {every} lines");
            let (absent, _) = matching(pattern, is_regex, &text(pattern, is_regex, ABSENT, 300_000));
            assert_eq!(absent, 0, "{pattern:?}");
        }
    }

    #[test]
    fn a_small_text_has_a_rare_pattern_too() {
        for bytes in [2_000, 64 << 10] {
            assert_eq!(matching("needle", false, &text("needle", false, RARE, bytes)).0, 1, "{bytes}");
        }
    }

    #[test]
    fn lines_are_of_many_lengths() {
        let text = text("needle", false, RARE, 200_000);
        let lengths: Vec<usize> = text.split(|&byte| byte == b'\n').map(<[u8]>::len).collect();
        assert!(lengths.contains(&0) && lengths.iter().any(|&length| length > 120));
        let mean = text.len() / lengths.len();
        assert!((40..90).contains(&mean), "{mean}");
    }

    #[test]
    fn a_pattern_for_which_no_text_can_be_made_is_refused() {
        fn refused(pattern: &str) -> String {
            let pattern = Pattern::new(pattern, true).expect("a pattern");
            Text::new(&pattern, RARE, 1_000, Random(1)).err().expect("refused").to_string()
        }
        assert!(refused(".").contains("without a match for '.'"));
        assert!(refused("x*").contains("bring files with --input"));
        assert!(refused(r"a\nb").contains("no line can be made that matches"));
        assert!(refused(r"[a&&b]").contains("that matches"));
    }
}
