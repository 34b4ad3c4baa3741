//! From what a program is about to do to what it should use.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use crate::{NoAdvice, Profile, Range, Task, Value};

/// What a program is about to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    family: String,
    values: BTreeMap<String, Value>,
    cache: String,
    durability: String,
    file_system: Option<String>,
    among: Vec<String>,
}

impl Wanted {
    /// The job of a family, with a warm cache, finished when the last call has returned, by any technique.
    pub fn new(family: &str) -> Self {
        Self {
            family: family.to_owned(),
            values: BTreeMap::new(),
            cache: "warm".to_owned(),
            durability: "returned".to_owned(),
            file_system: None,
            among: Vec::new(),
        }
    }

    /// With a number of its workload, the unit last in its name: `bytes`, `threads`.
    #[must_use]
    pub fn at(mut self, axis: &str, number: u64) -> Self {
        self.values.insert(axis.to_owned(), Value::Number(number));
        self
    }

    /// With a word of its workload: `sorted` as `order`.
    #[must_use]
    pub fn with(mut self, axis: &str, word: &str) -> Self {
        self.values.insert(axis.to_owned(), Value::Word(word.to_owned()));
        self
    }

    /// With nothing of the input in the file cache.
    #[must_use]
    pub fn cold(mut self) -> Self {
        self.cache = "cold".to_owned();
        self
    }

    /// Finished when the data is on the device.
    #[must_use]
    pub fn durable(mut self) -> Self {
        self.durability = "durable".to_owned();
        self
    }

    /// By these techniques alone, in any order: those that the program has. `bakeoff advise --among` advises for them.
    #[must_use]
    pub fn among(mut self, techniques: &[&str]) -> Self {
        self.among = techniques.iter().map(|&name| name.to_owned()).collect();
        self.among.sort();
        self
    }

    /// On the file system that holds a directory.
    ///
    /// # Errors
    /// The directory does not exist or may not be looked at.
    pub fn in_directory(mut self, directory: &Path) -> io::Result<Self> {
        self.file_system = sys::host::volume(directory)?.file_system;
        Ok(self)
    }

    /// On a file system of this name: `ext4`, `NTFS`.
    #[must_use]
    pub fn on_file_system(mut self, name: &str) -> Self {
        self.file_system = Some(name.to_owned());
        self
    }
}

/// What to use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pick<'a> {
    /// The task that it was found for.
    pub task: &'a Task,
    /// The range that holds the wanted value.
    pub range: &'a Range,
}

impl<'a> Pick<'a> {
    /// The technique.
    pub fn technique(&self) -> &'a str {
        &self.range.technique
    }

    /// A number among the technique's parameters: `buffer_bytes`.
    pub fn number(&self, parameter: &str) -> Option<u64> {
        match self.range.parameters.get(parameter)? {
            Value::Number(number) => Some(*number),
            Value::Word(_) => None,
        }
    }

    /// A word among the technique's parameters.
    pub fn word(&self, parameter: &str) -> Option<&'a str> {
        match self.range.parameters.get(parameter)? {
            Value::Number(_) => None,
            Value::Word(word) => Some(word),
        }
    }
}

impl Profile {
    /// Returns what to use for what is wanted. Values that are not named are those that were measured.
    ///
    /// # Errors
    /// Nothing fits, the value lies outside of what was measured or between two ranges, it was measured by another version of bakeoff, under another kernel or on another file system, or more than one task fits.
    pub fn best(&self, wanted: &Wanted) -> Result<Pick<'_>, NoAdvice> {
        let family = || wanted.family.clone();
        let alike: Vec<&Task> = self.tasks.iter().filter(|task| fits(task, wanted)).collect();
        if alike.is_empty() {
            let mut what = format!("with a {} cache, {}", wanted.cache, wanted.durability);
            if !wanted.among.is_empty() {
                what += &format!(", among {}", wanted.among.join(", "));
            }
            return Err(NoAdvice::Unknown { family: family(), what });
        }
        let version = env!("CARGO_PKG_VERSION");
        let current: Vec<&Task> = alike.iter().copied().filter(|task| task.version == version).collect();
        if current.is_empty() {
            let measured = all(alike.iter().map(|task| task.version.as_str()));
            return Err(NoAdvice::OtherVersion { family: family(), measured, here: version.to_owned() });
        }
        let here = &self.host.kernel;
        let own: Vec<&Task> = current.iter().copied().filter(|task| task.kernel == *here).collect();
        if own.is_empty() {
            let measured = all(current.iter().map(|task| task.kernel.as_str()));
            return Err(NoAdvice::OtherKernel { family: family(), measured, here: here.clone() });
        }
        let differs = own.first().and_then(|task| task.other_setup(&self.host));
        let own: Vec<&Task> = own.into_iter().filter(|task| task.other_setup(&self.host).is_none()).collect();
        if let Some(differs) = differs.filter(|_| own.is_empty()) {
            let [what, measured, here] = differs.map(str::to_owned);
            return Err(NoAdvice::OtherSetup { family: family(), what, measured, here });
        }
        let is_there = |task: &&&Task| task.file_system.is_none() || task.file_system == wanted.file_system;
        let own_fs: Vec<&Task> = own.iter().filter(is_there).copied().collect();
        if own_fs.is_empty() {
            let measured = all(own.iter().filter_map(|task| task.file_system.as_deref()));
            let here = wanted.file_system.clone().unwrap_or_else(|| "an unknown file system".to_owned());
            return Err(NoAdvice::OtherFileSystem { family: family(), measured, here });
        }
        // The same task may be known along several axes: the one counts on which a value is named.
        let is_named =
            |task: &&&Task| task.axis.as_ref().is_some_and(|axis| wanted.values.contains_key(axis));
        let named: Vec<&Task> = own_fs.iter().filter(is_named).copied().collect();
        match (&named[..], &own_fs[..]) {
            ([task], _) | ([], [task]) => range_of(task, wanted),
            _ => Err(NoAdvice::Several { family: family(), axes: what_differs(&own_fs) }),
        }
    }
}

/// Whether a task has the family, the conditions and every value that is wanted.
fn fits(task: &Task, wanted: &Wanted) -> bool {
    let has = |(axis, value): (&String, &Value)| match task.workload.get(axis) {
        Some(known) => known == value,
        None => task.axis.as_deref() == Some(axis),
    };
    let mut among = task.among.clone();
    among.sort();
    task.family == wanted.family
        && task.cache.as_ref().is_none_or(|cache| *cache == wanted.cache)
        && task.durability.as_ref().is_none_or(|durability| *durability == wanted.durability)
        && among == wanted.among
        && wanted.values.iter().all(has)
}

fn range_of<'a>(task: &'a Task, wanted: &Wanted) -> Result<Pick<'a>, NoAdvice> {
    let Some(first) = task.ranges.first() else {
        return Err(NoAdvice::Unknown { family: wanted.family.clone(), what: "at any size".to_owned() });
    };
    let at = match task.axis.as_deref().map(|axis| (axis, wanted.values.get(axis))) {
        None => 0,
        Some((_, Some(Value::Number(at)))) => *at,
        // One answer for all values needs none of them.
        Some((_, None)) if task.ranges.len() == 1 => first.from,
        Some((axis, _)) => {
            return Err(NoAdvice::NoLevel { family: wanted.family.clone(), axis: axis.to_owned() });
        }
    };
    match task.ranges.iter().find(|range| (range.from..=range.to).contains(&at)) {
        Some(range) => Ok(Pick { task, range }),
        None => Err(NoAdvice::NotMeasured {
            family: wanted.family.clone(),
            axis: task.axis.clone().unwrap_or_default(),
            at,
        }),
    }
}

/// The names of the values in which tasks differ.
fn what_differs(tasks: &[&Task]) -> String {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for task in tasks {
        for (axis, value) in &task.workload {
            if tasks.iter().any(|other| other.workload.get(axis) != Some(value)) {
                names.insert(axis);
            }
        }
    }
    names.extend(tasks.iter().filter_map(|task| task.axis.as_deref()));
    if names.is_empty() { "what is compared".to_owned() } else { all(names.into_iter()) }
}

fn all<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.collect::<BTreeSet<&str>>().into_iter().collect::<Vec<_>>().join(", ")
}
