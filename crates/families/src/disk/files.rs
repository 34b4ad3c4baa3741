//! The file of the family, which all techniques rewrite in place, and what is kept about it.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use model::{Proof, Workload};
use sys::file_state;

use super::content::{Mask, NewData, Place, Seen, look_at};
use super::pieces::{Order, Pieces};
use super::workload::{PHASES, PIECE_BYTES, Phase, file_bytes, of_bytes, phases};
use crate::contract::{Files, Placeholder};
use crate::files::{at, digest_of, made_anew, single};

const FAMILY: &str = "disk";
const MADE_BYTES: usize = 1 << 20;
/// Four words are kept about the file.
const MOST_STATE_BYTES: u64 = 4 << 10;

pub(super) const FILES: Files = Files {
    of_bytes: Some(of_bytes),
    // A buffer that is larger than the memory lies there too.
    scratch_bytes: |workload| {
        single::scratch_bytes(workload, 1).saturating_add(workload.number(PIECE_BYTES).unwrap_or(0))
    },
    generate,
    have_same_inputs: |one, other| one.bytes() == other.bytes(),
    inputs: |workload, scratch| single::inputs(FAMILY, workload, scratch),
    clear,
    inspect,
    placeholders,
    takes_commands,
    ..Files::NONE
};

pub(super) fn file_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    single::input(FAMILY, workload, scratch)
}

pub(super) fn kept_of(workload: &Workload, scratch: &Path) -> io::Result<PathBuf> {
    file_of(workload, scratch).map(|file| file.with_extension("state"))
}

/// Knowledge of the file since it was last looked at from its first byte to its last.
pub(super) struct Kept {
    seed: u64,
    /// Digest of the file without its mask.
    digest: String,
    pub(super) mask: Mask,
    /// When it was last written to; a file that was written to since then is not known.
    written_ns: i128,
}

impl Kept {
    pub(super) fn read(path: &Path) -> io::Result<Self> {
        let broken = || at("read", path)(io::Error::from(io::ErrorKind::InvalidData));
        let state = file_state::of(path).map_err(at("read", path))?;
        // A command knows the place, and a pipe that it leaves there would be waited for.
        if !state.is_regular || state.bytes > MOST_STATE_BYTES {
            return Err(broken());
        }
        let text = fs::read_to_string(path).map_err(at("read", path))?;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        let [seed, digest, mask, written_ns] = words[..] else { return Err(broken()) };
        Ok(Self {
            seed: seed.parse().map_err(|_| broken())?,
            digest: digest.to_owned(),
            mask: Mask(mask.parse().map_err(|_| broken())?),
            written_ns: written_ns.parse().map_err(|_| broken())?,
        })
    }

    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let Self { seed, digest, mask, written_ns } = self;
        fs::write(path, format!("{seed} {digest} {} {written_ns}\n", mask.0)).map_err(at("write", path))
    }

    /// The same with the mask and the time of the file as it stands now.
    pub(super) fn now(self, file: &Path, mask: Mask) -> io::Result<Self> {
        let written_ns = file_state::of(file).map_err(at("look at", file))?.written_ns;
        Ok(Self { mask, written_ns, ..self })
    }

    /// Returns the mask of a file that is as it was made, whatever its mask.
    fn is_of(&self, seen: &Seen) -> Option<Mask> {
        seen.mask.filter(|_| seen.digest == self.digest)
    }
}

fn generate(workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
    let (path, mask) = (file_of(workload, scratch)?, Mask::first(seed));
    // Instead of one that stands there: an interrupted rewriting leaves the right length.
    let mut file = made_anew(&path)?;
    let mut data = NewData::new(seed, MADE_BYTES, 1, Place::Pages, mask)?;
    for piece in Pieces::within(&Order::sequential(file_bytes(workload)?, MADE_BYTES), u64::MAX) {
        file.write_all(data.stamped(0, piece).1).map_err(at("write", &path))?;
    }
    file.sync_all().map_err(at("flush", &path))?;
    drop(file);
    let Seen { digest, .. } = look_at(&path, mask)?;
    let kept = Kept { seed, digest, mask, written_ns: 0 };
    kept.now(&path, mask)?.write(&kept_of(workload, scratch)?)
}

/// The proof that every technique must give: the file as it was made, under any mask.
pub(super) fn expected(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    let kept = Kept::read(&kept_of(workload, scratch)?)?;
    let file = file_of(workload, scratch)?;
    let seen = look_at(&file, kept.mask)?;
    if kept.is_of(&seen).is_none() {
        let text = "it is not as it was made; let no program change it";
        return Err(at("look at", &file)(io::Error::new(io::ErrorKind::InvalidData, text)));
    }
    Ok(Proof { bytes: seen.bytes, digest: seen.digest })
}

/// Refuses a file that is not as it was last looked at: a process that was killed may have rewritten half of it, and a
/// command writes what it likes. Nothing is opened: what stands there may be a pipe, and looking at a long file takes long.
fn clear(workload: &Workload, scratch: &Path) -> io::Result<()> {
    let file = file_of(workload, scratch)?;
    let changed = || {
        let text =
            format!("{} was left half rewritten or wrong, or another program changed it", file.display());
        io::Error::new(io::ErrorKind::InvalidData, text)
    };
    let kept = Kept::read(&kept_of(workload, scratch)?).map_err(|_| changed())?;
    let bytes = file_bytes(workload)?;
    match file_state::of(&file) {
        Ok(state) if state.is_regular && state.bytes == bytes && state.written_ns == kept.written_ns => {
            Ok(())
        }
        _ => Err(changed()),
    }
}

/// Returns the proof of the file as it is now. A command that was to rewrite it has done so when no sector is what it was, whatever stands
/// there now; one that was to read has left it as it was.
fn inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    let (path, file) = (kept_of(workload, scratch)?, file_of(workload, scratch)?);
    let kept = Kept::read(&path)?;
    let seen = look_at(&file, kept.mask)?;
    let was_rewritten = phases(workload)?.contains(&Phase::Rewrite);
    let digest = match (kept.is_of(&seen), was_rewritten) {
        (Some(mask), true) if mask == kept.mask => digest_of(b"not rewritten"),
        (Some(mask), _) => {
            let digest = kept.digest.clone();
            kept.now(&file, mask)?.write(&path)?;
            digest
        }
        (None, true) if seen.old_sectors == 0 => kept.digest,
        (None, _) => digest_of(format!("{} {}", seen.digest, seen.old_sectors).as_bytes()),
    };
    Ok(Proof { bytes: seen.bytes, digest })
}

/// The phases of a command could not be distinguished.
fn takes_commands(workload: &Workload) -> Result<(), String> {
    match phases(workload).map_err(|error| error.to_string())? {
        [_one] => Ok(()),
        _ => Err(format!(
            "in the family {FAMILY} a command reads the file or rewrites it, and does not do both; add --set \
             {PHASES}=read or --set {PHASES}=rewrite"
        )),
    }
}

/// A command is given the file, which it changes in place, and may get its size and that of a piece.
fn placeholders(workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
    let file = file_of(workload, scratch).into_iter().map(|path| Placeholder::required("file", path));
    let numbers = [("bytes", workload.bytes()), ("piece_bytes", workload.number(PIECE_BYTES))];
    let numbers = numbers.map(|(name, number)| {
        Placeholder::optional(name, number.into_iter().map(|number| number.to_string().into()).collect())
    });
    file.chain(numbers).collect()
}
