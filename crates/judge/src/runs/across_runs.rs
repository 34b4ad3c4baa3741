//! Changes of times across runs, though no round of one was ever next to a round of the other.

use jiff::Timestamp;
use model::{Better, Record};
use stats::{Matrix, change_between_runs, compare_fields};

use crate::contest::field::Field;
use crate::contest::ranking::{Ranking, Standing, State};
use crate::decide::{contest, seats};
use crate::runs::side::{Change, Changes, ComparedTechnique, Rule, Side};

/// Chance that the interval of a technique is wrong.
const ALPHA: f64 = 0.05;
const LEAST_RUNS: usize = 3;
/// Runs that begin sooner after each other share what the host does just then.
const LEAST_APART_S: i64 = 600;
/// Rounds of a technique, round 0 included, for a comparison with the field.
const LEAST_ROUNDS: u32 = 7;

/// Two groups of runs by their places: the earlier side and the later one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Groups {
    pub(crate) earlier: Vec<usize>,
    pub(crate) later: Vec<usize>,
}

impl Groups {
    /// Splits off the first `first` runs; where that is not said, two runs, or the runs of two versions of the program.
    pub(crate) fn of(sides: &[Side<'_>], first: Option<usize>) -> Option<Self> {
        let mut changes: Vec<usize> = (1..sides.len()).collect();
        changes.retain(|&place| sides[place].record.tool != sides[place - 1].record.tool);
        let split = match (first, sides.len(), &changes[..]) {
            (Some(first), all, _) => first.min(all),
            (None, 2, _) => 1,
            // Sides that were not asked for are reported where they say something.
            (None, all, &[place]) if place.min(all - place) >= LEAST_RUNS => place,
            _ => return None,
        };
        Some(Self { earlier: (0..split).collect(), later: (split..sides.len()).collect() })
    }

    /// Explains why the runs of the sides allow no interval; `None` where they do.
    pub(crate) fn lack(&self, sides: &[Side<'_>]) -> Option<String> {
        let both = [&self.earlier, &self.later];
        if both.iter().any(|side| side.len() < LEAST_RUNS) {
            return Some(format!("a side needs {LEAST_RUNS} runs"));
        }
        if !is_one_host(sides) {
            return Some("the runs are of several hosts".to_owned());
        }
        let are_apart = both.iter().all(|side| {
            let began =
                side.iter().filter_map(|place| sides[*place].record.started.parse::<Timestamp>().ok());
            let mut began: Vec<i64> = began.map(Timestamp::as_second).collect();
            began.sort_unstable();
            began.len() == side.len() && began.windows(2).all(|pair| pair[1] - pair[0] >= LEAST_APART_S)
        });
        (!are_apart).then(|| "the runs of a side began less than 10 minutes after each other".to_owned())
    }
}

/// Returns whether all runs are known to be of one host. Published machines are known by name alone.
fn is_one_host(sides: &[Side<'_>]) -> bool {
    let first = sides.first().and_then(|side| side.record.host.fingerprint.as_ref());
    first.is_some()
        && sides.iter().all(|side| !side.is_published() && side.record.host.fingerprint.as_ref() == first)
}

/// Returns the changes of a contest from one group of runs to the other; `None` where nothing may be said.
pub(crate) fn changes_between(
    row: &[Option<&Ranking>], techniques: &[ComparedTechnique], sides: &[Side<'_>], groups: &Groups,
) -> Option<Changes> {
    let known: Vec<&Ranking> = row.iter().flatten().copied().collect();
    let first = known.first()?;
    let are_alike = known.iter().all(|other| {
        other.setting == first.setting && other.workload == first.workload && other.state != State::Refused
    });
    if !is_one_host(sides) || !are_alike {
        return None;
    }
    match (&groups.earlier[..], &groups.later[..]) {
        ([one], [other]) => {
            let (one, other) = ((&sides[*one], row[*one]?), (&sides[*other], row[*other]?));
            by_field((one.0.record, one.1), (other.0.record, other.1))
        }
        _ if groups.lack(sides).is_none() => by_runs(techniques, groups),
        _ => None,
    }
}

fn by_runs(techniques: &[ComparedTechnique], groups: &Groups) -> Option<Changes> {
    let techniques = techniques.iter().filter_map(|one| {
        let [earlier, later] = [&groups.earlier, &groups.later].map(|side| {
            let showed = side.iter().filter_map(|place| one.showed[*place].as_ref());
            let compared =
                showed.filter(|one| one.standing.is_candidate() || one.standing == Standing::Slower);
            compared
                .filter_map(|one| one.median)
                .filter(|median| *median > 0.0)
                .map(f64::ln)
                .collect::<Vec<f64>>()
        });
        let found = change_between_runs(&earlier, &later, ALPHA)?;
        Some(Change {
            technique: one.technique.clone(),
            change: found.estimate.exp(),
            low: Some(found.low.exp()),
            high: Some(found.high.exp()),
            is_claimed: found.low > 0.0 || found.high < 0.0,
        })
    });
    let techniques: Vec<Change> = techniques.collect();
    (!techniques.is_empty()).then_some(Changes { rule: Rule::Runs, field: None, techniques })
}

fn by_field(earlier: (&Record, &Ranking), later: (&Record, &Ranking)) -> Option<Changes> {
    let ((old, old_entries), (new, new_entries)) = (costs(earlier.0, earlier.1)?, costs(later.0, later.1)?);
    let common = old_entries.iter().filter_map(|(name, at)| {
        let (_, place) = new_entries.iter().find(|(other, _)| other == name)?;
        Some((name.clone(), (*at, *place)))
    });
    let (names, places): (Vec<String>, Vec<(usize, usize)>) = common.unzip();
    let found = compare_fields(&old, &new, &places)?;
    // Costs of rates are their inverses.
    let sign = if earlier.1.metric.better == Better::More { -1.0 } else { 1.0 };
    let techniques = names.into_iter().zip(&found.techniques).map(|(technique, one)| {
        let change = (sign * one.change).exp();
        Change { technique, change, low: None, high: None, is_claimed: one.flagged }
    });
    let techniques = techniques.collect();
    Some(Changes { rule: Rule::Field, field: Some((sign * found.field).exp()), techniques })
}

/// Returns the costs of a contest round by round, and the places in them of the entries that never failed and stayed long enough.
fn costs(record: &Record, ranking: &Ranking) -> Option<(Matrix, Vec<(String, usize)>)> {
    let all = seats(&record.trials);
    let contest = contest(record, &record.design, all.iter().find(|seats| seats.are_of(ranking))?);
    let field = Field::new(&contest);
    let entries = field.entries.iter().copied().filter(|index| {
        let rounds = field.matrix.rounds_of(*index);
        let mut values = (0..rounds).filter_map(|round| field.matrix.value(*index, round as usize));
        rounds >= LEAST_ROUNDS && values.all(|value| value.is_finite() && value > 0.0)
    });
    let entries = entries.map(|index| (field.name(index).to_owned(), index)).collect();
    Some((field.matrix.clone(), entries))
}
