//! The published schema, made from the types that are written.

use judge::Document;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::Value;

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

/// Returns a comment as a description: what is `None` in memory is absent in JSON, and a link to an item is its name.
fn told(comment: &str) -> String {
    let words: Vec<&str> = comment.split_whitespace().collect();
    let line = words.join(" ").replace("[`", "`").replace("`]", "`");
    line.replace(". `None`", ". Absent").replace("`None`", "absent")
}

/// Returns the same schema in which a key that it does not name is a fault: what is written must be documented.
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
