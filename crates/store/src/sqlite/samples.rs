//! The samples of a run's trials.

use std::collections::HashMap;

use model::{Proof, Residency, Sample, TrialRecord, Usage};
use rusqlite::{Connection, OptionalExtension};

use super::cells::{Cells, Outcome};

/// How much of each sample is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// All that is known.
    Whole,
    /// Its place and its times.
    Compared,
}

/// Puts the samples of trials, each with the number of its row, into them, in the order in which they came. Where most of a run is
/// wanted, `samples_of_run` is the number of its samples.
pub(super) fn read_into(
    connection: &Connection,
    trials: &mut [(i64, TrialRecord)],
    extent: Extent,
    samples_of_run: Option<i64>,
) -> Outcome<()> {
    let columns = extent.columns();
    let ends = match samples_of_run {
        Some(samples) => ends(connection, trials)?
            // Between the rows of a run stand at most those of another one that was measured at the same time: to read them all is
            // cheaper than to search for each.
            .filter(|(first, last)| last.saturating_sub(*first) / 2 < samples),
        None => None,
    };
    if let Some((first, last)) = ends {
        let places: HashMap<i64, usize> =
            trials.iter().enumerate().map(|(place, (row, _))| (*row, place)).collect();
        let sql =
            format!("SELECT trial, {columns} FROM sample WHERE sample BETWEEN ?1 AND ?2 ORDER BY sample");
        let mut statement = connection.prepare(&sql)?;
        let mut rows = statement.query([first, last])?;
        while let Some(row) = rows.next()? {
            let mut cells = Cells::of(row);
            if let Some(place) = places.get(&cells.get()?) {
                trials[*place].1.samples.push(sample(cells, extent)?);
            }
        }
    } else {
        // The index gives the rows of each trial in the order in which they came, and nothing is sorted.
        let sql = format!("SELECT {columns} FROM sample WHERE trial = ?1 ORDER BY sample");
        let mut statement = connection.prepare(&sql)?;
        for (row, trial) in trials {
            let samples = statement.query_map([*row], |row| sample(Cells::of(row), extent))?;
            trial.samples = samples.collect::<Outcome<_>>()?;
        }
    }
    Ok(())
}

/// The first and the last row of the trials' samples; `None` where there are none.
fn ends(connection: &Connection, trials: &[(i64, TrialRecord)]) -> Outcome<Option<(i64, i64)>> {
    let end = |order: &str| {
        let sql = format!("SELECT sample FROM sample WHERE trial = ?1 ORDER BY sample {order} LIMIT 1");
        connection.prepare(&sql)
    };
    let (mut first, mut last) = (end("ASC")?, end("DESC")?);
    let mut ends: Option<(i64, i64)> = None;
    for (row, _) in trials {
        let Some(low) = first.query_row([row], |row| row.get(0)).optional()? else { continue };
        let high = last.query_row([row], |row| row.get(0))?;
        ends = Some(ends.map_or((low, high), |(first, last)| (first.min(low), last.max(high))));
    }
    Ok(ends)
}

impl Extent {
    /// The columns in the order in which [`sample`] takes them.
    fn columns(self) -> String {
        const COMPARED: &str = "round, inner_round, position, work_ns, process_ns, repetitions";
        const REST: &str = "processor_before, processor_after, resident_pages, total_pages, proof_bytes, proof_digest, \
             value_numbers, histograms, notes, counters";
        match self {
            Self::Whole => {
                format!("{COMPARED}, {}, {REST}", Usage::NAMES[..Usage::WITH_COLUMN].join(", "))
            }
            Self::Compared => COMPARED.to_owned(),
        }
    }
}

fn sample(mut cells: Cells, extent: Extent) -> Outcome<Sample> {
    // The fields are evaluated in the order in which they stand here.
    let mut sample = Sample {
        round: cells.get()?,
        inner: cells.get()?,
        position: cells.get()?,
        work_ns: cells.maybe()?,
        process_ns: cells.maybe()?,
        repetitions: cells.count()?,
        ..Sample::default()
    };
    if extent == Extent::Whole {
        read_the_rest(&mut cells, &mut sample)?;
    }
    Ok(sample)
}

fn read_the_rest(cells: &mut Cells, sample: &mut Sample) -> Outcome<()> {
    let mut in_columns = Usage::default();
    for part in in_columns.parts_mut().into_iter().take(Usage::WITH_COLUMN) {
        *part = cells.maybe()?;
    }
    sample.processor_before = cells.get()?;
    sample.processor_after = cells.get()?;
    sample.resident_before = match (cells.maybe()?, cells.maybe()?) {
        (Some(resident_pages), Some(total_pages)) => Some(Residency { resident_pages, total_pages }),
        _ => None,
    };
    sample.proof = Proof { bytes: cells.count()?, digest: cells.get()? };
    sample.values = cells.json()?;
    sample.histograms = cells.json()?;
    sample.notes = cells.json()?;
    let others: Usage = cells.json()?;
    sample.usage = in_columns.combined_with(others, Option::or);
    Ok(())
}
