use std::path::Path;

use crate::copy::prelude::*;

pub(in crate::copy) const OPENAT: Technique<CopyJob> = Technique {
    name: "openat",
    idea: "open both folders once, and every file by its name in them; read and write through one buffer",
    source: "openat(2); GNU coreutils, cp -r since 9.1",
    calls: &["openat", "read", "write"],
    suits: many_files_only,
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let from = OpenFile::open_folder(&job.source)?;
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.in_new_folder(|| {
        let to = OpenFile::open_folder(&job.destination)?;
        job.files().iter().try_for_each(|file| {
            let file = job.one_of(file);
            let source = OpenFile::open_in(&from, name_of(file.source), file.source)?;
            let destination = OpenFile::create_in(&to, name_of(file.destination), file.destination)?;
            pour(&source, &destination, buffer.for_file(&source)?)?;
            file.finish(destination)
        })
    })
}

pub(super) fn name_of(path: &Path) -> &Path {
    path.file_name().map_or(path, Path::new)
}
