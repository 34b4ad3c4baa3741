//! The published schema and the tables of its page, made from the types that are written.

use judge::Document;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value};

pub(super) fn schema() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize().with_transform(Published);
    settings.into_generator().into_root_schema_for::<Document>().to_value()
}

/// From what is said of Rust's types to what is said of JSON: nothing is ever null, and comments are one line.
#[derive(Debug, Clone)]
struct Published;

impl Transform for Published {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else { return };
        object.remove("format");
        object.remove("default");
        if let Some(Value::Array(types)) = object.get_mut("type") {
            types.retain(|one| one != "null");
            if let [one] = &types[..] {
                let one = one.clone();
                object.insert("type".to_owned(), one);
            }
        }
        if let Some(Value::Array(any)) = object.get_mut("anyOf") {
            any.retain(|one| one["type"] != "null");
            if let [Value::Object(one)] = &any[..] {
                let one = one.clone();
                object.remove("anyOf");
                object.extend(one);
            }
        }
        if let Some(Value::String(text)) = object.get_mut("description") {
            *text = told(text);
        }
    }
}

/// A comment as a description: what is `None` in memory is absent in JSON, and a link to an item is its name.
fn told(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let line = words.join(" ").replace("[`", "`").replace("`]", "`");
    line.replace(". `None`", ". Absent").replace("`None`", "absent")
}

/// The sections of the page, one for each definition: the whole file first.
pub(super) fn sections(schema: &Value) -> String {
    let none = Map::new();
    let definitions = schema["$defs"].as_object().unwrap_or(&none);
    let tables = definitions.iter().filter(|(_, node)| node.get("properties").is_some());
    let root = ("file".to_owned(), schema);
    let all = std::iter::once(root).chain(tables.map(|(name, node)| (name.clone(), node)));
    all.map(|(name, node)| section(&name, node, definitions)).collect::<Vec<_>>().join("\n")
}

fn section(name: &str, node: &Value, definitions: &Map<String, Value>) -> String {
    let mut out = format!("## {name}\n\n");
    if let Some(text) = node["description"].as_str() {
        out.push_str(&format!("{}\n\n", cell(text)));
    }
    if let Some(further) = node.get("additionalProperties") {
        out.push_str(&format!("Every other key is one more: {}.\n\n", kind(further, definitions)));
    }
    out.push_str("| key | value | present | meaning |\n|:--|:--|:--|:--|\n");
    let required = node["required"].as_array();
    for (key, property) in node["properties"].as_object().into_iter().flatten() {
        let is_required = required.is_some_and(|required| required.iter().any(|one| one == key));
        let present = if is_required { "always" } else { "when known" };
        let value = kind(property, definitions);
        out.push_str(&format!("| `{key}` | {value} | {present} | {} |\n", meaning(property, definitions)));
    }
    out
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

/// What is said of a property, and of each word that it can be.
fn meaning(property: &Value, definitions: &Map<String, Value>) -> String {
    let mut told: Vec<String> = property["description"].as_str().map(cell).into_iter().collect();
    for (word, text) in words(resolved(property, definitions)) {
        told.extend(text.map(|text| format!("`{word}`: {}", cell(text))));
    }
    told.join(" ")
}

/// The definition that a node refers to, or the node itself.
fn resolved<'a>(node: &'a Value, definitions: &'a Map<String, Value>) -> &'a Value {
    definition(node).and_then(|name| definitions.get(name)).unwrap_or(node)
}

fn definition(node: &Value) -> Option<&str> {
    node["$ref"].as_str()?.strip_prefix("#/$defs/")
}

fn words(node: &Value) -> Vec<(&str, Option<&str>)> {
    let plain = node["enum"].as_array().into_iter().flatten();
    let plain = plain.filter_map(|word| Some((word.as_str()?, None)));
    let told = node["oneOf"].as_array().into_iter().flatten();
    let told = told.filter_map(|one| Some((one["const"].as_str()?, one["description"].as_str())));
    plain.chain(told).collect()
}

fn kind(node: &Value, definitions: &Map<String, Value>) -> String {
    let whole = resolved(node, definitions);
    let words = words(whole);
    if !words.is_empty() {
        return words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" or ");
    }
    if let (Some(name), true) = (definition(node), whole.get("properties").is_some()) {
        return format!("[{name}](#{})", name.to_lowercase());
    }
    if let Some(any) = whole["anyOf"].as_array() {
        return any.iter().map(|one| kind(one, definitions)).collect::<Vec<_>>().join(" or ");
    }
    if let Some(value) = whole.get("const") {
        return format!("`{value}`");
    }
    match whole["type"].as_str() {
        Some("string") => "text".to_owned(),
        Some("integer") => "whole number".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("array") => {
            let items = whole.get("items").or_else(|| whole["prefixItems"].get(0));
            format!("list of {}", items.map_or("anything".to_owned(), |items| kind(items, definitions)))
        }
        Some("object") => match (whole.get("additionalProperties"), whole["properties"].as_object()) {
            (_, Some(keys)) => {
                let keys: Vec<String> = keys.keys().map(|key| format!("`{key}`")).collect();
                format!("object with {}", keys.join(" and "))
            }
            (Some(further), None) => format!("object of {}", kind(further, definitions)),
            (None, None) => "object".to_owned(),
        },
        Some(other) => other.to_owned(),
        None => "anything".to_owned(),
    }
}

/// The same schema in which a key that it does not name is a fault: what is written must be documented.
pub(super) fn strict(schema: &Value) -> Value {
    let mut strict = schema.clone();
    close(&mut strict);
    strict
}

fn close(node: &mut Value) {
    match node {
        Value::Object(object) => {
            object.values_mut().for_each(close);
            if object.get("properties").is_some_and(Value::is_object) && object.contains_key("type") {
                object.entry("additionalProperties").or_insert(Value::Bool(false));
            }
        }
        Value::Array(list) => list.iter_mut().for_each(close),
        _ => {}
    }
}
