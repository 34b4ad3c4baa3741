//! What may be said of a finding: its verdict with its comparisons, what was published, and the runs that were looked at.

use model::{Record, RunId};
use serde::Serialize;
use serde_with::skip_serializing_none;

use crate::effect::{Bounds, Effect, Outcome, Said};
use crate::finding::Publication;

/// Published figures of one comparison: what the machines showed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Published {
    /// The smallest of them.
    pub low: f64,
    /// The largest of them.
    pub high: f64,
    /// The number of machines.
    pub machines: u32,
    /// The figures that the claim is not true of, each with its machine.
    #[serde(skip)]
    pub outside: Vec<(String, f64)>,
}

/// A published figure that its own claim is not true of.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contradiction {
    /// The comparison: `cpC over cpW`.
    pub what: String,
    /// The published machine.
    pub machine: String,
    /// The figure.
    pub figure: f64,
    /// True if it is a time in nanoseconds.
    #[serde(skip)]
    pub is_time: bool,
}

/// One comparison of a finding.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Compared {
    /// The comparison: `cpC over cpW, user`.
    pub what: String,
    /// The claim: at least this.
    pub at_least: Option<f64>,
    /// The claim: at most this.
    pub at_most: Option<f64>,
    /// The unit of its numbers; absent where they are ratios: `ns`.
    pub unit: Option<String>,
    /// The verdict here.
    pub outcome: Outcome,
    /// The effect that was seen here.
    pub effect: Option<Effect>,
    /// The published figures.
    pub published: Option<Published>,
    /// The reason why nothing was seen.
    pub reason: Option<String>,
    /// A further fact in words: the lowest limit.
    pub found: Option<String>,
    /// This many more rounds would decide it.
    pub further_rounds: Option<u32>,
    /// This many rounds are needed before anything can be said, where there are fewer.
    pub least_rounds: Option<u32>,
    /// True if the further rounds could be worked out: not from an interval without values by round.
    #[serde(skip)]
    pub rounds_are_foreseen: bool,
}

impl Compared {
    /// Without published figures and reasons.
    pub(crate) fn new(what: String, bounds: Bounds, said: Said) -> Self {
        let Said { outcome, effect, further_rounds, least_rounds } = said;
        Self {
            what,
            at_least: bounds.at_least,
            at_most: bounds.at_most,
            outcome,
            effect,
            further_rounds,
            least_rounds,
            ..Self::default()
        }
    }
}

/// A run by which a finding was judged, and its work that was compared.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedBy {
    /// The run.
    pub run: RunId,
    /// When it began.
    pub started: String,
    /// The name of its host, when known.
    pub host: Option<String>,
    /// The contests that were compared, each in a few words.
    pub workloads: Vec<String>,
}

impl JudgedBy {
    pub(crate) fn of(record: &Record, workloads: Vec<String>) -> Self {
        Self {
            run: record.id.clone(),
            started: record.started.clone(),
            host: record.host.name.clone(),
            workloads,
        }
    }
}

/// A finding with what may be said of it here.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// Its short name: `copy-2`.
    pub id: String,
    /// The family that it is about.
    pub family: String,
    /// The claim in one sentence.
    pub claim: String,
    /// The publication.
    pub source: Publication,
    /// The place in it.
    pub place: String,
    /// Under which conditions it was published.
    pub conditions: String,
    /// The published figure in words, where it stands in no table.
    pub figure: Option<String>,
    /// Published figures that the claim is not true of.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contradictions: Vec<Contradiction>,
    /// Faults of its source, each in a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// What this system cannot do as it was published, each in a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub departures: Vec<String>,
    /// The verdict here.
    pub outcome: Outcome,
    /// The reason why it could not be tested, or what was left out.
    pub reason: Option<String>,
    /// This many more rounds would decide it.
    pub further_rounds: Option<u32>,
    /// The least time that they would take: the work alone.
    pub further_ns: Option<u64>,
    /// This many rounds are needed before anything can be said, where there are fewer.
    pub least_rounds: Option<u32>,
    /// The settings with which it was measured, where they are not the published ones.
    pub measured_with: Option<String>,
    /// True if a kept run has its family.
    #[serde(skip)]
    pub has_run: bool,
    /// The run that it was judged by, where it was one.
    pub run: Option<RunId>,
    /// The runs that it was judged by.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub judged_by: Vec<JudgedBy>,
    /// The published ratio of two machines, where no comparison shows it.
    pub published: Option<Published>,
    /// Its comparisons.
    pub comparisons: Vec<Compared>,
}

impl Judged {
    /// Returns whether a run showed anything of it.
    pub fn is_measured(&self) -> bool {
        self.outcome.is_seen()
    }

    /// Returns the comparison that decided: the first with the same outcome, else the first that was seen.
    pub fn deciding(&self) -> Option<&Compared> {
        let same = self.comparisons.iter().find(|one| one.outcome == self.outcome && one.effect.is_some());
        same.or_else(|| self.comparisons.iter().find(|one| one.effect.is_some())).or(self.comparisons.first())
    }
}

/// Returns the answer over all findings.
pub fn answer(all: &[Judged]) -> String {
    let count = |outcome: Outcome| all.iter().filter(|judged| judged.outcome == outcome).count();
    let tested = all.iter().filter(|judged| judged.is_measured()).count();
    let total = all.len();
    let (not_measured, not_testable) = (count(Outcome::NotMeasured), count(Outcome::NotTestable));
    let words = [
        (Outcome::Holds, "holds", "hold"),
        (Outcome::Reversed, "is reversed", "are reversed"),
        (Outcome::NoDifference, "shows no difference", "show no difference"),
        (Outcome::Undecided, "is undecided", "are undecided"),
    ];
    let numbers = words.map(|(outcome, one, more)| (count(outcome), one, more)).into_iter();
    let parts: Vec<String> = numbers
        .filter(|(number, ..)| *number > 0)
        .map(|(number, one, more)| format!("{number} {}", if number == 1 { one } else { more }))
        .collect();
    let found = match &parts[..] {
        [] => String::new(),
        [one] => format!(": {one}"),
        [all @ .., last] => format!(": {} and {last}", all.join(", ")),
    };
    let was = if tested == 1 { "was" } else { "were" };
    let mut sentence = format!("{tested} of {total} published findings {was} tested here{found}.");
    if not_testable > 0 {
        sentence += &format!(" {not_testable} cannot be tested here.");
    }
    if not_measured > 0 {
        let were = if not_measured == 1 { "was" } else { "were" };
        // A run of their family exists and did not suffice: the reasons say why.
        let have_runs = all.iter().all(|one| one.outcome != Outcome::NotMeasured || one.has_run);
        let rest = if have_runs {
            "; the reasons stand below."
        } else {
            ": 'bakeoff findings --measure' does that."
        };
        sentence += &format!(" {not_measured} {were} not measured{rest}");
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::all;
    use crate::judged::{Known, judge};

    fn with(outcomes: &[Outcome]) -> Vec<Judged> {
        let findings = all();
        let one = judge(&findings[0], &[], &Known::new(), None);
        outcomes.iter().map(|&outcome| Judged { outcome, ..one.clone() }).collect()
    }

    #[test]
    fn the_answer_counts_what_was_found() {
        use Outcome::{Holds, NoDifference, NotMeasured, NotTestable, Reversed, Undecided};
        let all = [Holds, Holds, Reversed, NoDifference, Undecided, Undecided, NotTestable, NotMeasured];
        assert_eq!(
            answer(&with(&all)),
            "6 of 8 published findings were tested here: 2 hold, 1 is reversed, 1 shows no difference and 2 are \
             undecided. 1 cannot be tested here. 1 was not measured: 'bakeoff findings --measure' does that."
        );
        assert_eq!(
            answer(&with(&[NotTestable])),
            "0 of 1 published findings were tested here. 1 cannot be tested here."
        );
    }

    #[test]
    fn what_a_run_did_not_measure_is_not_asked_for_again() {
        let mut all = with(&[Outcome::NotMeasured, Outcome::NotMeasured]);
        all[0].has_run = true;
        assert!(answer(&all).ends_with("2 were not measured: 'bakeoff findings --measure' does that."));
        all[1].has_run = true;
        assert!(answer(&all).ends_with("2 were not measured; the reasons stand below."));
    }

    #[test]
    fn an_unknown_family_is_reported() {
        let judged = &with(&[Outcome::NotTestable])[0];
        assert_eq!(judged.reason.as_deref(), Some("the family copy is not in this version"));
    }
}
