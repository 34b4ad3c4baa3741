//! The answer to samples of any program.

use std::collections::BTreeMap;

use model::{
    Along, Better, Class, Failure, FailureKind, Kind, Metric, Record, Setting, Shortfall, Source, Workload,
    axis_of,
};
use stats::contest::LOOKS;

use crate::contest::field::LEAST_ROUNDS;
use crate::contest::ranking::Ranking;
use crate::contest::{Contest, Series, Timed, whole_rounds, without_empty};
use crate::decide::{Decided, contests, judge_all, spoils_its_round};

/// One value of one technique in one round, wherever it was measured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Observation {
    /// The question: `samples` when the file names none.
    pub family: String,
    /// Size and shape: `samples` when the file names none.
    pub workload: Workload,
    /// Conditions and place, as far as the file reports them.
    pub setting: Setting,
    /// Round, from any number on; `None` for a failure before the first.
    pub round: Option<u32>,
    /// Inner round of a session.
    pub inner: u32,
    /// Place in the order of the round.
    pub position: Option<u32>,
    /// Name of the technique.
    pub technique: String,
    /// The kind of result it leaves; classes are ranked apart.
    pub class: Class,
    /// The origin.
    pub kind: Kind,
    /// For a twin: the technique it repeats.
    pub twin_of: Option<String>,
    /// The technique that it was declared a variant of, where the file reports it.
    pub variant_of: Option<String>,
    /// The value in any one unit, smaller is better unless its metric or the options say otherwise; `f64::INFINITY` for a crash or a time-out.
    pub value: f64,
    /// The kind of failure, if it failed.
    pub failure: Option<FailureKind>,
    /// The reason of the failure, in a sentence, where the file reports it.
    pub reason: Option<String>,
    /// For an entry that was left out: about what a budget for all must be, where the file reports it.
    pub needed_budget_ns: Option<u64>,
    /// 0, or 1 when it was measured again because a twin differed the first time.
    pub attempt: u32,
    /// True if the techniques took turns. Blocks of one technique after the other cannot be judged.
    pub interleaved: bool,
    /// The metric, where the file reports it.
    pub metric: Option<Metric>,
    /// The looks that were announced before the first round, where the file reports them; else empty.
    pub looks: Vec<u32>,
    /// The number of contests that share the chance of error, where the file reports it.
    pub shared_by: Option<u32>,
    /// The technique that the others are measured by, where the file reports it.
    pub baseline: Option<String>,
    /// The axis along which its contest is a level of a curve, where the file reports it.
    pub along: Option<Along>,
    /// True if the file shows which contests are levels of curves: then all others are none.
    pub curves_are_reported: bool,
}

impl Observation {
    /// Returns a plain value of a technique in a round.
    pub fn new(round: u32, technique: impl Into<String>, value: f64) -> Self {
        Self {
            family: "samples".to_owned(),
            workload: Workload { name: "samples".to_owned(), ..Workload::default() },
            round: Some(round),
            technique: technique.into(),
            value,
            interleaved: true,
            ..Self::default()
        }
    }
}

/// The rules for judging observations.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Chance of error in each contest, or in all together (see `alpha_report`); `None`: that of the run, else 5 %.
    pub alpha: Option<f64>,
    /// True if all contests of the file share `alpha`.
    pub alpha_report: bool,
    /// The difference, as a fraction, that is too small to matter; `None`: that of the run, else 2 %.
    pub delta: Option<f64>,
    /// The announced looks, in counted rounds. If the samples end at another round, that round is the last look. Empty: the looks of
    /// the samples, else the usual ones.
    pub looks: Vec<u32>,
    /// The technique that the others are measured by, where it takes part.
    pub baseline: Option<String>,
    /// `More`: large values are the good ones, whatever the file says. `Less`: the file decides.
    pub better: Better,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            alpha: None,
            alpha_report: false,
            delta: None,
            looks: Vec::new(),
            baseline: None,
            better: Better::Less,
        }
    }
}

/// Chance of error, and the difference that is too small to matter, where nothing else is named.
const ALPHA: f64 = 0.05;
const DELTA: f64 = 0.02;

type ContestKey<'a> = (&'a str, &'a Workload, &'a Setting, Class);
type SeriesKey<'a> = (&'a str, Kind, Option<&'a str>);

/// Judges observations: the same values in any order give the same rankings, to the byte, sorted by what they are about.
pub fn rank_observations(observations: &[Observation], options: &Options) -> Vec<Ranking> {
    decide_observations(observations, options).rankings
}

/// Judges observations like [`rank_observations`], with what holds over contests that are the levels of an axis.
pub fn decide_observations(observations: &[Observation], options: &Options) -> Decided {
    let mut by_contest: BTreeMap<ContestKey<'_>, Vec<&Observation>> = BTreeMap::new();
    for observation in observations {
        let Observation { family, workload, setting, class, .. } = observation;
        by_contest.entry((family, workload, setting, *class)).or_default().push(observation);
    }
    let contests = by_contest.into_iter();
    let contests: Vec<Contest<'_>> =
        contests.map(|(key, observations)| contest(key, &observations, options)).collect();
    let mut contests = without_empty(contests);
    let reported = observations.iter().filter_map(|observation| observation.shared_by).max();
    let shared_by = match (options.alpha_report, reported) {
        (true, _) => contests.len().max(1) as f64,
        (false, Some(reported)) => f64::from(reported.max(1)),
        (false, None) => 1.0,
    };
    for contest in &mut contests {
        contest.alpha = options.alpha.unwrap_or(ALPHA) / shared_by;
    }
    find_axes(&mut contests, observations.iter().any(|observation| observation.curves_are_reported));
    judge_all(contests)
}

/// Judges a run like [`crate::decide()`], by the rules that are named.
pub(crate) fn decide_by(run: &Record, options: &Options) -> Decided {
    let mut design = run.design.clone();
    design.alpha = options.alpha.unwrap_or(design.alpha);
    design.delta = options.delta.unwrap_or(design.delta);
    if options.alpha_report {
        design.shared_by = contests(run, &design).len().max(1) as u32;
    }
    let mut contests = contests(run, &design);
    for contest in &mut contests {
        if !options.looks.is_empty() {
            let counted = common_rounds(&contest.series).saturating_sub(1);
            (contest.looks, contest.may_count_round_0) = (announced(&options.looks, counted), false);
        }
        contest.baseline = options.baseline.clone().or(contest.baseline.take());
        if options.better == Better::More {
            contest.metric.better = Better::More;
        }
    }
    judge_all(contests)
}

/// Finds the number along which a family's contests are levels, where the file does not report it: the one that differs.
fn find_axes(contests: &mut [Contest<'_>], are_reported: bool) {
    let mut axes: BTreeMap<String, Option<String>> = BTreeMap::new();
    for contest in contests.iter().filter(|contest| contest.along.is_none() && !are_reported) {
        axes.entry(contest.family.clone()).or_insert_with(|| {
            let own = contests.iter().filter(|other| other.family == contest.family);
            axis_of(&own.map(|other| &other.workload).collect::<Vec<_>>())
        });
    }
    for contest in contests.iter_mut() {
        let found = axes.get(&contest.family).cloned().flatten();
        let found = found.map(|axis| Along { axis, ..Along::default() });
        contest.along =
            contest.along.take().or(found).filter(|along| contest.workload.number(&along.axis).is_some());
    }
}

fn contest<'a>(key: ContestKey<'_>, observations: &[&Observation], options: &Options) -> Contest<'a> {
    let (family, workload, setting, class) = key;
    let metric = observations.iter().filter_map(|observation| observation.metric.as_ref()).min().cloned();
    let unit = metric.as_ref().map(Metric::unit);
    let metric = match options.better {
        Better::Less => metric.unwrap_or_default(),
        Better::More => {
            let metric = metric.unwrap_or_else(|| Metric::less("value", "value"));
            Metric { better: Better::More, source: Source::Value, ..metric }
        }
    };
    let series = series(observations);
    let counted = common_rounds(&series).saturating_sub(1);
    // Samples that name their looks were measured in rounds by a plan.
    let planned = observations.iter().map(|observation| &observation.looks).find(|looks| !looks.is_empty());
    let refused = refused(observations, &series, planned.is_some());
    let looks = match (options.looks.is_empty(), planned) {
        (false, _) => announced(&options.looks, counted),
        (true, Some(planned)) => planned.clone(),
        (true, None) => usual(counted),
    };
    let baseline = observations.iter().find_map(|observation| observation.baseline.clone());
    Contest {
        family: family.to_owned(),
        workload: workload.clone(),
        setting: setting.clone(),
        class,
        metric,
        unit,
        alpha: options.alpha.unwrap_or(ALPHA),
        contests: 1,
        delta: options.delta.unwrap_or(DELTA),
        looks,
        baseline: options.baseline.clone().or(baseline),
        attempt: observations.iter().map(|observation| observation.attempt).max().unwrap_or(0),
        series,
        threads: workload.number("threads"),
        processors: Some(setting.conditions.processors.len() as u64).filter(|&count| count > 0),
        along: observations.iter().find_map(|observation| observation.along.clone()),
        refused,
        ..Contest::default()
    }
}

/// Explains why nothing may be said of samples, when their order shows it.
fn refused(observations: &[&Observation], series: &[Series<'_>], planned: bool) -> Option<String> {
    let blocks = !planned && in_blocks(series);
    if observations.iter().any(|observation| !observation.interleaved) || blocks {
        return Some(
            "Refused: these samples were taken in blocks, all runs of one technique after all runs of another. What \
             changed on the host between the blocks cannot be told from a difference between techniques; measure in \
             rounds in which every technique runs once, in another order each."
                .to_owned(),
        );
    }
    let (technique, round) = doubled(series)?;
    Some(format!("Refused: {technique} has more than one value in round {round}; name inner rounds `inner`."))
}

/// The last look of samples that do not name their looks. Chance of error kept for later ones would hardly ever be used.
const LAST_LOOK_OF_OTHERS: u32 = 60;

/// Returns the looks of a run without a budget: from 8 on with 12 counted rounds or more, from 6 on with fewer; below 6 only the end.
fn usual(counted: u32) -> Vec<u32> {
    let first = match counted {
        12.. => 8,
        6.. => 6,
        _ => return if counted >= LEAST_ROUNDS { vec![counted] } else { Vec::new() },
    };
    let last = counted.max(LAST_LOOK_OF_OTHERS);
    let looks = LOOKS.into_iter().filter(|look| (first..=last).contains(look));
    announced(&looks.collect::<Vec<u32>>(), counted)
}

/// Returns the looks that must be paid for: all, where samples end at an announced look and may have ended because of what they
/// showed. Another number of rounds must have been fixed in advance.
fn announced(looks: &[u32], rounds: u32) -> Vec<u32> {
    if looks.contains(&rounds) {
        return looks.to_vec();
    }
    looks.iter().copied().filter(|&look| look < rounds).chain([rounds.max(1)]).collect()
}

fn series(observations: &[&Observation]) -> Vec<Series<'static>> {
    let mut techniques: BTreeMap<SeriesKey<'_>, Vec<&Observation>> = BTreeMap::new();
    for one in observations {
        let key = (one.technique.as_str(), one.kind, one.twin_of.as_deref());
        techniques.entry(key).or_default().push(one);
    }
    techniques.into_values().map(|own| series_of(&own)).collect()
}

fn series_of(own: &[&Observation]) -> Series<'static> {
    let mut series = Series {
        name: own[0].technique.clone(),
        kind: own[0].kind,
        twin_of: own[0].twin_of.clone(),
        variant_of: own[0].variant_of.clone(),
        ..Series::default()
    };
    for one in own {
        if let Some(round) = one.round.filter(|_| one.failure.is_none()) {
            // Most rounds have one value, and a list of one takes a quarter of the usual room.
            series.rounds.entry(round).or_insert_with(|| Vec::with_capacity(1)).push(timed(one));
        }
        let kind = one.failure.or(one.value.is_infinite().then_some(FailureKind::Crash));
        series.failures.extend(kind.map(|kind| failure(one, kind)));
    }
    // A round with a failure is infinitely slow as a whole, as in a run's record.
    for one in own.iter().filter(|one| one.failure.is_some_and(spoils_its_round)) {
        let timed = Timed { inner: 0, value: f64::INFINITY, ..timed(one) };
        series.rounds.extend(one.round.map(|round| (round, vec![timed])));
    }
    for values in series.rounds.values_mut() {
        values.sort_by(|a, b| a.inner.cmp(&b.inner).then(a.value.total_cmp(&b.value)));
    }
    series.failures.sort_by_key(|failure| (failure.round, failure.position));
    series
}

fn timed(observation: &Observation) -> Timed {
    let memory = observation.metric == Some(Metric::MEMORY);
    let value = if memory { observation.value.max(1.0) } else { observation.value };
    Timed { inner: observation.inner, position: observation.position, value }
}

fn failure(observation: &Observation, kind: FailureKind) -> Failure {
    let when = match observation.round {
        Some(round) => format!("it failed in round {round}"),
        None => "it failed before the first round".to_owned(),
    };
    let needed = observation.needed_budget_ns;
    Failure {
        round: observation.round,
        position: observation.position,
        kind,
        reason: observation.reason.clone().unwrap_or(when),
        shortfall: needed.map(|needed_ns| Shortfall { needed_ns: Some(needed_ns), ..Shortfall::default() }),
    }
}

/// Rounds that all techniques share which took part to the end; those that left early are judged by what they have.
fn common_rounds(series: &[Series<'_>]) -> u32 {
    let (rounds, _) = whole_rounds(series);
    let tried = series.iter().filter(|one| one.competes() && one.skipped().is_none() && !one.is_not_tried());
    let own =
        tried.map(|one| rounds.iter().take_while(|round| one.rounds.contains_key(round)).count() as u32);
    let own: Vec<u32> = own.collect();
    let most = own.iter().copied().max().unwrap_or(0);
    own.into_iter().filter(|&own| own + 1 >= most).min().unwrap_or(0)
}

/// Returns a technique with two values in one round of one inner number.
fn doubled<'a>(series: &'a [Series<'_>]) -> Option<(&'a str, u32)> {
    series.iter().find_map(|one| {
        let mut rounds = one.rounds.iter();
        let (round, _) =
            rounds.find(|(_, values)| values.windows(2).any(|pair| pair[0].inner == pair[1].inner))?;
        Some((one.name.as_str(), *round))
    })
}

/// Returns whether positions count through the whole run and show all runs of one technique before all of another.
fn in_blocks(series: &[Series<'_>]) -> bool {
    let spans = series.iter().filter_map(|one| {
        let positions = one.rounds.values().flatten().filter_map(|timed| timed.position);
        let positions: Vec<u32> = positions.collect();
        // Positions that only grow from round to round are a counter of the whole run.
        let counts = one.rounds.len() > 1 && positions.is_sorted_by(|before, after| before < after);
        Some((*positions.first()?, *positions.last()?)).filter(|_| counts)
    });
    let (begins, ends): (Vec<u32>, Vec<u32>) = spans.unzip();
    ends.into_iter().min().zip(begins.into_iter().max()).is_some_and(|(end, begin)| end < begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_that_end_at_a_look_pay_for_all_looks() {
        assert_eq!(announced(&[10, 15, 20], 15), [10, 15, 20]);
        assert_eq!(announced(&[10, 15, 20], 17), [10, 15, 17]);
        assert_eq!(announced(&[10, 15, 20], 200), [10, 15, 20, 200]);
        assert_eq!(announced(&[10, 15, 20], 7), [7]);
    }

    #[test]
    fn the_usual_looks_depend_on_how_many_rounds_there_are() {
        assert!(usual(2).is_empty());
        assert_eq!(usual(4), [4]);
        assert_eq!(usual(7), [6, 7]);
        assert_eq!(usual(11), [6, 8, 10, 11]);
        assert_eq!(usual(12), [8, 10, 12]);
        assert_eq!(usual(20), [8, 10, 13, 16, 20, 25, 30, 40, 50, 60]);
        assert_eq!(usual(77), [8, 10, 13, 16, 20, 25, 30, 40, 50, 60, 77]);
        assert_eq!(usual(80).last(), Some(&80));
    }
}
