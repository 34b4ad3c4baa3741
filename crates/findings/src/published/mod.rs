//! The published tables as machines: a figure is machine, workload, program, metric and value.

mod as_printed;
mod lines;
mod record;
mod remarks;
mod table;
mod then_and_here;

use std::sync::LazyLock;

use model::Workload;
use serde::Deserialize;

pub use as_printed::{Mean, PrintedRow, PrintedTable, PrintedUnit, as_printed, programs};
pub use lines::{PublishedLine, lines};
pub use record::record;
pub(crate) use remarks::{departures, faults};
use table::{TABLES, figures};
pub use then_and_here::{Program, SideBySide, Then, compare_with_published};

use crate::evidence::get_or_add;

/// A figure of a published table.
#[derive(Debug, Clone, PartialEq)]
pub struct Figure {
    /// The table: `wsp-c1-copy`.
    pub table: &'static str,
    /// The family that does the same work.
    pub family: &'static str,
    /// Size and shape.
    pub workload: Workload,
    /// The program, as it was published.
    pub program: String,
    /// `work` (real time), `user`, `system` or `cpu` (both together).
    pub metric: &'static str,
    /// The value in nanoseconds.
    pub ns: f64,
}

impl Figure {
    /// Its work with all values of the family's published workload, as far as they were the same on every machine.
    pub(crate) fn whole_workload(&self) -> Workload {
        let fixed = TABLES.iter().find(|table| table.name == self.table).map_or(&[][..], |table| table.fixed);
        let mut workload = self.workload.clone();
        for &(axis, value) in fixed {
            match (workload.point.0.contains_key(axis), value.parse::<u64>()) {
                (true, _) => {}
                (_, Ok(number)) => workload.point.set(axis, number),
                (_, Err(_)) => workload.point.set(axis, value),
            }
        }
        workload
    }
}

/// A machine of the published tables.
#[derive(Debug, Clone, PartialEq)]
pub struct Machine {
    /// Its name in the tables: `xeon-4way-w2000-ntfs`.
    pub name: String,
    /// Its description in the source.
    pub described: Described,
    /// The figures that were measured on it.
    pub figures: Vec<Figure>,
}

/// The description of a machine in its source: `published/machines.toml`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Described {
    names: Vec<String>,
    /// The model of its processors.
    pub processor: Option<String>,
    /// Its processors.
    #[serde(default = "one")]
    pub processors: u32,
    frequency_mhz: Option<u64>,
    memory_bytes: Option<u64>,
    /// The size of its second cache.
    pub second_cache_bytes: Option<u64>,
    system: String,
    kernel: Option<String>,
    /// The state of the file cache before each run.
    cache: String,
}

fn one() -> u32 {
    1
}

/// Returns the descriptions in the sources.
fn described() -> Vec<Described> {
    #[derive(Deserialize)]
    struct All {
        machine: Vec<Described>,
    }
    let text = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../published/machines.toml"));
    // Every test of a machine reads it: it is not refused in a build that passed them.
    toml::from_str::<All>(text).unwrap_or_else(|refused| panic!("published/machines.toml: {refused}")).machine
}

/// Returns all machines, in the order of the tables.
pub fn machines() -> &'static [Machine] {
    static MACHINES: LazyLock<Vec<Machine>> = LazyLock::new(read_machines);
    &MACHINES
}

fn read_machines() -> Vec<Machine> {
    let described = described();
    let mut machines: Vec<Machine> = Vec::new();
    for table in TABLES {
        for (name, figure) in figures(table) {
            let known = machines.iter().position(|machine| machine.name == name);
            let machine = get_or_add(&mut machines, known, || Machine {
                described: described
                    .iter()
                    .find(|one| one.names.contains(&name))
                    .unwrap_or_else(|| panic!("published/machines.toml does not describe {name}"))
                    .clone(),
                name,
                figures: Vec::new(),
            });
            machine.figures.push(figure);
        }
    }
    machines
}

/// Returns the machine that a user means: a name, or the beginning of exactly one.
pub fn machine(name: &str) -> Result<&'static Machine, String> {
    let all = machines();
    let exact = all.iter().find(|machine| machine.name == name);
    let begins: Vec<&'static Machine> = all.iter().filter(|machine| machine.name.starts_with(name)).collect();
    match (exact, begins.as_slice()) {
        (Some(machine), _) => Ok(machine),
        (None, [machine]) => Ok(*machine),
        (None, []) => Err(format!("no published machine is called '{name}'; there are {}", names(all))),
        _ => Err(format!("several published machines begin so: {}", names(begins))),
    }
}

fn names<'a>(machines: impl IntoIterator<Item = &'a Machine>) -> String {
    machines.into_iter().map(|machine| machine.name.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(machine: &str, program: &str, metric: &str, threads: Option<u64>) -> Option<f64> {
        let machine = super::machine(machine).expect(machine);
        let mut own = machine.figures.iter().filter(|one| one.program == program && one.metric == metric);
        own.find(|one| threads.is_none() || one.workload.number("threads") == threads).map(|one| one.ns)
    }

    #[test]
    fn every_table_is_read_in_its_own_unit() {
        assert_eq!(figure("xeon-4way", "cpC", "work", None), Some(2.67e9));
        assert_eq!(figure("xeon-4way", "grepMT", "user", None), Some(2.23e9));
        assert_eq!(figure("xeon-4way", "signal-critsec", "work", Some(64)), Some(2.95e9));
        assert_eq!(figure("pentium3-1000-xp-pro", "thread_each", "work", Some(8192)), Some(15_913e6));
        assert_eq!(figure("windows-2000", "QueryPerformanceCounter", "work", None), Some(1945.0));
        let disk = figure("redhat-linux", "c_stdio", "work", None).expect("a figure");
        assert!((disk - 45_142.0).abs() < 1e-6);
    }

    #[test]
    fn user_and_system_time_add_up_and_blanks_are_absent() {
        let cpu = figure("xeon-4way", "cpC", "cpu", None).expect("a figure");
        assert!((cpu - 0.42e9).abs() < 1.0, "{cpu}");
        assert_eq!(figure("pentium3-w2000-fat", "atouLSFP", "work", None), None);
        assert_eq!(figure("xeon-w2000", "grepSQ", "cpu", None), None);
        assert_eq!(figure("pentium3-1000-win98se", "thread_each", "work", Some(8192)), None);
    }

    #[test]
    fn a_machine_is_found_by_the_beginning_of_its_name() {
        assert_eq!(machine("xeon-4way").expect("one").described.processors, 4);
        assert!(machine("cray").is_err_and(|refused| refused.contains("xeon-4way-w2000-ntfs")));
        assert!(machine("pentium3").is_err_and(|refused| refused.contains("several")));
    }
}
