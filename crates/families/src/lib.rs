#![allow(unsafe_code, reason = "techniques call the operating system and the processor")]
//! The families: one folder a family, and in its folder `techniques` one file a technique, or a few that share their code.
//!
//! A technique knows nothing of time, statistics, storage or output.

mod contract;
mod files;
mod in_flight;
mod parameters;
pub mod placeholders;
mod pool;
mod processors;
mod random;
pub mod records;
mod sources;
#[cfg(test)]
mod testing;
mod values;

mod blocks;
mod clock;
mod commands;
mod control;
mod convert;
mod copy;
mod disk;
mod pipeline;
mod search;
mod sort;
mod threads;

pub use blocks::BLOCKS;
pub use clock::CLOCK;
pub use commands::{Command, Commands, Generated, GoodExits, Job, JobInput, JobTechnique, Proving};
pub use contract::{
    AnyFamily, Body, Curve, Entry, Family, Files, Isolation, OwnTime, Placeholder, Repeat, Technique,
    technique_in,
};
pub use control::CONTROL;
pub use convert::CONVERT;
pub use copy::COPY;
pub use disk::DISK;
pub use pipeline::PIPELINE;
pub use search::{SEARCH, SEARCH_PART, search_part};
pub use sort::SORT;
pub use sources::{Source, source_of};
pub use threads::THREADS;
pub use values::{HandedOver, Values};

/// All families in the order in which they are listed; those that only check the instrument stand last.
pub fn all() -> &'static [&'static dyn AnyFamily] {
    static ALL: [&dyn AnyFamily; 10] =
        [COPY, CONVERT, SEARCH, SORT, DISK, PIPELINE, THREADS, BLOCKS, CLOCK, CONTROL];
    &ALL
}

/// The family of that name.
pub fn find(name: &str) -> Option<&'static dyn AnyFamily> {
    all().iter().copied().find(|family| family.name() == name)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use model::{Availability, Host, Preset, Setting};

    use super::*;

    #[test]
    fn workloads_of_presets_are_read_as_written() {
        let presets = [Preset::Quick, Preset::Published, Preset::Large];
        for (family, preset) in all().iter().flat_map(|family| presets.map(|preset| (family, preset))) {
            assert!(!family.workloads(preset).is_empty(), "{} {preset}", family.name());
            for workload in family.workloads(preset) {
                let written = serde_json::to_string(&workload).expect("plain data");
                let read: model::Workload = serde_json::from_str(&written)
                    .unwrap_or_else(|error| panic!("{}: {error}: {written}", family.name()));
                assert_eq!(read, workload, "{}", family.name());
            }
        }
    }

    #[test]
    fn every_family_is_found_under_its_name_and_no_other() {
        for family in all() {
            assert!(find(family.name()).is_some_and(|found| found.name() == family.name()));
            assert!(family.question().ends_with('?'), "{}", family.question());
        }
        assert!(find("cook").is_none());
    }

    #[test]
    fn every_family_takes_the_examples_of_its_axes() {
        for family in all() {
            // Some need what an axis before them says, and others refuse it.
            let usual = family.workloads(Preset::Quick).remove(0);
            let mut all_set = usual.clone();
            for axis in family.axes() {
                let alone = family.set(&mut usual.clone(), axis.name, &axis.example());
                let behind = family.set(&mut all_set, axis.name, &axis.example());
                alone.or(behind).expect(axis.name);
            }
        }
    }

    #[test]
    fn unknown_entries_and_missing_values_are_refused() {
        for family in all() {
            let name = family.name();
            let mut cases = vec![("teleport".to_owned(), format!("{name} has no technique 'teleport'"))];
            cases.extend(family.entries().iter().map(|entry| match entry.parameters[..] {
                [] => (format!("{}@64K", entry.name), "has no parameter".to_owned()),
                [axis, ..] => (entry.technique().to_owned(), format!("needs a value of {axis}")),
            }));
            for (entry, part) in cases {
                let probed = family.probe(&entry, &Host::default(), &Setting::default());
                let Availability::Missing(sentence) = probed else { panic!("{name}/{entry} is ready") };
                assert!(sentence.contains(&part), "{name}/{entry}: {sentence}");
            }
        }
    }

    #[test]
    fn every_entry_says_its_idea_and_source_under_names_of_its_own() {
        for family in all() {
            let mut seen = HashSet::new();
            for entry in family.entries() {
                let said = [&entry.name, &entry.idea, &entry.source];
                assert!(said.iter().all(|text| !text.is_empty()), "{}/{entry:?}", family.name());
                assert!(seen.insert(entry.name.clone()), "{}/{} twice", family.name(), entry.name);
                let first_of_its_axis = entry.parameters.is_empty();
                for alias in entry.aliases.iter().filter(|_| first_of_its_axis) {
                    assert!(seen.insert(alias.clone()), "{}/{alias} twice", family.name());
                }
            }
        }
    }

    #[test]
    fn a_variant_is_one_of_a_technique_of_its_family_and_class() {
        for family in all() {
            let entries = family.entries();
            for variant in entries.iter().filter(|entry| entry.variant_of.is_some()) {
                let bases = entries.iter().filter(|entry| Some(entry.technique()) == variant.variant_of);
                assert!(bases.clone().count() > 0, "{} has no base", variant.name);
                for base in bases {
                    assert_eq!((base.variant_of, base.class), (None, variant.class), "{}", variant.name);
                }
            }
        }
    }

    #[test]
    fn the_baseline_and_the_curve_of_a_family_are_about_its_entries() {
        for family in all() {
            let entries = family.entries();
            assert!(entries.iter().any(|entry| entry.name == family.baseline()), "{}", family.baseline());
            let own = family.class_baselines();
            assert!(own.is_empty() || entries.iter().any(|entry| own.contains(&&*entry.name)), "{own:?}");
            let Some(curve) = family.curve() else { continue };
            for name in curve.techniques {
                let mut own = entries.iter().filter(|entry| entry.technique() == *name);
                assert!(own.any(|entry| curve.asks_for(&entry.name)), "{}: {name}", family.name());
            }
        }
    }
}
