//! Questions that a run is asked instead of contests. Each keeps its entries until it is answered, also those that are not the
//! fastest. They begin in the order of their costs. All open ones are asked at each look; others get the time of answered ones.

use std::collections::{BTreeMap, BTreeSet};

use model::{Failure, FailureKind, Record, Shortfall, format_ns};
use stats::contest::looks_between;

use crate::plan::planned::AskedOf;
use crate::ports::{Answers, Heard};
use crate::task::Task;
use crate::time::budget::Budget;
use crate::time::schedule::{ladder, share};
use crate::time::{FIRST_LOOK_OF_QUESTION, FOR_FIRST_LOOKS, MORE_LOOKS, QUESTION_STAYING};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// No counted round was taken for it.
    Waiting,
    /// It is measured; this many further rounds may answer it.
    Open(Option<u32>),
    /// It is answered, or its time is over.
    Over,
}

struct Asked {
    name: String,
    pairs: Vec<Pair>,
    state: State,
    /// Counted rounds when it was asked last.
    asked_after: u32,
}

impl Asked {
    fn is_open(&self) -> bool {
        matches!(self.state, State::Open(_))
    }
}

pub(crate) struct Questions {
    all: Vec<Asked>,
    /// Counted rounds before the first look.
    first: u32,
    /// What a run must take for the first looks of all of them.
    needed_ns: f64,
}

impl Questions {
    /// Returns the questions of a plan; `None` where it has none.
    pub(crate) fn of(asked: &[AskedOf], tasks: &[Task]) -> Option<Self> {
        let all = asked.iter().map(|one| {
            let pairs = one.compared.iter().filter_map(|(task, name)| {
                let mut entrants = tasks[*task].entrants.iter();
                Some((*task, entrants.position(|entrant| entrant.participant.name == *name)?))
            });
            Asked { name: one.name.clone(), pairs: pairs.collect(), state: State::Waiting, asked_after: 0 }
        });
        let all: Vec<Asked> = all.collect();
        (!all.is_empty()).then_some(Self { all, first: FIRST_LOOK_OF_QUESTION, needed_ns: 0.0 })
    }

    /// Fixes after round 0 what stays fixed: the looks, which the tasks share that a question compares. Begins the questions
    /// whose first look the budget pays for, those first that cost least. `early` did not get beyond round 0.
    pub(crate) fn fix(
        &mut self, tasks: &mut [Task], early: &[(usize, usize, Failure)], budget: &Budget, rounds: u32,
    ) {
        let unpaid = early.iter().filter(|(.., failure)| failure.kind == FailureKind::Skipped);
        let unpaid: BTreeSet<Pair> = unpaid.map(|&(task, entrant, _)| (task, entrant)).collect();
        for asked in &mut self.all {
            // What failed is not to be had. What the budget did not pay for is: without it, the question would be another.
            let is_unpaid = asked.pairs.iter().any(|pair| unpaid.contains(pair));
            asked.pairs.retain(|&(task, entrant)| is_unpaid || tasks[task].entrants[entrant].takes_part);
            if is_unpaid || asked.pairs.is_empty() {
                asked.state = State::Over;
            }
        }
        let first = FIRST_LOOK_OF_QUESTION.min(rounds);
        self.first = first;
        let every: BTreeSet<Pair> = self.all.iter().flat_map(|asked| asked.pairs.iter().copied()).collect();
        let of_all_ns = f64::from(first) * of_all_ns(tasks, &every);
        self.needed_ns = 1.1 * (budget.elapsed_ns() + of_all_ns);
        let left_ns = budget.left_ns();
        let wanted: Vec<(usize, &[Pair])> = self.waiting(tasks).collect();
        let begun = first_looks(&wanted, first, FOR_FIRST_LOOKS * left_ns, |pair| cost_ns(tasks, pair));
        begun.iter().for_each(|&index| self.all[index].state = State::Open(None));
        self.fix_looks(tasks, rounds, left_ns);
        self.settle(tasks);
    }

    /// Gives each group of tasks the looks that its share of the time pays for.
    fn fix_looks(&self, tasks: &mut [Task], rounds: u32, left_ns: f64) {
        let of_any = self.all.iter().filter(|asked| asked.state != State::Over);
        let groups = groups(of_any.map(|asked| asked.pairs.as_slice()), tasks.len());
        let mut costs_ns = vec![0.0; tasks.len()];
        for pair in self.needed(tasks) {
            costs_ns[groups[pair.0]] += cost_ns(tasks, pair);
        }
        let looks = looks(self.first, rounds, &costs_ns, left_ns);
        tasks.iter_mut().zip(&groups).for_each(|(task, &group)| task.looks.clone_from(&looks[group]));
    }

    fn looks<'t>(&self, question: usize, tasks: &'t [Task]) -> &'t [u32] {
        self.all[question].pairs.first().map_or(&[], |&(task, _)| &tasks[task].looks)
    }

    /// Returns the questions that wait, and whose tasks have no rounds yet: what is compared must be measured in the same rounds.
    fn waiting(&self, tasks: &[Task]) -> impl Iterator<Item = (usize, &[Pair])> {
        let waiting = self.all.iter().enumerate().filter(|(_, asked)| asked.state == State::Waiting);
        let pairs = waiting.map(|(index, asked)| (index, asked.pairs.as_slice()));
        pairs.filter(move |(_, pairs)| pairs.iter().all(|&(task, _)| tasks[task].counted() == 0))
    }

    fn needed(&self, tasks: &[Task]) -> BTreeSet<Pair> {
        let open = self.all.iter().filter(|asked| asked.is_open());
        let pairs = open.flat_map(|asked| asked.pairs.iter().copied());
        pairs.filter(|&(task, entrant)| tasks[task].entrants[entrant].may_still_run()).collect()
    }

    fn settle(&mut self, tasks: &mut [Task]) {
        let needed = self.needed(tasks);
        for asked in self.all.iter_mut().filter(|asked| asked.is_open()) {
            // Those it needs failed too often.
            if !asked.pairs.iter().any(|pair| needed.contains(pair)) {
                asked.state = State::Over;
            }
        }
        for (index, task) in tasks.iter_mut().enumerate() {
            for (place, entrant) in task.entrants.iter_mut().enumerate() {
                entrant.live = needed.contains(&(index, place));
            }
        }
    }

    /// Returns counted rounds of what a question needs. What failed too often gets no further rounds and is not waited for.
    fn counted(&self, question: usize, tasks: &[Task]) -> u32 {
        let pairs = self.all[question].pairs.iter();
        let alive = pairs.filter(|&&(task, entrant)| tasks[task].entrants[entrant].may_still_run());
        alive.map(|&(task, _)| tasks[task].counted()).min().unwrap_or(0)
    }

    /// Asks, after a round in which a look is due, all open questions that have new rounds, and deals out the time again.
    pub(crate) fn look(
        &mut self, tasks: &mut [Task], record: &Record, answers: &mut Option<&mut dyn Answers>,
        budget: &Budget,
    ) {
        let mut due: Vec<usize> = Vec::new();
        for index in 0..self.all.len() {
            let counted = self.counted(index, tasks);
            // Beyond the last look is who was ahead of one that failed.
            let looks = self.looks(index, tasks);
            let is_look = looks.contains(&counted) || looks.last().is_some_and(|&last| counted > last);
            let asked = &mut self.all[index];
            if asked.is_open() && counted > asked.asked_after && is_look {
                asked.asked_after = counted;
                due.push(index);
            }
        }
        if due.is_empty() {
            return;
        }
        let names: Vec<&str> = due.iter().map(|&index| self.all[index].name.as_str()).collect();
        let heard = answers.as_mut().map(|answers| answers.ask(record, &names)).unwrap_or_default();
        for (place, &index) in due.iter().enumerate() {
            let last = self.looks(index, tasks).last();
            let is_last = last.is_some_and(|&last| self.all[index].asked_after >= last);
            self.all[index].state = match heard.get(place) {
                Some(Heard::Answered) => State::Over,
                _ if is_last => State::Over,
                Some(Heard::Open(further)) => State::Open(*further),
                None => State::Open(None),
            };
        }
        self.deal(tasks, budget.left_ns());
        self.settle(tasks);
    }

    /// Deals out what is left, first to what will be answered soonest. What cannot be paid to its next look ends, or waits.
    fn deal(&mut self, tasks: &[Task], left_ns: f64) {
        let first = self.first;
        let mut wanted = Vec::new();
        for (index, asked) in self.all.iter().enumerate() {
            let State::Open(further) = asked.state else { continue };
            let (counted, looks) = (self.counted(index, tasks), self.looks(index, tasks));
            let most = looks.last().map_or(0, |last| last.saturating_sub(counted));
            let next = looks.iter().find(|&&look| look > counted).map_or(0, |next| next - counted);
            let expected = further.map(|more| more.clamp(next, most.max(next)));
            wanted.push(Wanted { index, next, expected });
        }
        let waiting = self.waiting(tasks);
        wanted.extend(waiting.map(|(index, _)| Wanted { index, next: first, expected: Some(first) }));
        wanted.sort_by(|a, b| {
            let [(a, a_ns), (b, b_ns)] =
                [a, b].map(|one| one.place(of_all_ns(tasks, &self.all[one.index].pairs), left_ns));
            a.cmp(&b).then(a_ns.total_cmp(&b_ns))
        });
        let mut paid = Paid::default();
        for one in wanted {
            let pairs = &self.all[one.index].pairs;
            let is_paid = paid.take(pairs, one.next, left_ns, |pair| cost_ns(tasks, pair));
            if is_paid && let Some(expected) = one.expected {
                paid.take(pairs, expected, left_ns, |pair| cost_ns(tasks, pair));
            }
            let asked = &mut self.all[one.index];
            asked.state = match (asked.state, is_paid) {
                (State::Waiting, true) => State::Open(None),
                (State::Open(_), false) => State::Over,
                (state, _) => state,
            };
        }
    }

    /// Ends what cannot be paid for up to its next look, the most costly first; those that were never asked come last. Returns whether
    /// any goes on.
    pub(crate) fn goes_on(&mut self, tasks: &mut [Task], budget: &Budget, between_ns: f64) -> bool {
        loop {
            let needed = self.needed(tasks);
            let ahead_ns = needed.iter().map(|&(task, entrant)| {
                let counted = tasks[task].counted();
                let next = tasks[task].looks.iter().find(|&&look| look > counted).unwrap_or(&counted);
                f64::from(next - counted) * cost_ns(tasks, (task, entrant))
            });
            let round_ns = between_ns + ahead_ns.sum::<f64>();
            let open = self.all.iter_mut().filter(|asked| asked.is_open());
            let most = open.max_by(|a, b| {
                let [a_ns, b_ns] = [a, b].map(|asked| of_all_ns(tasks, &asked.pairs));
                (a.asked_after > 0).cmp(&(b.asked_after > 0)).then(a_ns.total_cmp(&b_ns))
            });
            let Some(most) = most.filter(|_| !budget.pays_for(round_ns)) else { break };
            most.state = State::Over;
        }
        self.settle(tasks);
        tasks.iter().any(Task::runs)
    }

    /// Returns what was not measured beyond round 0, and how much time would do it.
    pub(crate) fn not_begun(&self, tasks: &[Task], budget: &Budget) -> Vec<(Pair, Failure)> {
        let first = self.first;
        let mut unpaid: BTreeMap<Pair, f64> = BTreeMap::new();
        for asked in self.all.iter().filter(|asked| !asked.is_open()) {
            let ns = f64::from(first) * of_all_ns(tasks, &asked.pairs);
            for &(task, entrant) in &asked.pairs {
                if tasks[task].entrants[entrant].may_still_run() && !tasks[task].has_counted(entrant) {
                    let known = unpaid.entry((task, entrant)).or_insert(ns);
                    *known = known.min(ns);
                }
            }
        }
        let shortfall = Shortfall {
            budget_ns: Some(budget.total_ns() as u64),
            needed_ns: Some(self.needed_ns.max(1.1 * budget.total_ns()) as u64),
        };
        let advised = shortfall.advised_budget().unwrap_or_default();
        let failures = unpaid.into_iter().map(|(pair, ns)| {
            let reason = format!(
                "{first} rounds of what it is compared with take about {}; 'bakeoff findings --measure --budget {advised}' has \
                 time for them",
                format_ns(ns)
            );
            (pair, Failure::skipped(reason, shortfall))
        });
        failures.collect()
    }
}

/// A question that wants time: rounds to its next look, and to its answer where that can be said.
struct Wanted {
    index: usize,
    next: u32,
    expected: Option<u32>,
}

impl Wanted {
    /// Returns its place in the order of payment: first what the time is expected to answer, then that of which it is not known when it
    /// will be answered, last what the time is too short for; of each, first what costs least.
    fn place(&self, round_ns: f64, left_ns: f64) -> (u8, f64) {
        let ns = f64::from(self.expected.unwrap_or(self.next)) * round_ns;
        let place = match self.expected {
            Some(_) if ns <= left_ns => 0,
            None => 1,
            Some(_) => 2,
        };
        (place, ns)
    }
}

fn cost_ns(tasks: &[Task], (task, entrant): Pair) -> f64 {
    tasks[task].entrants[entrant].expected_ns()
}

fn of_all_ns<'p>(tasks: &[Task], pairs: impl IntoIterator<Item = &'p Pair>) -> f64 {
    pairs.into_iter().map(|&pair| cost_ns(tasks, pair)).sum()
}

/// A task and an entrant of it.
type Pair = (usize, usize);

/// Rounds that are paid for, by what is measured in them: a sample serves all questions that need it.
#[derive(Default)]
struct Paid {
    rounds: BTreeMap<Pair, u32>,
    sum_ns: f64,
}

impl Paid {
    /// Returns what this many rounds cost next to what is paid for already.
    fn more_ns(&self, pairs: &[Pair], rounds: u32, cost_ns: impl Fn(Pair) -> f64) -> f64 {
        let more_ns = pairs.iter().map(|&pair| {
            let known = self.rounds.get(&pair).copied().unwrap_or(0);
            f64::from(rounds.saturating_sub(known)) * cost_ns(pair)
        });
        more_ns.sum()
    }

    fn take(&mut self, pairs: &[Pair], rounds: u32, left_ns: f64, cost_ns: impl Fn(Pair) -> f64) -> bool {
        let more_ns = self.more_ns(pairs, rounds, cost_ns);
        if self.sum_ns + more_ns > left_ns {
            return false;
        }
        self.sum_ns += more_ns;
        for &pair in pairs {
            let known = self.rounds.entry(pair).or_default();
            *known = rounds.max(*known);
        }
        true
    }
}

/// Returns the questions that get their first look after this many rounds, by ascending cost: always the one that costs least next
/// to those before it. One that cannot be paid for is not begun: with fewer rounds it could not be answered.
fn first_looks(
    waiting: &[(usize, &[Pair])], rounds: u32, left_ns: f64, cost_ns: impl Fn(Pair) -> f64 + Copy,
) -> Vec<usize> {
    let (mut paid, mut begun) = (Paid::default(), Vec::new());
    let mut waiting = waiting.to_vec();
    while let Some(place) = (0..waiting.len()).min_by(|&a, &b| {
        let [a_ns, b_ns] = [a, b].map(|place| paid.more_ns(waiting[place].1, rounds, cost_ns));
        a_ns.total_cmp(&b_ns)
    }) {
        let (index, pairs) = waiting.remove(place);
        if !paid.take(pairs, rounds, left_ns, cost_ns) {
            break;
        }
        begun.push(index);
    }
    begun
}

/// Returns the group of each task: tasks that a question compares, and what other questions compare with them, are in one group.
fn groups<'a>(questions: impl Iterator<Item = &'a [Pair]>, tasks: usize) -> Vec<usize> {
    let mut groups: Vec<usize> = (0..tasks).collect();
    for pairs in questions {
        for joined in pairs.windows(2) {
            let (kept, other) = (groups[joined[0].0], groups[joined[1].0]);
            groups.iter_mut().filter(|group| **group == other).for_each(|group| *group = kept);
        }
    }
    groups
}

/// Returns the looks of groups of which a round costs this much. What the first looks leave of the time is shared as in contests.
/// The last look is the largest that a share is expected to pay for when answered questions leave, and [`MORE_LOOKS`] more.
fn looks(first: u32, rounds: u32, costs_ns: &[f64], left_ns: f64) -> Vec<Vec<u32>> {
    let further_ns = left_ns - f64::from(first) * costs_ns.iter().sum::<f64>();
    let looks = costs_ns.iter().map(|&cost_ns| {
        let share_ns = share(further_ns, cost_ns, costs_ns);
        // What costs nothing is not begun.
        let wanted = ladder(first, rounds).filter(|_| cost_ns > 0.0);
        let paid = wanted.filter(|&look| cost_ns * expected_rounds(first, look) <= share_ns).max();
        let paid = paid.unwrap_or(first);
        let last = ladder(first, rounds).filter(|&look| look > paid).take(MORE_LOOKS).last();
        looks_between(first, last.unwrap_or(paid))
    });
    looks.collect()
}

/// Returns what the rounds between two looks are expected to take, in rounds of all entries.
fn expected_rounds(first: u32, last: u32) -> f64 {
    (first + 1..=last).map(|round| (f64::from(first) / f64::from(round)).max(QUESTION_STAYING)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cost((_, entrant): Pair) -> f64 {
        entrant as f64
    }

    fn begun(questions: &[&[Pair]], left_ns: f64) -> Vec<usize> {
        let waiting: Vec<(usize, &[Pair])> = questions.iter().copied().enumerate().collect();
        first_looks(&waiting, 8, left_ns, cost)
    }

    #[test]
    fn the_questions_that_cost_least_get_their_first_look_first() {
        let questions: [&[Pair]; 3] = [&[(0, 50)], &[(0, 1), (0, 2)], &[(0, 5)]];
        assert_eq!(begun(&questions, 1e3), [1, 2, 0]);
        assert_eq!(begun(&questions, 100.0), [1, 2]);
        assert_eq!(begun(&questions, 30.0), [1]);
        assert!(begun(&questions, 20.0).is_empty(), "none is begun that would not get its first look");
    }

    #[test]
    fn what_the_time_is_too_short_for_comes_last() {
        let wanted = |expected| Wanted { index: 0, next: 3, expected };
        let places = [(Some(4), 10.0), (None, 10.0), (Some(40), 10.0), (None, 1e9)];
        let places = places.map(|(expected, round_ns)| wanted(expected).place(round_ns, 100.0));
        assert_eq!(places, [(0, 40.0), (1, 30.0), (2, 400.0), (1, 3e9)]);
    }

    #[test]
    fn a_sample_that_two_questions_need_is_paid_for_once() {
        let questions: [&[Pair]; 3] = [&[(0, 10), (0, 11)], &[(0, 10), (0, 1)], &[(0, 12)]];
        assert_eq!(begun(&questions, 8.0 * 22.0), [1, 0]);
    }

    #[test]
    fn fewer_entries_are_expected_with_every_round() {
        assert_eq!(expected_rounds(8, 8), 0.0);
        assert!((expected_rounds(8, 10) - (8.0 / 9.0 + 0.8)).abs() < 1e-9);
        assert!((expected_rounds(8, 100) - expected_rounds(8, 40) - 60.0 * QUESTION_STAYING).abs() < 1e-9);
    }

    #[test]
    fn the_last_looks_lie_beyond_what_the_time_pays_for() {
        assert_eq!(looks(8, 60, &[1.0], 8.0), [[8, 10, 13, 16, 20]]);
        assert_eq!(looks(8, 60, &[1.0], 12.0), [[8, 10, 13, 16, 20, 25, 30]]);
        assert_eq!(looks(8, 60, &[1.0], 1e9)[0].last(), Some(&60));
        assert_eq!(looks(5, 5, &[1.0], 1e9), [[5]]);
        // What is not begun now may begin when others are answered.
        assert_eq!(looks(8, 60, &[0.0], 1e9), [[8, 10, 13, 16, 20]]);
    }

    #[test]
    fn what_costs_little_may_get_more_rounds_than_what_costs_much() {
        let looks = looks(8, 200, &[1.0, 16.0], 17.0 * 8.0 + 5.0 * 20.0);
        // Shares of 20 and 80 pay for 20 and for 5 rounds of all: up to the 60th, and up to the 13th.
        assert_eq!(looks.iter().map(|looks| looks.last()).collect::<Vec<_>>(), [Some(&160), Some(&30)]);
    }

    #[test]
    fn tasks_that_questions_compare_are_one_group() {
        let questions: [&[Pair]; 3] = [&[(0, 0), (2, 0)], &[(4, 1), (5, 0)], &[(5, 1), (2, 3)]];
        let groups = groups(questions.into_iter(), 6);
        assert!([2, 4, 5].iter().all(|&task| groups[task] == groups[0]), "{groups:?}");
        assert!(groups[0] != groups[1] && groups[1] != groups[3] && groups[0] != groups[3], "{groups:?}");
    }
}
