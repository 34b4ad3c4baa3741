//! One technique: how it works, what it does, and where it won.

use judge::Ranking;
use serde::Serialize;

use super::ExplainPage;

/// One technique.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShowPage {
    /// Name of its family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// Its name.
    pub technique: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The idea in one line.
    pub idea: String,
    /// The program, page or paper that it comes from.
    pub source: String,
    /// The technique that it is a variant of.
    pub variant_of: Option<String>,
    /// The names of its parameters.
    pub parameters: Vec<String>,
    /// The values that take part by default, as entries.
    pub entries: Vec<String>,
    /// The systems and workloads that it is for, where these are not all.
    pub only_for: Vec<String>,
    /// Whether it is the baseline of its family.
    pub is_reference: bool,
    /// Whether it is not a competitor but the limit.
    pub is_limit: bool,
    /// What a host must have, in words that stand behind "needs".
    pub needs: String,
    /// Why it cannot run here.
    pub missing: Option<String>,
    /// The system calls that its idea names.
    pub expected: Vec<String>,
    /// What it did just now, on a small input.
    pub explained: Option<ExplainPage>,
    /// Why it is not known what it does.
    pub not_explained: Option<String>,
    /// The contests of kept runs in which it took part, the last one first.
    pub contests: Vec<Stood>,
    /// Contests of earlier runs that are not in the list.
    pub further_contests: u64,
    /// The file that declares it, below `crates/families/src`.
    pub file: String,
    /// What stands in that file.
    pub code: String,
    /// The files of which it takes what it does.
    pub further: Vec<Code>,
}

/// A file of source code.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Code {
    /// Its path from the root of the repository.
    pub file: String,
    /// What stands in it.
    pub code: String,
}

/// Where a technique stood in a contest of a kept run.
#[derive(Debug, Clone, PartialEq)]
pub struct Stood {
    /// The run.
    pub run: String,
    /// When it began.
    pub started: String,
    /// The contest.
    pub ranking: Ranking,
    /// The best of its entries there.
    pub entry: String,
}

/// The same for other programs.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct StoodInJson<'a> {
    pub(crate) run: &'a str,
    pub(crate) started: &'a str,
    pub(crate) workload: &'a model::Workload,
    pub(crate) setting: &'a model::Setting,
    pub(crate) entry: &'a str,
    pub(crate) standing: Option<judge::Standing>,
    pub(crate) factor_low: Option<f64>,
    pub(crate) factor_high: Option<f64>,
    pub(crate) leader: Option<&'a str>,
}

impl<'a> StoodInJson<'a> {
    pub(crate) fn new(stood: &'a Stood) -> Self {
        let entry = stood.ranking.entry(&stood.entry);
        Self {
            run: &stood.run,
            started: &stood.started,
            workload: &stood.ranking.workload,
            setting: &stood.ranking.setting,
            entry: &stood.entry,
            standing: entry.map(|entry| entry.standing),
            factor_low: entry.and_then(|entry| entry.factor_low),
            factor_high: entry.and_then(|entry| entry.factor_high),
            leader: stood.ranking.leader.as_deref(),
        }
    }
}
