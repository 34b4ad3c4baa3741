//! From values round by round to what may be said of a claim.

use serde::Serialize;
use serde_with::skip_serializing_none;
use stats::contest::{interval, looks_of_rounds, rounds_to_drop};
use stats::{median, robust_spread};

/// A ratio of two techniques within this much of 1 is no difference.
const ALIKE: f64 = 0.05;
/// More rounds than this many times those that there are cannot be advised.
const MOST_TIMES: f64 = 10.0;
/// Fewer values than these show no spread.
const LEAST_VALUES: usize = 3;
/// A look at values that are too few for the looks of the plan takes this part of the chance of error at each side.
const EARLY_SHARE: f64 = 1.0 / 40.0;
/// Values that differ by less than this may do so by the steps of a clock: for logarithms about 5 %.
const LEAST_RANGE: f64 = 0.05;
/// More rounds than these are not asked for before anything is said.
const MOST_LEAST_ROUNDS: u32 = 64;

/// The verdict on a claim here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// It is true here.
    Holds,
    /// The opposite is true here.
    Reversed,
    /// The two are alike here, and the claim is that they differ.
    NoDifference,
    /// More rounds are needed.
    Undecided,
    /// No kept run has what it needs.
    #[default]
    NotMeasured,
    /// It cannot be tested here.
    NotTestable,
}

impl Outcome {
    /// Returns the outcome in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Reversed => "reversed",
            Self::NoDifference => "no difference",
            Self::Undecided => "undecided",
            Self::NotMeasured => "not measured",
            Self::NotTestable => "not testable here",
        }
    }

    /// Returns whether something was seen of it.
    pub fn is_seen(self) -> bool {
        !matches!(self, Self::NotMeasured | Self::NotTestable)
    }

    /// Returns whether something was found out.
    pub fn is_decided(self) -> bool {
        matches!(self, Self::Holds | Self::Reversed | Self::NoDifference)
    }
}

/// The range in which an effect lies if the claim is true.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) at_least: Option<f64>,
    pub(crate) at_most: Option<f64>,
    /// True if 1 means that two things are alike.
    pub(crate) is_ratio: bool,
}

impl Bounds {
    pub(crate) fn ratio(at_least: Option<f64>, at_most: Option<f64>) -> Self {
        Self { at_least, at_most, is_ratio: true }
    }

    pub(crate) fn number(at_least: Option<f64>, at_most: Option<f64>) -> Self {
        Self { at_least, at_most, is_ratio: false }
    }

    pub(crate) fn is_open(&self) -> bool {
        self.at_least.is_none() && self.at_most.is_none()
    }

    /// Returns whether the claim says that two things differ: then they may also be alike.
    fn claims_a_difference(&self) -> bool {
        let differ = match (self.at_least, self.at_most) {
            (Some(least), None) => least >= 1.0,
            (None, Some(most)) => most < 1.0,
            // A gain, but a small one.
            (Some(least), Some(_)) => least == 1.0,
            (None, None) => false,
        };
        self.is_ratio && differ
    }

    /// Judges an effect that lies between `low` and `high`.
    pub(crate) fn outcome(&self, low: f64, high: f64) -> Outcome {
        // The looks contradict each other: what was measured moved.
        if low > high {
            return Outcome::Undecided;
        }
        if self.claims_a_difference() && low >= 1.0 / (1.0 + ALIKE) && high <= 1.0 + ALIKE {
            return Outcome::NoDifference;
        }
        // A claim of "more than 1" is not true of 1 itself.
        let above = self.at_least.is_none_or(|least| if least == 1.0 { low > least } else { low >= least });
        let below = self.at_most.is_none_or(|most| high <= most);
        let too_low = self.at_least.is_some_and(|least| high < least);
        let too_high = self.at_most.is_some_and(|most| low > most);
        match (above && below, too_low || too_high) {
            (true, _) => Outcome::Holds,
            (_, true) => Outcome::Reversed,
            _ => Outcome::Undecided,
        }
    }

    fn nearest(&self, effect: f64) -> Option<f64> {
        let ends = [self.at_least, self.at_most].into_iter().flatten();
        ends.min_by(|a, b| (effect - a).abs().total_cmp(&(effect - b).abs()))
    }
}

/// The size of something here.
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Effect {
    /// Median over the rounds.
    pub estimate: f64,
    /// Lower end; absent while it is unknown.
    pub low: Option<f64>,
    /// Upper end; absent while it is unknown.
    pub high: Option<f64>,
    /// Rounds that it comes from.
    pub rounds: u32,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seen {
    /// A value a round, in the order of the rounds, and the numbers of rounds at which something may be said.
    Rounds { values: Vec<f64>, is_log: bool, looks: Vec<u32> },
    /// An estimate with its interval, as numbers that are no logarithms.
    Interval { estimate: f64, low: f64, high: f64, rounds: u32 },
}

#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Said {
    pub(crate) outcome: Outcome,
    pub(crate) effect: Option<Effect>,
    /// This many more rounds would decide it, where that is no more than ten times as many.
    pub(crate) further_rounds: Option<u32>,
    /// This many rounds are needed before anything can be said, where there are fewer.
    pub(crate) least_rounds: Option<u32>,
}

impl Said {
    pub(crate) fn nothing(outcome: Outcome) -> Self {
        Self { outcome, ..Self::default() }
    }
}

impl Seen {
    pub(crate) fn judge(&self, bounds: &Bounds, alpha: f64) -> Said {
        match self {
            Self::Interval { estimate, low, high, rounds } => Said {
                effect: Some(effect(*estimate, *low, *high, *rounds)),
                ..Said::nothing(bounds.outcome(*low, *high))
            },
            Self::Rounds { values, is_log, looks } => {
                let found = interval(values, alpha, looks);
                let Some(found) = found.filter(|found| found.low.is_finite() || found.high.is_finite())
                else {
                    return early(values, *is_log, looks, bounds, alpha);
                };
                let [estimate, low, high] =
                    [found.estimate, found.low, found.high].map(|value| without_log(value, *is_log));
                let outcome = bounds.outcome(low, high);
                let further_rounds = further(values, *is_log, found.estimate, bounds);
                let further_rounds = further_rounds.filter(|_| outcome == Outcome::Undecided && low <= high);
                let rounds = looks.iter().rfind(|look| **look as usize <= values.len()).copied();
                let effect = Some(effect(estimate, low, high, rounds.unwrap_or(0)));
                Said { effect, further_rounds, ..Said::nothing(outcome) }
            }
        }
    }

    /// Returns the middle alone: a published figure has no more.
    pub(crate) fn figure(&self) -> Option<f64> {
        let figure = match self {
            Self::Interval { estimate, .. } => *estimate,
            Self::Rounds { values, is_log, .. } => without_log(median(values)?, *is_log),
        };
        Some(figure).filter(|figure| figure.is_finite())
    }
}

fn without_log(value: f64, is_log: bool) -> f64 {
    if is_log { value.exp() } else { value }
}

/// Judges values that are too few for the first look: whether they lie far on one side of the single end of a claim.
///
/// Where a distribution falls off on both sides of its median, the chance that n values lie on one side, further away than c times
/// their range, is at most n / 2 * (2 c)^(1 - n): at each value the density is at most one half over its distance from the median.
fn early(values: &[f64], is_log: bool, looks: &[u32], bounds: &Bounds, alpha: f64) -> Said {
    let count = values.len() as f64;
    let planned = looks.first().copied().unwrap_or(0);
    let least_rounds = Some(least_rounds(alpha).max(planned).max(values.len() as u32 + 1));
    let Some(middle) = median(values).filter(|middle| middle.is_finite()) else {
        return Said { least_rounds, ..Said::nothing(Outcome::Undecided) };
    };
    let (mut low, mut high) = (f64::NEG_INFINITY, f64::INFINITY);
    let has_lone_end = bounds.at_least.is_some() != bounds.at_most.is_some();
    if values.len() >= LEAST_VALUES && has_lone_end && !bounds.is_ratio {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let ranges = 0.5 * (count / 2.0 / (alpha * EARLY_SHARE)).powf(1.0 / (count - 1.0));
        let margin = ranges * (most - least).max(LEAST_RANGE);
        (low, high) = (least - margin, most + margin);
    }
    let [middle, low, high] = [middle, low, high].map(|value| without_log(value, is_log));
    let outcome = bounds.outcome(low, high);
    let effect = effect(middle, low, high, values.len() as u32);
    let least_rounds = least_rounds.filter(|_| outcome == Outcome::Undecided);
    Said { effect: Some(effect), least_rounds, ..Said::nothing(outcome) }
}

/// Returns the rounds of the shortest run that can say anything at a chance of error.
fn least_rounds(alpha: f64) -> u32 {
    let enough = (1..MOST_LEAST_ROUNDS).find(|rounds| {
        let found = interval(&vec![0.0; *rounds as usize], alpha, &looks_of_rounds(*rounds));
        found.is_some_and(|found| found.low.is_finite())
    });
    enough.unwrap_or(MOST_LEAST_ROUNDS)
}

fn effect(estimate: f64, low: f64, high: f64, rounds: u32) -> Effect {
    // Looks that contradict each other leave no interval.
    let [low, high] = [low, high].map(|end| Some(end).filter(|end| end.is_finite() && low <= high));
    // The logarithm of 0 is minus infinity: a lower end of 0 is no end.
    Effect { estimate, low: low.filter(|low| *low != 0.0), high, rounds }
}

/// Returns how many more rounds distinguish the effect from the nearest end of the claim.
fn further(values: &[f64], is_log: bool, estimate: f64, bounds: &Bounds) -> Option<u32> {
    let end = bounds.nearest(without_log(estimate, is_log))?;
    let end = if is_log { end.ln() } else { end };
    let rounds = rounds_to_drop(robust_spread(values)?, estimate - end);
    let enough = rounds.is_finite() && rounds <= MOST_TIMES * values.len() as f64;
    // The plan asks for a number that is sure to suffice; what there is did not.
    enough.then(|| (rounds - values.len() as f64).max(values.len() as f64 / 2.0).ceil() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAST: Bounds = Bounds { at_least: Some(1.0), at_most: None, is_ratio: true };

    #[test]
    fn a_claim_holds_is_reversed_or_shows_no_difference() {
        let (alike, large) = (Bounds::ratio(Some(0.9), Some(1.1)), Bounds::ratio(Some(3.0), None));
        let small_gain = Bounds::ratio(Some(1.0), Some(1.25));
        for (bounds, low, high, outcome) in [
            (LEAST, 1.1, 1.2, Outcome::Holds),
            (LEAST, 0.7, 0.8, Outcome::Reversed),
            (LEAST, 0.98, 1.03, Outcome::NoDifference),
            (LEAST, 1.01, 1.04, Outcome::NoDifference),
            (LEAST, 0.9, 1.2, Outcome::Undecided),
            (LEAST, 1.2, 1.1, Outcome::Undecided),
            (alike, 0.98, 1.03, Outcome::Holds),
            (alike, 1.2, 1.3, Outcome::Reversed),
            (alike, 1.05, 1.3, Outcome::Undecided),
            (small_gain, 1.06, 1.2, Outcome::Holds),
            (small_gain, 0.7, 0.9, Outcome::Reversed),
            (small_gain, 0.98, 1.03, Outcome::NoDifference),
            (large, 0.99, 1.01, Outcome::NoDifference),
            (large, 1.5, 2.0, Outcome::Reversed),
            (large, 3.0, 9.0, Outcome::Holds),
        ] {
            assert_eq!(bounds.outcome(low, high), outcome, "{bounds:?}: {low} {high}");
        }
    }

    #[test]
    fn too_few_rounds_name_those_of_a_first_look() {
        let seen = Seen::Rounds { values: vec![0.3; 5], is_log: true, looks: vec![5] };
        let said = seen.judge(&LEAST, 0.05);
        assert_eq!((said.outcome, said.further_rounds), (Outcome::Undecided, None));
        assert_eq!(said.least_rounds, Some(6));
        assert_eq!(seen.judge(&LEAST, 0.005).least_rounds, Some(9));
        let values = (0..20).map(|round| if round % 2 == 0 { 0.3 } else { -0.25 }).collect();
        let said = Seen::Rounds { values, is_log: true, looks: vec![8, 20] }.judge(&LEAST, 0.05);
        assert_eq!((said.outcome, said.least_rounds), (Outcome::Undecided, None));
        assert!(said.effect.is_some_and(|effect| effect.rounds == 20), "{said:?}");
    }

    #[test]
    fn looks_that_contradict_each_other_leave_no_interval() {
        let spread = [0.0, 0.01, -0.01, 0.02];
        let values = (0..120).map(|round| if round < 20 { 0.0 } else { 1.0 } + spread[round % 4]).collect();
        let said = Seen::Rounds { values, is_log: true, looks: vec![20, 120] }.judge(&LEAST, 0.05);
        let effect = said.effect.expect("rounds");
        assert_eq!((said.outcome, said.further_rounds), (Outcome::Undecided, None));
        assert_eq!((effect.low, effect.high, effect.rounds), (None, None, 120), "{said:?}");
    }

    #[test]
    fn a_figure_that_is_far_from_its_bound_needs_no_first_look() {
        let judged = |values: &[f64], looks: &[u32], bounds: &Bounds| {
            let values = values.iter().map(|value| f64::ln(*value)).collect();
            Seen::Rounds { values, is_log: true, looks: looks.to_vec() }.judge(bounds, 0.005)
        };
        let most = Bounds::number(None, Some(2000.0));
        for (values, looks, outcome) in [
            (vec![18.0, 18.1, 18.2], vec![8, 10], Outcome::Holds),
            (vec![18.1; 5], vec![5], Outcome::Holds),
            (vec![9e5, 9.1e5, 9.2e5, 9e5], vec![8], Outcome::Reversed),
            (vec![18.1; 2], vec![8], Outcome::Undecided),
            (vec![1500.0, 1510.0, 1520.0], vec![3], Outcome::Undecided),
            (vec![18.0, 30.0, 60.0], vec![8], Outcome::Undecided),
        ] {
            let said = judged(&values, &looks, &most);
            let is_open = outcome == Outcome::Undecided;
            assert_eq!((said.outcome, said.least_rounds.is_some()), (outcome, is_open), "{said:?}");
            assert_eq!(said.further_rounds, None, "{said:?}");
        }
        // Two techniques, and a range with two ends, wait for the first look.
        for bounds in [Bounds::ratio(None, Some(2000.0)), Bounds::number(Some(1.0), Some(2000.0))] {
            assert_eq!(judged(&[18.1; 5], &[5], &bounds).outcome, Outcome::Undecided);
        }
    }

    #[test]
    fn a_look_at_few_values_is_seldom_wrong() {
        // Exponential about its median on both sides, which is the bound: neither outcome is true.
        let mut state = 1_u64;
        for count in 3..6 {
            let wrong = (0..20_000).filter(|_| {
                let values = (0..count).map(|_| {
                    state =
                        state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    let uniform = ((state >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
                    (2.0 * uniform - 1.0).signum() * -(1.0 - (2.0 * uniform - 1.0).abs()).ln()
                });
                let seen = Seen::Rounds { values: values.collect(), is_log: false, looks: vec![8] };
                seen.judge(&Bounds::number(None, Some(0.0)), 0.05).outcome != Outcome::Undecided
            });
            assert!(wrong.count() < 50, "{count} values: more than 0.25 %");
        }
    }
}
