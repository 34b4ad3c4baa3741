use crate::copy::prelude::*;

pub(super) const STD_COPY: Technique<CopyJob> = Technique {
    name: "std_copy",
    idea: "std::fs::copy: the calls that Rust's standard library chooses, permission bits included",
    source: "Rust standard library, std::fs::copy",
    calls: &["copy_file_range|sendfile|splice|read"],
    ..Technique::usual(|job| job.left_to_the_system(copy))
};

/// Follows a link in the destination's place; the family sees before the clock that there is none.
fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each(|file| {
        let refused = |error| at(format!("copy {} to", file.source.display()), file.destination)(error);
        std::fs::copy(file.source, file.destination).map_err(refused)?;
        file.finish_closed()
    })
}
