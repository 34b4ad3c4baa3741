//! Contests that were made up: their values, how they go, and which statements about them are false.

use std::io::Write as _;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use statrs::distribution::{Binomial, DiscreteCDF};
use stats::Matrix;
use stats::contest::{Assessment, LOOKS, Rules, Standing, assess};
pub(crate) use stats::synthetic::normal;
use stats::synthetic::{NoisyHost, SyntheticNoise};

/// Values by round and entry; the first round is round 0.
pub(crate) type Rounds = Vec<Vec<f64>>;

pub(crate) fn rules(first: u32, last: u32) -> Rules {
    let looks = LOOKS.into_iter().filter(|&look| look >= first && look <= last).collect();
    Rules { alpha: 0.05, delta: 0.02, looks, baseline: None }
}

pub(crate) fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub(crate) fn order(count: usize, random: &mut ChaCha8Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for last in (1..count).rev() {
        order.swap(last, random.random_range(0..=last));
    }
    order
}

/// Returns a number from the exponential distribution of mean 1.
pub(crate) fn exponential(random: &mut ChaCha8Rng) -> f64 {
    -(1.0 - random.random::<f64>()).ln()
}

/// Rounds on a noisy host, in an order drawn again for each; `log` is the logarithm of an entry's own time in a round.
pub(crate) fn on_host(
    host: NoisyHost, entries: usize, counted: u32, random: &mut ChaCha8Rng,
    mut log: impl FnMut(usize, u32, &mut ChaCha8Rng) -> f64,
) -> Rounds {
    let mut noise = SyntheticNoise::new(host, (counted + 1) * entries as u32, random);
    (0..=counted)
        .map(|round| {
            let mut values = vec![0.0; entries];
            for (position, entry) in order(entries, random).into_iter().enumerate() {
                values[entry] = noise.next_factor(position as u32, random) * log(entry, round, random).exp();
            }
            values
        })
        .collect()
}

/// Rounds of entries that always take these times (logarithms), on a noisy host.
pub(crate) fn steady(host: NoisyHost, taus: &[f64], counted: u32, random: &mut ChaCha8Rng) -> Rounds {
    on_host(host, taus.len(), counted, random, |entry, _, _| taus[entry])
}

pub(crate) fn matrix_of(rounds: &Rounds) -> Matrix {
    let mut matrix = Matrix::new(rounds[0].len());
    for round in rounds {
        matrix.push_round(round.iter().map(|&value| vec![value]).collect());
    }
    matrix
}

/// The rule for who is measured on after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// Nothing ends before the last look; entries that need not stay leave.
    AllLooks,
    /// Once decided, only the leader goes on, with outsiders whose factor is open.
    StopWhenDecided,
    /// With a coarse limit: candidates that hold up no answer leave, and nothing is measured once it is decided.
    UntilCoarse,
    /// As `AllLooks`, and at each look some candidates that do not lead leave, drawn by lot: as when time runs out.
    LosesCandidates,
}

/// Returns the answers at each look (and after round 3, where entries that are far behind leave).
pub(crate) fn follow(
    rounds: &Rounds, rules: &Rules, course: Course, random: &mut ChaCha8Rng,
) -> Vec<Assessment> {
    let entries: Vec<usize> = (0..rounds[0].len()).collect();
    let mut live = vec![true; entries.len()];
    let mut matrix = Matrix::new(entries.len());
    let mut answers = Vec::new();
    for (round, values) in rounds.iter().enumerate() {
        let measured =
            values.iter().zip(&live).map(|(&value, &live)| if live { vec![value] } else { vec![] });
        matrix.push_round(measured.collect());
        let round = round as u32;
        if round != 3 && !rules.looks.contains(&round) {
            continue;
        }
        let found = assess(&matrix, &entries, rules);
        let at_look = found.look == Some(round);
        for entry in found.leavers() {
            live[entry] = false;
        }
        let others = || found.candidates.iter().filter(|&&entry| found.leader != Some(entry));
        match course {
            Course::StopWhenDecided if at_look && found.decided => {
                others().for_each(|&entry| live[entry] = false)
            }
            Course::LosesCandidates if at_look => {
                others().for_each(|&entry| live[entry] &= !random.random_bool(0.3));
            }
            Course::UntilCoarse if at_look => found.settled.iter().for_each(|&entry| live[entry] = false),
            _ => {}
        }
        let is_enough = at_look && course == Course::UntilCoarse && found.decided;
        let nothing_open = found.decided && found.open_outsiders().is_empty();
        answers.push(found);
        if is_enough || course == Course::StopWhenDecided && at_look && nothing_open {
            break;
        }
    }
    answers
}

/// The kinds of statements that were false at any look.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct False {
    /// The first of the fastest entries was dropped.
    pub(crate) lost: bool,
    pub(crate) low: bool,
    pub(crate) high: bool,
    pub(crate) at_most: bool,
}

impl False {
    pub(crate) fn any(self) -> bool {
        self.lost || self.low || self.high || self.at_most
    }
}

/// Compares the answers with the truth, the logarithms of the entries' typical times.
pub(crate) fn falsehoods(answers: &[Assessment], taus: &[f64]) -> False {
    const ROUNDING: f64 = 1e-12;
    let least = taus.iter().copied().fold(f64::INFINITY, f64::min);
    let fastest = taus.iter().position(|&tau| tau == least);
    let mut found = False::default();
    for answer in answers {
        found.lost |= !fastest.is_some_and(|fastest| answer.candidates.contains(&fastest));
        for row in &answer.rows {
            let factor = taus[row.entry] - least;
            let leads = answer.leader == Some(row.entry);
            found.low |= row.low > factor + ROUNDING;
            found.high |= !leads && row.high < factor - ROUNDING;
            found.high |= leads && answer.at_most_proved.is_some_and(|limit| limit < factor - ROUNDING);
            found.at_most |= leads && answer.at_most.is_some_and(|limit| limit < factor - ROUNDING);
        }
    }
    found
}

pub(crate) fn calls_slower(answers: &[Assessment], entry: impl Fn(usize) -> bool) -> bool {
    answers
        .iter()
        .any(|answer| answer.rows.iter().any(|row| entry(row.entry) && row.standing == Standing::Slower))
}

/// Counts in how many cases each of several things was so.
pub(crate) fn tally<const THINGS: usize>(
    cases: u64, random: &mut ChaCha8Rng, mut case: impl FnMut(&mut ChaCha8Rng) -> [bool; THINGS],
) -> [u64; THINGS] {
    let mut hits = [0; THINGS];
    for _ in 0..cases {
        for (hits, hit) in hits.iter_mut().zip(case(random)) {
            *hits += u64::from(hit);
        }
    }
    hits
}

/// Returns the number of hits that is exceeded in one of a thousand cases when each of `cases` hits with the chance `rate`.
fn most(cases: u64, rate: f64) -> u64 {
    Binomial::new(rate, cases).expect("a chance").inverse_cdf(0.999)
}

/// Returns the number of hits that is missed in one of a thousand cases.
fn fewest(cases: u64, rate: f64) -> u64 {
    cases - most(cases, 1.0 - rate)
}

/// Counts, next to what is allowed.
pub(crate) struct Figures {
    lines: Vec<String>,
    breaches: Vec<String>,
}

/// Counts what a simulation shows, prints all figures for those who want them, and fails when one is beyond its limit.
pub(crate) fn judged(name: &str, print: bool, simulate: impl FnOnce(&mut Figures)) {
    let mut figures = Figures { lines: Vec::new(), breaches: Vec::new() };
    simulate(&mut figures);
    if print {
        let text: String = figures.lines.iter().map(|line| format!("{name}  {line}\n")).collect();
        std::io::stdout().write_all(text.as_bytes()).expect("standard output");
    }
    assert!(figures.breaches.is_empty(), "{name}: {:?}", figures.breaches);
}

impl Figures {
    pub(crate) fn at_least(&mut self, what: &str, hits: u64, cases: u64, limit: u64) {
        let line = format!("{what}: {hits} of {cases} ({:.1} %; at least {limit})", percent(hits, cases));
        self.add(line, hits >= limit);
    }

    /// No more hits than the binomial at this rate has but for one case in a thousand.
    pub(crate) fn few(&mut self, what: &str, hits: u64, cases: u64, rate: f64) {
        let limit = most(cases, rate);
        let line = format!("{what}: {hits} of {cases} ({:.1} %; limit {limit})", percent(hits, cases));
        self.add(line, hits <= limit);
    }

    /// No fewer hits than that has; see [`Figures::few`].
    pub(crate) fn many(&mut self, what: &str, hits: u64, cases: u64, rate: f64) {
        self.at_least(what, hits, cases, fewest(cases, rate));
    }

    pub(crate) fn mean(&mut self, what: &str, mean: f64, limit: f64) {
        self.add(format!("{what}: {mean:.2} (limit {limit})"), mean <= limit);
    }

    pub(crate) fn note(&mut self, line: String) {
        self.lines.push(line);
    }

    fn add(&mut self, line: String, kept: bool) {
        if !kept {
            self.breaches.push(line.clone());
        }
        self.lines.push(line);
    }
}

fn percent(hits: u64, cases: u64) -> f64 {
    100.0 * hits as f64 / cases.max(1) as f64
}

#[test]
fn the_limits_are_points_of_the_binomial() {
    // R: qbinom(.999, 1000, .05) = 73, qbinom(.999, 1000, .025) = 42, qbinom(.999, 400, .05) = 35.
    assert_eq!((most(1000, 0.05), most(1000, 0.025)), (73, 42));
    assert_eq!(fewest(100, 0.5), 100 - most(100, 0.5));
}
