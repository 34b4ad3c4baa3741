//! Past the file cache, one thread reading while the other writes.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::blocks::{convert_direct, probe_direct};
use super::job::{ConvertJob, Notes};
use crate::contract::Technique;

pub(super) const DIRECT_DOUBLE_BUFFERED: Technique<ConvertJob> = Technique {
    name: "direct_double_buffered",
    alias: &[],
    idea: "as direct, and a second thread reads a block while the block before is converted and written",
    source: "double buffering; open(2), O_DIRECT; Microsoft, File Buffering",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, false, notes, |blocks, notes| blocks.double_buffered(notes))
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    probe_direct(setting, convert)
}
