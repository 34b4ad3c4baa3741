//! The published tables as they were printed, with what this host took for the same programs and work.

use std::collections::BTreeSet;

use judge::{Decided, Entry, Ranking};
use model::{Metric, Record, Sample, SampleNote};

use super::Figure;
use super::remarks::faults_of_table;
use super::table::{TABLES, Table, columns, figures};
use crate::evidence::get_or_add;

/// A published table with this host.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedTable {
    /// Its name and subject.
    pub title: &'static str,
    /// The unit of its figures.
    pub unit: PrintedUnit,
    /// What its rows are: programs, numbers of threads, or sizes of pieces.
    pub rows_are: &'static str,
    /// What its columns are: machines, or programs.
    pub columns: Vec<String>,
    /// Each column is a program, of which this host has a figure of its own.
    pub is_by_program: bool,
    /// What was printed elsewhere than in rows and columns.
    pub notes: Vec<String>,
    /// Its rows, as they were printed.
    pub rows: Vec<PrintedRow>,
    /// The runs that each figure of this host is the mean of, in all rows but those that say otherwise.
    pub runs: u32,
}

/// The unit of a published table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedUnit {
    /// Its name.
    pub name: &'static str,
    /// Its length in nanoseconds.
    pub ns: f64,
    /// The decimals with which figures were printed.
    pub decimals: usize,
}

/// A row of a published table: a time of a program, or at a number of threads, or with pieces of a size.
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedRow {
    /// The program, the number of threads, or the size of a piece.
    pub name: String,
    /// `real`, `user` or `system`; of a disk `read`, `rewrite` or `reread`.
    pub part: &'static str,
    /// The published figures in nanoseconds; `None` where none was printed.
    pub then_ns: Vec<Option<f64>>,
    /// The figures of this host: one for each program, or one next to all machines.
    pub here: Vec<Option<Mean>>,
}

/// The mean of the runs of a program on this host.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mean {
    /// The mean in nanoseconds.
    pub ns: f64,
    /// The least and the largest value in nanoseconds.
    pub ends_ns: (f64, f64),
    /// The number of runs.
    pub runs: u32,
    /// Some run was cut short and extrapolated.
    pub is_extrapolated: bool,
}

/// The interfaces of CSE 221.
const INTERFACES: [&str; 3] = ["c_stdio", "read_write", "mmap"];

/// Returns the published tables that have a program which a run measured at the published work, in the order of their publication.
/// Times below the tick of the host's counter are absent, as `N/A` in the book.
pub fn as_printed(record: &Record, decided: &Decided) -> Vec<PrintedTable> {
    let rankings: Vec<&Ranking> =
        decided.rankings.iter().filter(|ranking| ranking.metric.key == Metric::WORK.key).collect();
    let all = TABLES.iter().filter_map(|table| match table.family {
        "disk" => by_phase(table, record, &rankings),
        _ => printed(table, record, &rankings),
    });
    all.collect()
}

fn printed(table: &Table, record: &Record, rankings: &[&Ranking]) -> Option<PrintedTable> {
    let machine = table.machine();
    let is_by_program = machine.is_some();
    let mut printed = PrintedTable {
        title: table.title,
        unit: table.unit(),
        rows_are: if table.is_by_threads() { "threads" } else { "program" },
        columns: columns(table),
        is_by_program,
        notes: machine
            .iter()
            .map(|machine| format!("then: all on {machine}"))
            .chain(faults_of_table(table.name))
            .collect(),
        rows: Vec::new(),
        runs: 0,
    };
    for (of_machine, figure) in figures(table) {
        let part = match figure.metric {
            "work" => "real",
            "cpu" => continue,
            part => part,
        };
        let column = if is_by_program { &figure.program } else { &of_machine };
        let place = printed.columns.iter().position(|one| one == column).unwrap_or(printed.columns.len());
        if place == printed.columns.len() {
            printed.columns.push(column.clone());
        }
        let threads = figure.workload.number("threads").filter(|_| table.is_by_threads());
        let name = threads.map_or_else(|| figure.program.clone(), |threads| threads.to_string());
        let known = printed.rows.iter().position(|row| row.name == name && row.part == part);
        let new = || PrintedRow { name: name.clone(), part, then_ns: Vec::new(), here: Vec::new() };
        let row = get_or_add(&mut printed.rows, known, new);
        row.then_ns.resize(row.then_ns.len().max(place + 1), None);
        row.then_ns[place] = Some(figure.ns);
        let place = if is_by_program { place } else { 0 };
        if row.here.get(place).is_none_or(Option::is_none) {
            row.here.resize(row.here.len().max(place + 1), None);
            row.here[place] = here(&figure, record, rankings);
        }
    }
    for row in &mut printed.rows {
        row.then_ns.resize(printed.columns.len(), None);
        row.here.resize(if is_by_program { printed.columns.len() } else { 1 }, None);
    }
    printed.runs = most_runs(&printed.rows)?;
    Some(printed)
}

/// Returns the three interfaces by the size of a piece and by phase, which were published as curves; their means are notes.
fn by_phase(table: &Table, record: &Record, rankings: &[&Ranking]) -> Option<PrintedTable> {
    const PHASES: [(&str, &str); 3] =
        [("read", "read_kib_ns"), ("rewrite", "rewrite_kib_ns"), ("reread", "reread_kib_ns")];
    let mut rows = Vec::new();
    for ranking in rankings.iter().filter(|ranking| ranking.family == table.family) {
        let Some(piece) = ranking.workload.number("piece_bytes") else { continue };
        for (part, key) in PHASES {
            let here = INTERFACES.map(|interface| {
                let entry = ranking.entries.iter().find(|entry| is_program(entry, interface))?;
                let value = |sample: &Sample| sample.values.get(key).copied();
                mean(&samples(record, ranking, entry), value)
            });
            // Techniques that flush each piece have a contest of their own at the same level.
            if here == [None; INTERFACES.len()] {
                continue;
            }
            let name = model::format_bytes(piece);
            rows.push(PrintedRow { name, part, then_ns: vec![None; here.len()], here: here.to_vec() });
        }
    }
    let unit = table.unit();
    let means = figures(table).into_iter().map(|(machine, figure)| {
        format!("then: {} {:.3} {} on {machine}", figure.program, figure.ns / unit.ns, unit.name)
    });
    Some(PrintedTable {
        title: table.title,
        unit,
        rows_are: "piece",
        columns: INTERFACES.map(str::to_owned).to_vec(),
        is_by_program: true,
        notes: means.chain(faults_of_table(table.name)).collect(),
        runs: most_runs(&rows)?,
        rows,
    })
}

/// Returns the programs of all tables, and the interfaces of a disk, by `family/program`.
pub fn programs() -> Vec<String> {
    let figures = TABLES.iter().flat_map(figures).map(|(_, figure)| (figure.family, figure.program));
    let interfaces = INTERFACES.map(|interface| ("disk", interface.to_owned()));
    let all: BTreeSet<(&str, String)> = figures.chain(interfaces).collect();
    all.into_iter().map(|(family, program)| format!("{family}/{program}")).collect()
}

fn most_runs(rows: &[PrintedRow]) -> Option<u32> {
    rows.iter().flat_map(|row| row.here.iter().flatten()).map(|mean| mean.runs).max()
}

/// Returns the mean of what this host took for a published figure.
fn here(figure: &Figure, record: &Record, rankings: &[&Ranking]) -> Option<Mean> {
    let wanted = figure.whole_workload();
    // A call was published, and a contest has many of them.
    let of_many = Some("calls").filter(|unit| wanted.number(unit) == Some(1));
    let is_same = |ranking: &&&Ranking| {
        let mut axes = wanted.point.0.iter().filter(|(axis, _)| of_many.is_none_or(|many| many != **axis));
        ranking.family == figure.family
            && axes.all(|(axis, value)| ranking.workload.point.0.get(axis) == Some(value))
    };
    rankings.iter().filter(is_same).find_map(|ranking| {
        let entry = ranking.entries.iter().find(|entry| is_program(entry, &figure.program))?;
        let many = of_many.map_or(Some(1), |unit| ranking.workload.number(unit))? as f64;
        let of_one =
            |sample: &Sample, ns: Option<u64>| Some(ns? as f64 / sample.repetitions.max(1) as f64 / many);
        mean(&samples(record, ranking, entry), |sample| match figure.metric {
            "work" => Some(sample.work_ns? as f64 / many),
            "user" => of_one(sample, sample.usage.user_ns).filter(|_| entry.user_ns.is_some()),
            _ => of_one(sample, sample.usage.system_ns).filter(|_| entry.system_ns.is_some()),
        })
    })
}

fn is_program(entry: &Entry, program: &str) -> bool {
    let technique = entry.technique.split('@').next();
    entry.aliases.iter().any(|alias| alias == program) || technique == Some(program)
}

/// Returns the samples of the rounds that count, those of the last attempt.
fn samples<'a>(record: &'a Record, ranking: &Ranking, entry: &Entry) -> Vec<&'a Sample> {
    let own = record.trials.iter().filter(|trial| {
        trial.family == ranking.family
            && trial.technique == entry.technique
            && trial.workload == ranking.workload
            && trial.setting == ranking.setting
    });
    let last = own.max_by_key(|trial| trial.attempt);
    let all = last.map_or(&[][..], |trial| &trial.samples);
    // Round 0 counts only where there is no other.
    let first = u32::from(all.iter().any(|sample| sample.round > 0));
    all.iter().filter(|sample| sample.round >= first).collect()
}

fn mean(samples: &[&Sample], value_ns: impl Fn(&Sample) -> Option<f64>) -> Option<Mean> {
    let values: Vec<f64> = samples.iter().filter_map(|sample| value_ns(sample)).collect();
    let ns = values.iter().sum::<f64>() / values.len() as f64;
    let is_cut = |note: &SampleNote| matches!(note, SampleNote::Extrapolated(_));
    let rounds = samples.iter().map(|sample| sample.round);
    (ns > 0.0).then(|| Mean {
        ns,
        ends_ns: (values.iter().copied().fold(ns, f64::min), values.iter().copied().fold(ns, f64::max)),
        runs: rounds.collect::<BTreeSet<u32>>().len() as u32,
        is_extrapolated: samples.iter().flat_map(|sample| &sample.notes).any(is_cut),
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Machine, machine, record};
    use super::*;

    /// Returns a run with the work of a published machine that takes ten times as long: five counted rounds of 0.8 to 1.2 times that.
    fn run(name: &str, family: &str) -> Record {
        let published = machine(name).expect("published").clone();
        let figures = published.figures.iter().filter(|figure| figure.family == family).cloned().collect();
        let mut run = record(&Machine { figures, ..published }, &[]);
        run.tool.name = "bakeoff".to_owned();
        for trial in &mut run.trials {
            let printed = trial.samples.remove(0);
            trial.samples = (0..6)
                .map(|round| {
                    let of_round = |ns: Option<u64>| Some(ns? * (7 + u64::from(round)));
                    let mut sample = Sample { round, work_ns: of_round(printed.work_ns), ..printed.clone() };
                    sample.usage.user_ns = of_round(printed.usage.user_ns);
                    sample.usage.system_ns = of_round(printed.usage.system_ns);
                    sample
                })
                .collect();
        }
        run
    }

    fn tables(run: &Record) -> Vec<PrintedTable> {
        as_printed(run, &judge::decide(run))
    }

    #[test]
    fn every_figure_stands_in_its_table_with_the_mean_of_this_host() {
        for (name, family, columns, rows) in [
            ("xeon-4way-w2000-ntfs", "copy", 6, 15),
            ("xeon-4way-w2000-ntfs", "convert", 6, 24),
            ("xeon-4way-w2000-ntfs", "search", 4, 5),
            ("xeon-4way-w2000-ntfs", "sort", 4, 21),
            ("xeon-4way-w2000-ntfs", "pipeline", 6, 21),
            ("pentium3-1000-xp-pro", "threads", 5, 14),
            ("linux-2.4.2", "clock", 4, 2),
        ] {
            let all = tables(&run(name, family));
            let [table] = &all[..] else { panic!("{family}: {all:?}") };
            assert_eq!((table.columns.len(), table.rows.len(), table.runs), (columns, rows, 5), "{family}");
            assert!(
                family != "sort" || table.columns[0] == "pentium-laptop-w2000-ntfs",
                "as in the book: {:?}",
                table.columns
            );
            let own = table.columns.iter().position(|column| column == name);
            let mut known = 0;
            for row in table.rows.iter().filter(|row| row.part == "real") {
                for (place, mean) in row.here.iter().enumerate() {
                    let then_ns = row.then_ns[if table.is_by_program { place } else { own.expect(name) }];
                    let Some((then_ns, mean)) = then_ns.zip(*mean) else { continue };
                    known += 1;
                    let (low, high) = mean.ends_ns;
                    for (ns, times) in [(mean.ns, 1.0), (low, 0.8), (high, 1.2)] {
                        assert!((ns / 10.0 / then_ns - times).abs() < 0.01, "{family} {row:?}");
                    }
                }
            }
            let real = machine(name).expect(name).figures.iter();
            let real = real.filter(|one| one.family == family && one.metric == "work");
            assert_eq!(known, real.count(), "{family}");
        }
    }

    #[test]
    fn a_program_with_fewer_runs_says_so_and_one_without_is_blank() {
        let mut fewer = run("xeon-4way-w2000-ntfs", "copy");
        fewer.trials[0].samples.truncate(4);
        fewer.trials[1].samples.clear();
        let [first, second] = [0, 1].map(|at| fewer.trials[at].technique.clone());
        let all = tables(&fewer);
        let real = |name: &str| all[0].rows.iter().find(|row| row.name == name && row.part == "real");
        assert_eq!(real(&first).expect("printed").here[0].map(|mean| mean.runs), Some(3));
        assert_eq!(real(&second).expect("printed").here, [None]);
        assert_eq!(all[0].runs, 5);
    }

    #[test]
    fn other_work_has_no_table() {
        let mut other = run("xeon-4way-w2000-ntfs", "copy");
        for trial in &mut other.trials {
            trial.workload = model::Workload::of_bytes("1MB", 1_000_000);
        }
        assert_eq!(tables(&other), []);
    }

    #[test]
    fn a_disk_is_printed_by_piece_and_phase() {
        let mut disk = run("redhat-linux", "disk");
        for trial in &mut disk.trials {
            trial.workload = model::Workload::of_bytes("published", 512 << 20).with("piece_bytes", 1024);
            for sample in &mut trial.samples {
                sample.values.insert("read_kib_ns".to_owned(), f64::from(sample.round) * 10.0);
            }
        }
        let all = tables(&disk);
        let read = &all[0].rows[0];
        assert_eq!((&*read.name, read.part, all[0].rows.len()), ("1 KiB", "read", 1));
        assert_eq!(
            read.here.iter().map(|mean| mean.map(|mean| mean.ns)).collect::<Vec<_>>(),
            [Some(30.0), None, Some(30.0)]
        );
        assert!(
            all[0].notes.iter().any(|note| note.contains("c_stdio 45.142 us a kilobyte on redhat-linux"))
        );
    }
}
