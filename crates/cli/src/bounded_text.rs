//! Text of a file that a user names, held whole: no more than fits into memory, whatever the file is.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};

/// The most that is read. The export of a run of a million samples takes less; the text is held whole, and the run next to it.
pub(crate) const MOST_BYTES: u64 = 512 << 20;

/// Returns the error for a longer text.
pub(crate) fn too_long() -> anyhow::Error {
    anyhow!("it has more than {} MiB, the most that is read", MOST_BYTES >> 20)
}

/// Returns everything that `from` has left, after `begun`, which was read already.
pub(crate) fn rest(from: impl Read, begun: Vec<u8>) -> Result<String> {
    let mut bytes = begun;
    from.take(MOST_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(too_long());
    }
    String::from_utf8(bytes)
        .map_err(|error| anyhow!("byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1))
}

/// The text of a file of the user's, which may also be a pipe. One that never ends is no such file.
pub(crate) fn own_text(path: &Path, what: &str) -> Result<String> {
    const MOST_BYTES: u64 = 1 << 20;
    let shown = path.display();
    let mut text = Vec::new();
    File::open(path)
        .and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut text))
        .with_context(|| format!("{shown} cannot be read"))?;
    if text.len() as u64 > MOST_BYTES {
        bail!("{shown} has more than 1 MiB, which no {what} has; name another file");
    }
    String::from_utf8(text).map_err(|error| {
        let nth = error.utf8_error().valid_up_to() + 1;
        anyhow!("{shown} is not a {what}: byte {nth} is not UTF-8; write it as UTF-8")
    })
}
