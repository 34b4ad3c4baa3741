//! From matches to lines, and the contract of what finds matches: the text is searched as a whole, and only around a match are the ends of a line looked for.

use std::io;

use memchr::{memchr, memrchr};

use super::rolling::Rolling;
use super::system::source::Source;

/// Finds matches in text that is made of whole lines.
pub(super) trait Kernel: Sync {
    /// A place inside the first line that has a match; `text` begins at the start of a line.
    fn find(&self, text: &[u8]) -> Option<usize>;
}

/// Appends `prefix`, the line and a newline for every line of `text` that has a match. `text` is made of whole lines; the
/// newline of the last may be absent.
pub(super) fn matching_lines<K: Kernel + ?Sized>(kernel: &K, text: &[u8], prefix: &[u8], out: &mut Vec<u8>) {
    let mut rest = text;
    while let Some(hit) = kernel.find(rest) {
        let start = memrchr(b'\n', &rest[..hit]).map_or(0, |before| before + 1);
        let end = memchr(b'\n', &rest[hit..]).map_or(rest.len(), |after| hit + after);
        out.extend_from_slice(prefix);
        out.extend_from_slice(&rest[start..end]);
        out.push(b'\n');
        match rest.get(end + 1..) {
            Some(next) if !next.is_empty() => rest = next,
            _ => return,
        }
    }
}

pub(super) fn search_into(
    kernel: &impl Kernel,
    source: &Source,
    prefix: &[u8],
    rolling: &mut Rolling,
    text: &mut Vec<u8>,
) -> io::Result<()> {
    rolling.whole(
        |buffer| source.read(buffer),
        |lines| {
            matching_lines(kernel, lines, prefix, text);
            Ok(())
        },
    )
}
