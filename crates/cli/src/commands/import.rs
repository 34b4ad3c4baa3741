//! `bakeoff import`: a run of another host, as 'bakeoff export --format json' wrote it.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use anyhow::{Context, Result, bail};
use judge::{Decided, Document, LOOKS_RULE, are_looks, read_run};
use model::Record;
use store::{Store, StoreError};

use crate::arguments::{Common, ImportArguments};
use crate::exit::Done;
use crate::paths::open_store;
use crate::terminal::print;

/// A run of a million samples takes less. The text is held whole, and the run beside it.
const MOST_BYTES: u64 = 512 << 20;

pub(crate) fn import(arguments: &ImportArguments, common: &Common) -> Result<Done> {
    // All are read before the first is stored: a list with a bad file in it changes nothing.
    let records = arguments.files.iter().map(|file| read(file)).collect::<Result<Vec<Record>>>()?;
    let mut store = open_store(common)?;
    for record in &records {
        let id = &record.id;
        match store.load(id) {
            Ok(kept) if is_same(&kept, record) => {
                print(&format!("{id} is stored already; nothing was changed\n"))?;
            }
            Ok(_) => bail!(
                "another run is stored as {id}; the one in the file was changed, or is of another store"
            ),
            Err(StoreError::UnknownRun { .. }) => {
                store.begin(record)?;
                store.finish(id, record.complete)?;
                let samples: usize = record.trials.iter().map(|trial| trial.samples.len()).sum();
                let host = record.host.name.as_deref().unwrap_or("an unnamed host");
                print(&format!("{id} of {host}: {} trials, {samples} samples\n", record.trials.len()))?;
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Done::Well)
}

fn read(path: &Path) -> Result<Record> {
    let shown = path.display();
    let mut text = String::new();
    let file = File::open(path).with_context(|| format!("{shown} cannot be read"))?;
    let read = file.take(MOST_BYTES + 1).read_to_string(&mut text);
    read.with_context(|| format!("{shown} cannot be read as text"))?;
    if text.len() as u64 > MOST_BYTES {
        bail!("{shown} has more than {} MiB, which no export of a run has", MOST_BYTES >> 20);
    }
    let record = read_run(&text, Some(path))?;
    check(&record).with_context(|| format!("{shown} is no run that can be stored"))?;
    Ok(record)
}

/// What no run can be, although its types are right.
fn check(record: &Record) -> Result<()> {
    let id = &record.id.0;
    let of_id = |c: char| c.is_ascii_alphanumeric() || "-._".contains(c);
    if id.is_empty() || id.len() > 64 || !id.chars().all(of_id) {
        bail!("its identity is not of letters, digits, '-' and '.'; export it again");
    }
    let of_trials = record.trials.iter().all(|trial| are_looks(&trial.looks));
    if !of_trials || !are_looks(&record.design.looks) {
        bail!("its looks {LOOKS_RULE}");
    }
    if let Some(trial) =
        record.trials.iter().find(|trial| trial.family.is_empty() || trial.technique.is_empty())
    {
        bail!("a trial of '{}' has no family or no technique", trial.workload.name);
    }
    if record.trials.is_empty() {
        bail!("it holds no trials");
    }
    Ok(())
}

/// As files tell them: a directory whose name is no UTF-8 has lost that in the file.
fn is_same(one: &Record, other: &Record) -> bool {
    let told = |record: &Record| Document::new(record, &Decided::default());
    told(one) == told(other)
}
