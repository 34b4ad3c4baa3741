//! Faults of the sources, and what a system of today cannot do as published: `published/remarks.toml`.

use std::sync::LazyLock;

use serde::Deserialize;

use super::{Figure, Machine};
use crate::finding::Finding;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Remarks {
    fault: Vec<Fault>,
    departure: Vec<Departure>,
}

/// A fault of a source.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Fault {
    #[serde(default)]
    tables: Vec<String>,
    /// The programs of the tables that it is about.
    #[serde(default)]
    programs: Vec<String>,
    /// The machines that it is about; all when empty.
    #[serde(default)]
    machines: Vec<String>,
    #[serde(default)]
    findings: Vec<String>,
    text: String,
}

/// Something that a system of today cannot do as it was published.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Departure {
    #[serde(default)]
    programs: Vec<String>,
    #[serde(default)]
    findings: Vec<String>,
    /// The system; any without one.
    system: Option<String>,
    text: String,
}

static REMARKS: LazyLock<Remarks> = LazyLock::new(|| {
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../published/remarks.toml"));
    // A test reads it: it is not refused in a build that passed it.
    toml::from_str(text).unwrap_or_else(|refused| panic!("published/remarks.toml: {refused}"))
});

/// Returns the faults of a finding's source.
pub(crate) fn faults(finding: &Finding) -> Vec<String> {
    let own = REMARKS.fault.iter().filter(|fault| fault.findings.contains(&finding.claim.id));
    own.map(|fault| fault.text.clone()).collect()
}

/// Returns the faults of a table.
pub(super) fn faults_of_table(table: &str) -> impl Iterator<Item = String> {
    let own = REMARKS.fault.iter().filter(move |fault| fault.tables.iter().any(|one| one == table));
    own.map(|fault| format!("source: {}", fault.text))
}

/// Returns the faults of those figures of a machine that are meant.
pub(super) fn faults_of(machine: &Machine, is_meant: impl Fn(&Figure) -> bool) -> Vec<String> {
    let figures: Vec<&Figure> = machine.figures.iter().filter(|figure| is_meant(figure)).collect();
    let own = REMARKS.fault.iter().filter(|fault| {
        let is_of = |figure: &&Figure| {
            fault.tables.iter().any(|table| table == figure.table) && fault.programs.contains(&figure.program)
        };
        (fault.machines.is_empty() || fault.machines.contains(&machine.name)) && figures.iter().any(is_of)
    });
    own.map(|fault| fault.text.clone()).collect()
}

/// Returns what a system cannot do as a finding was published.
pub(crate) fn departures(finding: &Finding, system: &str) -> Vec<String> {
    let names = finding.names();
    let own = REMARKS.departure.iter().filter(|one| {
        one.system.as_ref().is_none_or(|own| own == system)
            && (one.findings.contains(&finding.claim.id)
                || one.programs.iter().any(|program| names.contains(&program.as_str())))
    });
    own.map(|one| one.text.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::super::machines;
    use super::*;
    use crate::catalog::all;

    #[test]
    fn every_remark_is_about_something_that_is_there() {
        let figures = || machines().iter().flat_map(|machine| &machine.figures);
        for fault in &REMARKS.fault {
            assert!(fault.tables.iter().all(|name| figures().any(|one| one.table == name)), "{fault:?}");
            assert!(fault.programs.iter().all(|name| figures().any(|one| one.program == *name)), "{fault:?}");
            assert!(
                fault.machines.iter().all(|name| machines().iter().any(|one| one.name == *name)),
                "{fault:?}"
            );
            assert!(!fault.tables.is_empty() || !fault.findings.is_empty(), "{fault:?}");
        }
        let findings = REMARKS.fault.iter().flat_map(|fault| &fault.findings);
        for id in findings.chain(REMARKS.departure.iter().flat_map(|one| &one.findings)) {
            assert!(all().iter().any(|finding| finding.claim.id == *id), "{id}");
        }
        for name in REMARKS.departure.iter().flat_map(|one| &one.programs) {
            assert!(all().iter().any(|finding| finding.names().contains(&name.as_str())), "{name}");
        }
    }
}
