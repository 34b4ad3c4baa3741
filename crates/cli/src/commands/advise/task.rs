//! From the command line to the task that is asked about.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Error, Result, anyhow, bail};
use clap::Args;
use families::AnyFamily;
use judge::{Advice, Asked, Ranking};
use model::{
    Cache, Conditions, Durability, Preset, Workload, axis_counted, axis_kind, axis_value, parse_assignment,
    parse_bytes,
};

use super::evidence::Evidence;
use crate::arguments::{Format, one_of, refuse_other_conditions};

/// What to use for a task on this host
///
/// From what was measured, and at which sizes or numbers that holds.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A family, e.g. copy; 'bakeoff list' names them
    #[arg(required_unless_present = "forget")]
    pub(super) family: Option<String>,
    /// Values of the workload, e.g. threads=16; 'bakeoff list FAMILY' names them [default: those of the preset 'quick']
    #[arg(value_name = "AXIS=VALUE", value_parser = parse_assignment)]
    pub(super) axes: Vec<(String, String)>,
    /// The same as AXIS=VALUE
    #[arg(long = "set", value_name = "AXIS=VALUE", value_parser = parse_assignment, hide = true)]
    set: Vec<(String, String)>,
    /// Size of the input [default: all sizes that were measured]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(super) size: Option<u64>,
    /// The same as threads=N
    #[arg(long, value_name = "N")]
    pub(super) threads: Option<String>,
    /// State of the file cache at the start [default: warm]
    #[arg(long, value_parser = one_of(Cache::ALL, Cache::word))]
    pub(super) cache: Option<Cache>,
    /// The work ends when data and directory are on the device
    #[arg(long)]
    pub(super) durable: bool,
    /// Directory whose file system is meant
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(super) directory: PathBuf,
    /// The techniques that can be chosen from, e.g. read_write,std_copy [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(super) among: Vec<String>,
    /// What is compared: work, cpu, memory, or another value that was measured [default: what the family says, mostly work]
    #[arg(long, value_name = "NAME")]
    pub(super) metric: Option<String>,
    /// Also write the advice into this profile, a TOML file that other programs load; what it says of other tasks stays, and of this one
    /// what is better founded
    #[arg(long, value_name = "FILE")]
    pub(super) profile: Option<PathBuf>,
    /// Remove what the profile says of the family, or of everything where none is named, and advise nothing
    #[arg(long, requires = "profile", conflicts_with_all = ["axes", "set", "size", "threads", "cache", "durable", "among", "metric", "format"])]
    pub(super) forget: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// What to use at other sizes, and which kept runs were set aside
    #[arg(long, short)]
    pub(super) verbose: bool,
}

pub(super) struct Task {
    pub(super) workload: Workload,
    pub(super) conditions: Conditions,
    /// The ways in which it can be understood, the likeliest first.
    pub(super) asked: Vec<Asked>,
    /// The typed values of the workload, in the order in which the family applies them.
    pub(super) axes: Vec<(String, String)>,
}

impl Task {
    pub(super) fn of(family: &'static dyn AnyFamily, arguments: &Arguments) -> Result<Self> {
        let threads = arguments.threads.iter().map(|text| ("threads".to_owned(), text.clone()));
        let typed: Vec<(String, String)> =
            arguments.axes.iter().chain(&arguments.set).cloned().chain(threads).collect();
        refuse_unknown(family, &typed)?;
        let axes = in_order(family, &typed)?;
        let usual = usual(family, arguments.size)?;
        let workload = set(family, usual.clone(), &axes)?;
        family.check(&workload).map_err(|refused| anyhow!("{}: {refused}", family.name()))?;
        let asked = readings(family, &usual, &workload, &axes, arguments.size.is_some());
        Ok(Self { conditions: conditions(family, &workload, arguments)?, asked, axes, workload })
    }

    /// Further ways to understand it, for want of better ones: along the axis that the family asks about, with those numbers that were
    /// not named as kept runs have them, the latest first.
    pub(super) fn as_measured(&self, family: &dyn AnyFamily, evidence: &Evidence) -> Vec<Asked> {
        let Some(along) = family.curve().map(|curve| curve.along) else { return Vec::new() };
        let is_level = self.axes.iter().any(|(axis, _)| axis == along);
        let rankings = evidence.runs.iter().flat_map(|run| &run.decided.rankings);
        let mut all: Vec<Asked> = Vec::new();
        for ranking in rankings.filter(|ranking| ranking.family == family.name() && self.fits(ranking)) {
            let mut workload = ranking.workload.clone();
            if let (true, Some(at)) = (is_level, self.workload.number(along)) {
                workload = workload.with(along, at);
            }
            if workload.number(along).is_some() && !all.iter().any(|one| is_alike(one, &workload, along)) {
                all.push(Asked { workload, axis: Some(along.to_owned()), is_level });
            }
        }
        all
    }

    /// Returns whether a contest has every word of the task, and every number that was named.
    fn fits(&self, ranking: &Ranking) -> bool {
        let own = &ranking.workload;
        self.workload.point.words().all(|(axis, word)| own.word(axis) == Some(word))
            && self.workload.point.numbers().all(|(axis, number)| {
                let is_named = self.axes.iter().any(|(named, _)| named == axis);
                own.number(axis).is_some_and(|known| known == number || !is_named)
            })
    }

    /// The number all of whose values are asked about.
    pub(super) fn along(&self, family: &dyn AnyFamily) -> Option<&str> {
        let first = self.asked.first().filter(|asked| !asked.is_level)?;
        let axis = first.axis.as_deref()?;
        (axis == "bytes" || family.curve().is_some_and(|curve| curve.along == axis)).then_some(axis)
    }

    /// Returns a sentence for each number in which advice is about another task than the one that was asked about.
    pub(super) fn differences(&self, family: &dyn AnyFamily, advice: &Advice) -> Vec<String> {
        let Some(axis) = advice.axis.as_deref() else { return Vec::new() };
        if self.asked.iter().any(|asked| is_alike(asked, &advice.workload, axis)) {
            return Vec::new();
        }
        let along = self.asked.iter().find(|asked| asked.axis.as_deref() == Some(axis));
        let usual = along.map_or(&self.workload, |asked| &asked.workload);
        // What cuts long work short is no part of the question.
        let limit = family.limit().map_or("bytes", |limit| limit.name);
        let numbers = advice.workload.point.numbers();
        let numbers = numbers.filter(|(name, _)| ![axis, "bytes", limit].contains(name));
        let differences = numbers.filter_map(|(name, number)| {
            let usual = usual.number(name).filter(|usual| *usual != number)?;
            let (said, other, kind) = (axis_counted(name, number), axis_value(name, usual), axis_kind(name));
            Some(format!("This was measured with {said}: nothing is known of {other}, the usual {kind}."))
        });
        differences.collect()
    }
}

/// Returns whether a way to understand the question is about the levels of this workload along an axis.
fn is_alike(asked: &Asked, workload: &Workload, axis: &str) -> bool {
    asked.axis.as_deref() == Some(axis) && asked.workload.without_axis(axis) == workload.without_axis(axis)
}

/// The workload without what was typed next to its size.
fn usual(family: &dyn AnyFamily, size: Option<u64>) -> Result<Workload> {
    match size {
        Some(bytes) => family.workload_of_size(bytes).map_err(Error::msg),
        None => Ok(family.workloads(Preset::Quick).into_iter().next().unwrap_or_default()),
    }
}

fn refuse_unknown(family: &dyn AnyFamily, typed: &[(String, String)]) -> Result<()> {
    let known: Vec<&str> = family.axes().iter().map(|axis| axis.name).collect();
    let unknown = typed.iter().find(|(name, _)| !known.contains(&name.as_str()));
    let Some((unknown, _)) = unknown else { return Ok(()) };
    let known = if known.is_empty() { "nothing to set".to_owned() } else { known.join(", ") };
    let size = if unknown == "bytes" || unknown == "size" { "; --size names a size" } else { "" };
    bail!("the family {} has no axis '{unknown}'; it has {known}{size}", family.name())
}

/// Returns what was typed in the order in which the family applies it, each axis once.
fn in_order(family: &dyn AnyFamily, typed: &[(String, String)]) -> Result<Vec<(String, String)>> {
    let mut all = Vec::new();
    for axis in family.axes() {
        let mut own = typed.iter().filter(|(name, _)| name == axis.name);
        all.extend(own.next().cloned());
        if let Some((name, value)) = own.next() {
            bail!("{name}={value}: {name} is named twice; advice is about one value, or about all without it")
        }
    }
    Ok(all)
}

fn set(family: &dyn AnyFamily, mut workload: Workload, axes: &[(String, String)]) -> Result<Workload> {
    for (axis, value) in axes {
        family.set(&mut workload, axis, value).map_err(|refused| anyhow!("{axis}={value}: {refused}"))?;
    }
    Ok(workload)
}

/// The ways in which the question can be understood: over all levels of the axis that the family asks about, at the numbers
/// that were named, over all values of any other number, and as it stands.
fn readings(
    family: &dyn AnyFamily, usual: &Workload, workload: &Workload, axes: &[(String, String)], is_sized: bool,
) -> Vec<Asked> {
    let typed: BTreeSet<&str> = axes.iter().map(|(axis, _)| axis.as_str()).collect();
    let mut all = Vec::new();
    // Where a level changes the shape of the workload, all levels have that shape.
    if let Some(curve) = family.curve().filter(|curve| !typed.contains(curve.along) && !is_sized) {
        let mut level = workload.clone();
        let first = curve.levels.first();
        if first.is_some_and(|first| family.set(&mut level, curve.along, first).is_ok()) {
            all.push(Asked { workload: level, axis: Some(curve.along.to_owned()), is_level: false });
        }
    }
    let first = family.workloads(Preset::Quick).into_iter().next().unwrap_or_default();
    // The size follows from other numbers unless it was typed.
    let (named, others): (Vec<_>, Vec<_>) = workload.point.numbers().partition(|(axis, value)| {
        typed.contains(axis)
            || usual.number(axis) != Some(*value)
            || (is_sized && (*axis == "bytes" || first.number(axis) != Some(*value)))
    });
    for (numbers, is_level) in [(named, true), (others, false)] {
        all.extend(numbers.into_iter().map(|(axis, _)| Asked {
            workload: workload.clone(),
            axis: Some(axis.to_owned()),
            is_level,
        }));
    }
    all.push(Asked { workload: workload.clone(), axis: None, is_level: false });
    all
}

fn conditions(family: &dyn AnyFamily, workload: &Workload, arguments: &Arguments) -> Result<Conditions> {
    let (cache, durability) = (arguments.cache, arguments.durable.then_some(Durability::Durable));
    refuse_other_conditions(family, workload, cache, durability)?;
    if !family.works_on_files() {
        return Ok(Conditions::default());
    }
    let directory = &arguments.directory;
    let shown = directory.display();
    let whole = dunce::canonicalize(directory)
        .with_context(|| format!("--dir {shown}: this directory cannot be opened"))?;
    let volume = sys::host::volume(&whole).with_context(|| format!("--dir {shown}"))?;
    Ok(Conditions {
        cache: Some(family.cache().or(cache).unwrap_or_default()),
        durability: Some(family.durability(workload).or(durability).unwrap_or_default()),
        file_system: volume.file_system,
        ..Conditions::default()
    })
}
