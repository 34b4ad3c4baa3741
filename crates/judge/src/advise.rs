//! From kept runs to what a program should do: which technique, what it gains, and where that stops being true.
//!
//! Between two measured levels the logarithm of each entry's factor is taken to change evenly over the logarithm of the level.
//! Beyond the ends nothing is extrapolated: there the answer is that of the nearest level, and says so.

use model::{Class, Conditions, Point, Quantity, RunId, Workload, axis_value, axis_value_binary};
use serde::Serialize;

use crate::curve::Gain;
use crate::decide::Decided;

mod best_levels;
mod choice;
mod levels;
mod stretches;
mod words;

use levels::Levels;

/// A kept run with what may be said of it.
#[derive(Debug, Clone, Copy)]
pub struct KeptAnswers<'a> {
    /// The run.
    pub id: &'a RunId,
    /// When it began.
    pub started: &'a str,
    /// Its contests and curves.
    pub decided: &'a Decided,
}

/// A way to understand what is asked: the whole of a task, or a place on one of its axes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// The task with all its values.
    pub workload: Workload,
    /// The number of the workload along which measured levels are looked for; `None` asks for this workload alone.
    pub axis: Option<String>,
    /// Whether the user named the value on that axis: then the answer is for that level, else for all of them.
    pub is_level: bool,
}

/// What is asked, beside the task.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// Name of the family.
    pub family: &'a str,
    /// What must be equal. Without a limit of memory, whatever the family's own question asks for is taken.
    pub conditions: &'a Conditions,
    /// The key of what is compared.
    pub quantity: &'a str,
    /// The techniques, or entries, that the user can choose from; all where it is empty.
    pub among: &'a [String],
    /// The values of an entry's parameters, by the entry's name.
    pub values: &'a dyn Fn(&str) -> Point,
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Basis {
    /// This very level was measured, or there is no axis.
    Measured,
    /// It lies between two measured levels.
    Interpolated {
        /// The next measured level below.
        below: u64,
        /// The next measured level above.
        above: u64,
    },
    /// It lies outside of what was measured: the answer is that of the nearest level.
    Nearest {
        /// That level.
        at: u64,
    },
    /// No level was asked for: the answer is about all that were measured.
    AllLevels {
        /// The lowest.
        from: u64,
        /// The highest.
        to: u64,
    },
}

/// How sure a choice is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Certainty {
    /// Where it rests on, choosing it costs no more than the difference that the run was told to neglect.
    Sure,
    /// What choosing it can cost has a limit, which is larger than that.
    Limited,
    /// Nothing limits yet what choosing it can cost.
    Open,
}

/// The plain way beside the choice.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverPlain {
    /// The entry of the plain way.
    pub reference: String,
    /// Its cost over that of the choice: 1.5 says that the plain way takes half as long again.
    pub factor: f64,
    /// At least this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor_low: Option<f64>,
    /// At most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub factor_high: Option<f64>,
}

/// Where a choice stops being true, in one direction. The crossover lies between `last` and `beyond`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Limit {
    /// The last measured level, counted from the choice on, at which the choice may be fastest.
    pub last: u64,
    /// The first level behind it at which the choice is slower than the fastest. Absent where it may be fastest up to the end of what
    /// was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beyond: Option<u64>,
    /// Where the typical values of the two are equal, by interpolation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<f64>,
    /// The entry that leads there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
}

/// What to use.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The entry: the technique with the values of its parameters.
    pub entry: String,
    /// The technique.
    pub technique: String,
    /// The values of its parameters by their names, the unit last.
    #[serde(skip_serializing_if = "Point::is_empty")]
    pub values: Point,
    /// The plain way beside it; absent where it is the plain way, or where that did not take part.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over_plain: Option<OverPlain>,
    /// Whether it is the plain way.
    pub is_plain: bool,
    /// Whether every measured level that it rests on compared the plain way.
    pub plain_was_compared: bool,
    /// By how much it can be slower than the fastest, as a fraction; absent while nothing limits that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at_most_slower: Option<f64>,
    /// How sure that is.
    pub certainty: Certainty,
    /// The chance that what was measured is told rightly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<f64>,
    /// Where it stops being true towards lower levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub below: Option<Limit>,
    /// Where it stops being true towards higher levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub above: Option<Limit>,
}

/// Levels for which the choice is the same, both ends included.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// The lowest level.
    pub from: u64,
    /// The highest level.
    pub to: u64,
    /// What to use there; its figures are the least favourable ones of the measured levels that it rests on.
    pub choice: Choice,
    /// Whether no level in it was measured: it lies between two that were.
    pub interpolated: bool,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
    /// When the latest of its runs began.
    pub started: String,
    /// The runs that it was taken from.
    pub runs: Vec<RunId>,
}

/// Which level is best, where all levels do the same work.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestLevels {
    /// The entry that is best at them.
    pub entry: String,
    /// The levels that may be best for it.
    pub levels: Vec<u64>,
    /// The one to choose, where more workers are not what they differ by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chosen: Option<u64>,
    /// What the one in the middle gains over the highest level.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gain: Option<Gain>,
}

/// A run that an answer was taken from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Origin {
    /// The run.
    pub run: RunId,
    /// When it began.
    pub started: String,
    /// The levels that were taken from it; empty where there is no axis.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<u64>,
    /// How many entries it compared there, at least.
    pub compared: usize,
    /// Counted rounds that were judged, at least.
    pub rounds: u32,
}

/// What to use for a task on this host, and how that is known.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Advice {
    /// Name of the family.
    pub family: String,
    /// The task; without the number on the axis where all levels were asked for.
    pub workload: Workload,
    /// Under which conditions.
    pub conditions: Conditions,
    /// What kind of result these techniques leave.
    pub class: Class,
    /// What is compared.
    pub quantity: Quantity,
    /// What to do, in a sentence.
    pub sentence: String,
    /// What it rests on, and where it stops being true, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// The number along which levels were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub axis: Option<String>,
    /// The level that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<u64>,
    /// What the answer rests on.
    pub basis: Basis,
    /// What to use at the level that was asked for; absent where all levels were, and several choices are made.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// What to use along the axis, ascending and without a gap.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub stretches: Vec<Stretch>,
    /// Which level is best, where all do the same work and none was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub best_levels: Option<BestLevels>,
    /// The runs that it was taken from, the latest first.
    pub origins: Vec<Origin>,
}

impl Advice {
    /// A level with its unit: in binary units where measured ones are exact in them, so that all are told in the same.
    pub fn level(&self, number: u64) -> String {
        let axis = self.axis.as_deref().unwrap_or_default();
        let ends = self.stretches.iter().flat_map(|one| [one.from, one.to]);
        match ends.into_iter().any(model::is_exact_in_binary) {
            true => axis_value_binary(axis, number),
            false => axis_value(axis, number),
        }
    }

    /// Whether it tells less than was asked: of a single level where all were meant, or of a level beside the one that was named.
    fn is_partial(&self) -> bool {
        match self.basis {
            Basis::Nearest { .. } => true,
            Basis::AllLevels { from, to } => from == to,
            Basis::Measured | Basis::Interpolated { .. } => false,
        }
    }
}

/// What to use, from the kept runs, the latest first; `None` where nothing was measured that tells it. Of the ways in which a
/// question can be understood, the first one counts whose level was measured or lies between measured ones, or of which
/// several levels were measured; then the first one of which anything is known.
pub fn advise(question: &Question<'_>, asked: &[Asked], kept: &[KeptAnswers<'_>]) -> Option<Advice> {
    let mut partial = None;
    for one in asked {
        let Some(levels) = Levels::of(question, one, kept) else { continue };
        let Some(advice) = advice(question, one, &levels, kept) else { continue };
        if !advice.is_partial() {
            return Some(advice);
        }
        partial = partial.or(Some(advice));
    }
    partial
}

fn advice(
    question: &Question<'_>,
    asked: &Asked,
    levels: &Levels<'_>,
    kept: &[KeptAnswers<'_>],
) -> Option<Advice> {
    let stretches = stretches::stretches(levels, question);
    let axis = asked.axis.clone();
    let at = axis.as_deref().filter(|_| asked.is_level).and_then(|axis| asked.workload.number(axis));
    let basis = levels.basis(axis.is_some(), at);
    let choice = match (&basis, at) {
        (Basis::AllLevels { .. }, _) => {
            let (first, rest) = stretches.split_first()?;
            rest.is_empty().then(|| first.choice.clone())
        }
        (_, Some(at)) => {
            let at = if let Basis::Nearest { at } = basis { at } else { at };
            let stretch = stretches.iter().find(|one| (one.from..=one.to).contains(&at))?;
            Some(choice::at(levels, question, &stretch.choice.entry, at))
        }
        _ => stretches.first().map(|only| only.choice.clone()),
    };
    let best_levels = match (&basis, axis.as_deref()) {
        (Basis::AllLevels { .. }, Some(axis)) => best_levels::of(question, asked, axis, levels, kept),
        _ => None,
    };
    let used = match (&basis, at) {
        (Basis::AllLevels { .. }, _) | (_, None) => levels.all(),
        (_, Some(at)) => levels.around(at),
    };
    let first = levels.first();
    let mut advice = Advice {
        family: question.family.to_owned(),
        workload: match (&basis, axis.as_deref()) {
            (Basis::AllLevels { .. }, Some(axis)) => asked.workload.beside(axis),
            _ => asked.workload.clone(),
        },
        conditions: first.ranking.setting.conditions.clone(),
        class: first.ranking.class,
        quantity: first.ranking.quantity.clone(),
        sentence: String::new(),
        remarks: Vec::new(),
        // A task that has one number alone is told by its axis, a single measured level of a question about all is not.
        axis,
        at,
        basis,
        choice,
        stretches,
        best_levels,
        origins: levels.origins(&used),
    };
    advice.sentence = words::sentence(&advice);
    advice.remarks = words::remarks(&advice);
    Some(advice)
}
