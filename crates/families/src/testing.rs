//! What the tests of all families share.

use std::io;
use std::path::Path;

use model::{Durability, Proof, Setting, Trial, Workload};

use crate::contract::AnyFamily;

pub(crate) fn trial(
    family: &dyn AnyFamily,
    entry: &str,
    workload: &Workload,
    scratch: &Path,
    durability: Durability,
) -> Trial {
    Trial {
        family: family.name().to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: Setting::warm(scratch, durability),
        scratch: scratch.to_owned(),
        seed: 1,
    }
}

/// Does a trial's work twice, as a worker would; gives its proof and its notes.
pub(crate) fn done_twice(family: &dyn AnyFamily, trial: &Trial) -> io::Result<(Proof, Vec<String>)> {
    let mut done = None;
    family.perform(trial, &mut |technique| {
        for _ in 0..2 {
            technique.refresh()?;
            technique.repeat(1)?;
        }
        done = Some((technique.proof()?, technique.notes()));
        Ok(())
    })?;
    Ok(done.expect("the body ran"))
}
