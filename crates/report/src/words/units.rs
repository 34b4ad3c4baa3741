//! Numbers with their units, and one unit for a whole column.

pub(crate) use judge::percent;
use model::Unit;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Scale {
    pub(crate) name: &'static str,
    size: f64,
    decimals: usize,
}

const TIME: [(&str, f64); 4] = [("s", 1e9), ("ms", 1e6), ("us", 1e3), ("ns", 1.0)];
const BYTES: [(&str, f64); 5] = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3), ("B", 1.0)];
const RATE: [(&str, f64); 4] = [("G/s", 1e9), ("M/s", 1e6), ("k/s", 1e3), ("/s", 1.0)];
const SPEED: [(&str, f64); 5] = [("TB/s", 1e12), ("GB/s", 1e9), ("MB/s", 1e6), ("kB/s", 1e3), ("B/s", 1.0)];

impl Scale {
    /// Returns the unit of times, so that the one given shows three digits.
    pub(crate) fn of_ns(ns: f64) -> Self {
        Self::fitting(ns, &TIME)
    }

    /// Returns the unit of a metric's values; a count has none.
    pub(crate) fn of(unit: Unit, value: f64) -> Option<Self> {
        match unit {
            Unit::Nanoseconds => Some(Self::fitting(value, &TIME)),
            Unit::Bytes => Some(Self::fitting(value, &BYTES)),
            Unit::BytesPerSecond => Some(Self::fitting(value, &SPEED)),
            Unit::PerSecond => Some(Self::fitting(value, &RATE)),
            Unit::Count => None,
        }
    }

    fn fitting(value: f64, units: &[(&'static str, f64)]) -> Self {
        let smallest = units[units.len() - 1];
        let &(name, size) = units.iter().find(|(_, size)| value.abs() >= *size).unwrap_or(&smallest);
        let decimals = match value.abs() / size {
            shown if shown >= 100.0 || shown == 0.0 => 0,
            shown if shown >= 10.0 => 1,
            _ => 2,
        };
        Self { name, size, decimals }
    }

    /// Returns the same unit with one more decimal, but not with more than `most`, where the values of a column differ by much.
    pub(crate) fn finer(self, most: usize) -> Self {
        Self { decimals: (self.decimals + 1).min(most).max(self.decimals), ..self }
    }

    /// Returns a scale without a unit that shows three digits of the value: for figures whose unit is not known.
    pub(crate) fn unknown(value: f64) -> Self {
        let magnitude = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
        let decimals = usize::try_from(2 - magnitude).unwrap_or(0).min(12);
        Self { name: "", size: 1.0, decimals }
    }

    pub(crate) fn number(&self, value: f64) -> String {
        format!("{:.*}", self.decimals, value / self.size)
    }

    /// Returns a number with two digits, or a whole number: `0.69`, `2.1`, `20`, `138`.
    pub(crate) fn short(&self, value: f64) -> String {
        let value = value / self.size;
        let decimals = if value >= 9.95 {
            0
        } else if value >= 0.995 {
            1
        } else {
            2
        };
        format!("{value:.decimals$}")
    }

    pub(crate) fn value(&self, value: f64) -> String {
        format!("{} {}", self.number(value), self.name)
    }
}

pub(crate) fn amount(unit: Unit, value: f64) -> String {
    match Scale::of(unit, value) {
        Some(scale) => scale.value(value),
        None if value.fract() == 0.0 => format!("{value:.0}"),
        None => three_digits(value),
    }
}

/// No work takes no time: what is reported as 0 was not seen by the counter.
pub(crate) const BELOW_TICK: &str = "less than a tick";

/// Returns the time that a counter of the system shows; empty where that is unknown.
pub(crate) fn time(ns: Option<f64>) -> String {
    ns.map_or(
        String::new(),
        |ns| if ns > 0.0 { amount(Unit::Nanoseconds, ns) } else { BELOW_TICK.to_owned() },
    )
}

/// Returns a whole number with a comma between thousands: `12,503`.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (nth, digit) in digits.chars().enumerate() {
        if nth > 0 && (digits.len() - nth).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

pub(crate) fn bytes(bytes: f64) -> String {
    amount(Unit::Bytes, bytes)
}

/// Returns a plain number with three digits: `1.68`, `12.3`, `118`.
pub(crate) fn three_digits(value: f64) -> String {
    match value.abs() {
        shown if shown >= 99.95 => format!("{value:.0}"),
        shown if shown >= 9.995 => format!("{value:.1}"),
        _ => format!("{value:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        let shown = [0, 7, 999, 1_000, 12_503, 1_234_567].map(grouped);
        assert_eq!(shown, ["0", "7", "999", "1,000", "12,503", "1,234,567"]);
    }

    #[test]
    fn a_column_is_shown_in_the_unit_of_one_of_its_values() {
        let scale = Scale::of_ns(5_412_345.0);
        assert_eq!(
            (scale.name, scale.number(5_412_345.0), scale.number(3.2e9)),
            ("ms", "5.41".into(), "3200.00".into())
        );
        assert_eq!(Scale::of_ns(0.4).value(0.4), "0.40 ns");
        for (unit, value, text) in [
            (Unit::Bytes, 25_600_000.0, "25.6 MB"),
            (Unit::Nanoseconds, 0.4, "0.40 ns"),
            (Unit::PerSecond, 1_250_000.0, "1.25 M/s"),
            (Unit::BytesPerSecond, 4.73e9, "4.73 GB/s"),
            (Unit::Bytes, 0.0, "0 B"),
            (Unit::Count, 12.0, "12"),
            (Unit::Count, 12.5, "12.5"),
        ] {
            assert_eq!(amount(unit, value), text);
        }
        assert_eq!([None, Some(0.0), Some(0.4)].map(time), ["", BELOW_TICK, "0.40 ns"]);
    }

    #[test]
    fn a_finer_scale_has_one_more_decimal_up_to_a_limit() {
        assert_eq!(Scale::of_ns(21.9e6).finer(2).number(0.4e6), "0.40");
        assert_eq!(Scale::of_ns(4.9e6).finer(2).number(0.4e6), "0.40");
        assert_eq!(Scale::of_ns(1e9).finer(3).number(0.4e6), "0.000");
    }

    #[test]
    fn numbers_without_a_unit_show_the_digits_that_count() {
        assert_eq!(
            [0.012_345, 12.345, 5_412_345.0, 0.0].map(|value| Scale::unknown(value).number(value)),
            ["0.0123", "12.3", "5412345", "0.00"]
        );
        let factors = [1.0, 1.684, 9.999, 12.34, 118.2].map(three_digits);
        assert_eq!(factors, ["1.00", "1.68", "10.0", "12.3", "118"]);
        let fractions = [0.02, 0.0056, 0.05, 0.123, 0.0, 0.00012].map(percent);
        assert_eq!(fractions, ["2 %", "0.56 %", "5 %", "12 %", "0 %", "0.012 %"]);
    }
}
