//! Questions that a run is asked instead of contests: each names the entries whose samples answer it.
//!
//! Where contests ask for the fastest, what is shown to be slower leaves. A question may compare entries of which none is
//! the fastest, or one entry at several levels. So it keeps its entries until it is answered. Time goes to what is answered soonest:
//! questions begin in the order of what they cost, all that are open are asked at every look, and what the answered
//! ones would have taken is dealt to the others.

use std::collections::{BTreeMap, BTreeSet};

use model::{Failure, FailureKind, Record, Shortfall, format_ns};

use crate::plan::planned::AskedOf;
use crate::ports::{Answers, Heard};
use crate::task::{Entrant, Task};
use crate::time::budget::Budget;
use crate::time::paid::{Paid, Pair, first_looks, groups, looks};
use crate::time::{FIRST_LOOK_OF_QUESTION, FOR_FIRST_LOOKS};

/// Where a question stands.
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
    /// Counted rounds at which it was asked last.
    asked_after: u32,
}

/// All questions of a run while it is measured.
pub(crate) struct Questions {
    all: Vec<Asked>,
    /// Counted rounds before the first look.
    first: u32,
    /// What a run must take for the first looks of all of them.
    needed_ns: f64,
}

impl Questions {
    /// The questions of a plan; `None` where it has none.
    pub(crate) fn of(asked: &[AskedOf], tasks: &[Task]) -> Option<Self> {
        let pairs = |one: &AskedOf| {
            let entrant = |(task, name): &(usize, String)| {
                let named = |entrant: &Entrant| entrant.participant.name == *name;
                Some((*task, tasks[*task].entrants.iter().position(named)?))
            };
            one.compared.iter().filter_map(entrant).collect::<Vec<_>>()
        };
        let all = asked.iter().map(|one| Asked {
            name: one.name.clone(),
            pairs: pairs(one),
            state: State::Waiting,
            asked_after: 0,
        });
        let all: Vec<Asked> = all.collect();
        (!all.is_empty()).then_some(Self { all, first: FIRST_LOOK_OF_QUESTION, needed_ns: 0.0 })
    }

    /// Fixes after round 0 what stays fixed: the looks, which the tasks share that a question compares. Begins the questions
    /// whose first look the budget pays for, those first that cost least. `early` did not get beyond round 0.
    pub(crate) fn fix(
        &mut self,
        tasks: &mut [Task],
        early: &[(usize, usize, Failure)],
        budget: &Budget,
        rounds: u32,
    ) {
        let unpaid = early.iter().filter(|(_, _, failure)| failure.kind == FailureKind::Skipped);
        let unpaid: BTreeSet<Pair> = unpaid.map(|&(task, entrant, _)| (task, entrant)).collect();
        for asked in &mut self.all {
            // What failed is not to be had. What the budget did not pay for is: without it, the answer would be to another question.
            let is_unpaid = asked.pairs.iter().any(|pair| unpaid.contains(pair));
            asked.pairs.retain(|&(task, entrant)| is_unpaid || tasks[task].entrants[entrant].takes_part);
            if is_unpaid || asked.pairs.is_empty() {
                asked.state = State::Over;
            }
        }
        let first = FIRST_LOOK_OF_QUESTION.min(rounds);
        self.first = first;
        let every: BTreeSet<Pair> = self.all.iter().flat_map(|asked| asked.pairs.iter().copied()).collect();
        let of_all_ns = f64::from(first) * every.iter().map(|&pair| cost_ns(tasks, pair)).sum::<f64>();
        self.needed_ns = 1.1 * (budget.elapsed_ns() + of_all_ns);
        let left_ns = budget.left_ns();
        let wanted: Vec<(usize, &[Pair])> = self.waiting(tasks).collect();
        let begun = first_looks(&wanted, first, FOR_FIRST_LOOKS * left_ns, |pair| cost_ns(tasks, pair));
        begun.iter().for_each(|&index| self.all[index].state = State::Open(None));
        self.fix_looks(tasks, rounds, left_ns);
        self.settle(tasks);
    }

    /// Each group of tasks gets the looks that its share of the time pays for.
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

    /// The looks of a question: those of all its tasks.
    fn looks<'t>(&self, question: usize, tasks: &'t [Task]) -> &'t [u32] {
        self.all[question].pairs.first().map_or(&[], |&(task, _)| &tasks[task].looks)
    }

    /// The questions that wait for their first look, and for which no task has rounds yet: what is compared must have been measured
    /// in the same rounds.
    fn waiting(&self, tasks: &[Task]) -> impl Iterator<Item = (usize, &[Pair])> {
        let may_begin = |asked: &Asked| {
            asked.state == State::Waiting && asked.pairs.iter().all(|&(task, _)| tasks[task].counted() == 0)
        };
        let waiting: Vec<usize> = (0..self.all.len()).filter(|&index| may_begin(&self.all[index])).collect();
        waiting.into_iter().map(|index| (index, self.all[index].pairs.as_slice()))
    }

    /// The samples that open questions need.
    fn needed(&self, tasks: &[Task]) -> BTreeSet<Pair> {
        let open = self.all.iter().filter(|asked| matches!(asked.state, State::Open(_)));
        let pairs = open.flat_map(|asked| asked.pairs.iter().copied());
        pairs.filter(|&(task, entrant)| tasks[task].entrants[entrant].may_still_run()).collect()
    }

    /// Measured are exactly those that an open question needs.
    fn settle(&mut self, tasks: &mut [Task]) {
        let needed = self.needed(tasks);
        for asked in self.all.iter_mut().filter(|asked| matches!(asked.state, State::Open(_))) {
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

    /// Counted rounds of what a question needs. What failed too often gets no further rounds and is not waited for.
    fn counted(&self, question: usize, tasks: &[Task]) -> u32 {
        let pairs = self.all[question].pairs.iter();
        let alive = pairs.filter(|&&(task, entrant)| tasks[task].entrants[entrant].may_still_run());
        alive.map(|&(task, _)| tasks[task].counted()).min().unwrap_or(0)
    }

    /// After a round: where a look is due, asks all open questions that have new rounds, and deals out the time again.
    pub(crate) fn look(
        &mut self,
        tasks: &mut [Task],
        record: &Record,
        answers: &mut Option<&mut dyn Answers>,
        budget: &Budget,
    ) {
        let mut due: Vec<usize> = Vec::new();
        for index in 0..self.all.len() {
            let counted = self.counted(index, tasks);
            // Beyond the last look is who was ahead of one that failed.
            let looks = self.looks(index, tasks);
            let is_look = looks.contains(&counted) || looks.last().is_some_and(|&last| counted > last);
            let asked = &mut self.all[index];
            if matches!(asked.state, State::Open(_)) && counted > asked.asked_after && is_look {
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

    /// Deals out what is left: first to those that are expected to be answered soonest, up to their answer. What cannot be
    /// paid to its next look ends, or goes on waiting.
    fn deal(&mut self, tasks: &[Task], left_ns: f64) {
        let first = self.first;
        let begun = |index: usize, further: Option<u32>| {
            let (counted, looks) = (self.counted(index, tasks), self.looks(index, tasks));
            let last = looks.last().copied().unwrap_or(counted);
            let next = looks.iter().copied().find(|&look| look > counted).unwrap_or(counted);
            let next = next - counted;
            Wanted {
                index,
                next,
                expected: further.map(|more| more.clamp(next, last.saturating_sub(counted).max(next))),
            }
        };
        let of = |(index, asked): (usize, &Asked)| match asked.state {
            State::Open(further) => Some(begun(index, further)),
            _ => None,
        };
        let mut wanted: Vec<Wanted> = self.all.iter().enumerate().filter_map(of).collect();
        let waiting = self.waiting(tasks);
        wanted.extend(waiting.map(|(index, _)| Wanted { index, next: first, expected: Some(first) }));
        let own_ns = |one: &Wanted| {
            let rounds = f64::from(one.expected.unwrap_or(one.next));
            rounds * self.all[one.index].pairs.iter().map(|&pair| cost_ns(tasks, pair)).sum::<f64>()
        };
        // Those of which it is not known when they will be answered come last.
        wanted.sort_by(|a, b| {
            a.expected.is_none().cmp(&b.expected.is_none()).then(own_ns(a).total_cmp(&own_ns(b)))
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

    /// Whether something is to be measured in the next round.
    pub(crate) fn goes_on(&mut self, tasks: &mut [Task], budget: &Budget, between_ns: f64) -> bool {
        self.end_unpaid(tasks, budget, between_ns);
        tasks.iter().any(Task::runs)
    }

    /// Ends what cannot be paid for up to its next look: rounds without a look decide nothing. Of those that were asked before, the most
    /// costly ends first; then those that never were.
    fn end_unpaid(&mut self, tasks: &mut [Task], budget: &Budget, between_ns: f64) {
        loop {
            let ahead_ns = |(task, entrant): Pair| {
                let counted = tasks[task].counted();
                let next = tasks[task].looks.iter().find(|&&look| look > counted).unwrap_or(&counted);
                f64::from(next - counted) * cost_ns(tasks, (task, entrant))
            };
            let round_ns = between_ns + self.needed(tasks).into_iter().map(ahead_ns).sum::<f64>();
            let own_ns = |asked: &Asked| asked.pairs.iter().map(|&pair| cost_ns(tasks, pair)).sum::<f64>();
            let open = self.all.iter_mut().filter(|asked| matches!(asked.state, State::Open(_)));
            let most = open.max_by(|a, b| {
                (a.asked_after > 0).cmp(&(b.asked_after > 0)).then(own_ns(a).total_cmp(&own_ns(b)))
            });
            let Some(most) = most.filter(|_| !budget.pays_for(round_ns)) else { break };
            most.state = State::Over;
        }
        self.settle(tasks);
    }

    /// What was not measured beyond round 0, and how much time would do it.
    pub(crate) fn not_begun(&self, tasks: &[Task], budget: &Budget) -> Vec<(Pair, Failure)> {
        let first = self.first;
        let mut unpaid: BTreeMap<Pair, f64> = BTreeMap::new();
        for asked in self.all.iter().filter(|asked| !matches!(asked.state, State::Open(_))) {
            let ns = f64::from(first) * asked.pairs.iter().map(|&pair| cost_ns(tasks, pair)).sum::<f64>();
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
        let failure = |(pair, ns): (Pair, f64)| {
            let reason = format!(
                "{first} rounds of what it is compared with take about {}; 'bakeoff findings --measure --budget {advised}' has \
                 time for them",
                format_ns(ns)
            );
            (pair, Failure::skipped(reason, shortfall))
        };
        unpaid.into_iter().map(failure).collect()
    }
}

/// A question that wants time: rounds to its next look, and to its answer where that can be told.
struct Wanted {
    index: usize,
    next: u32,
    expected: Option<u32>,
}

/// What a turn of an entrant costs.
fn cost_ns(tasks: &[Task], (task, entrant): Pair) -> f64 {
    tasks[task].entrants[entrant].expected_ns()
}
