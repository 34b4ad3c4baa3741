use super::posix_aio::convert_by_requests;
use crate::convert::prelude::*;
use crate::in_flight::linux::routines::run;

pub(in crate::convert) const POSIX_AIO_CALLBACK: Technique<ConvertJob> = Technique {
    name: "posix_aio_callback",
    idea: "aio_read and aio_write with 4 buffers and SIGEV_THREAD: at each end the C library starts a thread that converts",
    source: "aio(7), sigevent(7)",
    calls: &["clone3|clone", "pread64", "pwrite64"],
    ..Technique::usual(|job| job.done_by(|job, notes| convert_by_requests(job, notes, run)))
};
