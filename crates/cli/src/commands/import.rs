//! `bakeoff import`: a run of another host, as 'bakeoff export --format json' wrote it.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use judge::{Decided, Document, read_run};
use model::Record;
use store::StoreError;

use crate::arguments::Common;
use crate::bounded_text::{MOST_BYTES, rest, too_long};
use crate::exit::Done;
use crate::paths::open_store;
use crate::terminal::print;

/// Runs of other hosts
///
/// As 'bakeoff export --format json' wrote them.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Files that 'bakeoff export --format json' wrote; one that is stored already changes nothing
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Bytes that show whether a file can be an export at all, before the rest of it is read.
const HEAD_BYTES: u64 = 4 << 10;
/// More than any run has; a page takes a time that grows with their square.
const MOST_TRIALS: usize = 100_000;

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    // All are read before the first is stored: a list with a bad file in it changes nothing.
    let records = arguments.files.iter().map(|file| read(file)).collect::<Result<Vec<Record>>>()?;
    let mut store = open_store(common)?;
    let mut known = BTreeSet::new();
    for (nth, (record, file)) in records.iter().zip(&arguments.files).enumerate() {
        let kept = match store.load(&record.id) {
            Ok(kept) => Some(kept),
            Err(StoreError::UnknownRun { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let mut named = records[..nth].iter().filter(|other| other.id == record.id).chain(&kept);
        if named.any(|other| !is_same(other, record)) {
            bail!(
                "{}: run {} is stored, or named twice, with other contents; leave this file out, or use another --store",
                file.display(),
                record.id
            );
        }
        known.extend(kept.map(|kept| kept.id));
    }
    for record in &records {
        let id = &record.id;
        if !known.insert(id.clone()) {
            print(&format!("{id} is stored already; nothing was changed\n"))?;
            continue;
        }
        store.begin(record)?;
        let samples: usize = record.trials.iter().map(|trial| trial.samples.len()).sum();
        let host = record.host.name.as_deref().unwrap_or("an unnamed host");
        print(&format!("{id} of {host}: {} trials, {samples} samples\n", record.trials.len()))?;
    }
    Ok(Done::Well)
}

fn read(path: &Path) -> Result<Record> {
    let shown = path.display();
    let text = text_of(path).with_context(|| format!("{shown} cannot be imported"))?;
    let record = read_run(&text, Some(path))?;
    check(&record).with_context(|| format!("{shown} is not a run that can be stored"))?;
    Ok(record)
}

/// The text of a file that can be an export. What is something else, or too large, is refused before it is held.
fn text_of(path: &Path) -> Result<String> {
    let mut file = File::open(path)?;
    if file.metadata()?.len() > MOST_BYTES {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    file.by_ref().take(HEAD_BYTES).read_to_end(&mut bytes)?;
    let head = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes).trim_ascii_start();
    if head.first() != Some(&b'{') {
        bail!("it is not a run that 'bakeoff export --format json' wrote: those begin with '{{'");
    }
    rest(file, bytes)
}

/// Checks what an export must hold, beyond what every record is checked for when it is read.
fn check(record: &Record) -> Result<()> {
    if let Some(trial) =
        record.trials.iter().find(|trial| trial.family.is_empty() || trial.technique.is_empty())
    {
        bail!("a trial of '{}' has no family or no technique", trial.workload.name);
    }
    if record.trials.is_empty() {
        bail!("it holds no trials");
    }
    if record.trials.len() > MOST_TRIALS {
        bail!("it holds more than {MOST_TRIALS} trials");
    }
    Ok(())
}

/// Compares records after serialization, because non-UTF-8 names are lossy in JSON.
fn is_same(one: &Record, other: &Record) -> bool {
    let decided = Decided::default();
    Document::new(one, &decided) == Document::new(other, &decided)
}
