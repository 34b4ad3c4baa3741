//! The words for what is compared.

use model::{Better, Quantity, Source};

/// Names what is compared: `time`, `user time`, `units per second`.
pub(crate) fn what(quantity: &Quantity) -> String {
    match (quantity.source, &*quantity.key) {
        (Source::Work | Source::Process, _) => "time".to_owned(),
        (Source::Value, _) => quantity.what.to_string(),
        (_, "cpu_ns") => "processor time".to_owned(),
        (_, "user_ns") => "user time".to_owned(),
        (_, "system_ns") => "system time".to_owned(),
        (_, "peak_memory_bytes") => "memory".to_owned(),
        (_, "faults") => "page faults".to_owned(),
        (_, "switches") => "context switches".to_owned(),
        _ => quantity.what.to_string(),
    }
}

/// Whether times are compared.
pub(crate) fn is_time(quantity: &Quantity) -> bool {
    matches!(quantity.source, Source::Work | Source::Process)
}

/// ` by units per second`; nothing where times are compared.
pub(crate) fn by(quantity: &Quantity) -> String {
    if is_time(quantity) { String::new() } else { format!(" by {}", what(quantity)) }
}

/// `slower`, or `worse` where something else than time is compared.
pub(crate) fn worse(quantity: &Quantity) -> &'static str {
    if is_time(quantity) { "slower" } else { "worse" }
}

/// `faster` or `better`.
pub(crate) fn better(quantity: &Quantity) -> &'static str {
    if is_time(quantity) { "faster" } else { "better" }
}

/// `the fastest` or `the best`.
pub(crate) fn best(quantity: &Quantity) -> &'static str {
    if is_time(quantity) { "the fastest" } else { "the best" }
}

/// What is said of an entry whose value changed against that of another one: that it became worse, and that it became better.
pub(crate) fn changed(quantity: &Quantity) -> [&'static str; 2] {
    match (is_time(quantity), quantity.better) {
        (true, _) => ["slowed down", "sped up"],
        (false, Better::Less) => ["rose", "fell"],
        (false, Better::More) => ["fell", "rose"],
    }
}
