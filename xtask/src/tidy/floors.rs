//! Crates stand on floors: each may lean only on those below it.

use toml::Table;

use super::{Place, Rule, Tree};

/// Each crate with the crates of the workspace that it may depend on. The command line may depend on all of them.
const FLOORS: &[(&str, &[&str])] = &[
    ("model", &[]),
    ("stats", &[]),
    ("needs", &[]),
    ("testkit", &["stats", "model"]),
    ("sys", &["needs", "model"]),
    ("queue", &[]),
    ("families", &["queue", "sys", "needs", "model"]),
    ("judge", &["testkit", "stats", "model"]),
    ("findings", &["testkit", "judge", "stats", "model"]),
    ("measure", &["families", "stats", "sys", "model"]),
    ("store", &["model"]),
    ("profile", &["sys"]),
    ("report", &["testkit", "findings", "judge", "model"]),
    (
        "cli",
        &[
            "model", "stats", "needs", "testkit", "sys", "queue", "families", "judge", "findings", "measure",
            "store", "profile", "report",
        ],
    ),
];

pub(super) const RULE: Rule = Rule {
    name: "floors",
    remedy: "A crate depends only on those on the floors below it; move the code to where it is needed.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let manifests = tree.iter().filter_map(|(path, text)| {
        let name = path.strip_prefix("crates/")?.strip_suffix("/Cargo.toml")?;
        Some(check_manifest(path, name, text))
    });
    manifests.flatten().collect()
}

fn check_manifest(path: &str, name: &str, text: &str) -> Vec<Place> {
    let Some((_, allowed)) = FLOORS.iter().find(|(floor, _)| *floor == name) else {
        return vec![Place::new(path, 1, format!("crate {name} stands on no floor"))];
    };
    // What is not TOML is refused by cargo.
    let manifest = text.parse().unwrap_or_default();
    let is_ours = |name: &String| FLOORS.iter().any(|(floor, _)| floor == name);
    // Those for building and for tests too.
    let forbidden = dependencies(&manifest, |table| table.ends_with("dependencies"))
        .into_iter()
        .filter(|dependency| is_ours(dependency) && !allowed.contains(&dependency.as_str()));
    let place = |dependency: String| {
        let line = text.lines().position(|line| line.trim_start().starts_with(&dependency));
        Place::new(path, line.map_or(1, |line| line + 1), format!("{name} depends on {dependency}"))
    };
    forbidden.map(place).collect()
}

/// The dependencies in the tables that are wanted, also those for one system only.
pub(super) fn dependencies(table: &Table, is_wanted: fn(&str) -> bool) -> Vec<String> {
    let mut names = Vec::new();
    for (key, value) in table {
        let Some(inner) = value.as_table() else { continue };
        if is_wanted(key) {
            names.extend(inner.keys().cloned());
        } else if key == "target" {
            let of_systems = inner.values().filter_map(|value| value.as_table());
            names.extend(of_systems.flat_map(|system| dependencies(system, is_wanted)));
        }
    }
    names
}

#[test]
fn a_crate_may_look_down_and_not_up_and_needs_a_floor() {
    let lines = |path, text| super::lines(&RULE, &[(path, text)]);
    let upwards = "[dependencies]\nmodel.workspace = true\njudge.workspace = true\n";
    assert_eq!(lines("crates/store/Cargo.toml", upwards), [3]);
    assert_eq!(lines("crates/store/Cargo.toml", "[dev-dependencies]\ncli.workspace = true\n"), [2]);
    let on_one_system = "[target.'cfg(windows)'.dependencies]\nmeasure.workspace = true\n";
    assert_eq!(lines("crates/sys/Cargo.toml", on_one_system), [2]);
    assert_eq!(lines("crates/attic/Cargo.toml", "[dependencies]\n"), [1]);
    let downwards = "[dependencies]\nmodel.workspace = true\nserde.workspace = true\n";
    assert!(lines("crates/store/Cargo.toml", downwards).is_empty());
}
