use windows_sys::Win32::Storage::FileSystem::SetFileCompletionNotificationModes;

use crate::convert::prelude::*;
use crate::convert::windows::overlapped::convert_overlapped;
use crate::files::Port;
use crate::in_flight::windows::port::run;
use crate::parameters::buffers;

pub(in crate::convert) const COMPLETION_PORT: Technique<ConvertJob> = Technique {
    name: "completion_port",
    idea: "overlapped calls and a completion port, which gets no message of calls that end at once; 64 KiB of input a buffer",
    source: "Microsoft, I/O Completion Ports and SetFileCompletionNotificationModes",
    parameters: &[buffers(&[4, 32])],
    ..Technique::usual(|job| job.done_by(convert))
};

/// `FILE_SKIP_COMPLETION_PORT_ON_SUCCESS`.
const SKIP_WHAT_WAS_DONE_AT_ONCE: u8 = 1;

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_overlapped(job, job.parameter("buffers")?, ["ReadFile", "WriteFile"], notes, |pieces, notes| {
        let port = Port::of_files(&pieces.files())?;
        let is_spared = pieces.files().map(|file| {
            // SAFETY: the handle is open.
            unsafe { SetFileCompletionNotificationModes(file.handle(), SKIP_WHAT_WAS_DONE_AT_ONCE) != 0 }
        });
        if is_spared != [true; 2] {
            notes.push(
                "fell back: FILE_SKIP_COMPLETION_PORT_ON_SUCCESS was refused, the port reports every end"
                    .into(),
            );
        }
        run(pieces, &port, is_spared, notes)
    })
}
