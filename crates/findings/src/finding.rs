//! A published claim: what was said, under which conditions, and how it is compared with what is measured here.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::ops::RangeInclusive;

use model::{Cache, Durability, Preset, Setting, Value, format_bytes};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::effect::Bounds;
use crate::vocabulary::{
    Cost, Fact, Faster, FileSystems, Gain, Gap, Hosts, Names, Needs, Overhead, Plateau, Ratio, Share, Slope,
    Spread,
};

/// The publication.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Publication {
    /// J. M. Hart, Windows System Programming.
    Wsp,
    /// The UCSD course project.
    Cse221,
    /// E. Bradford's articles.
    Bradford,
    /// R. Khatsiev's note.
    Khatsiev,
}

impl Publication {
    /// All of them, in the order in which their findings are listed.
    pub(crate) const ALL: [Self; 4] = [Self::Wsp, Self::Khatsiev, Self::Cse221, Self::Bradford];

    /// Author, title and year.
    pub fn title(self) -> &'static str {
        match self {
            Self::Wsp => "J. M. Hart, Windows System Programming, 3rd edition (2004), appendix C",
            Self::Cse221 => {
                "System Performance Measurements on RedHat Linux and Windows XP, UCSD CSE 221 (2003)"
            }
            Self::Bradford => {
                "E. Bradford, High-performance programming techniques on Linux and Windows 2000, part 1 (2001)"
            }
            Self::Khatsiev => {
                "R. Khatsiev, A note on the performance of multithreaded Win32 programs, RSDN 64 (February 2002)"
            }
        }
    }
}

/// On how many processors a trial must have run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Processors {
    /// On one.
    One,
    /// On two or more, and all that the tool might use.
    Several,
    /// On all that the tool might use.
    All,
}

/// The comparisons that must hold: every one, or some one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum HoldsFor {
    /// All of them.
    #[default]
    Every,
    /// One is enough: the claim says "sometimes" or "can".
    Some,
}

/// A published claim.
#[derive(Debug, Clone, PartialEq)]
pub struct Finding {
    /// The family that it is about.
    pub family: String,
    /// The claim and its conditions.
    pub claim: Claim,
    /// The comparisons; at least one.
    pub(crate) parts: Vec<Part>,
}

/// The claim of a finding, with the conditions of the comparison.
#[serde_with::apply(Vec => #[serde(default)], BTreeMap => #[serde(default)])]
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// Its short name: `copy-2`.
    pub id: String,
    /// The claim in one sentence.
    pub claim: String,
    /// The publication.
    pub source: Publication,
    /// The place in it: `table C-1`.
    pub place: String,
    /// The published work and machines, without what `cache`, `durability`, `processors` and `set` say.
    pub conditions: String,
    /// The published table that holds its figures: `wsp-c1-copy`.
    pub table: Option<String>,
    /// The machines of the table that count; all when empty.
    pub machines: Vec<String>,
    /// The published figure in words, where it stands in no table.
    pub figure: Option<String>,
    /// The state of the file cache that a trial must have had.
    pub cache: Option<Cache>,
    /// The end of the timed stretch: with or without flushing to the device.
    pub durability: Option<Durability>,
    /// On how many processors it must have run.
    pub processors: Option<Processors>,
    /// The system on which it must have run.
    pub system: Option<String>,
    /// Values that its workload must have.
    pub set: BTreeMap<String, Value>,
    /// The least and the most that a number of its workload may be: `{ bytes = [12800000, 51200000] }`.
    pub within: BTreeMap<String, [u64; 2]>,
    /// Axes that its workload must not have: a folder of files is not one file of the same size.
    pub without: Vec<String>,
    /// The preset that is measured for it; that of the published sizes when it says nothing.
    pub preset: Option<Preset>,
    /// Levels that are measured for it, where the preset has none: `{ piece_bytes = [4096, 65536] }`.
    pub levels: BTreeMap<String, Vec<Value>>,
    /// Settings with which it is measured here, where the published ones would take too long.
    pub measured_with: Option<MeasuredWith>,
    /// The comparisons that must hold: every one, or some one.
    #[serde(default)]
    pub(crate) holds_for: HoldsFor,
    /// This many comparisons suffice where the others are about techniques that a system does not have; all of them when it says nothing.
    pub least: Option<usize>,
    /// Published machines whose figures are compared where no comparison does it.
    pub(crate) published: Option<PublishedPair>,
}

/// Published machines, and the technique whose time on each of the one kind is reported over that on each of the other.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublishedPair {
    /// Whose time.
    pub technique: Names,
    /// The machines of the upper part of the fraction.
    pub of: Names,
    /// The machines of the lower part.
    pub over: Names,
    /// The mean over the levels of this axis, where it has some.
    pub axis: Option<String>,
    /// The lowest and the highest level that count.
    pub levels: Option<[u64; 2]>,
}

/// A setting that takes less time than the published one: `{ units = 100 }`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MeasuredWith {
    /// Units that each thread makes; published with 1,000.
    Units(NonZeroU64),
    /// Iterations that all threads share; published with seconds of them, which are more where no thread yields.
    Iterations(NonZeroU64),
    /// Bytes of a file that is twice as large as the memory; published with 512 MiB.
    Bytes(NonZeroU64),
    /// Passes over each piece of memory; published with 1,000.
    Passes(NonZeroU64),
}

/// Units that each thread made in table C-5.
pub(crate) const PUBLISHED_UNITS: u64 = 1_000;
/// Iterations that all threads share in the published preset.
const PUBLISHED_ITERATIONS: u64 = 600_000_000;
/// The file of the published disk tests, on a machine with half as much memory.
const PUBLISHED_BYTES: u64 = 512 << 20;
/// Passes over each piece of memory in the published preset: as many as its time pays for.
const PUBLISHED_PASSES: RangeInclusive<u64> = 100..=1_000;

/// Returns a number with its thousands apart: `1,000`.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

impl Claim {
    /// Describes in words what a contest must be to be judged by it.
    pub(crate) fn needs(&self) -> String {
        let mut needs: Vec<String> =
            self.set.iter().map(|(axis, value)| format!("{axis} = {value}")).collect();
        needs.extend(self.within.iter().map(|(axis, ends)| {
            let [least, most] = ends.map(if axis.ends_with("bytes") { format_bytes } else { grouped });
            format!("{axis} from {least} to {most}")
        }));
        needs.extend(self.without.iter().map(|axis| format!("no {axis}")));
        needs.extend(self.conditions());
        needs.extend(self.measured_with.iter().map(|with| match with {
            MeasuredWith::Units(units) => {
                format!("units = {} or {}", grouped(units.get()), grouped(PUBLISHED_UNITS))
            }
            MeasuredWith::Iterations(iterations) => {
                format!("iterations = {} or {}", grouped(iterations.get()), grouped(PUBLISHED_ITERATIONS))
            }
            MeasuredWith::Bytes(bytes) => {
                format!("a file of {} or {}", format_bytes(bytes.get()), format_bytes(PUBLISHED_BYTES))
            }
            MeasuredWith::Passes(passes) => {
                let [least, most] = [PUBLISHED_PASSES.start(), PUBLISHED_PASSES.end()];
                format!("passes = {} or {} to {}", grouped(passes.get()), grouped(*least), grouped(*most))
            }
        }));
        needs.push(self.processors_needed().to_owned());
        needs.join(", ")
    }

    /// Returns the state of the file cache and whether flushing is timed, in words.
    fn conditions(&self) -> impl Iterator<Item = String> {
        let cache = self.cache.map(|cache| format!("a {cache} file cache"));
        let durability = self.durability.map(|durability| match durability {
            Durability::Returned => "time without flushing".to_owned(),
            Durability::Durable => "time with flushing".to_owned(),
        });
        cache.into_iter().chain(durability)
    }

    /// Returns under which conditions it was published, in words.
    pub(crate) fn published_conditions(&self) -> String {
        let output = self.set.get("output").map(|output| format!("output {output}"));
        let processors = self.processors.map(|_| self.processors_needed().to_owned());
        let all =
            [self.conditions.clone()].into_iter().chain(self.conditions()).chain(output).chain(processors);
        all.collect::<Vec<_>>().join(", ")
    }

    fn processors_needed(&self) -> &'static str {
        match self.processors {
            Some(Processors::One) => "one processor",
            Some(Processors::Several) => "several processors",
            _ => "all processors",
        }
    }

    pub(crate) fn setting_needed(&self) -> String {
        let all = self.conditions().chain([self.processors_needed().to_owned()]);
        all.collect::<Vec<_>>().join(", ")
    }

    /// Returns whether what was measured with a setting may be compared with its figures.
    pub(crate) fn accepts(&self, setting: &Setting) -> bool {
        let conditions = &setting.conditions;
        let cached = self.cache.is_none_or(|cache| (cache == Cache::Cold) == setting.is_cold());
        let pinned = match self.processors {
            None | Some(Processors::All | Processors::Several) => conditions.processors.is_empty(),
            Some(Processors::One) => conditions.processors.len() == 1,
        };
        let timed = self.durability.zip(conditions.durability).is_none_or(|(wanted, own)| own == wanted);
        cached && pinned && timed
    }
}

impl MeasuredWith {
    /// Returns the axis, the value on it, and those of the published preset.
    pub(crate) fn axis(&self) -> (&'static str, u64, RangeInclusive<u64>) {
        match self {
            Self::Units(units) => ("units", units.get(), PUBLISHED_UNITS..=PUBLISHED_UNITS),
            Self::Iterations(iterations) => {
                ("iterations", iterations.get(), PUBLISHED_ITERATIONS..=PUBLISHED_ITERATIONS)
            }
            Self::Bytes(bytes) => ("bytes", bytes.get(), PUBLISHED_BYTES..=PUBLISHED_BYTES),
            Self::Passes(passes) => ("passes", passes.get(), PUBLISHED_PASSES),
        }
    }

    /// Returns the settings in words, with the published ones.
    pub fn words(&self) -> String {
        match self {
            Self::Units(units) => {
                let unit = if units.get() == 1 { "unit" } else { "units" };
                let published = grouped(PUBLISHED_UNITS);
                format!("measured with {} {unit} a thread; published {published}", grouped(units.get()))
            }
            Self::Iterations(iterations) => {
                let [here, published] = [iterations.get(), PUBLISHED_ITERATIONS].map(grouped);
                let as_published = match iterations.get() {
                    PUBLISHED_ITERATIONS.. => ": seconds of work, as published".to_owned(),
                    _ => format!("; published with seconds of work, about {published}"),
                };
                format!("measured with {here} iterations{as_published}")
            }
            Self::Passes(passes) => {
                let [here, published] = [passes.get(), *PUBLISHED_PASSES.end()].map(grouped);
                format!("measured with {here} passes over each piece; published {published}")
            }
            Self::Bytes(bytes) => {
                let bytes = bytes.get();
                let [file, memory, published, in_memory] =
                    [bytes, bytes / 2, PUBLISHED_BYTES, PUBLISHED_BYTES / 2].map(format_bytes);
                format!(
                    "measured with a file of {file} and a limit of {memory} for the memory where the host has one; \
                     published {published} with {in_memory}"
                )
            }
        }
    }
}

/// Declares each list that a file may have, and the kind of comparison that it holds.
macro_rules! parts {
    ($($list:ident: $Part:ident)+) => {
        #[derive(Debug, Clone, PartialEq)]
        pub(crate) enum Part {
            $($Part($Part),)+
        }

        /// The file as it is written: the claim, and lists of comparisons.
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct File {
            finding: Claim,
            $(#[serde(default)] $list: Vec<$Part>,)+
        }

        impl File {
            fn parts(self) -> Vec<Part> {
                let mut parts = Vec::new();
                $(parts.extend(self.$list.into_iter().map(Part::$Part));)+
                parts
            }
        }

        impl Part {
            fn list(&self) -> &'static str {
                match self {
                    $(Self::$Part(_) => stringify!($list),)+
                }
            }
        }
    };
}

parts! {
    faster: Faster
    ratio: Ratio
    share: Share
    cost: Cost
    slope: Slope
    overhead: Overhead
    plateau: Plateau
    gain: Gain
    gap: Gap
    spread: Spread
    file_systems: FileSystems
    hosts: Hosts
    fact: Fact
    needs: Needs
}

/// The reason why a text is not a finding.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{path}:{line}: {reason}")]
pub struct FindingError {
    /// The file.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The problem.
    pub reason: String,
}

impl Finding {
    /// Reads a finding; `path` is `family/slug.toml`.
    pub fn read(path: &str, text: &str) -> Result<Self, FindingError> {
        let refuse = |line: usize, reason: &str| FindingError {
            path: path.to_owned(),
            line,
            reason: reason.to_owned(),
        };
        let file: File = toml::from_str(text).map_err(|refused| {
            let start = refused.span().map_or(0, |span| span.start);
            let line = text.get(..start).map_or(1, |before| before.matches('\n').count() + 1);
            refuse(line, &refused.message().replace('\n', " "))
        })?;
        let stem = path.strip_suffix(".toml").and_then(|stem| stem.rsplit_once('/'));
        let Some((family, _)) = stem else {
            return Err(refuse(1, "a finding lies in the folder of its family: copy/presized-output.toml"));
        };
        let claim = file.finding.clone();
        let parts = file.parts();
        if parts.is_empty() {
            return Err(refuse(1, "there is no comparison; for example [[faster]] with technique and than"));
        }
        let mut demanding = parts.iter().filter(|part| !matches!(part, Part::Needs(_)));
        if let Some(list) = demanding.find(|part| part.bounds().is_open()).map(Part::list) {
            let line = text.lines().position(|line| line.trim() == format!("[[{list}]]"));
            let reason = format!("[[{list}]] needs at_least or at_most");
            return Err(refuse(line.map_or(1, |line| line + 1), &reason));
        }
        let lacking = parts.iter().find_map(|part| match part {
            Part::Ratio(Ratio { axis: Some(axis), .. }) if !claim.levels.contains_key(axis) => Some(axis),
            _ => None,
        });
        if let Some(axis) = lacking {
            let reason = format!("[[ratio]] with axis = \"{axis}\" needs levels = {{ {axis} = [1024] }}");
            return Err(refuse(1, &reason));
        }
        Ok(Self { family: family.rsplit('/').next().unwrap_or(family).to_owned(), claim, parts })
    }

    /// Returns whether it compares hosts.
    pub fn is_of_hosts(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Hosts(_)))
    }

    /// Returns the names of techniques and published programs that it compares.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.parts.iter().flat_map(Part::names).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

impl Part {
    /// Returns the names of techniques and published programs that it compares.
    pub(crate) fn names(&self) -> Vec<&str> {
        let lists: Vec<&Names> = match self {
            Self::Faster(part) => vec![&part.technique, &part.than],
            Self::Ratio(part) => vec![&part.of, &part.over],
            Self::Hosts(part) => return vec![&part.of.technique, &part.over.technique],
            Self::Fact(_) | Self::Needs(_) => Vec::new(),
            Self::Share(Share { technique, .. })
            | Self::Cost(Cost { technique, .. })
            | Self::Slope(Slope { technique, .. })
            | Self::Overhead(Overhead { technique, .. })
            | Self::Plateau(Plateau { technique, .. })
            | Self::Gain(Gain { technique, .. })
            | Self::Gap(Gap { technique, .. })
            | Self::Spread(Spread { technique, .. })
            | Self::FileSystems(FileSystems { technique, .. }) => vec![technique],
        };
        let mut names: Vec<&str> =
            lists.into_iter().flat_map(|list| list.0.iter().map(String::as_str)).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    pub(crate) fn axis(&self) -> Option<&str> {
        match self {
            Self::Ratio(Ratio { axis: Some(axis), .. })
            | Self::Slope(Slope { axis, .. })
            | Self::Overhead(Overhead { axis, .. })
            | Self::Plateau(Plateau { axis, .. })
            | Self::Gain(Gain { axis, .. })
            | Self::Gap(Gap { axis, .. }) => Some(axis),
            _ => None,
        }
    }

    pub(crate) fn bounds(&self) -> Bounds {
        match self {
            Self::Faster(_) => Bounds::ratio(Some(1.0), None),
            Self::Ratio(Ratio { at_least, at_most, .. })
            | Self::Overhead(Overhead { at_least, at_most, .. })
            | Self::Gain(Gain { at_least, at_most, .. })
            | Self::FileSystems(FileSystems { at_least, at_most, .. })
            | Self::Hosts(Hosts { at_least, at_most, .. })
            | Self::Fact(Fact { at_least, at_most, over: Some(_), .. }) => Bounds::ratio(*at_least, *at_most),
            Self::Share(Share { at_least, at_most, .. })
            | Self::Slope(Slope { at_least, at_most, .. })
            | Self::Fact(Fact { at_least, at_most, .. }) => Bounds::number(*at_least, *at_most),
            Self::Cost(part) => Bounds::number(None, Some(part.at_most_ns)),
            Self::Plateau(part) => Bounds::number(None, Some(1.0 + part.within)),
            Self::Gap(part) => Bounds::number(None, Some(part.at_most)),
            Self::Spread(part) => Bounds::number(Some(part.at_least), None),
            Self::Needs(_) => Bounds::number(None, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "[finding]\nid = \"copy-0\"\nclaim = \"A is faster.\"\nsource = \"wsp\"\n\
                        place = \"table C-1\"\nconditions = \"cold\"\n";

    fn read(rest: &str) -> Result<Finding, String> {
        Finding::read("copy/a.toml", &format!("{HEAD}{rest}")).map_err(|refused| refused.to_string())
    }

    #[test]
    fn a_finding_is_a_claim_with_comparisons() {
        let found = read(
            "cache = \"cold\"\nset = { threads = 64 }\n[[faster]]\ntechnique = \"cpW\"\nthan = [\"cpC\", \"cpUC\"]\n\
             [[ratio]]\nof = \"cpW\"\nover = \"cpC\"\nmetric = \"user\"\nat_most = 1.1\n",
        )
        .expect("well formed");
        assert_eq!(found.family, "copy");
        assert_eq!(found.names(), ["cpC", "cpUC", "cpW"]);
        assert_eq!(found.parts.len(), 2);
        assert_eq!(found.claim.set["threads"], Value::Number(64));
    }

    #[test]
    fn other_settings_are_named_with_the_published_ones() {
        let words = |setting: &str| {
            let faster = "[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n";
            let found = read(&format!("measured_with = {{ {setting} }}\n{faster}")).expect("well formed");
            found.claim.measured_with.expect("settings").words()
        };
        assert_eq!(words("units = 100"), "measured with 100 units a thread; published 1,000");
        assert_eq!(
            words("iterations = 60000000"),
            "measured with 60,000,000 iterations; published with seconds of work, about 600,000,000"
        );
        assert_eq!(
            words("iterations = 4000000000"),
            "measured with 4,000,000,000 iterations: seconds of work, as published"
        );
        assert_eq!(
            words("bytes = 67108864"),
            "measured with a file of 64 MiB and a limit of 32 MiB for the memory where the host has one; published \
             512 MiB with 256 MiB"
        );
        assert_eq!(words("passes = 10"), "measured with 10 passes over each piece; published 1,000");
        assert_eq!([7, 999, 1_234_567].map(grouped), ["7", "999", "1,234,567"]);
    }

    #[test]
    fn an_unknown_key_is_refused_with_its_file_and_line() {
        for (rest, line, said) in [
            ("colour = 1\n[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n", 7, "colour"),
            ("[[faster]]\ntechnique = \"a\"\nthen = \"b\"\n", 9, "then"),
            ("[[quicker]]\ntechnique = \"a\"\n", 7, "quicker"),
            ("cache = \"tepid\"\n", 7, "tepid"),
            ("measured_with = { unit = 100 }\n", 7, "unit"),
            ("measured_with = { units = 0 }\n", 7, "0"),
            ("[[ratio]]\nof = \"a\"\nover = \"b\"\n", 7, "at_least"),
            ("[[ratio]]\nof = 3\nover = \"b\"\nat_most = 1.0\n", 8, ""),
            ("[[ratio]]\nof = \"a\"\nover = \"b\"\nat_most = 1.0\naxis = \"x\"\n", 1, "levels"),
            ("", 1, "no comparison"),
        ] {
            let refused = read(rest).expect_err(rest);
            assert!(refused.starts_with(&format!("copy/a.toml:{line}: ")), "{rest}: {refused}");
            assert!(refused.contains(said) && !refused.contains('\n'), "{rest}: {refused}");
        }
    }
}
