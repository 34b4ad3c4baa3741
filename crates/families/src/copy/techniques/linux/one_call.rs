use std::os::fd::OwnedFd;

use rustix::fs::{copy_file_range, ioctl_ficlone, sendfile};
use rustix::io::{Errno, read, retry_on_intr};
use rustix::pipe::{PipeFlags, SpliceFlags, pipe_with, splice};

use crate::copy::prelude::*;

pub(in crate::copy) const ONE_CALL: Technique<CopyJob> = Technique {
    name: "one_call",
    alias: &["cpCF"],
    idea: "as cp, instead of CopyFile: share extents, else copy_file_range; refused, sendfile, splice, or read and write",
    source: "Hart, Windows System Programming, cpCF; GNU coreutils, copy.c",
    calls: &["copy_file_range|ioctl FICLONE"],
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

/// Asked for in one call: the largest round number below the kernel's own limit of 2 GiB less one page.
const CALL_BYTES: usize = 1 << 30;

const BUFFER_BYTES: usize = 256 << 10;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        if shares(source, destination)? { Ok(()) } else { descend(source, destination, notes) }
    })
}

/// Shares the extents of the source. Most file systems cannot; a copy that does is noted as `reflinked`.
fn shares(source: &OpenFile, destination: &OpenFile) -> io::Result<bool> {
    /// Errors by which every other way would end as well, as GNU coreutils sorts them.
    const FINAL: [Errno; 4] = [Errno::IO, Errno::NOMEM, Errno::NOSPC, Errno::DQUOT];
    match ioctl_ficlone(destination, source) {
        Ok(()) => Ok(true),
        Err(error) if FINAL.contains(&error) => Err(destination.at("ioctl FICLONE")(error)),
        Err(_) => Ok(false),
    }
}

/// Moves the bytes; returns the reason where it cannot.
type Step = fn(&OpenFile, &OpenFile) -> io::Result<Option<String>>;

/// Goes on where the step before was refused: the kernel keeps both positions.
fn descend(source: &OpenFile, destination: &OpenFile, notes: &mut Notes) -> io::Result<()> {
    let steps: [(&str, Step); 3] = [
        ("copy_file_range", |source, destination| {
            let call = || copy_file_range(source, None, destination, None, CALL_BYTES);
            until_the_end(call).map_err(destination.at("copy_file_range to"))
        }),
        ("sendfile", |source, destination| {
            let call = || sendfile(destination, source, None, CALL_BYTES);
            until_the_end(call).map_err(destination.at("sendfile to"))
        }),
        ("splice", by_pipe),
    ];
    let mut refused = Vec::new();
    for (name, step) in steps {
        match step(source, destination)? {
            None => {
                notes.extend(fall_back(name, &refused));
                return Ok(());
            }
            Some(refusal) => refused.push(format!("{name} ({refusal})")),
        }
    }
    // An empty source is no reason to speak of a refusal.
    if pour(source, destination, Buffer::of_at_most(BUFFER_BYTES).for_file(source)?)? > 0 {
        notes.extend(fall_back("read and write", &refused));
    }
    Ok(())
}

fn fall_back(name: &str, refused: &[String]) -> Option<String> {
    (!refused.is_empty()).then(|| format!("fell back: {name} instead of {}", refused.join(", ")))
}

fn by_pipe(source: &OpenFile, destination: &OpenFile) -> io::Result<Option<String>> {
    let (outlet, inlet) = match pipe_with(PipeFlags::CLOEXEC) {
        Ok(pipe) => pipe,
        Err(error) => return Ok(Some(format!("no pipe: {error}"))),
    };
    let mut moved = false;
    loop {
        let fill = || splice(source, None, &inlet, None, CALL_BYTES, SpliceFlags::MOVE);
        let mut inside = match retry_on_intr(fill) {
            Ok(0) if moved => return Ok(None),
            Ok(0) => return Ok(Some("it saw an empty file".into())),
            Ok(count) => count,
            Err(error) if is_refusal(error) => return Ok(Some(error.to_string())),
            Err(error) => return Err(source.at("splice from")(error)),
        };
        moved = true;
        while inside > 0 {
            match retry_on_intr(|| splice(&outlet, None, destination, None, inside, SpliceFlags::MOVE)) {
                Ok(count) => inside -= destination.progress("splice to", count)?,
                Err(error) if is_refusal(error) => {
                    empty(&outlet, inside, destination)?;
                    return Ok(Some(error.to_string()));
                }
                Err(error) => return Err(destination.at("splice to")(error)),
            }
        }
    }
}

/// Writes what is still inside a pipe: the source has it no more.
fn empty(outlet: &OwnedFd, mut inside: usize, destination: &OpenFile) -> io::Result<()> {
    let mut buffer = [0; 4_096];
    while inside > 0 {
        let count = retry_on_intr(|| read(outlet, &mut buffer)).map_err(destination.at("read a pipe for"))?;
        destination.write_all(&buffer[..count])?;
        inside -= destination.progress("read a pipe for", count)?;
    }
    Ok(())
}

/// Repeats the call until it moves nothing more; returns the reason where it cannot do this work. Nothing at all in the first
/// call is one too: files without a length, as in /proc, look empty to it.
fn until_the_end(mut call: impl FnMut() -> rustix::io::Result<usize>) -> io::Result<Option<String>> {
    let mut moved = false;
    loop {
        match retry_on_intr(&mut call) {
            Ok(0) if moved => return Ok(None),
            Ok(0) => return Ok(Some("it saw an empty file".into())),
            Ok(_) => moved = true,
            Err(error) if is_refusal(error) => return Ok(Some(error.to_string())),
            Err(error) => return Err(error.into()),
        }
    }
}

/// Returns whether another call may succeed, as GNU coreutils sorts errors. `NOENT` comes from CIFS, `FBIG` from some file systems
/// at the end of a file.
pub(super) fn is_refusal(error: Errno) -> bool {
    const REFUSALS: [Errno; 11] = [
        Errno::NOSYS,
        Errno::NOTTY,
        Errno::OPNOTSUPP,
        Errno::INVAL,
        Errno::BADF,
        Errno::XDEV,
        Errno::TXTBSY,
        Errno::PERM,
        Errno::ACCESS,
        Errno::NOENT,
        Errno::FBIG,
    ];
    REFUSALS.contains(&error)
}

#[cfg(test)]
mod tests {
    use rustix::fs::OFlags;

    use super::*;

    #[test]
    fn the_last_step_writes_a_destination_that_only_grows() {
        let scratch = tempfile::tempdir().expect("scratch");
        let (source, destination) = (scratch.path().join("source"), scratch.path().join("copy"));
        let bytes: Vec<u8> = (0..300_000_u32).map(|nth| (nth * 31 % 251) as u8).collect();
        std::fs::write(&source, &bytes).expect("written");
        // Every call but write refuses such a file; splice does so when the pipe is full already.
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::APPEND;
        let from = OpenFile::open(&source).expect("opened");
        let to = OpenFile::open_with(&destination, flags).expect("created");
        let mut notes = Notes::new();
        descend(&from, &to, &mut notes).expect("copied");
        assert_eq!(std::fs::read(&destination).expect("readable"), bytes);
        let [note] = &notes[..] else { panic!("{notes:?}") };
        assert!(note.starts_with("fell back: read and write instead of copy_file_range ("), "{note}");
        assert!(note.contains("sendfile (") && note.contains("splice ("), "{note}");
    }
}
