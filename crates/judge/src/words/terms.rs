//! The words for what is compared: times are short, amounts are low, rates are high.

use std::borrow::Cow;

use model::{Better, Quantity, Source, Unit};

use crate::words::wording::{at_least, at_most, limit};

/// How a quantity is spoken of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Terms {
    /// `is fastest`
    pub(crate) is_best: Cow<'static, str>,
    /// `was fastest`
    pub(crate) was_best: Cow<'static, str>,
    /// `the fastest`
    pub(crate) the_best: &'static str,
    /// `as fast`
    pub(crate) as_good: &'static str,
    /// `may be fastest`
    pub(crate) may_be_best: &'static str,
    /// `slower`
    pub(crate) worse: &'static str,
    /// `faster`
    pub(crate) more_good: &'static str,
    /// `takes`, `take` and `took`
    verbs: Verbs,
    /// `times as long`
    times: &'static str,
    /// `time`
    pub(crate) what: Cow<'static, str>,
    /// `slowed down` and `sped up`
    pub(crate) got_worse: &'static str,
    pub(crate) got_better: &'static str,
    better: Better,
}

/// One verb for one, for several, and for what is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Verbs {
    one: &'static str,
    several: &'static str,
    past: &'static str,
}

const TAKES: Verbs = Verbs { one: "takes", several: "take", past: "took" };
const USES: Verbs = Verbs { one: "uses", several: "use", past: "used" };
const HAS: Verbs = Verbs { one: "has", several: "have", past: "had" };
const MOVES: Verbs = Verbs { one: "moves", several: "move", past: "moved" };

/// Whether a verb stands for one technique or for several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Number {
    One,
    Several,
}

impl Number {
    pub(crate) fn of(count: usize) -> Self {
        if count == 1 { Self::One } else { Self::Several }
    }
}

const TIME: Terms = Terms {
    is_best: Cow::Borrowed("is fastest"),
    was_best: Cow::Borrowed("was fastest"),
    the_best: "the fastest",
    as_good: "as fast",
    may_be_best: "may be fastest",
    worse: "slower",
    more_good: "faster",
    verbs: TAKES,
    times: "times as long",
    what: Cow::Borrowed("time"),
    got_worse: "slowed down",
    got_better: "sped up",
    better: Better::Less,
};

/// Of what is used, `the least user time`.
fn amount(best: &'static str, what: &'static str) -> Terms {
    Terms {
        is_best: Cow::Owned(format!("uses {best}")),
        was_best: Cow::Owned(format!("used {best}")),
        the_best: "the least",
        as_good: "as low",
        may_be_best: "may use the least",
        worse: "higher",
        more_good: "lower",
        verbs: USES,
        times: "times as much",
        what: Cow::Borrowed(what),
        got_worse: "rose",
        got_better: "fell",
        better: Better::Less,
    }
}

fn count(what: &'static str) -> Terms {
    Terms {
        is_best: Cow::Owned(format!("has the fewest {what}")),
        was_best: Cow::Owned(format!("had the fewest {what}")),
        the_best: "the fewest",
        as_good: "as low",
        may_be_best: "may have the fewest",
        worse: "higher",
        more_good: "lower",
        verbs: HAS,
        times: "times as many",
        what: Cow::Borrowed(what),
        got_worse: "rose",
        got_better: "fell",
        better: Better::Less,
    }
}

/// What a family declares, of which no more is known than its own words.
fn declared(quantity: &Quantity) -> Terms {
    let (got_worse, got_better) = match quantity.better {
        Better::Less => ("rose", "fell"),
        Better::More => ("fell", "rose"),
    };
    let is_rate = matches!(quantity.unit(), Unit::PerSecond | Unit::BytesPerSecond);
    Terms {
        is_best: Cow::Owned(format!("is best by {}", quantity.what)),
        was_best: Cow::Owned(format!("was best by {}", quantity.what)),
        the_best: "the best",
        as_good: "as good",
        may_be_best: "may be best",
        worse: "worse",
        more_good: "better",
        verbs: if is_rate { MOVES } else { HAS },
        times: "times as much",
        what: quantity.what.clone(),
        got_worse,
        got_better,
        better: quantity.better,
    }
}

impl Terms {
    pub(crate) fn of(quantity: &Quantity) -> Self {
        match (quantity.source, &*quantity.key) {
            (Source::Work | Source::Process, _) => TIME,
            (Source::Value, _) => declared(quantity),
            (_, "cpu_ns") => amount("the least processor time", "processor time"),
            (_, "user_ns") => amount("the least user time", "user time"),
            (_, "system_ns") => amount("the least system time", "system time"),
            (_, "peak_memory_bytes") => amount("the least memory", "memory"),
            (_, "faults") => count("page faults"),
            (_, "switches") => count("context switches"),
            _ => declared(quantity),
        }
    }

    /// Those that are not the best beside it: `every other technique takes at least 1.2 times as long`; where more is
    /// better the best stands beside them: `it moves at least 1.2 times as much as every other technique`.
    pub(crate) fn beside(&self, who: &str, number: Number, bound: &str) -> String {
        let Self { verbs, times, .. } = self;
        match (self.better, number) {
            (Better::Less, Number::One) => format!("{who} {} {bound} {times}", verbs.one),
            (Better::Less, Number::Several) => format!("{who} {} {bound} {times}", verbs.several),
            (Better::More, _) => format!("it {} {bound} {times} as {}", verbs.one, who.trim_end_matches(',')),
        }
    }

    /// One that is neither better nor worse beside it: `cp takes about as long`.
    pub(crate) fn alike(&self, who: &str) -> String {
        let Self { verbs, times, .. } = self;
        let as_much = times.trim_start_matches("times ");
        match self.better {
            Better::Less => format!("{who} {} about {as_much}", verbs.one),
            Better::More => format!("it {} about {as_much} as {}", verbs.one, who.trim_end_matches(',')),
        }
    }

    /// The same as a sentence of its own: `cp takes 1.4 to 2.0 times as long as the fastest`.
    pub(crate) fn beside_the_best(&self, who: &str, bound: &str) -> String {
        let Self { verbs, times, the_best, .. } = self;
        match self.better {
            Better::Less => format!("{who} {} {bound} {times} as {the_best}", verbs.one),
            Better::More => format!("The best {} {bound} {times} as {who}", verbs.one),
        }
    }

    /// The same of what is over: `8 others took 1.5 to 2.6 times as long`.
    pub(crate) fn was_beside(&self, who: &str, bound: &str) -> String {
        let Self { verbs, times, .. } = self;
        match self.better {
            Better::Less => format!("{who} {} {bound} {times}", verbs.past),
            Better::More => format!("the best {} {bound} {times} as {who}", verbs.past),
        }
    }

    /// What a choice can cost at most: `regex costs at most 6 % more than the best`. `cost` is how many times worse it can
    /// be, less 1.
    pub(crate) fn costs_at_most(&self, who: &str, cost: f64) -> String {
        match (self.better, limit(cost)) {
            (Better::More, _) => {
                format!("{who} {} at most {} less than the best", self.verbs.one, missing(cost))
            }
            (Better::Less, Some(limit)) => format!("{who} costs at most {limit} more than the best"),
            (Better::Less, None) => {
                format!("{who} costs at most {} times what the best does", at_most(1.0 + cost))
            }
        }
    }

    /// How near to the best the leader is: `within 7 % of the fastest`.
    pub(crate) fn within(&self, cost: f64) -> String {
        let Self { verbs, times, the_best, .. } = self;
        match (self.better, limit(cost)) {
            (Better::More, _) => format!("within {} of {the_best}", missing(cost)),
            (Better::Less, Some(limit)) => format!("within {limit} of {the_best}"),
            (Better::Less, None) => {
                format!("{} at most {} {times} as {the_best}", verbs.one, at_most(1.0 + cost))
            }
        }
    }

    /// Where the best has none at all, which no factor tells: `none, against 12 a run for b`.
    pub(crate) fn none_against(who: &str, number: Number, typical: &str) -> String {
        let more = if number == Number::One { "" } else { " or more" };
        format!("none, against {typical} a run{more} for {who}")
    }

    /// The lower end of a factor: `at least 1.2`. `None` where it is rounded to 1.00, which is no figure.
    pub(crate) fn least(low: f64) -> Option<String> {
        Some(at_least(low)).filter(|told| told != "1.00").map(|told| format!("at least {told}"))
    }
}

/// What is missing to the best, as a percentage rounded up: never less than 1 %.
fn missing(cost: f64) -> String {
    let percent = (cost / (1.0 + cost) * 100.0 - 1e-7).ceil().clamp(1.0, 100.0);
    format!("{percent:.0} %")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_more_is_better_the_best_is_the_subject() {
        let rate = Terms::of(&Quantity::more("units_per_second", "units per second"));
        let others = rate.beside("every other technique", Number::One, "at least 1.2");
        assert_eq!(others, "it moves at least 1.2 times as much as every other technique");
        assert_eq!(rate.is_best, "is best by units per second");
        assert_eq!(rate.costs_at_most("pipe", 1.0), "pipe moves at most 50 % less than the best");
        assert_eq!(rate.within(0.0), "within 1 % of the best");
        assert_eq!(rate.alike("pipe, the plain way,"), "it moves about as much as pipe, the plain way");
    }

    #[test]
    fn where_less_is_better_the_others_are() {
        let others = Terms::of(&Quantity::FAULTS).beside("2 of the others", Number::Several, "at least 1.2");
        assert_eq!(others, "2 of the others have at least 1.2 times as many");
        let work = Terms::of(&Quantity::WORK);
        assert_eq!(work.alike("cp, the plain way,"), "cp, the plain way, takes about as long");
        assert_eq!(work.costs_at_most("a", 0.066), "a costs at most 7 % more than the best");
        assert_eq!(work.costs_at_most("a", 1.31), "a costs at most 2.4 times what the best does");
        assert_eq!(
            work.beside_the_best("cp", "1.4 to 2.0"),
            "cp takes 1.4 to 2.0 times as long as the fastest"
        );
    }
}
