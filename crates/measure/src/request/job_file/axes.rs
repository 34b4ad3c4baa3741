//! Axes: a name with a list of values, or with a range of numbers.

use families::placeholders::is_name;
use model::{Workload, parse_bytes};
use toml::Spanned;
use toml::de::{DeString, DeValue};

use super::MOST_POINTS;
use super::table::{Keys, Place, Text};
use crate::request::Refusal;

const TAKEN: &[&str] = &["input", "output", "stdout", "bytes"];
/// Digits behind the point that a number of a range may have.
const MOST_DIGITS: usize = 9;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) name: String,
    pub(super) values: Vec<String>,
    /// Offset in its file, in bytes.
    pub(super) start: usize,
}

/// One value of each axis.
pub(super) type Point<'a> = Vec<(&'a str, &'a str)>;

/// Returns all points of some axes, the last axis turning fastest; one empty point where there is no axis. See [`count`] first.
pub(super) fn points(axes: &[Axis]) -> Vec<Point<'_>> {
    let mut points: Vec<Point<'_>> = vec![Vec::new()];
    for axis in axes {
        let pairs = axis.values.iter().map(|value| (axis.name.as_str(), value.as_str()));
        let longer = points.iter().flat_map(|point| pairs.clone().map(|pair| [&point[..], &[pair]].concat()));
        points = longer.collect();
    }
    points
}

pub(super) fn count(axes: &[Axis]) -> usize {
    axes.iter().map(|axis| axis.values.len()).fold(1, usize::saturating_mul)
}

/// Refuses names that no placeholder can have, and values that are none, too many or there twice.
pub(super) fn checked(axis: Axis, place: &Place<'_>) -> Result<Axis, Refusal> {
    let name = &axis.name;
    if !is_name(name) {
        return Err(place.refuse(format!(
            "the axis '{name}' must begin with a lower-case letter and hold such letters, digits and _ only"
        )));
    }
    if TAKEN.contains(&name.as_str()) {
        let reason = "which bakeoff fills itself; choose another name";
        return Err(place.refuse(format!("an axis cannot be called '{name}', {reason}")));
    }
    if axis.values.is_empty() {
        return Err(place.refuse(format!("the axis '{name}' has no value; for example {name} = [1, 2, 3]")));
    }
    if axis.values.len() > MOST_POINTS {
        return Err(place.refuse(format!(
            "the axis '{name}' has {} values, and at most {MOST_POINTS} points are compared; leave values out",
            axis.values.len()
        )));
    }
    match twice(axis.values.iter()) {
        Some(value) => Err(place.refuse(format!("the axis '{name}' has the value '{value}' twice"))),
        None => Ok(axis),
    }
}

pub(super) fn twice<'a>(names: impl Iterator<Item = &'a String>) -> Option<&'a String> {
    let mut sorted: Vec<&String> = names.collect();
    sorted.sort_unstable();
    sorted.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

pub(super) fn axis_of(
    text: Text<'_>, key: &Spanned<DeString<'_>>, value: &Spanned<DeValue<'_>>,
) -> Result<Axis, Refusal> {
    let (name, place) = (key.get_ref().to_string(), text.at(value.span().start));
    let values = match value.get_ref() {
        DeValue::Array(list) => list_of(text, &name, list)?,
        DeValue::Table(table) => {
            let keys = Keys::new(text, table, "a range", &["from", "to", "step"])?;
            let number = |key: &str| match keys.value(key) {
                None => Ok(None),
                Some(value) => shown_number(value.get_ref()).map(Some).ok_or_else(|| {
                    text.at(value.span().start)
                        .refuse(format!("{key} of the axis '{name}' is a number, for example 8"))
                }),
            };
            let values = match (number("from")?, number("to")?) {
                (Some(from), Some(to)) => range(&from, &to, number("step")?.as_deref()),
                _ => Err("it needs from and to".to_owned()),
            };
            let example = "for example { from = 1, to = 8, step = 1 }";
            values.map_err(|reason| place.refuse(format!("the axis '{name}': {reason}; {example}")))?
        }
        _ => {
            let expected = format!("a list or a range, for example {name} = [1, 3, 9]");
            return Err(place.refuse(format!("the axis '{name}' is {expected}")));
        }
    };
    checked(Axis { name, values, start: key.span().start }, &text.at(key.span().start))
}

fn list_of(text: Text<'_>, name: &str, list: &[Spanned<DeValue<'_>>]) -> Result<Vec<String>, Refusal> {
    let mut values = Vec::new();
    let mut first: Option<bool> = None;
    for value in list {
        let place = text.at(value.span().start);
        let (shown, is_text) = match value.get_ref() {
            DeValue::String(text) => (text.to_string(), true),
            other => match shown_number(other) {
                Some(number) => (number, false),
                None => {
                    return Err(place.refuse(format!(
                        "a value of the axis '{name}' is a number or a text, and this is {}; for example \
                         {name} = [1, 3, 9] or {name} = [\"fast\", \"best\"]",
                        kind(other)
                    )));
                }
            },
        };
        if *first.get_or_insert(is_text) != is_text {
            let (own, others) = if is_text { ("a text", "numbers") } else { ("a number", "texts") };
            return Err(place.refuse(format!(
                "the values of the axis '{name}' are of one kind, and this is {own} among {others}; write all with \
                 quotation marks or none"
            )));
        }
        values.push(shown);
    }
    Ok(values)
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::Boolean(_) => "a boolean",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
        DeValue::Datetime(_) => "a date",
        _ => "not a plain number",
    }
}

/// Returns a number as it is written; `None` for what is none, and for forms that no command would understand.
fn shown_number(value: &DeValue<'_>) -> Option<String> {
    let shown = match value {
        DeValue::Integer(number) if number.radix() == 10 => number.as_str().replace('_', ""),
        DeValue::Float(number) => number.as_str().replace('_', ""),
        _ => return None,
    };
    let shown = shown.trim_start_matches('+').to_owned();
    shown.trim_start_matches('-').chars().all(|c| c.is_ascii_digit() || c == '.').then_some(shown)
}

pub(super) fn sizes_of(text: Text<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<u64>, Refusal> {
    let list = match value.get_ref() {
        DeValue::Array(list) => &list[..],
        _ => std::slice::from_ref(value),
    };
    let sizes = list.iter().map(|value| {
        let place = text.at(value.span().start);
        let typed = match value.get_ref() {
            DeValue::String(text) => text.to_string(),
            other => shown_number(other).ok_or_else(|| {
                place.refuse(format!(
                    "a size is a text or a whole number, and this is {}; for example bytes = [\"64K\", \"10MB\"]",
                    kind(other)
                ))
            })?,
        };
        parse_bytes(&typed).map_err(|refused| place.refuse(refused))
    });
    let sizes: Vec<u64> = sizes.collect::<Result<_, _>>()?;
    let place = text.at(value.span().start);
    let twice = sizes.iter().enumerate().find(|(nth, size)| sizes[..*nth].contains(size));
    match (sizes.is_empty(), twice) {
        (true, _) => Err(place.refuse("no size is given; for example bytes = [\"64K\", \"10MB\"]")),
        (_, Some((_, &bytes))) => {
            Err(place.refuse(format!("the size {} is given twice", Workload::of_size(bytes).name)))
        }
        _ => Ok(sizes),
    }
}

/// Returns the numbers from one to another; decimal ones are counted exactly.
pub(super) fn range(from: &str, to: &str, step: Option<&str>) -> Result<Vec<String>, String> {
    let parts =
        [from, to, step.unwrap_or("1")].map(|text| (text, text.split_once('.').unwrap_or((text, ""))));
    let most = parts.iter().map(|(_, (_, fraction))| fraction.len()).max().unwrap_or(0);
    if most > MOST_DIGITS {
        return Err(format!("more than {MOST_DIGITS} digits follow the point"));
    }
    let [from, to, step] = parts.map(|(text, (whole, fraction))| {
        let number = format!("{whole}{fraction:0<most$}").parse::<i64>();
        number.map_err(|_| format!("'{text}' is not a number"))
    });
    let (from, to, step) = (from?, to?, step?);
    if step <= 0 {
        return Err("the step must be above 0".to_owned());
    }
    if to < from {
        return Err("it ends before it begins".to_owned());
    }
    let count = (i128::from(to) - i128::from(from)) / i128::from(step) + 1;
    if count > MOST_POINTS as i128 {
        return Err(format!("it has {count} values, and at most {MOST_POINTS} points are compared"));
    }
    let unit = 10_i64.pow(most as u32);
    let shown = (0..count as i64).map(|nth| from + nth * step).map(|number| {
        let sign = if number < 0 { "-" } else { "" };
        let (whole, part) = (number.abs() / unit, number.abs() % unit);
        if most == 0 { number.to_string() } else { format!("{sign}{whole}.{part:0most$}") }
    });
    Ok(shown.collect())
}
