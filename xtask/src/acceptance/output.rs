//! The answers of the program, read from its JSON: the documented keys that the checks need, and nothing else.

use std::collections::BTreeMap;

use judge::{Spread, Standing};
use model::Workload;
use serde::Deserialize;

/// A run as `run --format json` prints it.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) run: Facts,
    pub(super) trials: Vec<Trial>,
    #[serde(rename = "contests")]
    pub(super) rankings: Vec<Ranking>,
    #[serde(default)]
    pub(super) curves: Vec<Curve>,
}

/// The output of `judge --format json`.
#[derive(Debug, Deserialize)]
pub(super) struct Verdict {
    #[serde(rename = "contests")]
    pub(super) rankings: Vec<Ranking>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Facts {
    pub(super) complete: bool,
    pub(super) design: Design,
}

#[derive(Debug, Deserialize)]
pub(super) struct Design {
    pub(super) looks: Vec<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Trial {
    pub(super) technique: String,
    #[serde(default)]
    pub(super) looks: Vec<u32>,
    #[serde(default)]
    pub(super) attempt: u32,
    /// For a twin: the technique that it repeats.
    pub(super) twin_of: Option<String>,
    pub(super) samples: Vec<Sample>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sample {
    pub(super) round: u32,
    /// Place in the order of its round.
    #[serde(default)]
    pub(super) position: u32,
    /// 0 for a command, which says nothing of its work; no check looks at it there.
    #[serde(default)]
    pub(super) work_ns: u64,
    pub(super) repetitions: u64,
    /// Values that the technique counted or timed itself.
    #[serde(default)]
    pub(super) values: BTreeMap<String, f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Ranking {
    pub(super) family: String,
    #[serde(default)]
    pub(super) workload: Workload,
    state: String,
    pub(super) sentence: String,
    pub(super) leader: Option<String>,
    pub(super) baseline: Option<String>,
    /// Those that may be fastest.
    #[serde(default)]
    pub(super) fastest: Vec<String>,
    pub(super) at_most_slower: Option<f64>,
    pub(super) rounds: u32,
    pub(super) delta: f64,
    pub(super) alpha: f64,
    pub(super) entries: Vec<Entry>,
    #[serde(default)]
    pub(super) flags: Vec<Flag>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Entry {
    pub(super) technique: String,
    pub(super) standing: Standing,
    /// Its typical value over that of the leader.
    pub(super) factor: Option<f64>,
    pub(super) factor_low: Option<f64>,
    pub(super) factor_high: Option<f64>,
    /// The counted rounds after which it left; absent where it was measured to the end.
    pub(super) left_after_round: Option<u32>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Flag {
    pub(super) name: String,
}

/// The contests of a family that differ in one number of their workload.
#[derive(Debug, Deserialize)]
pub(super) struct Curve {
    pub(super) family: String,
    /// Of which only the number matters.
    pub(super) levels: Vec<serde::de::IgnoredAny>,
    pub(super) techniques: Vec<OverLevels>,
}

/// A technique over the levels of a curve.
#[derive(Debug, Deserialize)]
pub(super) struct OverLevels {
    pub(super) technique: String,
    pub(super) points: Vec<Point>,
    pub(super) spread: Option<Spread>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Point {
    pub(super) at: u64,
    pub(super) median_bytes_per_second: Option<f64>,
}

impl Run {
    /// Returns the only ranking of a run of one task.
    pub(super) fn ranking(&self) -> anyhow::Result<&Ranking> {
        let rankings = self.rankings.len();
        anyhow::ensure!(rankings == 1, "the run has {rankings} rankings instead of one");
        Ok(&self.rankings[0])
    }

    pub(super) fn rankings_of(&self, family: &str) -> Vec<&Ranking> {
        self.rankings.iter().filter(|ranking| ranking.family == family).collect()
    }

    pub(super) fn trial(&self, technique: &str) -> Option<&Trial> {
        self.trials.iter().filter(|trial| trial.technique == technique).max_by_key(|trial| trial.attempt)
    }
}

/// Says why no factor shows the distance from the best.
fn without_factor(standing: Standing) -> &'static str {
    match standing {
        Standing::Wins | Standing::Tied => "is tied with the best",
        Standing::Slower => "is not the best, and no limit says by how much",
        Standing::Skipped => "was skipped for time",
        Standing::Ceiling => "does not compete",
        Standing::Failed => "failed",
        Standing::Unjudged => "was not judged",
    }
}

impl Ranking {
    /// Returns whether one entry is called the fastest, and another one is not.
    pub(super) fn has_winner(&self) -> bool {
        self.fastest.len() == 1 && self.entries.iter().any(|entry| entry.standing == Standing::Slower)
    }

    pub(super) fn is_refused(&self) -> bool {
        self.state == "refused"
    }

    /// Returns whether all are called alike within the difference that was asked for.
    pub(super) fn is_alike(&self) -> bool {
        self.state == "same"
    }

    fn entry(&self, technique: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.technique == technique)
    }

    pub(super) fn standing(&self, technique: &str) -> Option<Standing> {
        self.entry(technique).map(|entry| entry.standing)
    }

    /// Returns whether this technique is said to be none of the fastest.
    pub(super) fn calls_slower(&self, technique: &str) -> bool {
        self.standing(technique) == Some(Standing::Slower)
    }

    /// Returns why a technique is not shown to be within `factor_max` times the best; `None` where nothing speaks against it.
    /// Against it speak: a lower end of its factor above `factor_max`; without a lower end, that it is not the best and left early,
    /// or typically takes longer.
    pub(super) fn falls_short(&self, technique: &str, factor_max: f64) -> Option<String> {
        let Some(entry) = self.entry(technique) else { return Some("took no part".to_owned()) };
        let is_measured_to_the_end = entry.left_after_round.is_none();
        match (entry.standing, entry.factor_low, entry.factor) {
            (Standing::Wins | Standing::Tied | Standing::Slower, Some(low), _) => {
                (low > factor_max).then(|| format!("at least {low:.3} times the best"))
            }
            (Standing::Wins | Standing::Tied, None, _) => None,
            (Standing::Slower, None, Some(typical)) if is_measured_to_the_end => {
                (typical > factor_max).then(|| format!("is not the best, typically {typical:.3} times it"))
            }
            (standing, ..) => Some(without_factor(standing).to_owned()),
        }
    }

    /// Returns the typical value of an entry over that of the leader.
    pub(super) fn factor(&self, technique: &str) -> Option<f64> {
        if self.leader.as_deref() == Some(technique) { Some(1.0) } else { self.entry(technique)?.factor }
    }

    /// Returns whether choosing the leader is said to cost at most this fraction.
    pub(super) fn is_within(&self, fraction: f64) -> bool {
        self.at_most_slower.is_some_and(|limit| limit <= fraction)
    }

    pub(super) fn flagged(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// Returns whether the factors of a contest of two hold the truth: that `base` is the fastest, and the other one takes this
    /// many times as long. A missing end is no bound; without any there is nothing to hold.
    pub(super) fn covers(&self, base: &str, true_ratio: f64) -> bool {
        let is_bound = self.entries.iter().any(|one| one.factor_low.is_some() || one.factor_high.is_some());
        let all_hold = self.entries.iter().all(|entry| {
            let truth = if entry.technique == base { 1.0 } else { true_ratio };
            let (low, high) = (entry.factor_low.unwrap_or(0.0), entry.factor_high.unwrap_or(f64::INFINITY));
            // The program prints ratios, not logarithms: the last digits may differ.
            low <= truth * (1.0 + 1e-12) && truth <= high * (1.0 + 1e-12)
        });
        self.entries.len() == 2 && is_bound && all_hold
    }
}

/// Shows a figure with this many digits, or that it is unknown.
pub(super) fn shown(figure: Option<f64>, digits: usize) -> String {
    figure.map_or("?".to_owned(), |figure| format!("{figure:.digits$}"))
}

/// Reads a ranking or a run of which a test names the keys that matter to it.
#[cfg(test)]
fn with<T: serde::de::DeserializeOwned>(mut usual: serde_json::Value, own: &serde_json::Value) -> T {
    for (key, value) in own.as_object().expect("an object") {
        usual[key] = value.clone();
    }
    serde_json::from_value(usual).expect("all keys")
}

#[cfg(test)]
pub(super) fn ranking(own: &serde_json::Value) -> Ranking {
    let usual = serde_json::json!({"family": "copy", "state": "tied", "sentence": "", "rounds": 8, "delta": 0.02,
        "alpha": 0.05, "entries": []});
    with(usual, own)
}

#[cfg(test)]
pub(super) fn run(own: &serde_json::Value) -> Run {
    let facts = serde_json::json!({"complete": true, "design": {"looks": [8]}});
    with(serde_json::json!({"run": facts, "trials": [], "contests": []}), own)
}
