//! The samples of a run's trials.

use std::collections::HashMap;

use model::{Proof, Residency, Sample, TrialRecord, Usage};
use rusqlite::{Connection, OptionalExtension, Row};

use super::cells::{Cells, Outcome};

/// How much of each sample is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All that is known.
    Whole,
    /// Its place and its times.
    Compared,
}

/// Puts the samples of trials, each with the number of its row, into them, in the order in which they came. A run of which most is wanted
/// has `samples_of_run` samples; 0 says that little of it is.
pub(super) fn read_into(
    connection: &Connection,
    trials: &mut [(i64, TrialRecord)],
    extent: Extent,
    samples_of_run: i64,
) -> Outcome<()> {
    let (columns, sample): (_, fn(&Row) -> Outcome<Sample>) = match extent {
        Extent::Whole => (COLUMNS, whole),
        Extent::Compared => (COMPARED_COLUMNS, compared),
    };
    let stretch = if samples_of_run > 0 { stretch(connection, trials)? } else { None };
    match stretch {
        // A run is written in one go, and between its rows stand at most those of another one of the same time: reading all of them
        // is cheaper than a search for each.
        Some((first, last)) if last.saturating_sub(first) / 2 < samples_of_run => {
            let places: HashMap<i64, usize> =
                trials.iter().enumerate().map(|(place, (row, _))| (*row, place)).collect();
            let sql =
                format!("SELECT {columns}, trial FROM sample WHERE sample BETWEEN ?1 AND ?2 ORDER BY sample");
            let mut statement = connection.prepare(&sql)?;
            let trial_column = statement.column_count() - 1;
            let mut rows = statement.query([first, last])?;
            while let Some(row) = rows.next()? {
                if let Some(place) = places.get(&row.get(trial_column)?) {
                    trials[*place].1.samples.push(sample(row)?);
                }
            }
        }
        _ => {
            // The index gives the rows of each trial in the order in which they came, and nothing is sorted.
            let sql = format!("SELECT {columns} FROM sample WHERE trial = ?1 ORDER BY sample");
            let mut statement = connection.prepare(&sql)?;
            for (row, trial) in trials {
                trial.samples = statement.query_map([*row], sample)?.collect::<Outcome<_>>()?;
            }
        }
    }
    Ok(())
}

/// The first and the last row of the trials' samples; `None` where there are none.
fn stretch(connection: &Connection, trials: &[(i64, TrialRecord)]) -> Outcome<Option<(i64, i64)>> {
    let ends = ["ASC", "DESC"].map(|order| {
        connection
            .prepare(&format!("SELECT sample FROM sample WHERE trial = ?1 ORDER BY sample {order} LIMIT 1"))
    });
    let [first, last] = ends;
    let (mut first, mut last) = (first?, last?);
    let mut stretch: Option<(i64, i64)> = None;
    for (row, _) in trials {
        let Some(low) = first.query_row([row], |row| row.get(0)).optional()? else { continue };
        let high = last.query_row([row], |row| row.get(0))?;
        stretch = Some(stretch.map_or((low, high), |(first, last)| (first.min(low), last.max(high))));
    }
    Ok(stretch)
}

/// The columns of a sample's place and times, in the order in which [`compared`] takes them.
const COMPARED_COLUMNS: &str = "round, inner_round, position, work_ns, process_ns, repetitions";

fn compared(row: &Row) -> Outcome<Sample> {
    let mut cells = Cells::of(row);
    // The fields are evaluated in the order in which they stand here.
    Ok(Sample {
        round: cells.get()?,
        inner: cells.get()?,
        position: cells.get()?,
        work_ns: cells.maybe()?,
        process_ns: cells.maybe()?,
        repetitions: cells.count()?,
        usage: Usage::default(),
        processor_before: None,
        processor_after: None,
        resident_before: None,
        proof: Proof { bytes: 0, digest: String::new() },
        values: Default::default(),
        histograms: Default::default(),
        notes: Vec::new(),
    })
}

/// The columns of a sample, in the order in which [`whole`] takes them: a store holds millions, and finding each cell by its name
/// would take most of the time.
const COLUMNS: &str = "round, inner_round, position, work_ns, process_ns, repetitions, user_ns, system_ns, minor_faults, \
     major_faults, voluntary_switches, involuntary_switches, run_delay_ns, peak_memory_bytes, read_bytes, written_bytes, \
     processor_before, processor_after, resident_pages, total_pages, proof_bytes, proof_digest, value_numbers, histograms, notes, \
     counters";

fn whole(row: &Row) -> Outcome<Sample> {
    let mut cells = Cells::of(row);
    // The fields are evaluated in the order in which they stand here.
    let mut sample = Sample {
        round: cells.get()?,
        inner: cells.get()?,
        position: cells.get()?,
        work_ns: cells.maybe()?,
        process_ns: cells.maybe()?,
        repetitions: cells.count()?,
        usage: Usage {
            user_ns: cells.maybe()?,
            system_ns: cells.maybe()?,
            minor_faults: cells.maybe()?,
            major_faults: cells.maybe()?,
            voluntary_switches: cells.maybe()?,
            involuntary_switches: cells.maybe()?,
            run_delay_ns: cells.maybe()?,
            peak_memory_bytes: cells.maybe()?,
            read_bytes: cells.maybe()?,
            written_bytes: cells.maybe()?,
            ..Usage::default()
        },
        processor_before: cells.get()?,
        processor_after: cells.get()?,
        resident_before: match (cells.maybe()?, cells.maybe()?) {
            (Some(resident_pages), Some(total_pages)) => Some(Residency { resident_pages, total_pages }),
            _ => None,
        },
        proof: Proof { bytes: cells.count()?, digest: cells.get()? },
        values: cells.json()?,
        histograms: cells.json()?,
        notes: cells.json()?,
    };
    let others: Usage = cells.json()?;
    sample.usage = sample.usage.combined_with(others, Option::or);
    Ok(sample)
}
