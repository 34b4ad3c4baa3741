//! Pages and runs as JSON. The shape of a run is [`judge::Document`], and `docs/schema-run-3.json` explains every key.

use judge::{SCHEMA, readable_volume};
use model::{Host, Volume};
use serde::Serialize;
use serde_json::{Value, json};

use crate::pages::{Listing, ShowPage, Stood};
use crate::words::advice;

/// Returns a page that is a document as it is, with the number of its schema.
pub(crate) fn document<T: Serialize>(page: &T) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    value
}

/// Returns a value as JSON. Strings, numbers and lists always have a form; paths were made readable before. JSON has no infinity and no
/// "not a number": what is none of its numbers is not known, and so absent.
pub(crate) fn value_of<T: Serialize>(value: &T) -> Value {
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

pub(crate) fn host(host: &Host, volumes: &[Volume]) -> Value {
    let readable: Vec<Volume> = volumes.iter().map(readable_volume).collect();
    json!({
        "schema": SCHEMA,
        "host": value_of(host),
        "volumes": value_of(&readable),
        "advice": value_of(&advice::of(host, volumes)),
    })
}

pub(crate) fn show(page: &ShowPage) -> Value {
    let contests = page.contests.iter().map(|Stood { run, started, ranking, entry }| {
        let found = ranking.entry(entry);
        json!({
            "run": run, "started": started, "workload": ranking.workload, "setting": ranking.setting, "entry": entry,
            "standing": found.map(|found| found.standing), "factor_low": found.and_then(|found| found.factor_low),
            "factor_high": found.and_then(|found| found.factor_high), "leader": ranking.leader,
        })
    });
    let mut value = document(page);
    value["contests"] = value_of(&contests.collect::<Vec<Value>>());
    value["available"] = json!(page.missing.is_none());
    value
}

pub(crate) fn list(listings: &[Listing]) -> Value {
    let families = listings.iter().map(|listing| {
        let techniques = listing.rows.iter().map(|row| {
            json!({
                "name": row.name, "aliases": row.aliases, "idea": row.idea, "source": row.source,
                "available": row.available.is_ok(), "reason": row.available.as_ref().err(), "variant_of": row.variant_of,
            })
        });
        let axes = listing.axes.iter().map(|axis| {
            let (least, most) = axis.range.as_ref().map(|(least, most)| (least, most)).unzip();
            json!({
                "name": axis.name, "meaning": axis.meaning, "example": axis.example, "default": axis.default,
                "least": least, "most": most,
            })
        });
        let metrics = listing.metrics.iter().map(|(key, what)| json!({ "key": key, "what": what }));
        json!({
            "family": listing.family, "question": listing.question, "size": listing.size,
            "techniques": techniques.collect::<Vec<_>>(), "metrics": metrics.collect::<Vec<_>>(),
            "axes": axes.collect::<Vec<_>>(),
        })
    });
    value_of(&json!({ "schema": SCHEMA, "families": families.collect::<Vec<_>>() }))
}

#[cfg(test)]
mod schema;
#[cfg(test)]
mod tests;
