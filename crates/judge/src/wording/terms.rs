//! The words for what is compared.

use model::{Better, Metric, Source};

/// Names what is compared: `time`, `user time`, `units per second`.
pub(crate) fn what(metric: &Metric) -> String {
    match (metric.source, &*metric.key) {
        (Source::Work | Source::Process, _) => "time".to_owned(),
        (Source::Value, _) => metric.what.to_string(),
        (_, "cpu_ns") => "processor time".to_owned(),
        (_, "user_ns") => "user time".to_owned(),
        (_, "system_ns") => "system time".to_owned(),
        (_, "peak_memory_bytes") => "memory".to_owned(),
        (_, "faults") => "page faults".to_owned(),
        (_, "switches") => "context switches".to_owned(),
        _ => metric.what.to_string(),
    }
}

/// Whether times are compared.
pub(crate) fn is_time(metric: &Metric) -> bool {
    matches!(metric.source, Source::Work | Source::Process)
}

/// ` by units per second`; nothing where times are compared.
pub(crate) fn by(metric: &Metric) -> String {
    if is_time(metric) { String::new() } else { format!(" by {}", what(metric)) }
}

/// `slower`, or `worse` where something else than time is compared.
pub(crate) fn worse(metric: &Metric) -> &'static str {
    if is_time(metric) { "slower" } else { "worse" }
}

/// `faster` or `better`.
pub(crate) fn better(metric: &Metric) -> &'static str {
    if is_time(metric) { "faster" } else { "better" }
}

/// `the fastest` or `the best`.
pub(crate) fn best(metric: &Metric) -> &'static str {
    if is_time(metric) { "the fastest" } else { "the best" }
}

/// What is said of an entry whose value changed against that of another one: that it became worse, and that it became better.
pub(crate) fn changed(metric: &Metric) -> [&'static str; 2] {
    match (is_time(metric), metric.better) {
        (true, _) => ["slowed down", "sped up"],
        (false, Better::Less) => ["rose", "fell"],
        (false, Better::More) => ["fell", "rose"],
    }
}
