//! How numbers and names stand in a sentence.

use crate::contest::Unit;

/// A fraction as a percentage with as many digits as carry something: `4.7 %`, `12 %`, `0.25 %`.
pub(crate) fn percent(fraction: f64) -> String {
    let value = fraction * 100.0;
    let text = match value.abs() {
        v if v >= 9.95 => format!("{value:.0}"),
        v if v >= 0.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    };
    let short = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{short} %")
}

/// A fraction as a percentage with two digits, never less than it is: for a margin that must suffice.
pub(crate) fn percent_up(fraction: f64) -> String {
    let step = 10f64.powi((fraction.max(1e-6).log10().floor() as i32).min(-1) - 1);
    // What is exact already must not be raised by a rounding error.
    percent((fraction / step - 1e-9).ceil() * step)
}

/// A time to wait as people say it: `8.2 s`, `95 s`, `44 min`, `3.5 h`.
pub(crate) fn span(ns: f64) -> String {
    const S: f64 = 1e9;
    match ns / S {
        s if s < 10.0 => model::format_ns(ns),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{} h", three_digits((s / 360.0).round() / 10.0)),
        s => format!("{:.0} days", s / 86_400.0),
    }
}

/// A logarithm of a ratio as a signed percentage: `+4.7 %`.
pub(crate) fn signed_percent(log_ratio: f64) -> String {
    let fraction = log_ratio.exp_m1();
    let sign = if fraction < 0.0 { "" } else { "+" };
    if fraction.is_finite() { format!("{sign}{}", percent(fraction)) } else { "all failures".to_owned() }
}

/// A lead as a logarithm of a ratio: `4.7 % ahead of`, `3.1 times as fast as`.
pub(crate) fn lead(log_ratio: f64) -> String {
    let ratio = log_ratio.exp();
    if ratio.is_infinite() {
        "infinitely far ahead of".to_owned()
    } else if ratio >= 2.0 {
        format!("{} times ahead of", three_digits(ratio))
    } else {
        format!("{} ahead of", percent(ratio - 1.0))
    }
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

/// A value in its unit.
pub(crate) fn value(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Nanoseconds => model::format_ns(value),
        Unit::Bytes => model::format_bytes(value.round() as u64),
        Unit::Unknown => three_digits(value),
    }
}

/// A plain number with three significant digits.
pub(crate) fn three_digits(value: f64) -> String {
    let text = match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 || v == 0.0 => format!("{value:.2}"),
        v => {
            let digits = (2.0 - v.log10().floor()).clamp(2.0, 15.0) as usize;
            format!("{value:.digits$}")
        }
    };
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// `1 round`, `2 rounds`.
pub(crate) fn rounds(count: u32) -> String {
    format!("{count} round{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn a_margin_that_must_suffice_is_never_rounded_down() {
        for (fraction, text) in
            [(0.1401, "15 %"), (0.14, "14 %"), (0.0431, "4.4 %"), (0.0031, "0.31 %"), (1.234, "124 %")]
        {
            assert_eq!(percent_up(fraction), text, "{fraction}");
        }
    }

    #[test]
    fn times_to_wait_are_told_as_people_say_them() {
        for (s, text) in [
            (0.012, "12 ms"),
            (8.21, "8.21 s"),
            (95.4, "95 s"),
            (873.0, "15 min"),
            (2668.0, "44 min"),
            (12_600.0, "3.5 h"),
            (864_000.0, "10 days"),
        ] {
            assert_eq!(span(s * 1e9), text, "{s}");
        }
    }

    #[test]
    fn large_leads_are_told_as_multiples() {
        assert_eq!(lead(1.045f64.ln()), "4.5 % ahead of");
        assert_eq!(lead(3.1f64.ln()), "3.1 times ahead of");
    }

    #[test]
    fn long_lists_end_in_a_count() {
        assert_eq!(names(&["a"]), "a");
        assert_eq!(names(&["a", "b", "c"]), "a, b and c");
        assert_eq!(names(&["a", "b", "c", "d", "e", "f"]), "a, b, c, d and 2 more");
    }

    #[test]
    fn values_stand_in_their_unit() {
        assert_eq!(value(5.41e6, Unit::Nanoseconds), "5.41 ms");
        assert_eq!(value(65_536.4, Unit::Bytes), "64 KiB");
        assert_eq!(value(0.001_234, Unit::Unknown), "0.00123");
        assert_eq!(rounds(1), "1 round");
    }
}
