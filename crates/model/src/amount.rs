//! Sizes, counts and durations as people type and read them. Suffixes follow `dd` and `fio`: `K`, `M`, `G`, `T` (and `KiB`...) are powers
//! of 1024, `kB`, `MB`, `GB`, `TB` of 1000. A refusal names the first character that does not fit; no known crate says where.

use thiserror::Error;

/// Refusal of a size, a count or a duration.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("'{text}' is not a {what}: {problem} at character {position}; for example {example}")]
pub struct AmountError {
    /// The text as typed.
    pub text: String,
    /// `size`, `whole number` or `duration`.
    pub what: &'static str,
    /// The fault.
    pub problem: &'static str,
    /// Its place, counted in characters from 1.
    pub position: usize,
    /// A text that would be accepted.
    pub example: &'static str,
}

struct Unit {
    what: &'static str,
    example: &'static str,
    suffixes: &'static [(&'static str, u64)],
}

const BYTES: Unit = Unit {
    what: "size",
    example: "64K, 25.6MB or 1GiB",
    suffixes: &[
        ("", 1),
        ("B", 1),
        ("K", 1 << 10),
        ("KiB", 1 << 10),
        ("kB", 1_000),
        ("M", 1 << 20),
        ("MiB", 1 << 20),
        ("MB", 1_000_000),
        ("G", 1 << 30),
        ("GiB", 1 << 30),
        ("GB", 1_000_000_000),
        ("T", 1 << 40),
        ("TiB", 1 << 40),
        ("TB", 1_000_000_000_000),
    ],
};

const COUNT: Unit = Unit {
    what: "whole number",
    example: "16, 20k or 1.5M",
    suffixes: &[("", 1), ("k", 1_000), ("M", 1_000_000), ("G", 1_000_000_000)],
};

const DURATION: Unit = Unit {
    what: "duration",
    example: "500ms, 90s or 2min",
    suffixes: &[
        ("ns", 1),
        ("us", 1_000),
        ("ms", 1_000_000),
        ("s", 1_000_000_000),
        ("min", 60_000_000_000),
        ("m", 60_000_000_000),
        ("h", 3_600_000_000_000),
    ],
};

/// Reads a number of bytes such as `64K`, `25.6MB` or `1GiB`.
pub fn parse_bytes(text: &str) -> Result<u64, AmountError> {
    parse(text, &BYTES)
}

/// Reads a number of things such as `16`, `20k` or `1.5M`: here `k`, `M` and `G` are powers of 1000.
pub fn parse_count(text: &str) -> Result<u64, AmountError> {
    parse(text, &COUNT)
}

/// Reads a duration such as `500ms`, `90s` or `2min`, in nanoseconds.
pub fn parse_duration_ns(text: &str) -> Result<u64, AmountError> {
    parse(text, &DURATION)
}

fn parse(text: &str, unit: &Unit) -> Result<u64, AmountError> {
    let refuse = |problem, byte: usize| AmountError {
        text: text.to_owned(),
        what: unit.what,
        problem,
        position: text[..byte].chars().count() + 1,
        example: unit.example,
    };
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, suffix) = text.split_at(digits);
    if !number.starts_with(|c: char| c.is_ascii_digit()) {
        return Err(refuse("a number is expected", 0));
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    if let Some(second) = fraction.find('.') {
        return Err(refuse("a second point stands", whole.len() + 1 + second));
    }
    let name = suffix.trim_start();
    let known = unit.suffixes.iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let Some(&(_, factor)) = known else {
        let is_of_bytes = BYTES.suffixes.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
        let problem = match name {
            "" => "a unit is missing",
            _ if is_of_bytes && unit.what == COUNT.what => "a unit of bytes stands",
            _ => "an unknown unit stands",
        };
        return Err(refuse(problem, text.len() - name.len()));
    };
    let whole: u64 = whole.parse().map_err(|_| refuse("the value is too large", 0))?;
    let mut total = u128::from(whole) * u128::from(factor);
    let mut place = u128::from(factor);
    for (nth, digit) in fraction.bytes().enumerate() {
        // Whole units only: the digits below one byte (or one nanosecond) carry nothing. Of things there are no parts.
        place /= 10;
        if place == 0 && digit != b'0' && unit.what == COUNT.what {
            return Err(refuse("a part of one stands", number.len() - fraction.len() + nth));
        }
        total += u128::from(digit - b'0') * place;
    }
    u64::try_from(total).map_err(|_| refuse("the value is too large", 0))
}

/// Less than this much of a unit is shown in the next smaller one: three digits of that never round to 1000.
const LEAST_OF_UNIT: f64 = 0.9995;

/// Formats a number of bytes: exact in binary units where that is short, else decimal.
pub fn format_bytes(bytes: u64) -> String {
    const BINARY: [(&str, u64); 4] = [("TiB", 1 << 40), ("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    const DECIMAL: [(&str, u64); 4] =
        [("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    let is_exact =
        |(_, size): &(&str, u64)| bytes.is_multiple_of(*size) && (1..1024).contains(&(bytes / size));
    if let Some((name, size)) = BINARY.into_iter().find(is_exact) {
        return format!("{} {name}", bytes / size);
    }
    let unit = DECIMAL.into_iter().find(|(_, size)| bytes as f64 / *size as f64 >= LEAST_OF_UNIT);
    unit.map_or(format!("{bytes} B"), |(name, size)| {
        format!("{} {name}", three_digits(bytes as f64 / size as f64))
    })
}

/// Formats a time with three significant digits.
pub fn format_ns(ns: f64) -> String {
    const UNITS: [(&str, f64); 3] = [("s", 1e9), ("ms", 1e6), ("us", 1e3)];
    let (name, size) =
        UNITS.into_iter().find(|(_, size)| ns.abs() / size >= LEAST_OF_UNIT).unwrap_or(("ns", 1.0));
    format!("{} {name}", three_digits(ns / size))
}

/// Formats a long time as people say it, below two minutes as [`format_ns`] does: `4 min 10 s`, `16 h 48 min`, `3 d 2 h`.
pub fn format_long_ns(ns: u64) -> String {
    const SECOND: u64 = 1_000_000_000;
    if ns < 120 * SECOND {
        return format_ns(ns as f64);
    }
    let seconds = ns / SECOND + u64::from(ns % SECOND >= SECOND / 2);
    let minutes = (seconds + 30) / 60;
    match (seconds / 3_600, seconds % 60) {
        (0, 0) => format!("{minutes} min"),
        (0, rest) => format!("{} min {rest} s", seconds / 60),
        (..72, _) => format!("{} h {} min", minutes / 60, minutes % 60),
        (hours, _) => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// Formats a plain number with at most three significant digits: `118`, `1.5`, `0.00187`.
pub fn three_digits(value: f64) -> String {
    let text = match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 || v == 0.0 => format!("{value:.2}"),
        v => {
            let digits = (2.0 - v.log10().floor()).clamp(2.0, 15.0) as usize;
            format!("{value:.digits$}")
        }
    };
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Read = fn(&str) -> Result<u64, AmountError>;
    const SIZE: Read = parse_bytes;
    const NUMBER: Read = parse_count;
    const TIME: Read = parse_duration_ns;

    #[test]
    fn amounts_with_the_usual_suffixes_are_read_exactly() {
        for (read, text, amount) in [
            (SIZE, "0", 0),
            (SIZE, "64K", 65_536),
            (SIZE, "64k", 65_536),
            (SIZE, "25.6MB", 25_600_000),
            (SIZE, "1GiB", 1 << 30),
            (SIZE, "1 GiB", 1 << 30),
            (SIZE, "1.5kB", 1_500),
            (SIZE, "1.5KB", 1_500),
            (SIZE, "2T", 2 << 40),
            (SIZE, "18446744073709551615", u64::MAX),
            (NUMBER, "0", 0),
            (NUMBER, "16", 16),
            (NUMBER, "1.0", 1),
            (NUMBER, "20k", 20_000),
            (NUMBER, "1.5M", 1_500_000),
            (NUMBER, "2 G", 2_000_000_000),
            (TIME, "90s", 90_000_000_000),
            (TIME, "1.5ms", 1_500_000),
            (TIME, "2min", 120_000_000_000),
        ] {
            assert_eq!(read(text), Ok(amount), "{text}");
        }
    }

    #[test]
    fn a_refusal_names_the_position_and_an_example() {
        for (read, text, problem, position, example) in [
            (SIZE, "", "a number is expected", 1, "25.6MB"),
            (SIZE, "x", "a number is expected", 1, "25.6MB"),
            (SIZE, "-1K", "a number is expected", 1, "25.6MB"),
            (SIZE, "25.6MX", "an unknown unit stands", 5, "25.6MB"),
            (SIZE, "12 zB", "an unknown unit stands", 4, "25.6MB"),
            (SIZE, "1..5K", "a second point stands", 3, "25.6MB"),
            (SIZE, "99999999999999T", "the value is too large", 1, "25.6MB"),
            (NUMBER, "20KiB", "a unit of bytes stands", 3, "20k"),
            (NUMBER, "20MB", "a unit of bytes stands", 3, "20k"),
            (NUMBER, "20s", "an unknown unit stands", 3, "20k"),
            (NUMBER, "1.5", "a part of one stands", 3, "20k"),
            (NUMBER, "1.0005k", "a part of one stands", 6, "20k"),
            (NUMBER, "many", "a number is expected", 1, "20k"),
            (TIME, "90", "a unit is missing", 3, "500ms"),
        ] {
            let refused = read(text).expect_err(text);
            assert_eq!((refused.problem, refused.position), (problem, position), "{refused}");
            assert!(refused.to_string().contains(example), "{refused}");
        }
    }

    #[test]
    fn values_are_printed_with_three_digits_and_a_unit() {
        let bytes = [25_600_000, 1 << 30, 65_536, 999, 0, 999_499, 999_500].map(format_bytes);
        assert_eq!(bytes, ["25.6 MB", "1 GiB", "64 KiB", "999 B", "0 B", "999 kB", "1 MB"]);
        let times = [5_410_000.0, 12.0, 302_000_000.0, 0.001_87].map(format_ns);
        assert_eq!(times, ["5.41 ms", "12 ns", "302 ms", "0.00187 ns"]);
        let nearly = [999.4, 999.5, 999_700.0, 999_499_999.0, 999_500_000.0].map(format_ns);
        assert_eq!(nearly, ["999 ns", "1 us", "1 ms", "999 ms", "1 s"]);
        let long = [119, 130, 3_600, 60_462, 270_000].map(|seconds| format_long_ns(seconds * 1_000_000_000));
        assert_eq!(long, ["119 s", "2 min 10 s", "1 h 0 min", "16 h 48 min", "3 d 3 h"]);
        assert_eq!([0.0, 0.05, 1.5, 12.34, 118.2].map(three_digits), ["0", "0.05", "1.5", "12.3", "118"]);
    }
}
