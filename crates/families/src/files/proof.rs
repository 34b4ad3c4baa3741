//! The proof of a file: its length and the digest of its bytes.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use model::Proof;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::{OpenFile, at, map_for_reading};

/// Read in one go: large enough to hide the calls, small enough for the nearest caches.
const PIECE_BYTES: usize = 256 << 10;
/// A shorter file is copied faster than it is mapped, and an empty one cannot be mapped.
const MAPPED_BYTES_MIN: u64 = 256 << 10;

/// Length in bytes and XXH3-128 of a file, read from its beginning to its end.
///
/// # Errors
/// The file is missing or unreadable.
pub(crate) fn proof_of(path: &Path) -> io::Result<Proof> {
    let mut file = File::open(path).map_err(at("open", path))?;
    let mut piece = vec![0; PIECE_BYTES];
    let mut proof = RunningProof::default();
    add_all(&mut proof, &mut file, &mut piece).map_err(at("read", path))?;
    Ok(proof.end())
}

/// As [`proof_of`], without a copy of the bytes: for a worker, which has nothing to lose. Where the file is cut off
/// meanwhile, the process ends with a signal, and that is a failure of the trial like any other.
///
/// # Errors
/// The file is missing or unreadable.
pub(crate) fn mapped_proof_of(path: &Path) -> io::Result<Proof> {
    let file = OpenFile::open(path)?;
    let bytes = file.size_bytes()?;
    if bytes < MAPPED_BYTES_MIN {
        return proof_of(path);
    }
    match map_for_reading(&file, bytes as usize) {
        Ok(mapping) => Ok(Proof { bytes, digest: digest_of(&mapping) }),
        // A limit of memory has no room for the file.
        Err(_) => proof_of(path),
    }
}

/// The proof of a folder of files: the bytes of all of them together, and one digest over names, lengths and bytes in the order
/// of the names. What is no file in it counts by its name alone.
///
/// # Errors
/// The folder or a file is missing or unreadable.
pub(crate) fn proof_of_folder(folder: &Path) -> io::Result<Proof> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(at("read", folder))? {
        let entry = entry.map_err(at("read", folder))?;
        let kind = entry.file_type().map_err(at("look at", &entry.path()))?;
        names.push((entry.file_name(), kind.is_file()));
    }
    names.sort();
    let mut piece = vec![0; PIECE_BYTES];
    let mut proof = RunningProof::default();
    for (name, is_file) in names {
        let path = folder.join(&name);
        if !is_file {
            proof.begin_file(&name, None);
            continue;
        }
        let mut file = File::open(&path).map_err(at("open", &path))?;
        proof.begin_file(&name, Some(file.metadata().map_err(at("look at", &path))?.len()));
        add_all(&mut proof, &mut file, &mut piece).map_err(at("read", &path))?;
    }
    Ok(proof.end())
}

fn add_all(proof: &mut RunningProof, file: &mut File, piece: &mut [u8]) -> io::Result<()> {
    loop {
        match file.read(piece) {
            Ok(0) => return Ok(()),
            Ok(count) => proof.add(&piece[..count]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The proof of bytes that come one piece after the other.
#[derive(Default)]
pub(crate) struct RunningProof {
    bytes: u64,
    digest: Xxh3,
}

impl RunningProof {
    /// The next bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        self.digest.update(bytes);
    }

    /// The next file of a folder: its name, and its length where it is a file. They are part of the digest and not of the bytes.
    pub(crate) fn begin_file(&mut self, name: &OsStr, length: Option<u64>) {
        let name = name.as_encoded_bytes();
        self.digest.update(&(name.len() as u64).to_le_bytes());
        self.digest.update(name);
        self.digest.update(&length.unwrap_or(u64::MAX).to_le_bytes());
    }

    /// Length in bytes and XXH3-128 of all that was added.
    pub(crate) fn end(&self) -> Proof {
        Proof { bytes: self.bytes, digest: hexadecimal(self.digest.digest128()) }
    }
}

/// XXH3-128 of bytes in memory.
pub(crate) fn digest_of(bytes: &[u8]) -> String {
    hexadecimal(xxh3_128(bytes))
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
        for length in [0, 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 17] {
            let bytes: Vec<u8> = (0..length).map(|at| (at * 31 % 251) as u8).collect();
            std::fs::write(&path, &bytes).expect("written");
            let proof = proof_of(&path).expect("readable");
            assert_eq!(mapped_proof_of(&path).expect("readable"), proof);
            assert_eq!((proof.bytes, proof.digest), (length as u64, digest_of(&bytes)));
        }
    }

    #[test]
    fn a_folder_is_proven_by_the_names_the_lengths_and_the_bytes_of_its_files() {
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
        for (proof, step) in
            [(proof_of as fn(&Path) -> _, "open"), (mapped_proof_of, "open"), (proof_of_folder, "read")]
        {
            let missing: io::Error = proof(Path::new("/nowhere/at/all")).expect_err("missing");
            assert!(missing.to_string().starts_with(&format!("{step} /nowhere/at/all: ")), "{missing}");
            assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        }
    }
}
