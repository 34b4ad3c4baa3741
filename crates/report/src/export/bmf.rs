//! A run in Bencher Metric Format, which `bencher run --adapter json` takes.
//!
//! Shape: a JSON object of `{ "value", "lower_value", "upper_value" }` by the name of a measure, by the name of an entry. Bencher's
//! own measures are `latency`, in nanoseconds, and `throughput`, in operations per second; any other is called after its metric,
//! the unit last. The value is the median of the counted samples, and the limits are their quartiles.

use judge::Decided;
use model::{Metric, Record, Source, Unit};
use serde_json::{Map, Value, json};

use crate::export::{Export, Exported, exported, median};

const LONGEST_NAME: usize = 1024;
const LONGEST_MEASURE: usize = 64;
/// Bencher takes this away from the end of a name, and raises no alert for it.
const IGNORED: &str = "-bencher-ignore";

/// The entries of a run with their medians.
pub fn export(record: &Record, decided: &Decided) -> Export {
    let (entries, skipped) = exported(record, decided, why_not);
    let named = entries.iter().map(|one| (one.name.clone(), json!({ (measure(one)): metric(one) })));
    let named: Map<String, Value> = named.collect();
    let text = (!named.is_empty()).then(|| format!("{:#}", Value::Object(named)));
    Export { text, skipped }
}

fn why_not(entry: &Exported<'_>) -> Option<String> {
    let name = &entry.name;
    let reason = if name.chars().count() > LONGEST_NAME {
        "Bencher takes names of 1024 characters at most"
    } else if measure(entry).len() > LONGEST_MEASURE {
        "Bencher takes measures of 64 characters at most"
    } else if name.ends_with(IGNORED) {
        "Bencher gives the end of this name a meaning of its own"
    } else {
        return None;
    };
    let shown: String = name.chars().take(60).collect();
    Some(format!("{shown} is skipped: {reason}"))
}

fn measure(entry: &Exported<'_>) -> String {
    let metric: &Metric = entry.metric();
    match (metric.source, metric.unit()) {
        (Source::Work | Source::Process, _) => "latency".to_owned(),
        (_, Unit::PerSecond) => "throughput".to_owned(),
        _ => metric.key.replace('_', "-"),
    }
}

fn metric(entry: &Exported<'_>) -> Value {
    let mut sorted: Vec<f64> = entry.values().collect();
    sorted.sort_by(f64::total_cmp);
    let mut metric = json!({ "value": median(&sorted) });
    // The middle one of an odd number belongs to neither half.
    let half = sorted.len() / 2;
    if let (Some(lower), Some(upper)) = (median(&sorted[..half]), median(&sorted[sorted.len() - half..])) {
        metric["lower_value"] = json!(lower);
        metric["upper_value"] = json!(upper);
    }
    metric
}

#[cfg(test)]
mod tests;
