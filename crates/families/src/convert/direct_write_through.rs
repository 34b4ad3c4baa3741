//! Past the file cache, and past the device's own cache as well.

use std::io;

use model::{Availability, Class, Host, Setting};

use super::blocks::{convert_direct, probe_direct};
use super::job::{ConvertJob, Notes};
use crate::contract::Technique;

pub(super) const DIRECT_WRITE_THROUGH: Technique<ConvertJob> = Technique {
    name: "direct_write_through",
    alias: &[],
    idea: "as direct_double_buffered, each write ending on the device (O_DSYNC; FILE_FLAG_WRITE_THROUGH)",
    source: "open(2), O_DSYNC; Microsoft, File Caching",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe,
    prepare: |job| job.done_by(convert),
};

fn convert(job: &ConvertJob, notes: &mut Notes) -> io::Result<()> {
    convert_direct(job, true, notes, |blocks, notes| blocks.double_buffered(notes))
}

fn probe(_host: &Host, setting: &Setting) -> Availability {
    probe_direct(setting, convert)
}
