use crate::copy::prelude::*;
use crate::files::pour_on_stack;

pub(super) const READ_WRITE: Technique<CopyJob> = Technique {
    name: "read_write",
    idea: "the system's read and write calls through one page-aligned buffer",
    source: "GNU coreutils, ioblksize.h: 128 KiB since 9.1, 256 KiB since 9.5",
    calls: &["read", "write"],
    parameters: &[buffer_bytes(&[64 << 10, 128 << 10, 256 << 10, 512 << 10, 1 << 20])],
    ..Technique::usual(|job| job.done_by(copy))
};

pub(super) const HINTED_LARGE_BUFFER: Technique<CopyJob> = Technique {
    name: "hinted_large_buffer",
    idea: "read and write, 256 KiB at a time, with the hint on both files that access is sequential",
    source: "GNU coreutils, copy.c; Microsoft, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy_hinted))
};

pub(super) const HINTED_8K: Technique<CopyJob> = Technique {
    name: "hinted_8k",
    alias: &["cpwFA"],
    idea: "read and write, 8,192 bytes at a time, with the hint on both files that access is sequential",
    source: "Hart, Windows System Programming, cpwFA; POSIX_FADV_SEQUENTIAL, FILE_FLAG_SEQUENTIAL_SCAN",
    calls: &["fadvise64 POSIX_FADV_SEQUENTIAL", "read", "write"],
    ..Technique::usual(|job| job.done_by(copy_hinted_8k))
};

pub(super) const NO_ACCESS_TIME: Technique<CopyJob> = Technique {
    name: "no_access_time",
    idea: "read and write, 256 KiB at a time; reading leaves the source's access time alone",
    source: "open(2), O_NOATIME; Microsoft, SetFileTime",
    calls: &["open O_NOATIME|openat O_NOATIME", "read", "write"],
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy_without_access_time))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(job.parameter("buffer_bytes")?);
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        pour(source, destination, buffer.for_file(source)?).map(drop)
    })
}

fn copy_hinted(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.each_opened(OpenFile::open_sequential, OpenFile::create_sequential, |source, destination| {
        pour(source, destination, buffer.for_file(source)?).map(drop)
    })
}

fn copy_hinted_8k(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open_sequential, OpenFile::create_sequential, |source, destination| {
        pour_on_stack::<8_192>(source, destination).map(drop)
    })
}

fn copy_without_access_time(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.each_opened(
        |path| OpenFile::open_without_access_time(path, notes),
        OpenFile::create,
        |source, destination| pour(source, destination, buffer.for_file(source)?).map(drop),
    )
}
