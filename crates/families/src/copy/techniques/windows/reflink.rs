use std::ptr;

use model::{Availability, Class, Host, Setting};
use windows_sys::Win32::System::IO::DeviceIoControl;
use windows_sys::Win32::System::Ioctl::{
    DUPLICATE_EXTENTS_DATA, FSCTL_DUPLICATE_EXTENTS_TO_FILE, FSCTL_GET_INTEGRITY_INFORMATION,
    FSCTL_GET_INTEGRITY_INFORMATION_BUFFER,
};

use crate::copy::prelude::*;
use crate::files::{checked, tried_out};

pub(in crate::copy) const REFLINK: Technique<CopyJob> = Technique {
    name: "reflink",
    idea: "FSCTL_DUPLICATE_EXTENTS_TO_FILE: the destination shares the clusters of the source, no byte is moved",
    source: "Microsoft, Block Cloning",
    class: Class::SharesExtents,
    needs: "a file system that shares extents: ReFS",
    probe,
    ..Technique::usual(|job| job.done_by(copy))
};

/// Cloned in one call, which must stay below 4 GiB: a multiple of every cluster in use.
const CALL_BYTES: u64 = 1 << 30;

fn copy(job: &CopyJob, _notes: &mut Notes) -> io::Result<()> {
    job.each_opened(OpenFile::open, OpenFile::create, clone)
}

/// The destination must have its length before, and whole clusters are cloned: the last one beyond the end.
fn clone(source: &OpenFile, destination: &OpenFile) -> io::Result<()> {
    let bytes = source.size_bytes()?;
    let cluster = cluster_bytes(source)?;
    destination.set_length(bytes)?;
    let mut offset = 0;
    while offset < bytes {
        let count = (bytes - offset).min(CALL_BYTES).next_multiple_of(cluster);
        let range = DUPLICATE_EXTENTS_DATA {
            FileHandle: source.handle(),
            SourceFileOffset: offset as i64,
            TargetFileOffset: offset as i64,
            ByteCount: count as i64,
        };
        control(destination, FSCTL_DUPLICATE_EXTENTS_TO_FILE, &range, &mut ())
            .map_err(destination.at("FSCTL_DUPLICATE_EXTENTS_TO_FILE"))?;
        offset += count;
    }
    Ok(())
}

/// ReFS alone answers, and ReFS alone clones.
fn cluster_bytes(file: &OpenFile) -> io::Result<u64> {
    let mut integrity = FSCTL_GET_INTEGRITY_INFORMATION_BUFFER::default();
    control(file, FSCTL_GET_INTEGRITY_INFORMATION, &(), &mut integrity)
        .map_err(file.at("FSCTL_GET_INTEGRITY_INFORMATION"))?;
    Ok(u64::from(integrity.ClusterSizeInBytes.max(1)))
}

fn control<Question, Answer>(
    file: &OpenFile, code: u32, question: &Question, answer: &mut Answer,
) -> io::Result<()> {
    let mut bytes = 0;
    // SAFETY: every caller gives the structures that belong to the code; both are as large as said and live through
    // the call, which waits because the file was not opened for overlapped work.
    checked(unsafe {
        DeviceIoControl(
            file.handle(),
            code,
            (&raw const *question).cast(),
            size_of::<Question>() as u32,
            (&raw mut *answer).cast(),
            size_of::<Answer>() as u32,
            &raw mut bytes,
            ptr::null_mut(),
        )
    })
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    tried_out(setting, 100_000, "it needs ReFS or a Dev Drive", |file| {
        let absent = file.absent();
        clone(&OpenFile::open(file.path())?, &OpenFile::create(&absent)?)
    })
}
