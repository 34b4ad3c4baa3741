//! Checks a value against `docs/schema-run-2.json`, as far as that file uses JSON Schema. A key that the schema does not
//! name is a fault here, although readers skip it: what is written must be documented.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

/// What was found.
#[derive(Default)]
pub(super) struct Findings {
    /// What does not fit, with its path.
    pub(super) faults: Vec<String>,
    /// Every documented key that occurred, as `definition.key`.
    pub(super) seen: BTreeSet<String>,
}

/// Checks `value` against the root of `schema`.
pub(super) fn check(schema: &Value, value: &Value) -> Findings {
    let mut findings = Findings::default();
    walk(schema, schema, "file", value, "$", &mut findings);
    findings
}

/// Every key that the schema documents, as `definition.key`.
pub(super) fn documented(schema: &Value) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    collect(schema, "file", &mut keys);
    for (name, definition) in schema["$defs"].as_object().into_iter().flatten() {
        collect(definition, name, &mut keys);
    }
    keys
}

fn collect(node: &Value, name: &str, keys: &mut BTreeSet<String>) {
    for (key, property) in node["properties"].as_object().into_iter().flatten() {
        keys.insert(format!("{name}.{key}"));
        if property.get("properties").is_some() {
            collect(property, &format!("{name}.{key}"), keys);
        }
    }
}

fn walk(root: &Value, node: &Value, name: &str, value: &Value, path: &str, findings: &mut Findings) {
    if let Some(target) = node["$ref"].as_str() {
        let name = target.trim_start_matches("#/$defs/");
        let Some(definition) = root["$defs"].get(name) else {
            findings.faults.push(format!("{path}: the schema refers to {target}, which is not there"));
            return;
        };
        return walk(root, definition, name, value, path, findings);
    }
    if let Some(nodes) = node["anyOf"].as_array() {
        let fits = |node: &&Value| {
            let mut own = Findings::default();
            walk(root, node, name, value, path, &mut own);
            own.faults.is_empty()
        };
        if !nodes.iter().any(|node| fits(&node)) {
            findings.faults.push(format!("{path}: {value} is none of {nodes:?}"));
        }
        return;
    }
    if let Some(expected) = node.get("const").filter(|expected| *expected != value) {
        findings.faults.push(format!("{path}: {value} is not {expected}"));
    }
    if node["enum"].as_array().is_some_and(|words| !words.contains(value)) {
        findings.faults.push(format!("{path}: {value} is none of the words"));
    }
    let fits = match node["type"].as_str() {
        None => node.get("const").is_some(),
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64(),
        Some(_) => false,
    };
    if !fits {
        findings.faults.push(format!("{path}: {value} is no {}", node["type"]));
    }
    for (place, item) in value.as_array().into_iter().flatten().enumerate() {
        walk(root, &node["items"], name, item, &format!("{path}[{place}]"), findings);
    }
    if let Some(object) = value.as_object() {
        members(root, node, name, object, path, findings);
    }
}

fn members(
    root: &Value,
    node: &Value,
    name: &str,
    object: &Map<String, Value>,
    path: &str,
    findings: &mut Findings,
) {
    for key in node["required"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        if !object.contains_key(key) {
            findings.faults.push(format!("{path}: '{key}' is missing"));
        }
    }
    for (key, member) in object {
        let path = format!("{path}.{key}");
        match (node["properties"].get(key), node.get("additionalProperties")) {
            (Some(property), _) => {
                findings.seen.insert(format!("{name}.{key}"));
                walk(root, property, &format!("{name}.{key}"), member, &path, findings);
            }
            (None, Some(any)) => walk(root, any, name, member, &path, findings),
            (None, None) => findings.faults.push(format!("{path}: the schema does not name this key")),
        }
    }
}
