//! The kept runs that advice may be taken from: whole ones of this host, this kernel and this version.

use std::collections::BTreeMap;

use anyhow::Result;
use families::AnyFamily;
use judge::{Decided, compare_by, decide};
use model::{Record, RunId};

use crate::arguments::Common;
use crate::leaders::{MOST_RUNS, runs_of_this_host};
use crate::paths::read_store_if_any;

/// A run with what may be said of the family.
pub(super) struct Run {
    pub(super) id: RunId,
    pub(super) started: String,
    pub(super) decided: Decided,
}

pub(super) struct Evidence {
    /// The latest first.
    pub(super) runs: Vec<Run>,
    /// The key of what is compared, where the user named it.
    pub(super) metric: Option<String>,
    /// Reasons for which runs were set aside, each in a sentence.
    pub(super) set_aside: Vec<String>,
}

impl Evidence {
    pub(super) fn from_store(family: &dyn AnyFamily, metric: Option<&str>, common: &Common) -> Result<Self> {
        let mut evidence = Self { runs: Vec::new(), metric: None, set_aside: Vec::new() };
        let Some(store) = read_store_if_any(common)? else { return Ok(evidence) };
        let here = sys::host::identity();
        let mut reasons: BTreeMap<&'static str, u32> = BTreeMap::new();
        let mut not_measured = None;
        let (runs, others) = runs_of_this_host(&store, family.name(), here.fingerprint.as_ref())?;
        if others > 0 {
            reasons.insert("was taken on another host", others as u32);
        }
        for summary in runs.iter().take(MOST_RUNS) {
            let mut record = store.load(&summary.id)?;
            if let Some(reason) = reason_against(&record, &here) {
                *reasons.entry(reason).or_default() += 1;
                continue;
            }
            record.trials.retain(|trial| trial.family == family.name());
            if let Some(name) = metric {
                if let Err(refused) = compare_by(&mut record, name) {
                    not_measured = Some(refused);
                    continue;
                }
                evidence.metric = Some(record.design.compared(family.name()).key.to_string());
            }
            let decided = decide(&record);
            evidence.runs.push(Run { id: record.id, started: record.started, decided });
        }
        // No run has it: then the name is wrong, or nothing was measured by it.
        if let (Some(refused), true) = (not_measured, evidence.runs.is_empty()) {
            return Err(anyhow::Error::new(refused).context("--metric"));
        }
        evidence.set_aside.extend(reasons.into_iter().map(|(reason, count)| match count {
            1 => format!("1 run {reason}"),
            more => format!("{more} runs {}", reason.replacen("was ", "were ", 1)),
        }));
        Ok(evidence)
    }
}

/// Explains why a run says nothing of this host as it is now.
fn reason_against(record: &Record, here: &sys::host::Identity) -> Option<&'static str> {
    if record.host.os.kernel != here.kernel {
        return Some("was taken on another kernel");
    }
    if record.tool.version != env!("CARGO_PKG_VERSION") {
        return Some("was taken by another version of bakeoff");
    }
    let then = sys::host::setup(&record.host);
    let differs =
        |name: &str| then.get(name).zip(here.setup.get(name)).is_some_and(|(then, now)| then != now);
    if differs("microcode") || differs("caches") {
        return Some("was taken with another microcode or other caches");
    }
    if differs("huge_pages") {
        return Some("was taken with another setting of transparent huge pages");
    }
    (!record.complete).then_some("did not run to its end")
}
