//! The answer that every technique must give, worked out by code that no technique shares.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use model::Proof;

use super::kernel::NotAscii;
use crate::files::{RunningProof, at, copy_in};

const PIECE_BYTES: usize = 64 << 10;

/// Returns the proof of what a file of ASCII becomes, byte by byte; [`NotAscii`] is an error.
pub(super) fn proof_of_converted(path: &Path) -> io::Result<Proof> {
    let mut converted = Vec::with_capacity(2 * PIECE_BYTES);
    let mut proof = RunningProof::default();
    read_ascii(path, path, |bytes| {
        converted.clear();
        for &byte in bytes {
            converted.push(byte);
            converted.push(0);
        }
        proof.add(&converted);
    })?;
    Ok(proof.end())
}

pub(super) fn refuse_other_than_ascii(path: &Path) -> io::Result<()> {
    read_ascii(path, path, |_| ())
}

/// Makes a private copy of a file of ASCII; none is left of another file.
pub(super) fn copy_of_ascii(original: &Path, copy: &Path, bytes: u64) -> io::Result<()> {
    copy_in(original, copy, bytes)?;
    read_ascii(copy, original, |_| ()).inspect_err(|_| {
        let _ = fs::remove_file(copy);
    })
}

/// Reads a file to its end; a byte that is not ASCII is reported under the name `called`.
fn read_ascii(path: &Path, called: &Path, mut take: impl FnMut(&[u8])) -> io::Result<()> {
    let mut file = File::open(path).map_err(at("open", path))?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut offset = 0;
    loop {
        let bytes = match file.read(&mut piece) {
            Ok(0) => return Ok(()),
            Ok(count) => &piece[..count],
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(at("read", path)(error)),
        };
        if let Some(place) = bytes.iter().position(|byte| *byte > 0x7f) {
            return Err(NotAscii::at(called, offset + place as u64, bytes[place]));
        }
        take(bytes);
        offset += bytes.len() as u64;
    }
}
