//! What is said of several runs side by side.

use judge::{Changes, ComparedContest, ComparedCurve, ComparedRuns, ComparedTechnique};
use model::{Metric, Unit, axis_name};

use crate::words::phrase::{counted, filled, joined, workload};
use crate::words::units::{Scale, three_digits};

pub(crate) const MEANS: &str = "Geometric means over the techniques in common; ~ is no claim, since the runs were not measured \
                                in the same rounds. What each run claims is its own answer.";

/// The runs are called so in columns.
pub(crate) fn letter(side: usize) -> String {
    char::from(b'A' + (side % 26) as u8).to_string()
}

pub(crate) fn curve_name(curve: &ComparedCurve) -> String {
    let cache = curve.conditions.cache.map(|cache| format!("{cache} cache"));
    let head = format!("{} by {}", curve.family, axis_name(&curve.axis));
    filled([head, workload(&curve.workload), cache.unwrap_or_default()], ", ")
}

pub(crate) const NO_USAGE: &str = "user or system time is blank where the system reports none, or where work took less than the tick by \
                        which systems count it (at most 16 ms)";

/// The later side over the earlier one, by the letters of their runs: `DEF / ABC`.
pub(crate) fn sides(compared: &ComparedRuns) -> Option<String> {
    let [earlier, later] = &compared.sides[..] else { return None };
    let [earlier, later] =
        [earlier, later].map(|side| side.iter().map(|&place| letter(place)).collect::<String>());
    Some(format!("{later} / {earlier}"))
}

pub(crate) fn name(contest: &ComparedContest) -> String {
    let cache = contest.conditions.cache.map_or(String::new(), |cache| format!(", {cache} cache"));
    format!("{} {}{cache}", contest.family, contest.workload).trim_end().to_owned()
}

pub(crate) fn ratio(one: &ComparedTechnique, side: usize, over: usize) -> String {
    let [other, first] = [side, over].map(|side| one.showed.get(side)?.as_ref()?.median);
    over_first(other, first)
}

pub(crate) fn over_first(value: Option<f64>, first: Option<f64>) -> String {
    let both = value.zip(first).filter(|(value, first)| *value > 0.0 && *first > 0.0);
    both.map_or(String::new(), |(value, first)| format!("~{}", times(value / first)))
}

/// Returns how many times the value of the first run: a host of today may take a thousandth of a published time.
pub(crate) fn times(ratio: f64) -> String {
    if ratio < 0.1 { Scale::unknown(ratio).number(ratio) } else { three_digits(ratio) }
}

/// Returns the contests that one run alone has: by name, or their number.
pub(crate) fn alone(compared: &ComparedRuns, by_name: bool) -> String {
    if by_name {
        return compared.alone.join(", ");
    }
    let count = format!("{} (-v names them)", counted(compared.alone.len() as u64, "contest"));
    match &compared.apart_by[..] {
        [] => count,
        [one] => format!("{count}: {one}"),
        [one, ..] => format!("{count}: for example, {one}"),
    }
}

pub(crate) fn nothing_in_common(compared: &ComparedRuns) -> String {
    let reason = compared.apart_by.first().map(String::as_str);
    let reason = reason.unwrap_or("no family with the same workload and conditions");
    format!("These runs have no contest in common: {reason}.")
}

pub(crate) fn told_means(means: &[Option<f64>], over: usize, metric: &Metric) -> Option<String> {
    let first = letter(over);
    let told = means.iter().enumerate().skip(over + 1).filter_map(|(side, mean)| {
        let (letter, mean) = (letter(side), times((*mean)?));
        Some(match metric.unit() {
            Unit::Nanoseconds => format!("{letter} takes ~{mean} times as long as {first}"),
            _ => format!(
                "{letter} has ~{mean} times the {} of {first}",
                metric.what.trim_start_matches("the ")
            ),
        })
    });
    joined(told, ", ")
}

pub(crate) fn by_runs(sides: &str) -> String {
    format!(
        "In the column {sides} each run counts as one value: an interval covers the change of a technique with 95 %, and ~ \
         stands where it holds 1."
    )
}

pub(crate) fn field(between: &Changes) -> Option<String> {
    let count = counted(between.techniques.len() as u64, "technique");
    Some(format!("B over A is ~{} in the middle of {count}", times(between.field?)))
}

pub(crate) fn claimed(between: &Changes) -> Option<String> {
    let claimed = between.techniques.iter().filter(|one| one.is_claimed);
    joined(claimed.map(|one| format!("{} (~{})", one.technique, times(one.change))), ", ")
}

#[cfg(test)]
mod tests {
    use super::times;

    #[test]
    fn a_small_ratio_keeps_three_digits() {
        let shown = [0.00187, 0.05, 0.43, 2.3, 118.2].map(times);
        assert_eq!(shown, ["0.00187", "0.0500", "0.43", "2.30", "118"]);
    }
}
