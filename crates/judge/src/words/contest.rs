//! What is said of a contest: its result in a sentence, and what to do.

use model::{Kind, Metric};

use crate::choice::is_compared;
use crate::contest::ranking::{Choice, Entry, Ranking, Ratio, Standing, State};
use crate::contest::refusal::among;
use crate::wording::{at_least, at_most, counted, limit, marked, names, percent, times, value};
use crate::wording::{best, better, by, worse};

/// Says of a contest of one entry what that entry took, for the contest of the others; `None` where it did not work.
pub(crate) fn alone(ranking: &Ranking) -> Option<String> {
    let mut worked = ranking.entries.iter().filter(|_| ranking.state == State::Alone);
    let entry = worked.find(|entry| entry.standing != Standing::Ceiling)?;
    let unit = ranking.unit_is_known.then(|| ranking.metric.unit());
    let value = marked(value(entry.median.value()?, unit), entry.median.extrapolated);
    Some(format!("{} is alone{}: {value}.", entry.technique, among(ranking.class)))
}

pub(crate) fn sentence(ranking: &Ranking) -> String {
    let leader = ranking.leader.as_deref().unwrap_or_default();
    let by = by(&ranking.metric);
    let result = match ranking.state {
        State::Refused | State::Alone => return ranking.reason.clone().unwrap_or_default(),
        State::TooFewRounds => {
            let rounds = counted(ranking.rounds.max(1).into(), "round");
            format!("{leader} led{by} in {rounds}; measure longer to know.")
        }
        State::Same => {
            let all = match compared(ranking).count() {
                2 => "Both".to_owned(),
                more => format!("All {more}"),
            };
            format!("{all} are within {} of {}{by}.", percent(ranking.delta), best(&ranking.metric))
        }
        State::Wins | State::Tied => {
            let verb = if ranking.state == State::Wins { "wins" } else { "leads" };
            return match after_leader(ranking) {
                Some(more) => format!("{leader} {verb}{by}; {more}"),
                None => format!("{leader} {verb}{by}.{}", skipped(ranking)),
            };
        }
    };
    result + &skipped(ranking)
}

/// Returns what the result of a contest says behind what the leader does; `None` where that is all.
fn after_leader(ranking: &Ranking) -> Option<String> {
    let slower = others(ranking);
    let more = match ranking.state {
        State::Wins => slower?,
        State::Tied => {
            let tied: Vec<&str> = ranking.candidates.iter().skip(1).map(String::as_str).collect();
            let slower = slower.map_or(String::new(), |slower| format!(". {slower}"));
            format!("tied with {}{}{slower}", names(&tied), most_slower(ranking, ranking.at_most_slower))
        }
        _ => return None,
    };
    Some(format!("{more}.{}", skipped(ranking)))
}

/// Says what choosing a tied entry can cost.
fn most_slower(ranking: &Ranking, cost: Option<f64>) -> String {
    cost.map_or(", but how much slower it may be is not known yet".to_owned(), |cost| {
        let (worse, best) = (worse(&ranking.metric), best(&ranking.metric));
        format!(", and at most {} {worse} than {best}", cost_at_most(cost))
    })
}

/// Says what to do. `None` where nothing can be said; of commands that were timed as they were given, the result says it.
pub(crate) fn advice(ranking: &Ranking) -> Option<String> {
    let leader = ranking.leader.as_deref()?;
    if ranking.state == State::Alone || ranking.workload.is_as_given() {
        return None;
    }
    if ranking.state == State::TooFewRounds {
        return Some(format!("Measure longer before you choose; {leader} leads so far."));
    }
    let Some(choice) = &ranking.choice else {
        let skipped = ranking.skipped.iter().find(|one| Some(&one.technique) == ranking.baseline.as_ref())?;
        return Some(format!("{leader} leads; {}, the baseline, was skipped for time.", skipped.technique));
    };
    Some(match (choice.is_baseline, leader == choice.entry) {
        (true, true) => {
            let is = if ranking.state == State::Wins { "is" } else { "is shown to be" };
            format!("Use {leader}, the baseline: nothing {is} {}.", better(&ranking.metric))
        }
        (true, false) => {
            let by = ranking.entry(&choice.entry).and_then(said_factor);
            let by = by.map_or(String::new(), |by| format!(" by {by}"));
            let (entry, better) = (&choice.entry, better(&ranking.metric));
            format!(
                "Use {entry}, the baseline: nothing is shown to be {better}. {leader} may be {better}{by}."
            )
        }
        (false, _) => format!("Use {}: {}", choice.entry, why(ranking, choice)),
    })
}

fn why(ranking: &Ranking, choice: &Choice) -> String {
    let leads = ranking.leader.as_ref() == Some(&choice.entry);
    let behind = behind(choice, ranking.baseline.as_deref(), &ranking.metric).map(|behind| behind + ".");
    let why = behind.or_else(|| after_leader(ranking).filter(|_| leads));
    why.unwrap_or_else(|| format!("nothing is shown to be {}.", better(&ranking.metric)))
}

/// Returns what the result of a contest says that neither its advice nor the rows of its entries say.
pub fn beyond_rows(ranking: &Ranking) -> Option<String> {
    let leads = ranking.choice.as_ref().filter(|choice| ranking.leader.as_ref() == Some(&choice.entry));
    let says_all = |choice: &Choice| {
        !choice.is_baseline && after_leader(ranking).is_some_and(|all| all == why(ranking, choice))
    };
    match ranking.state {
        // The result alone says by what it is.
        _ if !by(&ranking.metric).is_empty() => Some(ranking.sentence.clone()),
        _ if leads.is_some_and(says_all) => None,
        State::Wins | State::TooFewRounds => Some(skipped(ranking).trim_start().to_owned()),
        State::Tied => {
            let leader = ranking.leader.as_deref().unwrap_or_default();
            let (start, own, cost) = match &ranking.choice {
                Some(choice) => ("Tied".to_owned(), &*choice.entry, choice.at_most_slower),
                None => (format!("{leader} leads; tied"), leader, ranking.at_most_slower),
            };
            let others: Vec<&String> = ranking.candidates.iter().filter(|name| *name != own).collect();
            let others = match others[..] {
                [one] => one.clone(),
                _ => format!("{} others (=)", others.len()),
            };
            Some(format!("{start} with {others}{}.{}", most_slower(ranking, cost), skipped(ranking)))
        }
        State::Same | State::Refused | State::Alone => Some(ranking.sentence.clone()),
    }
    .filter(|said| !said.is_empty())
}

/// Says what the baseline costs over a choice: `std_copy is slower by 1.2x (1.1-1.3x)`.
pub(crate) fn behind(choice: &Choice, baseline: Option<&str>, metric: &Metric) -> Option<String> {
    let (ratio, baseline) = choice.baseline.as_ref().zip(baseline)?;
    Some(format!("{baseline} is {} by {}", worse(metric), factor(ratio)))
}

/// Returns the factor of a row, where there is more to say than `1.00x`.
fn said_factor(entry: &Entry) -> Option<String> {
    let ratio = Ratio { factor: entry.factor?, low: entry.factor_low, high: entry.factor_high };
    (times(ratio.factor) != "1.00").then(|| factor(&ratio))
}

/// `1.5x (1.05-2.0x)`, `1.5x (at least 1.05x)`; `about 1.5x` where too few rounds give no interval.
pub(crate) fn factor(ratio: &Ratio) -> String {
    // "At least 1.00x" says nothing.
    let low = ratio.low.filter(|low| *low > 0.0 && (ratio.high.is_some() || *low > 1.0));
    let factor = times(ratio.factor);
    match (low, ratio.high) {
        (Some(low), Some(high)) if at_least(low) == at_most(high) => format!("{factor}x"),
        (Some(low), Some(high)) => format!("{factor}x ({}-{}x)", at_least(low), at_most(high)),
        (Some(low), None) => format!("{factor}x (at least {}x)", at_least(low)),
        (None, Some(high)) => format!("{factor}x (>1.0-{}x)", at_most(high)),
        (None, None) => format!("about {factor}x"),
    }
}

/// Formats the most that a choice can cost over the best, as a fraction: `7 %`; from twice on as a multiple: `3.0x`.
pub fn cost_at_most(cost: f64) -> String {
    limit(cost).unwrap_or_else(|| format!("{}x", at_most(1.0 + cost)))
}

fn compared(ranking: &Ranking) -> impl Iterator<Item = &Entry> {
    ranking.entries.iter().filter(|entry| is_compared(entry) && entry.kind != Kind::Ceiling)
}

/// Returns the entries that are slower: `b is slower by 1.2x (1.1-1.3x)`, `26 others are slower, b by 1.2x (1.1-1.3x)`.
fn others(ranking: &Ranking) -> Option<String> {
    let slower: Vec<&Entry> = compared(ranking).filter(|entry| !entry.standing.is_candidate()).collect();
    let worse = worse(&ranking.metric);
    let next = slower.first()?;
    let name = &next.technique;
    Some(match (slower.len(), said_factor(next)) {
        (1, Some(by)) => format!("{name} is {worse} by {by}"),
        (1, None) => format!("{name} is {worse}"),
        (all, Some(by)) => format!("{all} others are {worse}, {name} by {by}"),
        (all, None) => format!("{all} others are {worse}"),
    })
}

/// Names the entries that the budget did not pay for.
fn skipped(ranking: &Ranking) -> String {
    match ranking.skipped.len() {
        0 => String::new(),
        1 => format!(" {} was skipped for time.", ranking.skipped[0].technique),
        more => format!(" {more} others were skipped for time."),
    }
}
