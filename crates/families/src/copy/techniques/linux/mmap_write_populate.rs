use crate::copy::prelude::*;
use crate::copy::techniques::mmap_write::write_by_pieces;
use crate::files::SourceMapping;

pub(in crate::copy) const MMAP_WRITE_POPULATE: Technique<CopyJob> = Technique {
    name: "mmap_write_populate",
    idea: "map the source with MAP_POPULATE, write from the mapping 1 MiB at a time",
    source: "mmap(2)",
    calls: &["mmap MAP_POPULATE", "write", "!read"],
    variant_of: Some("mmap_write"),
    ..Technique::usual(|job| job.done_by(copy))
};

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let bytes = source.size_bytes()?;
        if bytes > 0 {
            write_by_pieces(destination, &SourceMapping::at_once(source, bytes)?)?;
        }
        Ok(())
    })
}
