//! How do I copy a file?
//!
//! Every technique opens the source, creates the destination, copies, and closes both inside the clock; with durability it also
//! waits for the device. Buffers are no larger than the file, and no technique fills memory that it does not use.
//!
//! Where many files are copied, a technique is given the list of them and creates the folder that takes the copies. Buffers,
//! rings and pipes are made for the first file and used again for all others, as a program would do it.

mod workload;

mod files;
mod job;
mod past_cache;
mod prelude;
mod techniques;

#[cfg(all(test, target_os = "linux"))]
mod linux {
    mod tests;
}

#[cfg(test)]
mod tests;

use std::path::Path;

use crate::contract::{AnyFamily, Family};
use crate::files::{OneOfMany, must_be_absent};
use job::CopyJob;
use model::Workload;
pub(crate) use techniques::TECHNIQUES;

/// The family of copies of a file, or of a folder of files.
pub static COPY: &dyn AnyFamily = &Family::<CopyJob> {
    name: "copy",
    question: "How do I copy a file?",
    baseline: "std_copy",
    techniques: TECHNIQUES,
    workloads: workload::of_preset,
    axes: workload::AXES,
    range: workload::range,
    set: workload::set,
    // The destination of the first copy would make the second another piece of work.
    consumes_its_input: true,
    usual_bytes_per_second: Some(6_000_000_000),
    files: Some(files::FILES),
    ..Family::usual(
        |trial, parameters| {
            let source = files::source_of(&trial.workload, &trial.scratch)?;
            let mut job = CopyJob::of_trial(trial, source, parameters)?;
            // For std::fs::copy, which follows a link that stands there. All are looked at, so that all pay for it alike.
            must_be_absent(&job.destination)?;
            job.many = many_of(&trial.workload, &job.source, &job.destination);
            Ok(job)
        },
        files::expected,
    )
};

/// Lists the files of the folder: a technique pays for no list.
fn many_of(workload: &Workload, source: &Path, destination: &Path) -> Option<Vec<OneOfMany>> {
    let one = |name: String| OneOfMany { source: source.join(&name), destination: destination.join(&name) };
    workload::file_count(workload).map(|files| files::names_in_folder(files).map(one).collect())
}
