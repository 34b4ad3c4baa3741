//! The axis by which a user gives the threads of a trial only some of the processors.

use std::io;

use model::{Axis, Workload};
use sys::affinity;

use crate::parameters::words;

pub(crate) const PROCESSORS: &str = "processors";
pub(crate) const ALL: &str = "all";

pub(crate) const AXIS: Axis =
    words(PROCESSORS, "how many of the processors that may be used", &[ALL, "1", "2"]);

/// Returns how many were asked for; `None` for all.
pub(crate) fn wanted(workload: &Workload) -> Option<usize> {
    workload.point.word(PROCESSORS)?.parse().ok()
}

/// Refuses more than this process may use.
pub(crate) fn check(workload: &Workload) -> Result<(), String> {
    let allowed = affinity::allowed().len();
    match wanted(workload) {
        Some(wanted) if allowed > 0 && wanted > allowed => Err(format!(
            "--set {PROCESSORS}={wanted}: only {allowed} may be used here; leave it out, or set {PROCESSORS}=1"
        )),
        _ => Ok(()),
    }
}

/// A restriction to some of the processors, until it is dropped.
pub(crate) struct Restriction {
    before: Vec<u32>,
}

impl Restriction {
    pub(crate) fn to(wanted: Option<usize>) -> io::Result<Option<Self>> {
        let Some(wanted) = wanted else { return Ok(None) };
        let before = affinity::allowed();
        affinity::restrict(&before[..wanted.min(before.len())])?;
        Ok(Some(Self { before }))
    }
}

impl Drop for Restriction {
    fn drop(&mut self) {
        // They were allowed before. Where that is refused all the same, the process ends soon.
        let _ = affinity::restrict(&self.before);
    }
}
