//! Pages and runs as JSON. The shape of a run is [`judge::Document`], and `docs/schema-run-2.md` explains every key.

use judge::{Decided, Document, SCHEMA, Verdict, readable_volume};
use model::{Host, Record, Volume};
use serde::Serialize;
use serde_json::{Value, json};

use crate::advice;
use crate::pages::{Listing, NoisePage, TimePage};

/// A run with its contests. Keys whose value is not known are absent.
pub fn run(record: &Record, decided: &Decided) -> Value {
    value_of(&Document::new(record, decided))
}

/// What may be said of samples that no run took.
pub fn judged(decided: &Decided) -> Value {
    value_of(&Verdict::new(decided))
}

/// Strings, numbers and lists always have a form in JSON; paths were made readable before. JSON has no infinity and no
/// "not a number": what is none of its numbers is not known, and so absent.
fn value_of<T: Serialize>(value: &T) -> Value {
    let mut value = serde_json::to_value(value).expect("no path and no key that is not text");
    without_nulls(&mut value);
    value
}

fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(map) => {
            map.retain(|_, value| !value.is_null());
            map.values_mut().for_each(without_nulls);
        }
        Value::Array(list) => list.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

/// A machine with its volumes, and what it will do to the numbers.
pub fn host(host: &Host, volumes: &[Volume]) -> Value {
    let readable: Vec<Volume> = volumes.iter().map(readable_volume).collect();
    json!({
        "schema": SCHEMA,
        "host": value_of(host),
        "volumes": value_of(&readable),
        "advice": value_of(&advice::of(host, volumes)),
    })
}

/// The times of a command. What is not known is absent.
pub fn time(page: &TimePage) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    value
}

/// What a host lets one tell apart. What is not known is absent.
pub fn noise(page: &NoisePage) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    value
}

/// The techniques of each family.
pub fn list(listings: &[Listing]) -> Value {
    let families: Vec<Value> = listings
        .iter()
        .map(|listing| {
            let techniques: Vec<Value> = listing
                .rows
                .iter()
                .map(|row| {
                    let mut one = json!({
                        "name": row.name, "aliases": row.aliases, "idea": row.idea, "source": row.source,
                        "available": row.available.is_ok(),
                    });
                    if let Some(base) = &row.variant_of {
                        one["variant_of"] = Value::String(base.clone());
                    }
                    if let Err(reason) = &row.available {
                        one["reason"] = Value::String(reason.clone());
                    }
                    one
                })
                .collect();
            let axis = |(name, meaning, example): &(String, String, String)| {
                json!({ "name": name, "meaning": meaning, "example": example })
            };
            let axes: Vec<Value> = listing.axes.iter().map(axis).collect();
            let quantity = |(key, what): &(String, String)| json!({ "key": key, "what": what });
            let quantities: Vec<Value> = listing.quantities.iter().map(quantity).collect();
            json!({
                "family": listing.family, "question": listing.question, "techniques": techniques, "axes": axes,
                "quantities": quantities,
            })
        })
        .collect();
    json!({ "schema": SCHEMA, "families": families })
}

#[cfg(test)]
mod schema;
#[cfg(test)]
mod tests;
