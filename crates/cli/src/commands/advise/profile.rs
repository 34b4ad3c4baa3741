//! From advice to a profile that other programs load.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use ::profile::{Certainty, Foundation, HostKey, Kept, Profile, ProfileError, Range, Task, Value};
use anyhow::{Context, Result, anyhow, bail};
use judge::{Advice, Advised};
use model::{Point, Value as Measured, axis_value};
use sys::file_lock::{self, FileLock};

use crate::paths::folder_of;
use crate::whole_file::write_whole;

/// Longest time that other processes may take with the same profile; each needs a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(20);

/// Refuses a profile that could not be written, before anything is read for it.
///
/// # Errors
/// Its folder does not exist, or what stands there is of another host, damaged, or no profile: nothing is overwritten.
pub(super) fn check(path: &Path) -> Result<()> {
    let folder = folder_of(path);
    let (shown, around) = (path.display(), folder.display());
    if path.file_name().is_none() || path.is_dir() {
        bail!("--profile {shown}: it is a folder; name a file in it, for example profile.toml");
    }
    match fs::metadata(folder) {
        Ok(there) if there.is_dir() => {}
        Ok(_) => bail!("--profile {shown}: {around} is not a folder; name a file in one"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            bail!(
                "--profile {shown}: the folder {around} does not exist; make it first, or name a file elsewhere"
            )
        }
        Err(error) => return Err(error).with_context(|| format!("--profile {shown}: {around}")),
    }
    // Windows refuses to replace a file that is being read, and to read one that is being replaced.
    let _lock = lock(path)?;
    current(path).map(drop)
}

fn lock(path: &Path) -> Result<FileLock> {
    // The file that a link points to, as it is replaced.
    let file = dunce::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    file_lock::wait_for(&file, PATIENCE)
        .with_context(|| format!("--profile {} cannot be written", path.display()))
}

/// Lets advice join what the profile says of its task, and gives a sentence where the profile keeps what it said, since that is better
/// founded. What another version of this program found goes.
///
/// # Errors
/// As for [`check`]; the file cannot be written; or another process keeps it locked.
pub(super) fn merge(path: &Path, advice: &Advice, among: &[String]) -> Result<Option<String>> {
    // Another process may have written since the check: what is merged into is read under the lock.
    let _lock = lock(path)?;
    let mut profile = current(path)?;
    let task = task(advice, among, &profile.host);
    // What another version of bakeoff found was measured with other techniques, whatever their names.
    profile.tasks.retain(|known| known.version == task.version);
    let kept = profile.merge(task);
    write(path, &profile)?;
    Ok(sentence(advice, &kept))
}

/// Removes what a profile says of a family, or everything; gives how many tasks went, and how many stay. A profile of another host is
/// begun again for this one.
///
/// # Errors
/// There is no such file, it is no profile, it cannot be written, or another process keeps it locked; or it is of another host, and a
/// family was named.
pub(super) fn forget(path: &Path, family: Option<&str>) -> Result<(usize, usize)> {
    if !path.is_file() {
        bail!("--profile {}: there is no such file; name the profile that is to forget", path.display());
    }
    let _lock = lock(path)?;
    let host = HostKey::here()?;
    let mut profile = match Profile::load_for(path, host.clone()) {
        Err(ProfileError::OtherHost { .. }) if family.is_none() => Profile::new(host),
        loaded => loaded.context("--profile")?,
    };
    let forgotten = profile.forget(family);
    write(path, &profile)?;
    Ok((forgotten, profile.tasks.len()))
}

fn write(path: &Path, profile: &Profile) -> Result<()> {
    let shown = path.display();
    let text = profile.to_toml().map_err(|refused| anyhow!("--profile {shown}: {refused}"))?;
    write_whole(path, text.trim_end()).with_context(|| format!("--profile {shown} cannot be written"))
}

/// `what the profile said from 4 KiB to 64 KiB stays: it rests on 30 rounds (sure), this advice on 3 rounds (with no limit yet)`.
fn sentence(advice: &Advice, kept: &[Kept]) -> Option<String> {
    let first = kept.first()?;
    let places = kept.iter().map(|part| match &advice.axis {
        None => String::new(),
        Some(axis) => format!(" from {} to {}", axis_value(axis, part.from), axis_value(axis, part.to)),
    });
    let places = places.collect::<Vec<_>>().join(",");
    let (known, refused) = (foundation(&first.known), foundation(&first.refused));
    Some(format!(
        "what the profile said{places} stays: it rests on {known}, this advice on {refused}; --forget removes it"
    ))
}

fn foundation(on: &Foundation) -> String {
    let certainty = match on.certainty {
        Some(Certainty::Sure) => "sure",
        Some(Certainty::Limited) => "with a limit",
        Some(Certainty::Open) | None => "with no limit yet",
    };
    format!("{} rounds ({certainty})", on.rounds)
}

/// The profile as it is, or a new one.
fn current(path: &Path) -> Result<Profile> {
    let host = HostKey::here()?;
    match path.try_exists() {
        Ok(false) => Ok(Profile::new(host)),
        _ => Profile::load_for(path, host).context("--profile"),
    }
}

fn task(advice: &Advice, among: &[String], host: &HostKey) -> Task {
    let axis = advice.axis.clone();
    let workload = match &axis {
        Some(axis) => advice.workload.without_axis(axis).point,
        None => advice.workload.point.clone(),
    };
    let conditions = &advice.conditions;
    let ranges: Vec<Range> = advice.ranges.iter().map(|one| range(one, advice)).collect();
    Task {
        family: advice.family.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        kernel: host.kernel.clone(),
        cache: conditions.cache.map(|cache| cache.to_string()),
        durability: conditions.durability.map(|durability| durability.to_string()),
        file_system: conditions.file_system.clone(),
        metric: advice.metric.key.to_string(),
        axis,
        among: among.to_vec(),
        setup: host.setup.clone(),
        best_levels: advice.best_levels.as_ref().map_or(Vec::new(), |best| best.levels.clone()),
        chosen_level: advice.best_levels.as_ref().map(|best| best.chosen),
        workload: values(&workload),
        ranges,
    }
}

fn range(advised: &Advised, advice: &Advice) -> Range {
    let choice = &advised.range.choice;
    let over = choice.baseline.as_ref();
    Range {
        from: advised.range.from,
        to: advised.range.to,
        technique: advised.technique.clone(),
        baseline: over.and(advice.baseline.clone()),
        factor_low: over.and_then(|over| over.low),
        factor_high: over.and_then(|over| over.high),
        at_most_slower: choice.at_most_slower,
        certainty: Some(match (advised.is_sure, choice.at_most_slower) {
            (true, _) => Certainty::Sure,
            (false, Some(_)) => Certainty::Limited,
            (false, None) => Certainty::Open,
        }),
        confidence: advised.confidence,
        rounds: Some(advised.rounds),
        date: Some(advised.started.clone()).filter(|date| !date.is_empty()),
        runs: advised.runs.iter().map(ToString::to_string).collect(),
        parameters: values(&advised.values),
    }
}

fn values(point: &Point) -> std::collections::BTreeMap<String, Value> {
    let values = point.0.iter().map(|(axis, value)| match value {
        Measured::Number(number) => (axis.clone(), Value::Number(*number)),
        Measured::Word(word) => (axis.clone(), Value::Word(word.clone())),
    });
    values.collect()
}
