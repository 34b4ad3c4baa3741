use rustix::io::retry_on_intr;

use crate::copy::prelude::*;

pub(in crate::copy) const SENDFILE: Technique<CopyJob> = Technique {
    name: "sendfile",
    idea: "sendfile until the end",
    source: "sendfile(2)",
    calls: &["sendfile", "!read", "!write"],
    ..Technique::usual(|job| job.done_by(copy))
};

const CALL_BYTES: usize = 0x7fff_f000;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, |source, destination| {
        let send = || rustix::fs::sendfile(destination, source, None, CALL_BYTES);
        while retry_on_intr(send).map_err(destination.at("sendfile to"))? > 0 {}
        Ok(())
    })
}
