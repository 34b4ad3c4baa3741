//! What must be measured so that findings can be judged.

use std::collections::BTreeSet;

use model::{Cache, Preset};

use crate::finding::{Finding, Part, Processors};
use crate::judged::{Known, is_known};
use crate::vocabulary::{FoundPlace, Place};

/// The techniques, conditions and levels that a comparison of a finding needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The short name of the finding.
    pub finding: String,
    /// Index of the comparison in its finding; all demands of one are needed.
    pub comparison: usize,
    /// The family.
    pub family: String,
    /// The preset of its workloads.
    pub preset: Preset,
    /// Techniques and published programs.
    pub names: Vec<String>,
    /// The state of the file cache.
    pub cache: Option<Cache>,
    /// On how many processors.
    pub processors: Processors,
    /// True if it is asked for on several file systems.
    pub file_systems: bool,
    /// Values that its workload must have.
    pub set: Vec<(String, String)>,
    /// Levels of an axis; `None` where it is about one workload.
    pub levels: Option<DemandedLevels>,
}

/// The levels of an axis that a comparison looks at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemandedLevels {
    /// The axis.
    pub axis: String,
    /// Levels that the preset does not have; those of the preset when empty.
    pub values: Vec<String>,
    /// The selection of levels.
    pub which: Vec<Which>,
    /// A further axis: all of its values are compared.
    pub across: Option<String>,
}

/// Some levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Which {
    /// All of them.
    All,
    /// Those from one to another.
    Between(u64, u64),
    /// As many as processors may be used, or the nearest below.
    Processors,
    /// The lowest.
    Smallest,
    /// The highest.
    Largest,
}

/// Returns what findings ask of the known families, one demand a comparison. Those about several hosts ask for what they compare.
pub fn demands(findings: &[Finding], known: &Known) -> Vec<Demand> {
    let mut all = Vec::new();
    for finding in findings {
        let own = known.get(&finding.family);
        let Some(own) = own.filter(|_| !finding.parts.iter().any(|part| matches!(part, Part::Needs(_))))
        else {
            continue;
        };
        all.extend(finding.parts.iter().enumerate().flat_map(|part| of_part(finding, part, own)));
    }
    all
}

fn of_part(finding: &Finding, (comparison, part): (usize, &Part), own: &BTreeSet<String>) -> Vec<Demand> {
    let claim = &finding.claim;
    let names = part.names().into_iter().filter(|name| is_known(own, name)).map(str::to_owned);
    let fixed = claim.set.iter().map(|(axis, value)| (axis.clone(), value.to_string()));
    let reduced = claim.measured_with.iter().map(|with| {
        let (axis, value, _) = with.axis();
        (axis.to_owned(), value.to_string())
    });
    let demand = Demand {
        finding: claim.id.clone(),
        comparison,
        family: finding.family.clone(),
        preset: if claim.preset == Some(Preset::Quick) { Preset::Quick } else { Preset::Published },
        names: names.collect(),
        cache: claim.cache,
        processors: claim.processors.unwrap_or(Processors::All),
        file_systems: matches!(part, Part::FileSystems(_)),
        set: fixed.chain(reduced).collect(),
        levels: levels(finding, part),
    };
    if demand.names.is_empty() {
        return Vec::new();
    }
    let Part::Gain(part) = part else { return vec![demand] };
    // The same levels at both values of the axis that is changed.
    let both = [&part.from, &part.to].map(|value| {
        let mut demand = demand.clone();
        demand.set.push((part.of.clone(), value.clone()));
        demand
    });
    both.into()
}

fn levels(finding: &Finding, part: &Part) -> Option<DemandedLevels> {
    let axis = part.axis()?.to_owned();
    let which = match part {
        Part::Slope(part) => vec![Which::Between(part.from, part.to)],
        // What is best is known when all were measured.
        Part::Overhead(part) if part.base == Place::Found(FoundPlace::Best) => vec![Which::All],
        Part::Overhead(part) => vec![which(&part.at), which(&part.base)],
        Part::Gain(part) => vec![Which::Between(part.levels[0], part.levels[1])],
        Part::Gap(part) => vec![Which::Between(part.at, part.at), Which::Between(part.over, part.over)],
        _ => vec![Which::All],
    };
    let across = if let Part::Plateau(part) = part { part.across.clone() } else { None };
    let values = finding.claim.levels.get(&axis).into_iter().flatten().map(ToString::to_string).collect();
    Some(DemandedLevels { axis, values, which, across })
}

fn which(place: &Place) -> Which {
    match place {
        Place::At(level) => Which::Between(*level, *level),
        Place::Found(FoundPlace::Processors) => Which::Processors,
        Place::Found(FoundPlace::Smallest) => Which::Smallest,
        Place::Found(FoundPlace::Largest) => Which::Largest,
        Place::Found(FoundPlace::InCache | FoundPlace::Best | FoundPlace::Any) => Which::All,
    }
}

impl DemandedLevels {
    /// Returns those of the ascending levels that are looked at, on this many processors.
    pub fn of(&self, levels: &[u64], processors: u64) -> Vec<u64> {
        let meant = levels.iter().enumerate().filter(|(place, level)| {
            self.which.iter().any(|which| match which {
                Which::All => true,
                Which::Between(from, to) => (from..=to).contains(level),
                Which::Processors => levels.iter().rfind(|known| **known <= processors) == Some(level),
                Which::Smallest => *place == 0,
                Which::Largest => place + 1 == levels.len(),
            })
        });
        meant.map(|(_, level)| *level).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(path: &str, comparisons: &str) -> Vec<Demand> {
        let head = "[finding]\nid = \"a-0\"\nclaim = \"So it is.\"\nsource = \"wsp\"\nplace = \"p\"\nconditions = \"c\"\n";
        let finding = Finding::read(path, &format!("{head}{comparisons}")).expect("well formed");
        let names = finding.names().into_iter().map(str::to_owned).collect();
        let known = Known::from([(finding.family.clone(), names)]);
        demands(&[finding], &known)
    }

    #[test]
    fn a_comparison_asks_for_its_own_levels() {
        let axis = "technique = \"a\"\naxis = \"threads\"\n";
        for (comparison, levels) in [
            (format!("[[slope]]\n{axis}from = 8\nto = 64\nat_least = 1.1\n"), &[8, 16, 32, 64][..]),
            (format!("[[gap]]\n{axis}at = 2\nover = 64\nat_most = 0.1\n"), &[2, 64]),
            (
                format!("[[overhead]]\n{axis}at = \"largest\"\nbase = \"processors\"\nat_most = 2.0\n"),
                &[4, 64],
            ),
            (
                format!("[[overhead]]\n{axis}at = 64\nbase = \"best\"\nat_most = 2.0\n"),
                &[1, 2, 4, 8, 16, 32, 64],
            ),
        ] {
            let demanded = of("threads/a.toml", &comparison).remove(0).levels.expect("levels");
            assert_eq!(demanded.of(&[1, 2, 4, 8, 16, 32, 64], 5), levels, "{comparison}");
        }
    }

    #[test]
    fn each_comparison_asks_for_its_own_techniques() {
        let all = of(
            "copy/a.toml",
            "cache = \"cold\"\n[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n[[share]]\ntechnique = \"c\"\n\
             of = \"cpu\"\nin = \"work\"\nat_most = 0.5\n",
        );
        let names: Vec<&[String]> = all.iter().map(|demand| demand.names.as_slice()).collect();
        assert_eq!(names, [&["a".to_owned(), "b".to_owned()][..], &["c".to_owned()]]);
        assert!(all.iter().all(|demand| demand.cache == Some(Cache::Cold) && demand.levels.is_none()));
    }

    #[test]
    fn a_gain_asks_for_the_same_levels_at_both_values() {
        let gain = "[[gain]]\ntechnique = \"a\"\nof = \"processors\"\nfrom = \"1\"\nto = \"2\"\naxis = \"threads\"\n\
                    levels = [2, 512]\nat_least = 1.3\n";
        let all = of("threads/a.toml", gain);
        let set: Vec<&str> = all.iter().map(|demand| demand.set[0].1.as_str()).collect();
        assert_eq!(set, ["1", "2"]);
        assert_eq!(all[0].levels, all[1].levels);
    }

    #[test]
    fn shorter_settings_join_those_of_the_claim() {
        let ratio = "set = { threads = 64 }\nmeasured_with = { units = 100 }\n[[faster]]\ntechnique = \"a\"\nthan = \"b\"\n";
        let demand = of("pipeline/a.toml", ratio).remove(0);
        let set: Vec<(&str, &str)> =
            demand.set.iter().map(|(axis, value)| (axis.as_str(), value.as_str())).collect();
        assert_eq!(set, [("threads", "64"), ("units", "100")]);
    }
}
