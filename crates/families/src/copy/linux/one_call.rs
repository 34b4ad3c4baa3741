//! One call does it all, as in the historical program cpCF; where it is refused, the next best call.

use std::io;

use model::Class;
use rustix::fs::{copy_file_range, sendfile};
use rustix::io::{Errno, retry_on_intr};

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes, always};
use crate::files::{Mapping, OpenFile, pour};

pub(in crate::copy) const ONE_CALL: Technique<CopyJob> = Technique {
    name: "one_call",
    alias: &["cpCF"],
    idea: "copy_file_range until the end; where it is refused sendfile, and then read and write",
    source: "Hart, Windows System Programming, cpCF; GNU coreutils, copy.c",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.left_to_the_system(copy),
};

/// Asked for in one call: the largest round number below the kernel's own limit of 2 GiB less one page.
const CALL_BYTES: usize = 1 << 30;

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let source = OpenFile::open(&job.source)?;
    let destination = OpenFile::create(&job.destination)?;
    descend(&source, &destination, notes)?;
    destination.finish(job.durable)
}

/// Each step goes on where the one before was refused: the kernel keeps both positions.
fn descend(source: &OpenFile, destination: &OpenFile, notes: &mut Notes) -> io::Result<()> {
    let by_range = || copy_file_range(source, None, destination, None, CALL_BYTES);
    let Some(refusal) = until_the_end(by_range).map_err(destination.at("copy_file_range"))? else {
        return Ok(());
    };
    let by_sending = || sendfile(destination, source, None, CALL_BYTES);
    let Some(second) = until_the_end(by_sending).map_err(destination.at("sendfile"))? else {
        notes.push(format!("fell back: copy_file_range was refused ({refusal}), sendfile took over"));
        return Ok(());
    };
    // An empty source is no reason to speak of a refusal.
    if pour(source, destination, &mut Mapping::buffer(256 << 10)?)? > 0 {
        notes.push(format!(
            "fell back: copy_file_range ({refusal}) and sendfile ({second}) were refused, read and write took over"
        ));
    }
    Ok(())
}

/// Repeats the call until it moves nothing more. Gives why it cannot do this work, when it cannot.
///
/// Nothing at all in the first call is such a reason too: files without a length, as in /proc, look empty to it.
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

/// Errors that mean "not this way" and not "not at all", as GNU coreutils sorts them.
pub(super) fn is_refusal(error: Errno) -> bool {
    const REFUSALS: [Errno; 6] =
        [Errno::NOSYS, Errno::PERM, Errno::XDEV, Errno::INVAL, Errno::OPNOTSUPP, Errno::TXTBSY];
    REFUSALS.contains(&error)
}
