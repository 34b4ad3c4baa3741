//! From a field to its verdict, in a sentence.

use model::Metric;
use stats::{
    Interval, Row, Standing, boundaries, repeated_interval, robust_spread, rounds_to_find, rounds_to_prove,
    rounds_to_tie,
};

use crate::contest::{Field, Unit};
use crate::ranking::Verdict;
use crate::refusal::refusal;
use crate::wording::{lead, names, percent, percent_up, rounds, signed_percent, span};

/// Nobody measures so many more rounds: then the host is too noisy for what was asked.
const MOST_ROUNDS: u32 = 1_000;
/// Who accepts a wider margin than this has no question.
const WIDEST_MARGIN: f64 = 0.5;

/// The outcome of a contest. Entries are indices.
pub(crate) struct Decision {
    pub(crate) verdict: Verdict,
    pub(crate) sentence: String,
    pub(crate) winner: Option<usize>,
    /// The tie group, leader first.
    pub(crate) tied: Vec<usize>,
    pub(crate) would_take: Option<String>,
    /// The row whose ratio moved, when that is the verdict.
    pub(crate) moved: Option<usize>,
}

impl Decision {
    fn new(verdict: Verdict, sentence: String) -> Self {
        Self { verdict, sentence, winner: None, tied: Vec::new(), would_take: None, moved: None }
    }
}

pub(crate) fn decide(field: &Field<'_>) -> Decision {
    if let Some(reason) = refusal(field) {
        return Decision::new(Verdict::Refused, reason);
    }
    let assessment = &field.assessment;
    let (Some(_), Some(leader)) = (assessment.look, assessment.leader) else { return too_early(field) };
    let ballot = Ballot::new(field, leader);
    if let Some(row) = assessment.unstable(field.rules.margin()) {
        return ballot.unstable(row);
    }
    if ballot.undecided.is_empty() && ballot.tied.is_empty() {
        ballot.winner()
    } else if ballot.undecided.is_empty() {
        ballot.tie()
    } else if ballot.the_rest_is_beaten_by_all() {
        ballot.partial()
    } else {
        ballot.inconclusive()
    }
}

/// Before the first look nothing may be claimed.
fn too_early(field: &Field<'_>) -> Decision {
    let whole = field.assessment.rounds;
    let first = field.rules.looks.first().copied().unwrap_or(0);
    let slow = field.competitors.iter().copied().find(|&index| field.matrix.rounds_of(index) == whole);
    let some_have_more = field.competitors.iter().any(|&index| field.matrix.rounds_of(index) > whole + 1);
    let who = slow
        .filter(|_| some_have_more)
        .map_or(String::new(), |index| format!(" ({} took part in no more)", field.name(index)));
    let so_far = rounds(whole);
    let sentence =
        format!("Nothing can be said after {so_far}{who}: the first decision is made after {first}.");
    let missing = first.saturating_sub(whole);
    let mut decision = Decision::new(Verdict::Inconclusive, sentence);
    decision.would_take = Some(format!(
        "Another {}{} would lead to the first decision.",
        rounds(missing),
        time_of(field, missing)
    ));
    decision
}

/// The rows of the last look, sorted by what may be said of them.
struct Ballot<'a> {
    field: &'a Field<'a>,
    leader: usize,
    beaten: Vec<&'a Row>,
    tied: Vec<&'a Row>,
    undecided: Vec<&'a Row>,
}

impl<'a> Ballot<'a> {
    fn new(field: &'a Field<'a>, leader: usize) -> Self {
        let of = |standing| field.assessment.rows.iter().filter(|row| row.standing == standing).collect();
        Self {
            field,
            leader,
            beaten: of(Standing::Beaten),
            tied: of(Standing::Tied),
            undecided: of(Standing::Undecided),
        }
    }

    fn names(&self, rows: &[&Row]) -> String {
        names(&rows.iter().map(|row| self.field.name(row.technique)).collect::<Vec<_>>())
    }

    fn confidence(&self) -> String {
        percent(1.0 - self.field.contest.asked_alpha)
    }

    fn margin(&self) -> f64 {
        self.field.rules.margin()
    }

    fn winner(&self) -> Decision {
        let name = self.field.name(self.leader);
        let best = superlative(self.field.contest.metric);
        let near: Vec<&Row> = self.beaten.iter().copied().filter(|row| row.low <= self.margin()).collect();
        let sure = self.confidence();
        let mut decision = if near.is_empty() {
            let least = self.beaten.iter().map(|row| row.low).fold(f64::INFINITY, f64::min);
            let everyone =
                if self.beaten.len() == 1 { self.names(&self.beaten) } else { "everyone".to_owned() };
            let sentence = format!("{name} {best}: at least {} {everyone} ({sure}).", lead(least));
            Decision::new(Verdict::Winner, sentence)
        } else {
            let delta = percent(self.field.rules.delta);
            let over = self.names(&near);
            let sentence = format!("{name} {best} ({sure}), but the lead over {over} may be below {delta}.");
            Decision::new(Verdict::WinnerSmall, sentence)
        };
        decision.winner = Some(self.leader);
        decision.would_take =
            near.iter().max_by(|a, b| a.low.total_cmp(&b.low)).and_then(|row| self.to_prove(row));
        decision
    }

    fn tie(&self) -> Decision {
        let leader = self.field.name(self.leader);
        let (delta, sure) = (percent(self.field.rules.delta), self.confidence());
        let mut sentence = match self.tied.as_slice() {
            [one] => {
                let other = self.field.name(one.technique);
                format!("No winner: {leader} and {other} are within {delta} of each other ({sure}).")
            }
            _ => format!("No winner: {} are within {delta} of {leader} ({sure}).", self.names(&self.tied)),
        };
        let negligible = |row: &&&Row| row.high <= self.margin();
        let small: Vec<&Row> = self.beaten.iter().filter(negligible).copied().collect();
        if !small.is_empty() {
            sentence += &format!(" The difference to {} is real but negligible.", self.names(&small));
        }
        let rest = self.beaten.len() - small.len();
        if rest > 0 {
            sentence += &format!(" {leader} beats the other {rest}.");
        }
        let mut decision = Decision::new(Verdict::Tie, sentence);
        decision.tied = self.group();
        decision
    }

    fn group(&self) -> Vec<usize> {
        std::iter::once(self.leader).chain(self.tied.iter().map(|row| row.technique)).collect()
    }

    /// Whether everybody who is not beaten beats everybody who is, and somebody is.
    fn the_rest_is_beaten_by_all(&self) -> bool {
        let looks = &self.field.rules.looks;
        let cuts = boundaries(self.field.rules.alpha, looks);
        let beats = |a: usize, b: &Row| {
            let differences = self.field.matrix.differences(a, b.technique, b.rounds);
            repeated_interval(&differences, looks, &cuts).is_some_and(|interval: Interval| interval.low > 0.0)
        };
        let rivals = self.tied.iter().chain(&self.undecided);
        !self.beaten.is_empty()
            && rivals.into_iter().all(|row| self.beaten.iter().all(|b| beats(row.technique, b)))
    }

    fn partial(&self) -> Decision {
        let open = self.open();
        let all = if self.tied.len() + self.undecided.len() == 1 { "both" } else { "all" };
        let alike = match self.tied.as_slice() {
            [] => String::new(),
            tied => {
                let (leader, delta) = (self.field.name(self.leader), percent(self.field.rules.delta));
                format!(" ({} within {delta} of {leader})", self.names(tied))
            }
        };
        let sure = self.confidence();
        let sentence = format!("Undecided between {open}{alike}; {all} beat the rest ({sure}).");
        let mut decision = Decision::new(Verdict::Partial, sentence);
        decision.would_take = self.to_decide();
        decision
    }

    /// The leader and all that are undecided against it.
    fn open(&self) -> String {
        let others = self.undecided.iter().map(|row| row.technique);
        names(
            &std::iter::once(self.leader)
                .chain(others)
                .map(|index| self.field.name(index))
                .collect::<Vec<_>>(),
        )
    }

    fn inconclusive(&self) -> Decision {
        let look = self.field.judged_rounds();
        let reached = match self.resolution() {
            Some(h) => format!("the resolution reached is +-{}", percent(h.exp_m1())),
            None => "the ratio has no bound yet".to_owned(),
        };
        let open = self.open();
        let sentence = format!("Undecided between {open} after {}: {reached}.", rounds(look));
        let mut decision = Decision::new(Verdict::Inconclusive, sentence);
        decision.would_take = self.to_decide();
        decision
    }

    fn unstable(&self, row: &Row) -> Decision {
        let (leader, other) = (self.field.name(self.leader), self.field.name(row.technique));
        let d = self.field.differences(self.leader, row.technique);
        let moved = stats::stability(&d).map_or(String::new(), |s| {
            format!(" from {} to {}", signed_percent(s.quarters[0]), signed_percent(s.quarters[3]))
        });
        let sentence = format!(
            "Unstable: the ratio of {other} to {leader} moved{moved} while it was measured. \
             Does one of them change what it finds with repetition (a file that fragments, a heap that grows)?"
        );
        let mut decision = Decision::new(Verdict::Unstable, sentence);
        decision.moved = Some(row.technique);
        decision
    }

    /// Half the width of the widest interval that decides nothing: the smallest difference that could have been shown.
    fn resolution(&self) -> Option<f64> {
        let widest = self.undecided.iter().map(|row| (row.high - row.low) / 2.0).fold(0.0, f64::max);
        widest.is_finite().then_some(widest)
    }

    /// More rounds, or a wider margin: what would end the indecision.
    fn to_decide(&self) -> Option<String> {
        let n = f64::from(self.field.judged_rounds());
        let margin = self.margin();
        let (least, most) = match self.resolution() {
            Some(h) if h > margin => {
                let factor = (h / margin).powi(2);
                (n * factor, 3.0 * n * factor)
            }
            _ => {
                let needs = |row: &&Row| {
                    let spread = self.spread(row)?;
                    Some(rounds_to_find(spread, row.estimate).min(rounds_to_tie(spread, margin)))
                };
                let most = self.undecided.iter().filter_map(needs).fold(n + 5.0, f64::max);
                (most, 3.0 * most)
            }
        };
        let more = |total: f64| (total - n).ceil().clamp(1.0, 1e6) as u32;
        let (least, most) = (more(least), more(most));
        let now = self.margin_now().map(percent_up);
        if most < MOST_ROUNDS && self.resolution().is_some() {
            let or = now.map_or(String::new(), |now| format!("; or accept a margin of {now}"));
            let time = span_of(self.field, least, most);
            return Some(format!("Between {least} and {most} more rounds{time} would decide{or}."));
        }
        let delta = percent(self.field.rules.delta);
        let instead = match now {
            Some(now) => format!("a margin of {now} would be decided now"),
            None => "let it come to rest, or give fewer techniques more rounds".to_owned(),
        };
        Some(format!("This host is too noisy for a margin of {delta} at present; {instead}."))
    }

    /// The least margin, as a fraction, within which all that are undecided would be alike today. `None` when no sensible
    /// one would do.
    fn margin_now(&self) -> Option<f64> {
        let needed = |row: &&Row| if row.moved { f64::INFINITY } else { row.high.max(-row.low) };
        let widest = self.undecided.iter().map(needed).fold(0.0, f64::max);
        Some(widest.exp_m1()).filter(|margin| *margin <= WIDEST_MARGIN)
    }

    /// Rounds that would show that a win exceeds the margin. `None` when it is too near to it for any sensible number.
    fn to_prove(&self, row: &Row) -> Option<String> {
        let needed = rounds_to_prove(self.spread(row)?, row.estimate, self.margin());
        let more = needed - f64::from(self.field.judged_rounds());
        if !(1.0..f64::from(MOST_ROUNDS)).contains(&more) {
            return None;
        }
        let (name, more) = (self.field.name(row.technique), more as u32);
        let delta = percent(self.field.rules.delta);
        Some(format!(
            "About {more} more {}{} would show whether the lead over {name} exceeds {delta}.",
            if more == 1 { "round" } else { "rounds" },
            time_of(self.field, more)
        ))
    }

    fn spread(&self, row: &Row) -> Option<f64> {
        let d = self.field.differences(self.leader, row.technique);
        robust_spread(&d).filter(|spread| spread.is_finite())
    }
}

fn superlative(metric: Metric) -> &'static str {
    match metric {
        Metric::Work | Metric::Process => "is fastest",
        Metric::Cpu => "needs the least processor time",
        Metric::User => "needs the least user time",
        Metric::System => "needs the least system time",
        Metric::Memory => "needs the least memory",
    }
}

/// Nanoseconds of one more round with everybody who has not left: the timed stretch and the untimed one before it.
fn round_ns(field: &Field<'_>) -> Option<f64> {
    if field.contest.unit == Unit::Unknown {
        return None;
    }
    let one = |entry: &crate::contest::Entry<'_>| {
        let stretch = |s: &&model::Sample| {
            let inside = s.work_ns.map(|ns| ns as f64 * s.repetitions.max(1) as f64);
            s.process_ns.map(|ns| ns as f64).or(inside)
        };
        let all: Vec<f64> = entry.samples.iter().filter_map(stretch).collect();
        let inner = entry.samples.iter().map(|sample| sample.inner + 1).max().unwrap_or(1);
        stats::median(&all).map(|ns| 2.0 * ns * f64::from(inner))
    };
    let left = |index: usize| field.assessment.row(index).is_some_and(|row| row.left.is_some());
    let entries = field.contest.entries.iter().enumerate().filter(|(index, _)| !left(*index));
    let total: f64 = entries.filter_map(|(_, entry)| one(entry)).sum();
    (total > 0.0).then_some(total)
}

fn time_of(field: &Field<'_>, rounds: u32) -> String {
    round_ns(field).map_or(String::new(), |ns| format!(" (~{})", span(ns * f64::from(rounds))))
}

fn span_of(field: &Field<'_>, least: u32, most: u32) -> String {
    round_ns(field).map_or(String::new(), |ns| {
        let time = |rounds: u32| span(ns * f64::from(rounds));
        format!(" (~{} to {})", time(least), time(most))
    })
}
