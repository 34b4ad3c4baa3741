//! What the pages are about that no record holds: plain data that the caller fills in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use findings::Judged;
use judge::{Advice, Decided, Ranking, Why};
use model::{Account, Conditions, Host, Record, RunId, Setting, Volume, Workload};
use serde::Serialize;

/// The facts that a page of rankings needs next to the record.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Context {
    /// The question of each family, by the family's name. A family without one is shown by its name alone.
    pub questions: BTreeMap<String, String>,
    /// The idea of each technique in a line, by family and name without a value: for those that an answer only names.
    pub ideas: BTreeMap<(String, String), String>,
    /// The techniques that are bakeoff's own code, by family and name: what else is fast can be had as a library.
    pub own: BTreeSet<(String, String)>,
    /// The command of the run, with the program's name; empty where a page is not about one run.
    pub command: Vec<String>,
    /// The place where the run is stored, when the page shall say it.
    pub stored_in: Option<String>,
    /// The option of a command that reads the same store, where one was named: ` --store FILE`.
    pub store_option: String,
}

/// A kept run.
#[derive(Debug, Clone, Copy)]
pub struct RunPage<'a> {
    /// The run.
    pub record: &'a Record,
    /// The answers that its samples support.
    pub decided: &'a Decided,
    /// Further facts that its page needs.
    pub context: &'a Context,
    /// The findings about its families, as this run judges them; only the HTML page shows them.
    pub findings: &'a [Judged],
}

/// A machine with the volumes of the directories asked about.
#[derive(Debug, Clone, Copy)]
pub struct HostPage<'a> {
    /// The machine.
    pub host: &'a Host,
    /// The volumes.
    pub volumes: &'a [Volume],
}

/// A family's techniques and whether they can run here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listing {
    /// Name of the family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// Its techniques, in the order of the family's front page.
    pub rows: Vec<ListingRow>,
    /// The size of its first workload as a user would type it for `--size`; `None` where it takes no size.
    pub size: Option<String>,
    /// The parameters that `--set` may choose.
    pub axes: Vec<ListingAxis>,
    /// The metrics next to those that every sample has: the name for `--metric`, and the meaning.
    pub metrics: Vec<(String, String)>,
}

/// A parameter that `--set` may choose.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ListingAxis {
    /// Its name.
    pub name: String,
    /// Its meaning, with its words where it has only some.
    pub meaning: String,
    /// A value that a user may copy.
    pub example: String,
    /// The value where nothing is set, as a user would type it; `None` where there is none.
    pub default: Option<String>,
    /// The smallest and the largest number, as a user would type them; where other values limit it further, the meaning says so.
    pub range: Option<(String, String)>,
}

/// One technique of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListingRow {
    /// Its name.
    pub name: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The idea in one line.
    pub idea: String,
    /// The program, page or paper that it comes from.
    pub source: String,
    /// The technique that it is a variant of.
    pub variant_of: Option<String>,
    /// Ok if it can run here, else the sentence that says why not.
    pub available: Result<(), String>,
}

/// The plan of a run, as far as it is known before its first sample.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlanSummary {
    /// Names of the families.
    pub families: Vec<String>,
    /// Workload x setting: the contests.
    pub tasks: u64,
    /// Technique x workload x setting.
    pub trials: u64,
    /// The number of rounds where it is fixed; `None` where it depends on who leaves.
    pub rounds: Option<u32>,
    /// The time that it will take; `None` where nothing is known of the work.
    pub estimated_ns: Option<u64>,
    /// The time that it may take.
    pub budget_ns: u64,
    /// True if that time is kept, since the user gave it. Else the run takes what a short contest of all entries needs.
    pub budget_is_kept: bool,
    /// Scratch space, a directory each.
    pub scratch: Vec<Scratch>,
    /// Techniques and commands that were asked for and will not take part, each with the reason.
    pub refused: Vec<(String, String)>,
    /// The seed of everything random.
    pub seed: u64,
}

/// Scratch space that a run needs in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scratch {
    /// The directory that the user named.
    pub directory: PathBuf,
    /// The most that lies there at once.
    pub needed_bytes: u64,
    /// Free space there, when known.
    pub free_bytes: Option<u64>,
}

/// The figures of one run of a command in `bakeoff time`, with all the processes that it started.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct TimePage {
    /// The command as typed.
    pub command: String,
    /// From spawn to exit; `None` when it did not run to its end.
    pub real_ns: Option<u64>,
    /// User time of it and all its descendants.
    pub user_ns: Option<u64>,
    /// System time of it and all its descendants.
    pub system_ns: Option<u64>,
    /// Largest memory of any of its processes.
    pub peak_memory_bytes: Option<u64>,
    /// The way of counting the descendants, in words; `None` when that is not known.
    pub counted_by: Option<String>,
    /// Each failure in a sentence.
    pub failures: Vec<String>,
}

/// The smallest difference this host can resolve at one length of sample.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct NoiseRow {
    /// Median length of a sample; `None` where no sample was taken.
    pub sample_ns: Option<f64>,
    /// Rounds in which identical techniques were compared.
    pub rounds: u32,
    /// The smallest difference that would have been seen, as a fraction; `None` is "no bound yet".
    pub smallest: Option<f64>,
    /// The difference that was seen between identical techniques, as a fraction.
    pub measured_floor: Option<f64>,
    /// 1.4826 x median absolute deviation / median.
    pub robust_spread: Option<f64>,
    /// True if identical techniques were distinguished: then the instrument is wrong here.
    pub told_apart: bool,
}

/// The smallest differences this host can resolve.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct NoisePage {
    /// One row a length, shortest first.
    pub rows: Vec<NoiseRow>,
    /// Chance of finding identical techniques different in a row.
    pub alpha: f64,
    /// The seed of the order.
    pub seed: u64,
    /// Notes on stolen time, throttling, other load.
    pub notes: Vec<String>,
}

/// The advice for a task, or the command that measures it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AdvicePage {
    /// Name of the family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// The task that was asked about; without the number on the axis where all its values were.
    pub workload: Workload,
    /// The number all of whose values were asked about, where nothing was measured for it.
    pub along: Option<String>,
    /// Under which conditions.
    pub conditions: Conditions,
    /// The advice; `None` where nothing was measured for it.
    pub advice: Option<Advice>,
    /// The reasons why kept runs of the family were set aside, each in a sentence.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub set_aside: Vec<String>,
    /// The command that measures it, where it was not measured.
    pub measure_with: Option<String>,
    /// The profile that the advice was merged into.
    pub profile: Option<String>,
    /// The reason why the profile keeps what it said of the task before, in a sentence, where it does.
    pub profile_keeps: Option<String>,
}

/// An account of the techniques of a family at one workload, untimed.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ExplainPage {
    /// Name of the family.
    pub family: String,
    /// The question that it answers.
    pub question: String,
    /// Size and shape.
    pub workload: Workload,
    /// Conditions and place.
    pub setting: Setting,
    /// The techniques: those that the answer is about first.
    pub techniques: Vec<ExplainedTechnique>,
    /// The contest that chose them, or compared them.
    #[serde(skip)]
    pub of: Option<ExplainedContest>,
    /// True if the clock of this setting stops behind a flush of what the work left, which is not done here.
    #[serde(skip)]
    pub ends_before_the_flush: bool,
    /// The options with which a limit would leave the work whole, where it has one.
    #[serde(skip)]
    pub whole_with: Option<String>,
    /// The reasons why one technique is faster than each of some others.
    #[serde(skip)]
    pub why: Vec<Why>,
}

/// The contest of a kept run that is explained.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplainedContest {
    /// The run.
    pub run: RunId,
    /// The contest.
    pub ranking: Ranking,
    /// True if it was about other work than what is explained, or under other conditions.
    pub is_other_work: bool,
    /// The axis and the other levels of the curve of which it is one.
    pub other_levels: Option<(String, Vec<u64>)>,
}

/// An account of one technique.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ExplainedTechnique {
    /// Its name with the values of its parameters.
    pub name: String,
    /// The idea in one line.
    pub idea: String,
    /// True if it led in the stored run.
    pub is_leader: bool,
    /// True if it is the baseline.
    pub is_baseline: bool,
    /// The account; `None` where it did not do the work.
    pub account: Option<Account>,
    /// The reason why it did not do the work here, in a sentence.
    pub failure: Option<String>,
    /// True if it does not exist here, which is no failure.
    pub is_missing: bool,
    /// The system calls that its idea names.
    pub expected: Vec<String>,
    /// Those of them that were not as expected.
    pub broken: Vec<String>,
}

/// One technique.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
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
    /// True if it is the baseline of its family.
    pub is_baseline: bool,
    /// True if it is a ceiling, which does not compete.
    pub is_ceiling: bool,
    /// The requirements on a host, in words that stand behind "needs".
    pub needs: String,
    /// The reason why it cannot run here.
    #[serde(rename = "reason")]
    pub missing: Option<String>,
    /// The system calls that its idea names.
    pub expected: Vec<String>,
    /// The account of it just now, at the workload of its contest.
    pub explained: Option<ExplainPage>,
    /// The reason why it is not known what it does.
    pub not_explained: Option<String>,
    /// The contests of kept runs in which it took part, the last one first.
    #[serde(skip)]
    pub contests: Vec<Stood>,
    /// Contests of earlier runs that are not in the list.
    pub further_contests: u64,
    /// The file that declares it, below `crates/families/src`.
    pub file: String,
    /// The text of that file.
    pub code: String,
    /// The files of which it takes what it does.
    #[serde(rename = "further_code")]
    pub further: Vec<Code>,
}

/// A file of source code.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Code {
    /// Its path from the root of the repository.
    pub file: String,
    /// Its text.
    pub code: String,
}

/// The place of a technique in a contest of a kept run.
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
