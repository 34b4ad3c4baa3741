//! Scratch folders: their register, and what is said of those that stay.

use std::path::Path;

use anyhow::Result;
use measure::{ProbeFolders, ScratchRegister};
use model::{Durability, Setting};

use crate::arguments::Common;
use crate::paths::scratch_register;
use crate::terminal::remark;

/// Returns the register, after it removed what killed runs had left behind.
pub(crate) fn clean_register(common: &Common) -> Result<ScratchRegister> {
    let register = scratch_register(common)?;
    let orphans = register.remove_orphans().unwrap_or_default();
    for orphan in orphans.removed {
        let shown = orphan.display();
        remark(common, &format!("bakeoff: removed {shown}, which a killed run had left behind"));
    }
    for (orphan, reason) in orphans.kept {
        let shown = orphan.display();
        remark(
            common,
            &format!("bakeoff: {shown}, which a killed run had left behind, cannot be removed: {reason}"),
        );
    }
    Ok(register)
}

/// Returns the setting in which techniques are tried out in a directory, and the folders for it, which must be kept until then. Where
/// none can be made, it says what is not tried out, and why.
pub(crate) fn tried_in(directory: &Path, common: &Common) -> Result<(ProbeFolders, Setting)> {
    let mut setting = Setting::warm(directory, Durability::Returned);
    setting.conditions.file_system = sys::host::volume(directory)?.file_system;
    let register = clean_register(common);
    let register = register.map_err(|error| remark(common, &not_tried_out(&format!("{error:#}")))).ok();
    let probes = ProbeFolders::new(register.as_ref(), &[directory.to_owned()]);
    probes.refused().iter().for_each(|(_, reason)| remark(common, &not_tried_out(reason)));
    let setting = probes.setting(&setting);
    Ok((probes, setting))
}

pub(crate) fn not_tried_out(reason: &str) -> String {
    format!("bakeoff: techniques that need a try are not tried out and count as missing: {reason}")
}

pub(crate) fn not_removed(folder: &Path, reason: &str) -> String {
    format!("bakeoff: {} is not removed: {reason}; the next start tries again", folder.display())
}
