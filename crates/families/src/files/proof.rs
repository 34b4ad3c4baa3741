//! The proof of a file: its length and the digest of its bytes.
//!
//! The digest of up to 1 MiB is their XXH3-128. What is longer is cut into parts of that length, and its digest is the XXH3-128
//! of the digests of its parts. So several processors can share out a long file: a proof follows every sample, and nothing
//! else is measured meanwhile.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::iter;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use model::Proof;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{OpenFile, SourceMapping, at, in_parallel};

/// Read in one go: large enough to hide the calls, small enough for the nearest caches.
const PIECE_BYTES: usize = 256 << 10;
/// A shorter file is copied faster than it is mapped, and an empty one cannot be mapped.
const MAPPED_BYTES_MIN: u64 = 256 << 10;
const PART_BYTES: usize = 1 << 20;
/// More threads would wait for the memory.
const THREADS_MAX: usize = 4;

/// Returns length and digest of a file. It is mapped: where it is cut off meanwhile, the process ends.
pub(crate) fn proof_of(path: &Path) -> io::Result<Proof> {
    let file = OpenFile::open(path)?;
    let bytes = file.size_bytes()?;
    if bytes < MAPPED_BYTES_MIN {
        return proof_in_order(path);
    }
    let Ok(mapping) = SourceMapping::of_source(&file, bytes) else {
        // A limit of memory has no room for the file, or it is none that can be mapped.
        return proof_in_order(path);
    };
    let whole: &[u8] = &mapping;
    let digest = match digests_of_parts(whole) {
        Ok(digests) => hexadecimal(joined(&digests)),
        // There are no threads left.
        Err(_) => digest_of(whole),
    };
    Ok(Proof { bytes, digest })
}

fn proof_in_order(path: &Path) -> io::Result<Proof> {
    let mut file = File::open(path).map_err(at("open", path))?;
    let mut proof = RunningProof::default();
    proof.add_all(&mut file).map_err(at("read", path))?;
    Ok(proof.end())
}

/// Returns the digests of the parts; each thread takes the next part when it is done with one.
fn digests_of_parts(whole: &[u8]) -> io::Result<Vec<u128>> {
    let parts: Vec<&[u8]> = whole.chunks(PART_BYTES).collect();
    let threads = thread::available_parallelism().map_or(1, usize::from).min(THREADS_MAX).min(parts.len());
    let next = AtomicUsize::new(0);
    let taken = in_parallel(vec![(); threads], |()| {
        let digests = iter::from_fn(|| {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            parts.get(nth).map(|part| (nth, xxh3_128(part)))
        });
        Ok(digests.collect::<Vec<_>>())
    })?;
    let mut digests = taken.concat();
    digests.sort_unstable_by_key(|&(nth, _)| nth);
    Ok(digests.into_iter().map(|(_, digest)| digest).collect())
}

/// Returns the proof of a folder: all bytes, and a digest over names, lengths and bytes by name; of no file, the name alone.
pub(crate) fn proof_of_folder(folder: &Path) -> io::Result<Proof> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(at("read", folder))? {
        let entry = entry.map_err(at("read", folder))?;
        let kind = entry.file_type().map_err(at("look at", &entry.path()))?;
        names.push((entry.file_name(), kind.is_file()));
    }
    names.sort();
    let mut proof = RunningProof::default();
    for (name, is_file) in names {
        let path = folder.join(&name);
        if !is_file {
            proof.begin_file(&name, None);
            continue;
        }
        let mut file = File::open(&path).map_err(at("open", &path))?;
        proof.begin_file(&name, Some(file.metadata().map_err(at("look at", &path))?.len()));
        proof.add_all(&mut file).map_err(at("read", &path))?;
    }
    Ok(proof.end())
}

#[derive(Default)]
pub(crate) struct RunningProof {
    bytes: u64,
    parts: Vec<u128>,
    part: Xxh3,
    part_bytes: usize,
    piece: Vec<u8>,
}

impl RunningProof {
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.digest(bytes);
    }

    pub(crate) fn add_all(&mut self, stream: &mut impl Read) -> io::Result<()> {
        self.piece.resize(PIECE_BYTES, 0);
        let mut piece = std::mem::take(&mut self.piece);
        loop {
            match stream.read(&mut piece) {
                Ok(0) => break,
                Ok(count) => self.add(&piece[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.piece = piece;
        Ok(())
    }

    /// Begins the next file of a folder. Name and length are part of the digest and not of the bytes.
    pub(crate) fn begin_file(&mut self, name: &OsStr, length: Option<u64>) {
        let name = name.as_encoded_bytes();
        self.digest(&(name.len() as u64).to_le_bytes());
        self.digest(name);
        self.digest(&length.unwrap_or(u64::MAX).to_le_bytes());
    }

    fn digest(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            if self.part_bytes == PART_BYTES {
                self.parts.push(std::mem::take(&mut self.part).digest128());
                self.part_bytes = 0;
            }
            let (now, later) = bytes.split_at(bytes.len().min(PART_BYTES - self.part_bytes));
            self.part.update(now);
            self.part_bytes += now.len();
            bytes = later;
        }
    }

    pub(crate) fn end(mut self) -> Proof {
        self.parts.push(self.part.digest128());
        Proof { bytes: self.bytes, digest: hexadecimal(joined(&self.parts)) }
    }
}

pub(crate) fn digest_of(bytes: &[u8]) -> String {
    let mut proof = RunningProof::default();
    proof.add(bytes);
    proof.end().digest
}

/// Returns the proof of work on `bytes` bytes, or in as many steps, whose result is a number.
pub(crate) fn proof_of_number(bytes: u64, number: u64) -> Proof {
    Proof { bytes, digest: digest_of(&number.to_le_bytes()) }
}

fn joined(parts: &[u128]) -> u128 {
    match parts {
        [only] => *only,
        parts => xxh3_128(&parts.iter().flat_map(|part| part.to_be_bytes()).collect::<Vec<u8>>()),
    }
}

fn hexadecimal(digest: u128) -> String {
    format!("{digest:032x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_has_the_digest_that_the_reference_program_prints() {
        // xxhsum -H2 of the empty input.
        assert_eq!(digest_of(b""), "99aa06d3014798d86001c324468d497f");
    }

    #[test]
    fn a_file_read_in_pieces_has_the_digest_of_its_bytes() {
        let folder = tempfile::tempdir().expect("scratch");
        let path = folder.path().join("data");
        for length in [0, 1, PIECE_BYTES, PIECE_BYTES + 1, PART_BYTES, PART_BYTES + 1, 3 * PART_BYTES + 17] {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 31 % 251) as u8).collect();
            std::fs::write(&path, &bytes).expect("written");
            let proof = proof_of(&path).expect("readable");
            assert_eq!(proof_in_order(&path).expect("readable"), proof);
            assert_eq!((proof.bytes, proof.digest), (length as u64, digest_of(&bytes)));
        }
    }

    #[test]
    fn a_long_file_is_proven_by_its_parts_and_every_byte_counts() {
        let mut bytes: Vec<u8> = (0..2 * PART_BYTES + 5).map(|at| (at % 253) as u8).collect();
        let parts: Vec<u8> = bytes.chunks(PART_BYTES).flat_map(|part| xxh3_128(part).to_be_bytes()).collect();
        let whole = digest_of(&bytes);
        assert_eq!(whole, hexadecimal(xxh3_128(&parts)));
        for at in [0, PART_BYTES - 1, PART_BYTES, 2 * PART_BYTES + 4] {
            bytes[at] ^= 1;
            assert_ne!(digest_of(&bytes), whole, "{at}");
            bytes[at] ^= 1;
        }
        bytes.swap(0, PART_BYTES + 1);
        assert_ne!(digest_of(&bytes), whole, "the order of the parts counts");
    }

    #[test]
    fn a_folder_is_proven_by_names_lengths_and_bytes_of_its_files() {
        let scratch = tempfile::tempdir().expect("scratch");
        let folder_of = |name: &str, files: &[(&str, &str)]| {
            let folder = scratch.path().join(name);
            std::fs::create_dir(&folder).expect("created");
            for (name, text) in files {
                std::fs::write(folder.join(name), text).expect("written");
            }
            proof_of_folder(&folder).expect("readable")
        };
        let right = folder_of("right", &[("a", "12"), ("b", "3")]);
        assert_eq!((right.bytes, &right), (3, &folder_of("again", &[("b", "3"), ("a", "12")])));
        for (name, files) in [
            ("missing", &[("a", "12")][..]),
            ("more", &[("a", "12"), ("b", "3"), ("c", "")]),
            ("moved", &[("a", "1"), ("b", "23")]),
            ("renamed", &[("a", "12"), ("c", "3")]),
            ("changed", &[("a", "12"), ("b", "4")]),
        ] {
            assert_ne!(folder_of(name, files), right, "{name}");
        }
        std::fs::create_dir(scratch.path().join("right/c")).expect("created");
        assert_ne!(proof_of_folder(&scratch.path().join("right")).expect("readable"), right);
    }

    #[test]
    fn a_missing_file_is_named() {
        for (proof, step) in [(proof_of as fn(&Path) -> _, "open"), (proof_of_folder, "read")] {
            let missing: io::Error = proof(Path::new("/nowhere/at/all")).expect_err("missing");
            assert!(missing.to_string().starts_with(&format!("{step} /nowhere/at/all: ")), "{missing}");
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
    }
}
