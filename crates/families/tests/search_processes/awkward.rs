//! Files in which searches have gone wrong before.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) const PATTERNS: [(&str, bool); 5] = [
    ("needle", false),
    ("aa", false),
    ("needle\naab\nx\r", false),
    ("need+le$|^a{2,}", true),
    ("é|\\s[[:^ascii:]]", true),
];

/// Sizes at which some technique reads its next piece, or begins its next range.
const BORDERS: [usize; 5] = [4 << 10, 64 << 10, 256 << 10, 1 << 20, 2 << 20];

/// Writes the files into a folder; returns their paths in the order in which they are searched.
pub(crate) fn write_files(folder: &Path) -> Vec<PathBuf> {
    let written = contents().into_iter().enumerate().map(|(nth, (name, bytes))| {
        let path = folder.join(format!("{nth:02}-{name}"));
        fs::write(&path, bytes).expect("written");
        path
    });
    written.collect()
}

fn contents() -> Vec<(&'static str, Vec<u8>)> {
    let long_line =
        [&vec![b'a'; 1_500_000][..], b"needle", &vec![b'-'; 1_700_000], b"\nneedle after it\n"].concat();
    vec![
        ("empty", vec![]),
        ("no-newline-at-the-end", b"one\ntwo\nneedle".to_vec()),
        ("at-both-ends", b"needle\nbetween\nneedle".to_vec()),
        ("nothing-else", b"needle".to_vec()),
        ("shorter-than-the-pattern", b"need".to_vec()),
        ("one-byte", b"\n".to_vec()),
        ("only-newlines", vec![b'\n'; 70_000]),
        ("several-in-a-line", b"needle needle needleneedle\nnone\nneedle needle\n".to_vec()),
        ("overlapping", b"aaaa\naaa\na\nbaab\naabaaabaab\nneedlneedle\n".to_vec()),
        ("cr-lf", b"needle\r\n\r\nx\r\nno\r\nneedle\r\n".to_vec()),
        ("zero-bytes", b"\0needle\0\n\0\0\0\nne\0edle\nneedle\0".to_vec()),
        ("not-utf-8", b"\xff\xfeneedle\xe2\x82\nneedl\xc3\xa9 \xff\n\xc3needle\n\xe9 aa\xff\n".to_vec()),
        ("colons", b"a: needle: b\n:needle\nneedle:\n/tmp/x:needle\n".to_vec()),
        ("blank-lines", b"\n\nneedle\n\n\nneedle\n\n".to_vec()),
        ("every-line", b"needle aa\n".repeat(40_000)),
        ("long-line", long_line.clone()),
        ("long-line-without-an-end", [&long_line[..], &[b'b'; 3_000_000], b"aa"].concat()),
        ("across-borders", across_borders()),
        ("newlines-at-borders", newlines_at_borders()),
    ]
}

/// The pattern lies across every border, by another part of it each time.
fn across_borders() -> Vec<u8> {
    let mut bytes = b"........................................................aab\n".repeat(60_000);
    for (nth, border) in BORDERS.into_iter().enumerate() {
        let start = border - 1 - nth % 6;
        bytes[start..start + 6].copy_from_slice(b"needle");
    }
    bytes
}

/// Newlines right before, at and right behind every border, with a match on either side.
fn newlines_at_borders() -> Vec<u8> {
    let mut bytes = vec![b'.'; 2_700_000];
    for (nth, border) in BORDERS.into_iter().enumerate() {
        let newline = border - 1 + nth % 3;
        bytes[newline] = b'\n';
        bytes[newline - 6..newline].copy_from_slice(b"needle");
        bytes[newline + 1..newline + 7].copy_from_slice(b"needle");
        bytes[newline + 20] = b'\n';
    }
    bytes
}
