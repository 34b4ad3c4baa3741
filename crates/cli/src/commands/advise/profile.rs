//! From advice to a profile that other programs load.

use std::path::{Path, PathBuf};

use ::profile::{HostKey, Profile, Range, Task, Value};
use anyhow::{Context, Result, anyhow};
use judge::{Advice, Stretch};
use model::{Point, Value as Measured};

use crate::commands::export::write_whole;

/// A profile that is about to be written.
pub(super) struct Opened {
    path: PathBuf,
    profile: Profile,
}

/// The profile as it is, or a new one.
///
/// # Errors
/// What stands there is of another host, damaged, or no profile: nothing is overwritten.
pub(super) fn opened(path: &Path) -> Result<Opened> {
    let host = HostKey::here()?;
    let profile = match path.try_exists() {
        Ok(false) => Profile::new(host),
        _ => Profile::load_for(path, host).context("--profile")?,
    };
    Ok(Opened { path: path.to_owned(), profile })
}

impl Opened {
    /// Puts advice in the place of what was known of its task.
    pub(super) fn merge(&mut self, advice: &Advice, among: &[String]) -> Result<()> {
        let axis = advice.axis.clone();
        let workload = match &axis {
            Some(axis) => advice.workload.beside(axis).point,
            None => advice.workload.point.clone(),
        };
        let conditions = &advice.conditions;
        let ranges: Vec<Range> = advice.stretches.iter().map(range).collect();
        if ranges.is_empty() {
            return Err(anyhow!("there is no advice to write"));
        }
        self.profile.merge(Task {
            family: advice.family.clone(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            kernel: self.profile.host.kernel.clone(),
            cache: conditions.cache.map(|cache| cache.to_string()),
            durability: conditions.durability.map(|durability| durability.to_string()),
            file_system: conditions.file_system.clone(),
            quantity: advice.quantity.key.to_string(),
            axis,
            among: among.to_vec(),
            best_levels: advice.best_levels.as_ref().map_or(Vec::new(), |best| best.levels.clone()),
            workload: values(&workload),
            ranges,
        });
        Ok(())
    }

    /// Writes it whole or not at all.
    pub(super) fn write(&self) -> Result<()> {
        let shown = self.path.display();
        let text = self.profile.to_toml().map_err(|refused| anyhow!("--profile {shown}: {refused}"))?;
        write_whole(&self.path, text.trim_end())
            .with_context(|| format!("--profile {shown} cannot be written"))
    }
}

fn range(stretch: &Stretch) -> Range {
    let choice = &stretch.choice;
    let over = choice.over_plain.as_ref();
    Range {
        from: stretch.from,
        to: stretch.to,
        technique: choice.technique.clone(),
        reference: over.map(|over| over.reference.clone()),
        factor_low: over.and_then(|over| over.factor_low),
        factor_high: over.and_then(|over| over.factor_high),
        at_most_slower: choice.at_most_slower,
        runs: stretch.runs.iter().map(ToString::to_string).collect(),
        parameters: values(&choice.values),
    }
}

fn values(point: &Point) -> std::collections::BTreeMap<String, Value> {
    let value = |value: &Measured| match value {
        Measured::Number(number) => Value::Number(*number),
        Measured::Word(word) => Value::Word(word.clone()),
    };
    point.0.iter().map(|(axis, one)| (axis.clone(), value(one))).collect()
}
