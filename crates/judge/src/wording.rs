//! How numbers and names stand in a sentence, and the words for what is compared.

use model::{Better, Metric, Source, Unit};

/// A slack for rounding errors of exact values.
const EXACT: f64 = 1e-9;
/// No limit is reported smaller: where the code of one binary lies moves times by this much.
const LEAST_LIMIT: f64 = 0.01;
/// Below this a factor has two decimals, from it on two digits.
const TWO_DECIMALS_BELOW: f64 = 1.3;

fn decimals(factor: f64) -> i32 {
    if factor < TWO_DECIMALS_BELOW { 2 } else { 1 - factor.log10().floor() as i32 }
}

fn rounded(factor: f64, round: fn(f64) -> f64, slack: f64) -> String {
    let decimals = decimals(factor);
    let step = 10f64.powi(-decimals);
    let value = round(factor / step + slack) * step;
    format!("{value:.*}", decimals.max(0) as usize)
}

/// Formats an estimate of a factor: `1.18`, `2.5`, `12`.
pub fn times(factor: f64) -> String {
    rounded(factor, f64::round, 0.0)
}

/// Formats the lower end of a factor, never more than it is: `1.18`, `2.5`, `12`. What is more than 1 stays more than 1: `1.003`.
pub fn at_least(factor: f64) -> String {
    let shown = rounded(factor, f64::floor, EXACT);
    let finer = format!("{:.3}", (factor * 1e3 + EXACT).floor() / 1e3);
    if shown == "1.00" && finer != "1.000" { finer } else { shown }
}

/// Formats the upper end of a factor, never less than it is. What is less than 1 stays less than 1: `0.998`.
pub fn at_most(factor: f64) -> String {
    let shown = rounded(factor, f64::ceil, -EXACT);
    let finer = format!("{:.3}", (factor * 1e3 - EXACT).ceil() / 1e3);
    if shown == "1.00" && finer != "1.000" { finer } else { shown }
}

/// Returns a range of factors: `1.4 to 2.0`, or one figure where both ends are reported alike.
pub(crate) fn range(low: f64, high: f64) -> String {
    let (low, high) = (at_least(low), at_most(high));
    if low == high { low } else { format!("{low} to {high}") }
}

/// Formats a cost over the best, as a fraction: `7 %`, at least 1 %. `None` from twice on, reported as a multiple.
pub(crate) fn limit(fraction: f64) -> Option<String> {
    let factor = 1.0 + fraction.max(LEAST_LIMIT);
    let shown: f64 = at_most(factor).parse().unwrap_or(factor);
    (shown < 2.0).then(|| format!("{:.0} %", (shown - 1.0) * 100.0))
}

/// Returns a fraction as a percentage with as many digits as carry something: `4.7 %`, `12 %`, `0.25 %`.
pub fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let text = match value.abs() {
        v if v >= 9.95 => format!("{value:.0}"),
        v if v >= 0.995 => format!("{value:.1}"),
        v if v >= 0.0995 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{short} %")
}

/// Formats how sure something is, never more than it is: `95 % confidence`, `98.7 % confidence`.
pub fn confidence(fraction: f64) -> String {
    let tenths = (fraction * 1000.0 + EXACT).floor();
    let decimals = usize::from(tenths % 10.0 != 0.0);
    format!("{:.decimals$} % confidence", tenths / 10.0)
}

/// `+4.7 %`.
pub(crate) fn signed_percent(log_ratio: f64) -> String {
    let fraction = log_ratio.exp_m1();
    let sign = if fraction < 0.0 { "" } else { "+" };
    if fraction.is_finite() { format!("{sign}{}", percent(fraction)) } else { "all failures".to_owned() }
}

/// Names in a sentence: `a`, `a and b`, `a, b and c`; a long list ends in a count.
pub(crate) fn names(names: &[&str]) -> String {
    const MOST: usize = 5;
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] if names.len() <= MOST => format!("{} and {last}", some.join(", ")),
        _ => format!("{} and {} more", names[..MOST - 1].join(", "), names.len() - (MOST - 1)),
    }
}

/// `4 to 32 KiB`, `256 KiB to 2 MiB`, `1 to 16 threads`.
pub fn between(one: &str, other: &str) -> String {
    match (one.split_once(' '), other.split_once(' ')) {
        (Some((number, unit)), Some((_, same))) if unit == same => format!("{number} to {other}"),
        _ => format!("{one} to {other}"),
    }
}

/// Returns each value once, in the order in which they came first.
pub fn once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    all.into_iter().fold(Vec::new(), |mut known, one| {
        known.extend(Some(one).filter(|one| !known.contains(one)));
        known
    })
}

pub(crate) fn value(value: f64, unit: Option<Unit>) -> String {
    match unit {
        Some(Unit::Nanoseconds) => model::format_ns(value),
        Some(Unit::Bytes) => model::format_bytes(value.round() as u64),
        Some(Unit::BytesPerSecond) => format!("{}/s", model::format_bytes(value.round() as u64)),
        Some(Unit::PerSecond) => format!("{} a second", model::three_digits(value)),
        Some(Unit::Count) | None => model::three_digits(value),
    }
}

/// Marks a value that was extrapolated: `~1.3 s`.
pub fn marked(value: String, is_extrapolated: bool) -> String {
    if is_extrapolated { format!("~{value}") } else { value }
}

/// `1 round`, `2 rounds`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{number} {one}{}", if number == 1 { "" } else { "s" })
}

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

/// Returns whether times are compared, and not what was counted or used.
pub fn is_time(metric: &Metric) -> bool {
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

/// Returns the words for an entry that became worse against another, and better.
pub(crate) fn changed(metric: &Metric) -> [&'static str; 2] {
    match (is_time(metric), metric.better) {
        (true, _) => ["slowed down", "sped up"],
        (false, Better::Less) => ["rose", "fell"],
        (false, Better::More) => ["fell", "rose"],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lower_ends_are_rounded_down_and_upper_ends_up() {
        for (factor, low, high) in [
            (1.145, "1.14", "1.15"),
            (1.15, "1.15", "1.15"),
            (1.299, "1.29", "1.30"),
            (1.43, "1.4", "1.5"),
            (1.97, "1.9", "2.0"),
            (2.0, "2.0", "2.0"),
            (9.96, "9.9", "10.0"),
            (11.2, "11", "12"),
            (118.0, "110", "120"),
            (1.0, "1.00", "1.00"),
        ] {
            assert_eq!((at_least(factor).as_str(), at_most(factor).as_str()), (low, high), "{factor}");
        }
        assert_eq!(range(1.43, 1.97), "1.4 to 2.0");
        assert_eq!(range(1.15, 1.15), "1.15");
    }

    #[test]
    fn limits_are_rounded_up_and_never_below_one_percent() {
        for (fraction, text) in [
            (0.0, Some("1 %")),
            (0.004, Some("1 %")),
            (0.066, Some("7 %")),
            (0.07, Some("7 %")),
            (0.123, Some("13 %")),
            (0.31, Some("40 %")),
            (0.95, None),
            (3.0, None),
        ] {
            assert_eq!(limit(fraction).as_deref(), text, "{fraction}");
        }
    }

    #[test]
    fn confidence_is_never_rounded_up() {
        for (fraction, text) in
            [(0.95, "95 %"), (0.92, "92 %"), (0.85, "85 %"), (0.9875, "98.7 %"), (0.999, "99.9 %")]
        {
            assert_eq!(confidence(fraction), format!("{text} confidence"));
        }
    }

    #[test]
    fn percentages_keep_the_digits_that_carry_something() {
        for (fraction, text) in [
            (0.047, "4.7 %"),
            (0.02, "2 %"),
            (0.1234, "12 %"),
            (0.0025, "0.25 %"),
            (0.95, "95 %"),
            (0.0, "0 %"),
        ] {
            assert_eq!(percent(fraction), text);
        }
        assert_eq!(signed_percent(1.09f64.ln()), "+9 %");
        assert_eq!(signed_percent(0.98f64.ln()), "-2 %");
        assert_eq!(signed_percent(f64::INFINITY), "all failures");
    }

    #[test]
    fn long_lists_end_in_a_count() {
        assert_eq!(names(&["a"]), "a");
        assert_eq!(names(&["a", "b", "c"]), "a, b and c");
        assert_eq!(names(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }

    #[test]
    fn values_stand_in_their_unit() {
        assert_eq!(value(5.41e6, Some(Unit::Nanoseconds)), "5.41 ms");
        assert_eq!(value(65_536.4, Some(Unit::Bytes)), "64 KiB");
        assert_eq!(value(0.001_234, Some(Unit::Count)), "0.00123");
        assert_eq!(value(0.001_234, None), "0.00123");
        assert_eq!(counted(1, "round"), "1 round");
    }
}
