//! What must be measured so that findings can be judged.

use std::collections::{BTreeMap, BTreeSet};

use model::{Cache, Preset};

use crate::finding::{Finding, Processors};
use crate::judged::Known;
use crate::vocabulary::Part;

/// What a family must be asked under one set of conditions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The family.
    pub family: String,
    /// Which of its workloads.
    pub preset: Preset,
    /// Techniques and published programs.
    pub names: Vec<String>,
    /// The state of the file cache.
    pub cache: Option<Cache>,
    /// On how many processors.
    pub processors: Processors,
    /// Whether it is asked for on several file systems.
    pub file_systems: bool,
    /// Values of its axes that the preset may not have.
    pub axes: Vec<(String, String)>,
}

/// What findings ask of the families that are known here; those about several hosts ask for what they would compare.
pub fn demands(findings: &[Finding], known: &Known) -> Vec<Demand> {
    #[derive(Default)]
    struct Wanted<'a> {
        names: BTreeSet<&'a str>,
        axes: BTreeMap<&'a str, BTreeSet<String>>,
        file_systems: bool,
    }
    // A claim over the levels of an axis takes those of the preset, unless one names others.
    let (mut curves, mut named) = (BTreeSet::new(), BTreeSet::new());
    for finding in findings {
        let family = finding.family.as_str();
        curves.extend(finding.parts.iter().filter_map(Part::axis).map(|axis| (family, axis)));
        named.extend(finding.claim.levels.keys().map(|axis| (family, axis.as_str())));
    }
    let of_preset = |family, axis| curves.contains(&(family, axis)) && !named.contains(&(family, axis));
    type Key<'a> = (&'a str, bool, Option<Cache>, Processors);
    let mut wanted: BTreeMap<Key<'_>, Wanted<'_>> = BTreeMap::new();
    for finding in findings {
        let Some(own) = known.get(&finding.family) else { continue };
        if finding.parts.iter().any(|part| matches!(part, Part::Needs(_))) {
            continue;
        }
        let claim = &finding.claim;
        let is_quick = claim.preset == Some(Preset::Quick);
        let processors = claim.processors.unwrap_or(Processors::All);
        let key = (finding.family.as_str(), is_quick, claim.cache, processors);
        let names = finding.names().into_iter().filter(|name| own.contains(*name));
        let Wanted { names: all, axes, file_systems } = wanted.entry(key).or_default();
        all.extend(names);
        *file_systems |= finding.parts.iter().any(|part| matches!(part, Part::FileSystems(_)));
        for (axis, value) in claim.set.iter().filter(|(axis, _)| !of_preset(&finding.family, axis)) {
            axes.entry(axis).or_default().insert(value.to_string());
        }
        for (axis, levels) in &claim.levels {
            axes.entry(axis).or_default().extend(levels.iter().map(ToString::to_string));
        }
        for part in &finding.parts {
            if let Part::Gain(part) = part {
                axes.entry(&part.of).or_default().extend([part.from.clone(), part.to.clone()]);
            }
        }
    }
    let demand = |(key, wanted): (Key<'_>, Wanted<'_>)| {
        let Wanted { names, axes, file_systems } = wanted;
        let (family, is_quick, cache, processors) = key;
        let values = |(axis, values): (&str, BTreeSet<String>)| {
            values.into_iter().map(|value| (axis.to_owned(), value)).collect::<Vec<_>>()
        };
        Demand {
            family: family.to_owned(),
            preset: if is_quick { Preset::Quick } else { Preset::Published },
            names: names.into_iter().map(str::to_owned).collect(),
            cache,
            processors,
            file_systems,
            axes: axes.into_iter().flat_map(values).collect(),
        }
    };
    wanted.into_iter().map(demand).filter(|demand| !demand.names.is_empty()).collect()
}
