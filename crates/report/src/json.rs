//! The JSON of a run, schema 2, and the way back. `docs/schema-run-2.md` explains every key.
//!
//! The shape is written down here and not taken over from the model: the model may be rebuilt, a schema may not.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use judge::{Curve, Decided, Ranking};
use model::{
    Along, Design, Fact, Host, Note, Place, Preset, Quantity, Record, RunId, Setting, Tool, TrialRecord,
    Unit, Volume, is_key,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use thiserror::Error;

use crate::advice;
use crate::pages::{Listing, NoisePage, TimePage};

/// The version of the shape that is written and read here.
pub const SCHEMA: u64 = 2;

/// Why an export was not read.
#[derive(Debug, Error)]
pub enum ParseError {
    /// The text is no JSON, or ends too early.
    #[error("this is not JSON: {0}")]
    NotJson(serde_json::Error),
    /// There is no version.
    #[error(
        "this JSON has no number 'schema': it is no run that bakeoff exported (bakeoff export RUN --format json)"
    )]
    NoSchema,
    /// The version is another one.
    #[error(
        "this is a run of schema {found}, and this bakeoff reads schema {SCHEMA}; read it with the bakeoff that wrote it"
    )]
    OtherSchema {
        /// The version found.
        found: u64,
    },
    /// Something is missing or of the wrong kind.
    #[error("this run of schema {SCHEMA} is not whole: {0}")]
    NotWhole(serde_json::Error),
    /// A value is of the right kind and cannot be right.
    #[error("this run of schema {SCHEMA} cannot be read: {0}")]
    Wrong(String),
}

#[derive(Serialize, Deserialize)]
struct Document {
    schema: u64,
    tool: Tool,
    run: Head,
    host: Host,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    volumes: Vec<Volume>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    facts: Vec<Fact>,
    trials: Vec<TrialRecord>,
}

#[derive(Serialize, Deserialize)]
struct Head {
    id: RunId,
    started: String,
    seed: u64,
    preset: Preset,
    complete: bool,
    command: Vec<String>,
    design: Plan,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    canaries: Vec<Canary>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<Note>,
}

#[derive(Serialize, Deserialize)]
struct Plan {
    quantity: Quantity,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    quantities: BTreeMap<String, Vec<Quantity>>,
    alpha: f64,
    shared_by: u32,
    delta: f64,
    looks: Vec<u32>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    references: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    curves: BTreeMap<String, Along>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    questions: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize)]
struct Canary {
    round: u32,
    processor_ns: u64,
    memory_ns: u64,
}

/// A run with its contests. Keys whose value is not known are absent. A directory's name that is not valid UTF-8 has
/// replacement characters, since JSON has no other form for it.
pub fn run(record: &Record, decided: &Decided) -> Value {
    let Record {
        tool,
        id,
        started,
        seed,
        preset,
        complete,
        command,
        design,
        host,
        volumes,
        facts,
        trials,
        canaries,
        notes,
    } = record.clone();
    let Design { quantity, quantities, alpha, shared_by, delta, looks, references, curves, questions } =
        design;
    let design = Plan { quantity, quantities, alpha, shared_by, delta, looks, references, curves, questions };
    let canaries = canaries
        .into_iter()
        .map(|(round, processor_ns, memory_ns)| Canary { round, processor_ns, memory_ns })
        .collect();
    let volumes: Vec<Volume> = volumes.into_iter().map(readable_volume).collect();
    let trials: Vec<TrialRecord> =
        trials.into_iter().map(|trial| TrialRecord { setting: readable(&trial.setting), ..trial }).collect();
    let run = Head { id, started, seed, preset, complete, command, design, canaries, notes };
    let mut document = value_of(&Document { schema: SCHEMA, tool, run, host, volumes, facts, trials });
    document["contests"] = decided.rankings.iter().map(ranking).collect();
    if !decided.curves.is_empty() {
        document["curves"] = decided.curves.iter().map(curve).collect();
    }
    without_nulls(&mut document);
    document
}

/// One contest, with the quantity's unit in the key of the medians.
pub fn ranking(ranking: &Ranking) -> Value {
    let mut value = value_of(&Ranking { setting: readable(&ranking.setting), ..ranking.clone() });
    name_the_unit(&mut value, "entries", &ranking.quantity);
    without_nulls(&mut value);
    value
}

/// What holds over the levels of an axis, with the quantity's unit in the key of the medians.
pub fn curve(curve: &Curve) -> Value {
    let mut value = value_of(&Curve { setting: readable(&curve.setting), ..curve.clone() });
    for technique in value["techniques"].as_array_mut().into_iter().flatten() {
        name_the_unit(technique, "points", &curve.quantity);
    }
    without_nulls(&mut value);
    value
}

/// Puts the unit of a quantity into the key of the medians in a list.
fn name_the_unit(value: &mut Value, list: &str, quantity: &Quantity) {
    let median = match quantity.unit() {
        Unit::Nanoseconds => "median_ns",
        Unit::Bytes => "median_bytes",
        Unit::BytesPerSecond => "median_bytes_per_second",
        Unit::PerSecond => "median_per_second",
        Unit::Count => "median",
    };
    for entry in value[list].as_array_mut().into_iter().flatten() {
        if let Some(known) = entry.as_object_mut().and_then(|entry| entry.remove("median")) {
            entry[median] = known;
        }
    }
}

/// Strings, numbers and lists always have a form in JSON; paths are made readable before.
fn value_of<T: Serialize>(value: &T) -> Value {
    serde_json::to_value(value).expect("no path and no key that is not text")
}

fn readable(setting: &Setting) -> Setting {
    Setting { place: Place { directory: setting.directory().map(lossy) }, ..setting.clone() }
}

fn readable_volume(volume: Volume) -> Volume {
    let mount_point = volume.mount_point.as_deref().map(lossy);
    Volume { directory: lossy(&volume.directory), mount_point, ..volume }
}

fn lossy(path: &Path) -> PathBuf {
    PathBuf::from(path.to_string_lossy().into_owned())
}

/// JSON has no infinity and no "not a number": what is none of its numbers is not known, and so absent.
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

/// Reads the export of a run back. The contests are left aside: they follow from the samples.
///
/// # Errors
/// The text is no JSON, has another schema, or is not whole; the sentence says which.
pub fn parse(text: &str) -> Result<Record, ParseError> {
    // Some editors put a byte order mark in front.
    let text = text.trim_start_matches('\u{feff}');
    let version: Map<String, Value> = match serde_json::from_str(text).map_err(ParseError::NotJson)? {
        Value::Object(map) => map,
        _ => return Err(ParseError::NoSchema),
    };
    match version.get("schema").and_then(Value::as_u64) {
        None => return Err(ParseError::NoSchema),
        Some(SCHEMA) => {}
        Some(found) => return Err(ParseError::OtherSchema { found }),
    }
    let Document { schema: _, tool, run, host, volumes, facts, trials } =
        serde_json::from_str(text).map_err(ParseError::NotWhole)?;
    let Head { id, started, seed, preset, complete, command, design, canaries, notes } = run;
    let Plan { quantity, quantities, alpha, shared_by, delta, looks, references, curves, questions } = design;
    refuse_strange_keys(std::iter::once(&quantity).chain(quantities.values().flatten()))?;
    if id.0.is_empty() || !id.0.chars().all(|c| c.is_ascii_graphic() && !matches!(c, '/' | '\\')) {
        return Err(ParseError::Wrong(format!("'{}' is no identity of a run", id.0.escape_default())));
    }
    let canaries = canaries.into_iter().map(|one| (one.round, one.processor_ns, one.memory_ns)).collect();
    let design =
        Design { quantity, quantities, alpha, shared_by, delta, looks, references, curves, questions };
    Ok(Record {
        tool,
        id,
        started,
        seed,
        preset,
        complete,
        command,
        design,
        host,
        volumes,
        facts,
        trials,
        canaries,
        notes,
    })
}

/// What is compared has a name that fits into every file.
fn refuse_strange_keys<'a>(mut quantities: impl Iterator<Item = &'a Quantity>) -> Result<(), ParseError> {
    match quantities.find(|quantity| !is_key(&quantity.key)) {
        None => Ok(()),
        Some(strange) => {
            let key = strange.key.escape_default();
            Err(ParseError::Wrong(format!("'{key}' is no name of a quantity, like work_ns")))
        }
    }
}

/// A machine with its volumes, and what it will do to the numbers.
pub fn host(host: &Host, volumes: &[Volume]) -> Value {
    let readable: Vec<Volume> = volumes.iter().cloned().map(readable_volume).collect();
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
    without_nulls(&mut value);
    value
}

/// What a host lets one tell apart. What is not known is absent.
pub fn noise(page: &NoisePage) -> Value {
    let mut value = value_of(page);
    value["schema"] = json!(SCHEMA);
    without_nulls(&mut value);
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
mod schema_check;
#[cfg(test)]
mod tests;
