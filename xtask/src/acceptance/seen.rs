//! What the program says, read from its JSON: the documented keys that the checks need, and nothing else.

use serde::Deserialize;

/// A run as `run --format json` prints it.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) run: Facts,
    pub(super) trials: Vec<Trial>,
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
    pub(super) attempt: u32,
    pub(super) samples: Vec<Sample>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sample {
    pub(super) round: u32,
    pub(super) work_ns: u64,
    pub(super) repetitions: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Verdict {
    Winner,
    WinnerSmall,
    Tie,
    Partial,
    Inconclusive,
    Unstable,
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Standing {
    Best,
    Tied,
    Slower,
    Undecided,
    Limit,
    Failed,
}

#[derive(Debug, Deserialize)]
pub(super) struct Ranking {
    pub(super) verdict: Verdict,
    pub(super) sentence: String,
    pub(super) winner: Option<String>,
    #[serde(default)]
    pub(super) tied: Vec<String>,
    pub(super) rounds: u32,
    pub(super) delta: f64,
    pub(super) alpha: f64,
    pub(super) places: Vec<Place>,
    #[serde(default)]
    pub(super) flags: Vec<Flag>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Place {
    pub(super) technique: String,
    pub(super) place: Standing,
    pub(super) ratio_low: Option<f64>,
    pub(super) ratio_high: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Flag {
    pub(super) name: String,
}

impl Run {
    /// The only ranking of a run of one cell.
    pub(super) fn ranking(&self) -> anyhow::Result<&Ranking> {
        match self.rankings.as_slice() {
            [one] => Ok(one),
            others => anyhow::bail!("the run has {} rankings instead of one", others.len()),
        }
    }

    /// A technique in the attempt that counts.
    pub(super) fn trial(&self, technique: &str) -> Option<&Trial> {
        self.trials.iter().filter(|trial| trial.technique == technique).max_by_key(|trial| trial.attempt)
    }
}

impl Ranking {
    pub(super) fn has_winner(&self) -> bool {
        matches!(self.verdict, Verdict::Winner | Verdict::WinnerSmall)
    }

    pub(super) fn place(&self, technique: &str) -> Option<&Place> {
        self.places.iter().find(|place| place.technique == technique)
    }

    pub(super) fn standing(&self, technique: &str) -> Option<Standing> {
        self.place(technique).map(|place| place.place)
    }

    /// Whether this technique is said to be the slower one of a pair.
    pub(super) fn calls_slower(&self, technique: &str) -> bool {
        let beaten = self.winner.as_ref().is_some_and(|winner| self.has_winner() && winner != technique);
        beaten || self.standing(technique) == Some(Standing::Slower)
    }

    pub(super) fn flagged(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// Whether the one interval of a contest of two holds the true ratio of `other` to `base`. An end that is missing
    /// is no bound; without either end there is no interval, and it holds nothing.
    pub(super) fn covers(&self, base: &str, true_ratio: f64) -> bool {
        let Some(other) = self.places.get(1) else { return false };
        let truth = if other.technique == base { 1.0 / true_ratio } else { true_ratio };
        let printed = other.ratio_low.is_some() || other.ratio_high.is_some();
        let (low, high) = (other.ratio_low.unwrap_or(0.0), other.ratio_high.unwrap_or(f64::INFINITY));
        // The program prints ratios, not logarithms: the last digits may differ.
        printed && low <= truth * (1.0 + 1e-12) && truth <= high * (1.0 + 1e-12)
    }
}
