//! What the program says, read from its JSON: the documented keys that the checks need, and nothing else.

use serde::Deserialize;

/// A run as `run --format json` prints it.
#[derive(Debug, Deserialize)]
pub(super) struct Run {
    pub(super) run: Facts,
    pub(super) trials: Vec<Trial>,
    #[serde(rename = "contests")]
    pub(super) rankings: Vec<Ranking>,
}

/// What `judge --format json` prints.
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
    pub(super) samples: Vec<Sample>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Sample {
    pub(super) round: u32,
    /// 0 where processes are timed from outside; no check of such runs looks at it.
    #[serde(default)]
    pub(super) work_ns: u64,
    pub(super) repetitions: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Standing {
    Fastest,
    MayBeFastest,
    Slower,
    Behind,
    FarBehind,
    LeftOut,
    Limit,
    Failed,
    Unjudged,
}

#[derive(Debug, Deserialize)]
pub(super) struct Ranking {
    pub(super) family: String,
    state: String,
    pub(super) sentence: String,
    pub(super) leader: Option<String>,
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
    pub(super) factor_low: Option<f64>,
    pub(super) factor_high: Option<f64>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Flag {
    pub(super) name: String,
}

impl Run {
    /// The only ranking of a run of one task.
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

impl Standing {
    /// Compared, and not the fastest.
    fn is_beaten(self) -> bool {
        matches!(self, Self::Slower | Self::Behind | Self::FarBehind)
    }
}

impl Ranking {
    /// Whether one entry is called the fastest, and another one is not.
    pub(super) fn has_winner(&self) -> bool {
        self.fastest.len() == 1 && self.entries.iter().any(|entry| entry.standing.is_beaten())
    }

    pub(super) fn is_refused(&self) -> bool {
        self.state == "refused"
    }

    /// Whether all are called alike within the difference that was asked for.
    pub(super) fn is_alike(&self) -> bool {
        self.state == "alike"
    }

    pub(super) fn standing(&self, technique: &str) -> Option<Standing> {
        self.entries.iter().find(|entry| entry.technique == technique).map(|entry| entry.standing)
    }

    /// Whether this technique is said to be none of the fastest.
    pub(super) fn calls_slower(&self, technique: &str) -> bool {
        self.standing(technique).is_some_and(Standing::is_beaten)
    }

    pub(super) fn may_be_fastest(&self, technique: &str) -> bool {
        self.fastest.iter().any(|name| name == technique)
    }

    /// Whether choosing the leader is said to cost at most this fraction.
    pub(super) fn is_within(&self, fraction: f64) -> bool {
        self.at_most_slower.is_some_and(|limit| limit <= fraction)
    }

    pub(super) fn flagged(&self, name: &str) -> bool {
        self.flags.iter().any(|flag| flag.name == name)
    }

    /// Whether the factors of a contest of two hold the truth: that `base` is the fastest, and the other one takes so
    /// many times as long. An end that is missing is no bound; without any there is nothing to hold.
    pub(super) fn covers(&self, base: &str, true_ratio: f64) -> bool {
        let [one, other] = self.entries.as_slice() else { return false };
        let printed = |entry: &Entry| entry.factor_low.is_some() || entry.factor_high.is_some();
        let holds = |entry: &Entry| {
            let truth = if entry.technique == base { 1.0 } else { true_ratio };
            let (low, high) = (entry.factor_low.unwrap_or(0.0), entry.factor_high.unwrap_or(f64::INFINITY));
            // The program prints ratios, not logarithms: the last digits may differ.
            low <= truth * (1.0 + 1e-12) && truth <= high * (1.0 + 1e-12)
        };
        (printed(one) || printed(other)) && holds(one) && holds(other)
    }
}
