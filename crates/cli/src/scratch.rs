//! Scratch folders: their register, and what is said of those that stay.

use std::path::Path;

use anyhow::Result;
use measure::{ProbeFolders, ScratchRegister};

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

/// Does the same for an answer that needs no register: without one, it says what is not tried out, and why.
pub(crate) fn register_if_any(common: &Common) -> Option<ScratchRegister> {
    clean_register(common).map_err(|error| remark(common, &not_tried_out(&format!("{error:#}")))).ok()
}

/// Says in which directories nothing is tried out.
pub(crate) fn remark_refused(probes: &ProbeFolders, common: &Common) {
    probes.refused().iter().for_each(|(_, reason)| remark(common, &not_tried_out(reason)));
}

pub(crate) fn not_tried_out(reason: &str) -> String {
    format!("bakeoff: techniques that need a try are not tried out and count as missing: {reason}")
}

pub(crate) fn not_removed(folder: &Path, reason: &str) -> String {
    format!("bakeoff: {} is not removed: {reason}; the next start tries again", folder.display())
}
