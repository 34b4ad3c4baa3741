//! Past the file cache, one block after the other.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::blocks::{convert_direct, probe_direct};
use super::job::{ConvertJob, Notes};
use crate::contract::Technique;

pub(super) const DIRECT: Technique<ConvertJob> = Technique {
    name: "direct",
    alias: &[],
    idea: "past the file cache (O_DIRECT; FILE_FLAG_NO_BUFFERING), the output presized: 512 KiB in, 1 MiB out, in turn",
    source: "open(2), O_DIRECT; Microsoft, File Buffering",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, |blocks, _| blocks.in_turn())
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    probe_direct(setting, convert)
}
