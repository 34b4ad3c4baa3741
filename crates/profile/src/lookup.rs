//! From the plans of a program to the technique that it should use.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::{NoAdvice, Profile, Range, Task, Value};

/// The work that a program is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    family: String,
    values: BTreeMap<String, Value>,
    cache: String,
    durability: String,
    file_system: Option<String>,
    metric: Option<String>,
    among: Vec<String>,
}

impl Wanted {
    /// Plans the job of a family, with a warm cache, finished when the last call has returned, by any technique.
    pub fn new(family: &str) -> Self {
        Self {
            family: family.to_owned(),
            values: BTreeMap::new(),
            cache: "warm".to_owned(),
            durability: "returned".to_owned(),
            file_system: None,
            metric: None,
            among: Vec::new(),
        }
    }

    /// Names a number of its workload, the unit last in its name: `bytes`, `threads`.
    #[must_use]
    pub fn at(mut self, axis: &str, number: u64) -> Self {
        self.values.insert(axis.to_owned(), number.into());
        self
    }

    /// Names a word of its workload: `sorted` as `order`.
    #[must_use]
    pub fn with(mut self, axis: &str, word: &str) -> Self {
        self.values.insert(axis.to_owned(), word.into());
        self
    }

    /// Plans with nothing of the input in the file cache.
    #[must_use]
    pub fn cold(mut self) -> Self {
        self.cache = "cold".to_owned();
        self
    }

    /// Ends the job when the data is on the device.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durability = "durable".to_owned();
        self
    }

    /// Names what is compared, as in the profile: `work_ns`. Needed only where a profile holds advice by several metrics.
    #[must_use]
    pub fn by(mut self, metric: &str) -> Self {
        self.metric = Some(metric.to_owned());
        self
    }

    /// Allows these techniques alone, in any order: those that the program has. `bakeoff advise --among` advises for them.
    #[must_use]
    pub fn among(mut self, techniques: &[&str]) -> Self {
        self.among = techniques.iter().map(|&name| name.to_owned()).collect();
        self.among.sort();
        self
    }

    /// Plans for the file system that holds a directory.
    ///
    /// # Errors
    /// The directory does not exist or may not be looked at.
    pub fn in_directory(mut self, directory: &Path) -> io::Result<Self> {
        self.file_system = sys::host::volume(directory)?.file_system;
        Ok(self)
    }

    /// Plans for a file system of this name: `ext4`, `NTFS`.
    #[must_use]
    pub fn on_file_system(mut self, name: &str) -> Self {
        self.file_system = Some(name.to_owned());
        self
    }
}

/// The technique to use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick<'a> {
    /// The task that it was found for.
    pub task: &'a Task,
    /// The range that holds the wanted value.
    pub range: &'a Range,
}

impl<'a> Pick<'a> {
    /// Returns the technique.
    pub fn technique(&self) -> &'a str {
        &self.range.technique
    }

    /// Returns a number among the technique's parameters: `buffer_bytes`.
    pub fn number(&self, parameter: &str) -> Option<u64> {
        self.range.parameters.get(parameter)?.number()
    }

    /// Returns a word among the technique's parameters.
    pub fn word(&self, parameter: &str) -> Option<&'a str> {
        self.range.parameters.get(parameter)?.word()
    }
}

impl Profile {
    /// Returns the technique for a plan. Values that are not named are those that were measured.
    ///
    /// # Errors
    /// Nothing fits, or more than one task; a number is missing or was not measured; the version of bakeoff, kernel, setup or file
    /// system differs.
    pub fn best(&self, wanted: &Wanted) -> Result<Pick<'_>, NoAdvice> {
        let family = || wanted.family.clone();
        let alike: Vec<&Task> = self.tasks.iter().filter(|task| fits(task, wanted)).collect();
        if alike.is_empty() {
            let end = if wanted.durability == "durable" { "flushed" } else { "not flushed" };
            let mut what = format!("with a {} cache, {end}", wanted.cache);
            if let Some(metric) = &wanted.metric {
                what += &format!(", by {metric}");
            }
            if !wanted.among.is_empty() {
                what += &format!(", among {}", wanted.among.join(", "));
            }
            return Err(NoAdvice::Unknown { family: family(), what });
        }
        let version = env!("CARGO_PKG_VERSION");
        let current = those_that(&alike, |task| task.version == version).ok_or_else(|| {
            let measured = all(alike.iter().map(|task| task.version.as_str()));
            NoAdvice::OtherVersion { family: family(), measured, here: version.to_owned() }
        })?;
        let here = &self.host.kernel;
        let own = those_that(&current, |task| task.kernel == *here).ok_or_else(|| {
            let measured = all(current.iter().map(|task| task.kernel.as_str()));
            NoAdvice::OtherKernel { family: family(), measured, here: here.clone() }
        })?;
        let differs = own[0].other_setup(&self.host).unwrap_or_default();
        let own = those_that(&own, |task| task.other_setup(&self.host).is_none()).ok_or_else(|| {
            let [what, measured, here] = differs.map(str::to_owned);
            NoAdvice::OtherSetup { family: family(), what, measured, here }
        })?;
        let own_fs =
            those_that(&own, |task| task.file_system.is_none() || task.file_system == wanted.file_system);
        let own_fs = own_fs.ok_or_else(|| {
            let measured = all(own.iter().filter_map(|task| task.file_system.as_deref()));
            let here = wanted.file_system.clone().unwrap_or_else(|| "an unknown file system".to_owned());
            NoAdvice::OtherFileSystem { family: family(), measured, here }
        })?;
        // The same task may be known along several axes: the one counts on which a value is named.
        let named = those_that(&own_fs, |task| task.axis.iter().any(|axis| wanted.values.contains_key(axis)));
        match (&named.unwrap_or_default()[..], &own_fs[..]) {
            ([task], _) | ([], [task]) => range_of(task, wanted),
            _ => Err(NoAdvice::Several { family: family(), axes: what_differs(&own_fs, wanted) }),
        }
    }
}

/// Returns those tasks for which something holds, if there are any.
fn those_that<'a>(tasks: &[&'a Task], holds: impl Fn(&Task) -> bool) -> Option<Vec<&'a Task>> {
    let some: Vec<&Task> = tasks.iter().copied().filter(|task| holds(task)).collect();
    (!some.is_empty()).then_some(some)
}

/// Returns whether a task has the family, the conditions and every value that is wanted.
fn fits(task: &Task, wanted: &Wanted) -> bool {
    let mut among = task.among.clone();
    among.sort();
    task.family == wanted.family
        && task.cache.as_ref().is_none_or(|cache| *cache == wanted.cache)
        && task.durability.as_ref().is_none_or(|durability| *durability == wanted.durability)
        && wanted.metric.as_ref().is_none_or(|metric| *metric == task.metric)
        && among == wanted.among
        && wanted.values.iter().all(|(axis, value)| match task.workload.get(axis) {
            Some(known) => known == value,
            None => task.axis.as_deref() == Some(axis),
        })
}

fn range_of<'a>(task: &'a Task, wanted: &Wanted) -> Result<Pick<'a>, NoAdvice> {
    let (family, axis) = (wanted.family.clone(), task.axis.clone().unwrap_or_default());
    match (wanted.values.get(&axis), &task.ranges[..]) {
        (Some(&Value::Number(at)), ranges) => {
            let range = ranges.iter().find(|range| (range.from..=range.to).contains(&at));
            range.map(|range| Pick { task, range }).ok_or(NoAdvice::NotMeasured { family, axis, at })
        }
        // One answer for all values needs none of them.
        (None, [range]) => Ok(Pick { task, range }),
        _ => Err(NoAdvice::NoLevel { family, axis }),
    }
}

/// Returns the names of the values in which tasks differ and that were not named.
fn what_differs(tasks: &[&Task], wanted: &Wanted) -> String {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for task in tasks {
        for (axis, value) in &task.workload {
            if tasks.iter().any(|other| other.workload.get(axis) != Some(value)) {
                names.insert(axis);
            }
        }
    }
    names.extend(tasks.iter().filter_map(|task| task.axis.as_deref()));
    names.retain(|name| !wanted.values.contains_key(*name));
    if tasks.iter().any(|other| other.metric != tasks[0].metric) {
        names.insert("metric");
    }
    if names.is_empty() { "what is compared".to_owned() } else { all(names.into_iter()) }
}

fn all<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<BTreeSet<&str>>().into_iter().collect::<Vec<_>>().join(", ")
}
