//! A published table as it was printed, with this host as one more column.

use findings::published::{Mean, PrintedRow, PrintedTable};

use super::blocks::{Align, Block, Cell, Row, Section, Table, Tone};
use crate::words::phrase::counted;
use crate::words::units::Scale;

/// Columns are called by letters: the names of machines and of programs are too long for titles.
fn letter(place: usize) -> String {
    char::from(b'a' + (place % 26) as u8).to_string()
}

pub(crate) fn as_printed(printed: &PrintedTable) -> Section {
    let names = printed.columns.iter().enumerate().map(|(place, name)| format!("{} {name}", letter(place)));
    let names = names.collect::<Vec<String>>().join(", ");
    let runs = counted(printed.runs.into(), "run");
    let said = format!("Times in {}. Here: the mean of {runs}. {names}.", printed.unit.name);
    let mut section =
        vec![Block::heading(printed.title), Block::Sentence(said, Tone::Faint), Block::Table(table(printed))];
    section.extend(printed.notes.iter().map(|note| Block::Sentence(format!("{note}."), Tone::Faint)));
    section
}

fn table(printed: &PrintedTable) -> Table {
    let mut columns = vec![(printed.rows_are.to_owned(), Align::Left), (String::new(), Align::Left)];
    let by_program = printed.is_by_program;
    columns.extend(by_program.then(|| (String::new(), Align::Left)));
    columns.extend((0..printed.columns.len()).map(|place| (letter(place), Align::Right)));
    if !by_program {
        columns.extend([("here".to_owned(), Align::Right), ("least to most".to_owned(), Align::Left)]);
    }
    let mut table = Table::new(columns);
    table.about = printed.title;
    table.spare = if by_program { Vec::new() } else { vec![table.columns.len() - 1] };
    let mut last = "";
    for row in &printed.rows {
        let name = if row.name == last { "" } else { &row.name };
        last = &row.name;
        let mut heads = [name, row.part];
        for cells in lines(row, printed) {
            let cells = heads.map(Cell::from).into_iter().chain(cells).collect();
            table.rows.push(Row { cells, ..Row::default() });
            heads = [""; 2];
        }
    }
    table
}

/// Returns the cells of a row behind its name: one line with this host behind all machines, or lines one below the other where each
/// column has a figure of this host.
fn lines(row: &PrintedRow, printed: &PrintedTable) -> Vec<Vec<Cell>> {
    let unit = printed.unit;
    let number = |ns: f64| Scale::unknown(ns / unit.ns).number(ns / unit.ns);
    let as_printed = |ns: f64| format!("{:.*}", unit.decimals, ns / unit.ns);
    let then = row.then_ns.iter().map(|ns| Cell::Text(ns.map_or(String::new(), as_printed)));
    let mean = |mean: &Option<Mean>| {
        mean.map_or(String::new(), |mean| judge::marked(number(mean.ns), mean.is_extrapolated))
    };
    let here = row.here.iter().map(|one| Cell::Text(mean(one)));
    if printed.is_by_program {
        let then = [Cell::from("then")].into_iter().chain(then).collect();
        let here = [Cell::from("here")].into_iter().chain(here).collect();
        let has_then = row.then_ns.iter().any(Option::is_some);
        let end = |name: &str, of: fn((f64, f64)) -> f64| {
            let ends =
                row.here.iter().map(|mean| mean.map_or(String::new(), |mean| number(of(mean.ends_ns))));
            [Cell::from(name)].into_iter().chain(ends.map(Cell::Text)).collect::<Vec<Cell>>()
        };
        return match (has_then, row.part) {
            (true, "real") => vec![then, here, end("least", |ends| ends.0), end("most", |ends| ends.1)],
            (true, _) => vec![then, here],
            (false, _) => vec![here],
        };
    }
    let ends = row.here.iter().flatten().filter(|_| row.part == "real").map(|mean| {
        let (least, most) = mean.ends_ns;
        let fewer = match mean.runs {
            runs if runs < printed.runs => format!(" ({})", counted(runs.into(), "run")),
            _ => String::new(),
        };
        format!("{} to {}{fewer}", number(least), number(most))
    });
    let mut ends = ends.collect::<Vec<String>>().concat();
    if row.part == "real" && row.here == [None] {
        ends = "not measured".to_owned();
    }
    vec![then.chain(here).chain([Cell::Text(ends)]).collect()]
}

#[cfg(test)]
mod tests {
    use findings::published::PrintedUnit;

    use super::*;
    use crate::Style;
    use crate::text::write;

    fn shown(is_by_program: bool, here: Vec<Option<Mean>>) -> String {
        let columns = ["signal-mutex", "signal-critsec"].map(str::to_owned).to_vec();
        let (part, then_ns) = ("real", vec![Some(0.3e9), None]);
        let printed = PrintedTable {
            title: "Table C-5, threads in a pipeline",
            unit: PrintedUnit { name: "s", ns: 1e9, decimals: 2 },
            rows_are: "threads",
            columns,
            is_by_program,
            notes: vec!["then: all on one machine".to_owned()],
            rows: vec![PrintedRow { name: "8".to_owned(), part, then_ns, here }],
            runs: 5,
        };
        write(&vec![as_printed(&printed)], &Style::default())
    }

    #[test]
    fn this_host_stands_next_to_machines_and_below_programs() {
        let mean = Mean { ns: 1.5e6, ends_ns: (1.4e6, 1.7e6), runs: 4, is_extrapolated: false };
        let machines = shown(false, vec![Some(mean)]);
        assert!(machines.contains("8        real  0.30  0.00150  0.00140 to 0.00170 (4 runs)"), "{machines}");
        let cut = Mean { is_extrapolated: true, ..mean };
        let programs = shown(true, vec![Some(cut), Some(mean)]);
        assert!(programs.contains("8        real  then       0.30"), "{programs}");
        for line in ["here   ~0.00150  0.00150", "least   0.00140  0.00140", "most    0.00170  0.00170"] {
            assert!(programs.contains(line), "{programs}");
        }
    }
}
