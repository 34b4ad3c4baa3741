//! The standard library's copy.

use std::io;

use crate::contract::Technique;
use crate::copy::job::{CopyJob, Notes};
use crate::files::{at, make_durable};

pub(super) const STD_COPY: Technique<CopyJob> = Technique {
    name: "std_copy",
    idea: "std::fs::copy: what the standard library of Rust thinks best, permission bits included",
    source: "Rust standard library, std::fs::copy",
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let (source, destination) = (job.source.display(), &job.destination);
    std::fs::copy(&job.source, destination).map_err(at(format!("copy {source} to"), destination))?;
    if job.durable { make_durable(destination) } else { Ok(()) }
}
