//! All crates that the techniques use are optimised as they are.

use std::collections::BTreeSet;

use serde::Deserialize;
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
    let (Some(manifest), Some(lock)) = (tree.get(MANIFEST), tree.get("Cargo.lock")) else {
        return Vec::new();
    };
    let used = used(tree, lock);
    let less = less_optimised(manifest).into_iter().filter(|name| used.contains(name));
    let places = less.map(|name| {
        let heading = format!("{HEADING}.{name}]");
        let mut lines = (1..).zip(manifest.lines()).skip_while(|(_, line)| !line.starts_with(HEADING));
        let line = lines.find(|(_, line)| line.starts_with(&name) || line.starts_with(&heading));
        let what = format!("{TECHNIQUES} uses {name}, which is optimised less");
        Place::new(MANIFEST, line.map_or(1, |(nth, _)| nth), what)
    });
    places.collect()
}

/// Returns the crates for which the profile of a release names another optimisation than the highest.
fn less_optimised(manifest: &str) -> Vec<String> {
    let manifest: Table = manifest.parse().unwrap_or_default();
    let release = manifest.get("profile").and_then(|profiles| profiles.get("release"));
    let packages = release.and_then(|release| release.get("package")).and_then(Value::as_table);
    let less = packages
        .into_iter()
        .flatten()
        .filter(|(_, own)| own.get("opt-level").is_some_and(|level| level.as_integer() != Some(3)));
    less.map(|(name, _)| name.clone()).collect()
}

#[derive(Deserialize)]
struct Lock {
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    /// `name` or `name version`.
    #[serde(default)]
    dependencies: Vec<String>,
}

/// Returns all crates that the techniques are built from. The lock file also lists what only the tests of own crates use.
fn used(tree: &Tree, lock: &str) -> BTreeSet<String> {
    let packages = toml::from_str(lock).map_or(Vec::new(), |lock: Lock| lock.package);
    let (mut used, mut open) = (BTreeSet::new(), vec![TECHNIQUES.to_owned()]);
    while let Some(name) = open.pop() {
        let manifest = tree.get(&format!("crates/{name}/{MANIFEST}"));
        let further = match manifest.and_then(|manifest| manifest.parse().ok()) {
            Some(own) => dependencies(&own, |table| table == "dependencies"),
            None => {
                let versions = packages.iter().filter(|package| package.name == name);
                let words = versions.flat_map(|package| &package.dependencies);
                words.filter_map(|words| Some(words.split(' ').next()?.to_owned())).collect()
            }
        };
        open.extend(further.into_iter().filter(|name| used.insert(name.clone())));
    }
    used
}

#[cfg(test)]
mod tests {
    use super::RULE;

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

    #[test]
    fn what_the_techniques_use_is_optimised_as_they_are() {
        for (profile, wanted) in [
            ("[profile.release.package]\njudge = { opt-level = 1 }\ndates = { opt-level = 1 }\n", &[3][..]),
            ("\n[profile.release.package.model]\nopt-level = 0\n", &[2]),
            ("[profile.release.package]\ninsta = { opt-level = 0 }\nmodel = { opt-level = 3 }\n", &[]),
            ("[profile.dev.package]\ndates = { opt-level = 0 }\n", &[]),
        ] {
            let files =
                [("Cargo.toml", profile), ("Cargo.lock", LOCK), ("crates/families/Cargo.toml", FAMILIES)];
            assert_eq!(super::super::lines(&RULE, &files), wanted, "{profile}");
        }
    }
}
