use windows_sys::Win32::Storage::FileSystem::CopyFileW;

use crate::copy::prelude::*;
use crate::files::{checked, wide};

pub(in crate::copy) const ONE_CALL: Technique<CopyJob> = Technique {
    name: "one_call",
    alias: &["cpCF"],
    idea: "CopyFile: the system copies, and may clone",
    source: "Hart, Windows System Programming, cpCF; Microsoft, CopyFile",
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    /// A left-over would be another piece of work.
    const FAIL_IF_EXISTS: i32 = 1;
    job.each(|file| {
        let (source, destination) = (wide(file.source)?, wide(file.destination)?);
        // SAFETY: both paths end in a zero.
        checked(unsafe { CopyFileW(source.as_ptr(), destination.as_ptr(), FAIL_IF_EXISTS) })
            .map_err(named("CopyFile", file))?;
        file.finish_closed()
    })
}

/// The call does not say which of the two files it means, so both are named.
pub(super) fn named(call: &str, file: FileToCopy<'_>) -> impl FnOnce(io::Error) -> io::Error {
    move |error| {
        let (source, destination) = (file.source.display(), file.destination.display());
        sys::failure::in_context(format_args!("{call} {source} to {destination}"), error)
    }
}
