//! Pages and runs as JSON. The shape of a run is [`judge::Document`], and `docs/schema-run-3.md` explains every key.

use judge::{ComparedRuns, Decided, Document, History, SCHEMA, Verdict, readable_volume};
use model::{Host, Record, Volume};
use serde::Serialize;
use serde_json::{Value, json};

use crate::pages::{
    AdvicePage, ExplainPage, Listing, ListingAxis, NoisePage, ShowPage, StoodInJson, TimePage,
};
use crate::words::advice;

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

/// The smallest differences a host can resolve. What is not known is absent.
pub fn noise(page: &NoisePage) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    value
}

/// What techniques did, untimed. What is not known is absent.
pub fn explain(pages: &[ExplainPage]) -> Value {
    json!({ "schema": SCHEMA, "families": value_of(&pages) })
}

/// One technique. What is not known is absent.
pub fn show(page: &ShowPage) -> Value {
    let contests: Vec<StoodInJson<'_>> = page.contests.iter().map(StoodInJson::new).collect();
    let mut value = json!({
        "schema": SCHEMA, "family": page.family, "question": page.question, "technique": page.technique,
        "aliases": page.aliases, "idea": page.idea, "source": page.source, "variant_of": page.variant_of,
        "only_for": page.only_for, "parameters": page.parameters, "entries": page.entries, "is_reference": page.is_reference,
        "is_limit": page.is_limit, "available": page.missing.is_none(), "reason": page.missing,
        "expected": page.expected, "explained": page.explained, "not_explained": page.not_explained,
        "contests": contests, "further_contests": page.further_contests, "needs": page.needs, "file": page.file, "code": page.code,
        "further_code": page.further,
    });
    without_nulls(&mut value);
    value
}

/// One host over time.
pub fn history(history: &History) -> Value {
    let mut value = value_of(history);
    value["schema"] = json!(SCHEMA);
    value
}

/// What to use for a task. What is not known is absent.
pub fn advise(page: &AdvicePage) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    value
}

/// Several runs side by side.
pub fn compare(compared: &ComparedRuns) -> Value {
    let mut value = value_of(compared);
    value["schema"] = json!(SCHEMA);
    value
}

/// Published claims, and whether they are true here, with the answer in words.
pub fn findings(judged: &[::findings::Judged]) -> Value {
    json!({ "schema": SCHEMA, "answer": ::findings::answer(judged), "findings": value_of(&judged) })
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
            let axis = |axis: &ListingAxis| {
                let mut one = json!({ "name": axis.name, "meaning": axis.meaning, "example": axis.example });
                if let Some(default) = &axis.default {
                    one["default"] = json!(default);
                }
                if let Some((least, most)) = &axis.range {
                    (one["least"], one["most"]) = (json!(least), json!(most));
                }
                one
            };
            let axes: Vec<Value> = listing.axes.iter().map(axis).collect();
            let quantity = |(key, what): &(String, String)| json!({ "key": key, "what": what });
            let quantities: Vec<Value> = listing.quantities.iter().map(quantity).collect();
            let mut one = json!({
                "family": listing.family, "question": listing.question, "techniques": techniques, "axes": axes,
                "quantities": quantities,
            });
            if let Some(size) = &listing.size {
                one["size"] = json!(size);
            }
            one
        })
        .collect();
    json!({ "schema": SCHEMA, "families": families })
}

#[cfg(test)]
mod schema;
#[cfg(test)]
mod tests;
