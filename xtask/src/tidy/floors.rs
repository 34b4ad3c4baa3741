//! Crates stand on floors: each may lean only on those below it.

use toml::Table;

use super::{Place, Rule, Tree};

/// Each crate but the topmost, with the crates of the workspace that it may depend on.
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
    ("profile", &["sys", "model"]),
    ("report", &["testkit", "findings", "judge", "model"]),
];

/// The crate that may depend on all others.
const TOP: &str = "cli";

pub(super) const RULE: Rule = Rule {
    name: "floors",
    remedy: "A crate depends only on those on the floors below it; move the code to where it is needed.",
    check,
};

fn check(tree: &Tree) -> Vec<Place> {
    let mut places = Vec::new();
    for (path, text) in tree {
        let name = path.strip_prefix("crates/").and_then(|path| path.strip_suffix("/Cargo.toml"));
        let Some(name) = name.filter(|name| *name != TOP) else { continue };
        let Some((_, allowed)) = FLOORS.iter().find(|(floor, _)| *floor == name) else {
            places.push(Place::new(path, 1, format!("crate {name} stands on no floor")));
            continue;
        };
        // What is not TOML is refused by cargo. Also those for building and for tests.
        let own = dependencies(&text.parse().unwrap_or_default(), |table| table.ends_with("dependencies"));
        for needed in own.iter().filter(|needed| !allowed.contains(&needed.as_str())) {
            if needed == TOP || FLOORS.iter().any(|(floor, _)| floor == needed) {
                let line = text.lines().position(|line| line.trim_start().starts_with(needed));
                let line = line.map_or(1, |line| line + 1);
                places.push(Place::new(path, line, format!("{name} depends on {needed}")));
            }
        }
    }
    places
}

/// Returns the dependencies in the tables that are wanted, also those for one system only.
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
    for (name, text, lines) in [
        ("store", "[dependencies]\nmodel.workspace = true\njudge.workspace = true\n", &[3][..]),
        ("store", "[dev-dependencies]\ncli.workspace = true\n", &[2]),
        ("sys", "[target.'cfg(windows)'.dependencies]\nmeasure.workspace = true\n", &[2]),
        ("attic", "[dependencies]\n", &[1]),
        ("store", "[dependencies]\nmodel.workspace = true\nserde.workspace = true\n", &[]),
        ("cli", "[dependencies]\nmeasure.workspace = true\n", &[]),
    ] {
        let path = format!("crates/{name}/Cargo.toml");
        assert_eq!(super::lines(&RULE, &[(&path, text)]), lines, "{path}: {text}");
    }
}
