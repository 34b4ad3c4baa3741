use crate::copy::prelude::*;

pub(super) const NO_ACCESS_TIME: Technique<CopyJob> = Technique {
    name: "no_access_time",
    idea: "read and write, 256 KiB at a time; reading leaves the source's access time alone",
    source: "open(2), O_NOATIME; Microsoft, SetFileTime",
    calls: &["open O_NOATIME|openat O_NOATIME", "read", "write"],
    variant_of: Some("read_write"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, notes: &mut Notes) -> io::Result<()> {
    let mut buffer = Buffer::of_at_most(256 << 10);
    job.each_opened(
        |path| OpenFile::open_without_access_time(path, notes),
        OpenFile::create,
        |source, destination| pour(source, destination, buffer.for_file(source)?).map(drop),
    )
}
