//! From the names that a user types to families and entries.

use std::collections::BTreeMap;

use anyhow::{Result, bail};
use families::{AnyFamily, technique_in};
use measure::Selection;
use model::Kind;

use crate::hints;

/// Returns the families that `run` takes when none is named.
pub(crate) fn shown() -> impl Iterator<Item = &'static dyn AnyFamily> {
    families::all().iter().copied().filter(|family| !family.is_control())
}

pub(crate) fn names() -> Vec<&'static str> {
    shown().map(AnyFamily::name).collect()
}

/// In the place of a technique: none of them, the commands alone.
const NONE: &str = "none";

/// Reads `FAMILY`, `FAMILY/TECHNIQUE` and `FAMILY/none`; all families when nothing is named.
pub(crate) fn select(names: &[String]) -> Result<Vec<Selection>> {
    if names.is_empty() {
        return Ok(shown().map(|family| Selection { family, entries: None }).collect());
    }
    let mut chosen: BTreeMap<usize, Option<Vec<String>>> = BTreeMap::new();
    for name in names {
        let (family, technique) = match name.split_once('/') {
            Some((family, technique)) => (family, Some(technique)),
            None => (name.as_str(), None),
        };
        let place = family_index(family)?;
        match technique {
            None => {
                chosen.insert(place, None);
            }
            Some(technique) => {
                let entries = entries(families::all()[place], technique)?;
                // A family that was named whole stays whole.
                if let Some(list) = chosen.entry(place).or_insert_with(|| Some(Vec::new())) {
                    list.extend(entries);
                }
            }
        }
    }
    Ok(chosen
        .into_iter()
        .map(|(place, entries)| Selection { family: families::all()[place], entries })
        .collect())
}

pub(crate) fn family(name: &str) -> Result<&'static dyn AnyFamily> {
    Ok(families::all()[family_index(name)?])
}

fn family_index(name: &str) -> Result<usize> {
    if let Some(place) = families::all().iter().position(|family| family.name() == name) {
        return Ok(place);
    }
    // `bakeoff run cpW` is a good guess of a user who knows the published program.
    if let Some(written) = elsewhere(name) {
        bail!("no family is called '{name}'; it is a technique: write {written}");
    }
    let known = names();
    if let Some(hint) = hints::of_name(name) {
        bail!("no family is called '{name}'; {hint}");
    }
    bail!("no family is called '{name}'; there are {}{}", known.join(", "), nearest(name, &known))
}

/// Returns the entries that a name stands for: an entry, all values of a technique, or a published program.
fn entries(family: &dyn AnyFamily, name: &str) -> Result<Vec<String>> {
    let found = named(family, name);
    if !found.is_empty() || name == NONE {
        return Ok(found);
    }
    if name.contains('@') && !named(family, technique_in(name)).is_empty() {
        return Ok(vec![family.entry(name).map_err(anyhow::Error::msg)?.name]);
    }
    if let Some(written) = elsewhere(name) {
        bail!(
            "the family {0} has no technique '{name}'; write {written}, or see 'bakeoff list {0}'",
            family.name()
        );
    }
    let entries = family.entries();
    let mut known: Vec<&str> = Vec::new();
    for entry in &entries {
        known.extend(std::iter::once(entry.technique()).chain(entry.aliases.iter().map(String::as_str)));
    }
    bail!(
        "the family {family} has no technique '{name}'{}; 'bakeoff list {family}' shows them all",
        nearest(name, &known),
        family = family.name()
    )
}

/// Returns what to write for the technique of that name, whichever family has it.
fn elsewhere(name: &str) -> Option<String> {
    let has_it = families::all().iter().filter(|family| !named(**family, name).is_empty());
    let written: Vec<String> = has_it.map(|family| format!("'{}/{name}'", family.name())).collect();
    (!written.is_empty()).then(|| written.join(" or "))
}

fn named(family: &dyn AnyFamily, name: &str) -> Vec<String> {
    let entries = family.entries().into_iter();
    let meant = entries.filter(|entry| Kind::BuiltIn.is_called(&entry.name, &entry.aliases, name));
    meant.map(|entry| entry.name).collect()
}

/// Returns a hint at the most similar known name; nothing where none is similar.
fn nearest(name: &str, known: &[&str]) -> String {
    let name = name.to_lowercase();
    let known = known.iter().map(|other| (strsim::jaro_winkler(&name, &other.to_lowercase()), other));
    match known.max_by(|(a, _), (b, _)| a.total_cmp(b)) {
        Some((similarity, best)) if similarity > 0.7 => format!("; did you mean '{best}'?"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_for_a_technique_all_its_values_or_none() {
        for (name, first, is_right) in [
            ("copy/cpW", Some("small_buffer"), (|count| count == 1) as fn(usize) -> bool),
            ("pipeline/broadcast_kernel_lock@10ms", Some("broadcast_kernel_lock@10ms"), |count| count == 1),
            ("copy/read_write", Some("read_write@64K"), |count| count > 2),
            ("copy/none", None, |count| count == 0),
        ] {
            let entries =
                select(&[name.to_owned()]).expect("known").remove(0).entries.expect("some are named");
            assert!(entries.first().map(String::as_str) == first && is_right(entries.len()), "{entries:?}");
        }
    }

    #[test]
    fn a_published_program_with_a_value_is_refused() {
        let by_that_name = "'broadcast-mutex-5ms' is the technique broadcast_kernel_lock, and takes its parameter by that \
                            name: write 'pipeline/broadcast_kernel_lock@10ms'";
        for (name, said) in [
            ("pipeline/broadcast-mutex-5ms@10ms", by_that_name),
            ("pipeline/broadcast-mutex-5ms@soon", "write 'pipeline/broadcast_kernel_lock@5ms'"),
            ("copy/cpW@4K", "'cpW' is the technique small_buffer: write 'copy/small_buffer'"),
        ] {
            let refused = select(&[name.to_owned()]).err().expect(name).to_string();
            assert!(refused.ends_with(said), "{refused}");
        }
    }

    #[test]
    fn nothing_named_is_everything_but_the_controls() {
        assert!(select(&[]).expect("known").iter().all(|selection| !selection.family.is_control()));
    }
}
