//! The tables as they were printed, and what their rows and columns are.

use std::collections::BTreeMap;

use model::Workload;

use super::{Figure, PrintedUnit};
use crate::finding::PUBLISHED_UNITS;

pub(super) struct Table {
    pub(super) name: &'static str,
    /// Its title, as readers know it.
    pub(super) title: &'static str,
    pub(super) family: &'static str,
    text: &'static str,
    layout: Layout,
    /// The values of the family's published workload that the table does not name; those that are whole numbers are read as numbers.
    pub(super) fixed: &'static [(&'static str, &'static str)],
}

/// The shared values of the sorts of table C-4.
const SORT: &[(&str, &str)] =
    &[("record_bytes", "64"), ("key_bytes", "8"), ("order", "random"), ("output", "suppressed")];

const SEARCH: &[(&str, &str)] = &[
    ("bytes", "7500000"),
    ("file_count", "20"),
    ("kind", "files"),
    ("frequency", "rare"),
    ("regex", "no"),
    ("pattern", "needle"),
];

const PIPELINE: &[(&str, &str)] = &[
    ("route", "stages"),
    ("depth", "10"),
    ("batch", "5"),
    ("work_steps", "0"),
    ("payload_bytes", "1024"),
    ("processors", "all"),
    ("placement", "free"),
];

const THREADS: &[(&str, &str)] = &[
    ("iterations", "600000000"),
    ("iterations_per_yield", "100"),
    ("generator", "congruence"),
    ("processors", "all"),
];

const CLOCK: &[(&str, &str)] = &[("chain_steps", "0")];

enum Layout {
    /// Program and metric, then a column a machine, in seconds. Programs work on this.
    Programs(fn(&str) -> Workload),
    /// Threads and metric, then a column a program, in seconds; all on this machine.
    Strategies(&'static str),
    /// Threads, then a column a machine, in milliseconds; all of this technique.
    Threads(&'static str),
    /// Machine, program, microseconds for one of these.
    Each(&'static str, fn(&str) -> &str),
}

/// A table of a family, in the file of its name.
macro_rules! table {
    ($name:literal, $title:literal, $family:literal, $fixed:expr, $layout:expr) => {
        Table {
            name: $name,
            title: $title,
            family: $family,
            text: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../published/", $name, ".csv")),
            layout: $layout,
            fixed: $fixed,
        }
    };
}

pub(super) const TABLES: &[Table] = &[
    table!(
        "wsp-c1-copy",
        "Table C-1, copying a file",
        "copy",
        &[],
        Layout::Programs(|_| Workload::of_bytes("published", 25_600_000))
    ),
    table!(
        "wsp-c2-convert",
        "Table C-2, converting ASCII to Unicode",
        "convert",
        &[],
        Layout::Programs(|_| Workload::of_bytes("published", 12_800_000))
    ),
    table!(
        "wsp-c3-search",
        "Table C-3, searching files",
        "search",
        SEARCH,
        Layout::Programs(|_| named("published"))
    ),
    table!("wsp-c4-sort", "Table C-4, sorting a file", "sort", SORT, Layout::Programs(of_records)),
    table!(
        "wsp-c5-pipeline",
        "Table C-5, threads in a pipeline",
        "pipeline",
        PIPELINE,
        Layout::Strategies("xeon-4way-w2000-ntfs")
    ),
    table!(
        "khatsiev-yielding-threads",
        "Khatsiev, threads that yield",
        "threads",
        THREADS,
        Layout::Threads("thread_each")
    ),
    table!(
        "bradford-timer-call",
        "Bradford, a call of the clock",
        "clock",
        CLOCK,
        Layout::Each("calls", |clock| clock)
    ),
    table!(
        "cse221-disk-access",
        "CSE 221, reading and writing a file",
        "disk",
        &[],
        Layout::Each("kilobytes", |printed| if printed == "fread/fwrite" { "c_stdio" } else { "mmap" })
    ),
];

impl Table {
    /// The unit in which it was printed.
    pub(super) fn unit(&self) -> PrintedUnit {
        let (name, ns, decimals) = match &self.layout {
            Layout::Programs(_) | Layout::Strategies(_) => ("s", 1e9, 2),
            Layout::Threads(_) => ("ms", 1e6, 0),
            Layout::Each("kilobytes", _) => ("us a kilobyte", 1e3, 3),
            Layout::Each(..) => ("us a call", 1e3, 3),
        };
        PrintedUnit { name, ns, decimals }
    }

    /// Returns whether its rows are numbers of threads.
    pub(super) fn is_by_threads(&self) -> bool {
        matches!(self.layout, Layout::Strategies(_) | Layout::Threads(_))
    }

    /// The machine on which all of it was measured, where its columns are programs.
    pub(super) fn machine(&self) -> Option<&'static str> {
        match self.layout {
            Layout::Strategies(machine) => Some(machine),
            _ => None,
        }
    }
}

/// Returns the heads of the columns with figures, where each column has its own machine or program.
pub(super) fn columns(table: &Table) -> Vec<String> {
    let first = match table.layout {
        Layout::Threads(_) => 1,
        Layout::Programs(_) | Layout::Strategies(_) => 2,
        Layout::Each(..) => usize::MAX,
    };
    head(&mut csv::Reader::from_reader(table.text.as_bytes())).into_iter().skip(first).collect()
}

fn head(reader: &mut csv::Reader<&[u8]>) -> Vec<String> {
    reader.headers().map(|head| head.iter().map(str::to_owned).collect()).unwrap_or_default()
}

pub(super) fn figures(table: &Table) -> Vec<(String, Figure)> {
    let mut reader = csv::Reader::from_reader(table.text.as_bytes());
    let head = head(&mut reader);
    let rows = reader.records().map_while(Result::ok);
    let mut found: Vec<(String, Figure)> = Vec::new();
    for row in rows {
        let cells: Vec<&str> = row.iter().collect();
        let [first, second, ..] = cells[..] else { continue };
        let first_value = if matches!(table.layout, Layout::Threads(_)) { 1 } else { 2 };
        for (column, value) in head.iter().zip(&cells).skip(first_value) {
            let (machine, workload, program, metric) = match &table.layout {
                Layout::Programs(workload) => (&**column, workload(first), first, metric(second)),
                Layout::Strategies(machine) => {
                    let workload = of_threads(first).with("units", PUBLISHED_UNITS);
                    (*machine, workload, &**column, metric(second))
                }
                Layout::Threads(technique) => (&**column, of_threads(first), *technique, "work"),
                Layout::Each(unit, program) => {
                    (first, named(&format!("1 of {unit}")).with(unit, 1), program(second), "work")
                }
            };
            let Ok(number) = value.parse::<f64>() else { continue };
            let figure = Figure {
                table: table.name,
                family: table.family,
                workload,
                program: program.to_owned(),
                metric,
                ns: number * table.unit().ns,
            };
            found.push((machine.to_owned(), figure));
        }
    }
    let both = together(&found);
    found.extend(both);
    found
}

fn named(name: &str) -> Workload {
    Workload { name: name.to_owned(), ..Workload::default() }
}

fn of_records(program: &str) -> Workload {
    let records = if program.starts_with("sortMT") { 400_000 } else { 100_000 };
    Workload::of_bytes(format!("{records} records"), records * 64).with("records", records)
}

fn of_threads(threads: &str) -> Workload {
    let named = named(&format!("{threads} threads"));
    threads.parse::<u64>().map_or(named.clone(), |count| named.with("threads", count))
}

fn metric(printed: &str) -> &'static str {
    match printed {
        "user" => "user",
        "system" => "system",
        _ => "work",
    }
}

/// User and system time together, where both were published.
fn together(figures: &[(String, Figure)]) -> Vec<(String, Figure)> {
    let mut users: BTreeMap<(&str, &str, &Workload), f64> = BTreeMap::new();
    for (machine, figure) in figures.iter().filter(|(_, figure)| figure.metric == "user") {
        users.insert((machine, &figure.program, &figure.workload), figure.ns);
    }
    let systems = figures.iter().filter(|(_, figure)| figure.metric == "system");
    let sums = systems.filter_map(|(machine, figure)| {
        let user = users.get(&(machine.as_str(), figure.program.as_str(), &figure.workload))?;
        Some((machine.clone(), Figure { metric: "cpu", ns: user + figure.ns, ..figure.clone() }))
    });
    sums.collect()
}
