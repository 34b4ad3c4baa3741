//! What is said of a curve: what to use at which levels, and what was not measured there.

use model::{Metric, axis_counted, axis_kind, axis_value};

use crate::choice::Range;
use crate::curve::Curve;
use crate::wording::{better, between, by, names, worse};
use crate::words::contest::factor;

/// More ranges than this are left to the table.
const MOST_RANGES: usize = 5;
/// More rivals than this are named without the levels that they lack.
const MOST_RIVALS: usize = 2;

pub(crate) struct Along<'a> {
    pub(crate) axis: &'a str,
    pub(crate) levels: &'a [u64],
    pub(crate) baseline: Option<&'a str>,
    pub(crate) metric: &'a Metric,
}

pub(crate) fn sentence(curve: &Curve) -> String {
    let levels: Vec<u64> = curve.levels.iter().map(|level| level.at).collect();
    let said = Along::of(curve, &levels).answer(&curve.ranges);
    [Some(said), rivals(curve, &levels)].into_iter().flatten().collect::<Vec<_>>().join(" ")
}

impl<'a> Along<'a> {
    fn of(curve: &'a Curve, levels: &'a [u64]) -> Self {
        Self { axis: &curve.axis, levels, baseline: curve.baseline.as_deref(), metric: &curve.metric }
    }

    /// Says what to use at which levels, and where that is open.
    pub(crate) fn answer(&self, ranges: &[Range]) -> String {
        let mut open = self.levels.to_vec();
        open.retain(|at| !ranges.iter().any(|one| (one.from..=one.to).contains(at)));
        let mut said = self.ranges(ranges);
        if !open.is_empty() && !ranges.is_empty() {
            said += &format!(" No answer {}.", self.at(&open));
        }
        match by(self.metric).strip_prefix(" by ") {
            Some(what) => format!("By {what}: {}{}", said[..1].to_lowercase(), &said[1..]),
            None => said,
        }
    }

    /// Says what to use at which levels.
    fn ranges(&self, ranges: &[Range]) -> String {
        match ranges {
            [] => "No answer yet at any level.".to_owned(),
            [one]
                if self.levels.len() > 1
                    && one.from == self.levels[0]
                    && Some(&one.to) == self.levels.last() =>
            {
                format!("Use {} at every {}{}.", one.choice.entry, axis_kind(self.axis), self.gain(one))
            }
            ranges if ranges.len() <= MOST_RANGES => {
                let parts = ranges
                    .iter()
                    .map(|one| format!("{} {}{}", one.choice.entry, self.place(one), self.gain(one)));
                format!("Use {}.", parts.collect::<Vec<_>>().join("; "))
            }
            ranges => format!("What to use changes {} times; the table shows where.", ranges.len() - 1),
        }
    }

    /// Says what the baseline costs: ` (std_copy is slower by 1.2x, 1.1-1.3x)`, and `or more` where that is the least of several levels.
    fn gain(&self, Range { from, to, choice }: &Range) -> String {
        match (&choice.baseline, self.baseline) {
            (Some(ratio), Some(baseline)) => {
                let by = factor(ratio).replace(" (", ", ").replace(')', "");
                let more = if from == to { "" } else { ", or more" };
                format!(" ({baseline} is {} by {by}{more})", worse(self.metric))
            }
            _ if !choice.is_baseline => String::new(),
            _ if choice.is_undecided() => {
                format!(" (the baseline; undecided, others may be {})", better(self.metric))
            }
            _ => " (the baseline)".to_owned(),
        }
    }

    /// Returns the measured levels of a range: `at 4 KiB`, `at 4 KiB and 32 KiB`, `from 4 KiB to 64 KiB`.
    pub(crate) fn place(&self, range: &Range) -> String {
        let own = self.levels.iter().copied().filter(|at| (range.from..=range.to).contains(at));
        self.at(&own.collect::<Vec<_>>())
    }

    fn at(&self, levels: &[u64]) -> String {
        match levels {
            [first, _, .., last] if self.levels.windows(levels.len()).any(|some| some == levels) => {
                format!("from {}", between(&axis_value(self.axis, *first), &with_unit(self.axis, *last)))
            }
            [some @ .., last] => {
                let mut all: Vec<String> = some.iter().map(|at| axis_value(self.axis, *at)).collect();
                all.push(with_unit(self.axis, *last));
                format!("at {}", names(&all.iter().map(String::as_str).collect::<Vec<_>>()))
            }
            [] => String::new(),
        }
    }
}

/// Writes a level with its unit: `64 KiB`, `8 threads`.
fn with_unit(axis: &str, at: u64) -> String {
    let is_amount = axis == "bytes" || axis.ends_with("_bytes") || axis.ends_with("_ns");
    if is_amount { axis_value(axis, at) } else { axis_counted(axis, at) }
}

/// Names the entries that lead elsewhere and were not measured at some of these levels.
pub(crate) fn rivals(curve: &Curve, among: &[u64]) -> Option<String> {
    let levels: Vec<u64> = curve.levels.iter().map(|level| level.at).collect();
    let along = Along::of(curve, &levels);
    let mut missing: Vec<(&str, Vec<u64>)> = Vec::new();
    for level in curve.levels.iter().filter(|level| among.contains(&level.at)) {
        for name in &level.rivals_not_measured {
            match missing.iter_mut().find(|(known, _)| known == name) {
                Some((_, at)) => at.push(level.at),
                None => missing.push((name, vec![level.at])),
            }
        }
    }
    if missing.len() > MOST_RIVALS {
        let who: Vec<&str> = missing.iter().map(|(name, _)| *name).collect();
        return Some(format!("Not measured at every level: {} (ahead elsewhere).", names(&who)));
    }
    let parts: Vec<String> = missing.iter().map(|(name, at)| format!("{name} {}", along.at(at))).collect();
    (!parts.is_empty()).then(|| format!("Not measured: {} (ahead elsewhere).", parts.join("; ")))
}
