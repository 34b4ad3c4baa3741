//! What the techniques use is optimised as they are.

use std::collections::{BTreeMap, BTreeSet};

use toml::{Table, Value};

use super::floors::dependencies;
use super::{Place, Rule, Tree};

const TECHNIQUES: &str = "families";
const MANIFEST: &str = "Cargo.toml";
const HEADING: &str = "[profile.release.package";

pub(super) const RULE: Rule = Rule {
    name: "optimised",
    remedy: "The techniques would take its slow copies of generic code: leave it to the profile.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let (Some(manifest), Some(lock)) = (tree.file(MANIFEST), tree.file("Cargo.lock")) else {
        return Vec::new();
    };
    let used = used(tree, &lock.text);
    let is_used = |name: &String| used.contains(name);
    let place = |name: String| {
        let text = manifest.text.lines().skip_while(|line| !line.starts_with(HEADING));
        let before = manifest.text.lines().count() - text.clone().count();
        let is_it = |line: &str| line.starts_with(&name) || line.starts_with(&format!("{HEADING}.{name}]"));
        let nth = text.clone().position(is_it).unwrap_or(0);
        Place::new(MANIFEST, before + nth + 1, format!("{TECHNIQUES} uses {name}, which is optimised less"))
    };
    less_optimised(&manifest.text).into_iter().filter(is_used).map(place).collect()
}

/// The crates for which the profile of a release names another optimisation than the highest.
fn less_optimised(manifest: &str) -> Vec<String> {
    let Ok(manifest) = manifest.parse::<Table>() else { return Vec::new() };
    let step = |value: Option<Value>, key: &str| value.and_then(|value| value.get(key).cloned());
    let packages = ["release", "package"].into_iter().fold(manifest.get("profile").cloned(), step);
    let level = |own: &Value| own.get("opt-level").cloned();
    let is_less = |own: &Value| level(own).is_some_and(|level| level.as_integer() != Some(3));
    let packages = packages.as_ref().and_then(Value::as_table).into_iter().flatten();
    packages.filter(|(_, own)| is_less(own)).map(|(name, _)| name.clone()).collect()
}

/// All crates that the techniques are built from. Of the project's own crates the lock file also lists what only their tests use.
fn used(tree: &Tree, lock: &str) -> BTreeSet<String> {
    let locked = locked(lock);
    let (mut used, mut open) = (BTreeSet::new(), vec![TECHNIQUES.to_owned()]);
    while let Some(name) = open.pop() {
        let manifest = tree.file(&format!("crates/{name}/{MANIFEST}"));
        let own = manifest.and_then(|manifest| manifest.text.parse::<Table>().ok());
        let further = match &own {
            Some(own) => dependencies(own, |table| table == "dependencies"),
            None => locked.get(&name).cloned().unwrap_or_default(),
        };
        open.extend(further.into_iter().filter(|name| used.insert(name.clone())));
    }
    used
}

/// What each crate depends on; crates of several versions together.
fn locked(lock: &str) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let lock: Table = lock.parse().unwrap_or_default();
    for package in lock.get("package").and_then(Value::as_array).into_iter().flatten() {
        let Some(name) = package.get("name").and_then(Value::as_str) else { continue };
        let listed = package.get("dependencies").and_then(Value::as_array).into_iter().flatten();
        // `name` or `name version`.
        let names = listed.filter_map(|one| Some(one.as_str()?.split(' ').next()?.to_owned()));
        all.entry(name.to_owned()).or_default().extend(names);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::{RULE, Tree};

    const FAMILIES: &str =
        "[dependencies]\nmodel.workspace = true\n[dev-dependencies]\ninsta.workspace = true\n";
    const LOCK: &str = r#"
[[package]]
name = "families"
dependencies = ["insta", "model"]

[[package]]
name = "model"
dependencies = ["dates 1.0.0"]

[[package]]
name = "dates"
version = "1.0.0"
"#;

    fn lines(profile: &str) -> Vec<usize> {
        let files = [("Cargo.toml", profile), ("Cargo.lock", LOCK), ("crates/families/Cargo.toml", FAMILIES)];
        (RULE.check)(&Tree::of(&files)).into_iter().map(|place| place.line).collect()
    }

    #[test]
    fn what_the_techniques_use_through_others_too_is_optimised_as_they_are() {
        assert_eq!(
            lines("[profile.release.package]\njudge = { opt-level = 1 }\ndates = { opt-level = 1 }\n"),
            [3]
        );
        assert_eq!(lines("\n[profile.release.package.model]\nopt-level = 0\n"), [2]);
    }

    #[test]
    fn what_only_tests_or_others_use_and_other_profiles_are_free() {
        let others = "[profile.release.package]\ninsta = { opt-level = 0 }\nmodel = { opt-level = 3 }\n";
        assert!(lines(others).is_empty());
        assert!(lines("[profile.dev.package]\ndates = { opt-level = 0 }\n").is_empty());
    }
}
