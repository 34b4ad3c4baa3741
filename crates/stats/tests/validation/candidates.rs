//! Which entries may be fastest, and their factors: how often any of it is false, and how much is found.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use stats::contest::Assessment;
use stats::median;
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED};

use crate::simulate::{
    Course, Figures, Rounds, calls_slower, exponential, falsehoods, follow, on_host, random, rules, steady,
    tally,
};

const HOSTS: [NoisyHost; 3] = [QUIET, SHARED, HOSTILE];

/// Returns the answers at all looks of a plan from the 8th round to the 60th.
fn answers(rounds: &Rounds, random: &mut ChaCha8Rng) -> Vec<Assessment> {
    follow(rounds, &rules(8, 60), Course::AllLooks, random)
}

/// Returns the logarithms of `of` times: the first `fastest` are equal, the others `slower` by this fraction.
fn tied(fastest: usize, of: usize, slower: f64) -> Vec<f64> {
    (0..of).map(|entry| if entry < fastest { 0.0 } else { slower.ln_1p() }).collect()
}

/// Entries spread evenly on the logarithmic scale.
fn spread(count: usize, from: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| from.ln() + (to / from).ln() * i as f64 / (count - 1).max(1) as f64)
}

/// Ten entries each.
fn truths() -> [(&'static str, Vec<f64>); 5] {
    [
        ("all tied", tied(10, 10, 0.0)),
        ("2 tied, rest +5 %", tied(2, 10, 0.05)),
        ("best by 2 %", tied(1, 10, 0.02)),
        ("5 tied, rest 1.1-8x", tied(5, 5, 0.0).into_iter().chain(spread(5, 1.1, 8.0)).collect()),
        ("spread 1-8x", spread(10, 1.0, 8.0).collect()),
    ]
}

/// V3: any false statement at any look.
fn v03(contests: u64, figures: &mut Figures) {
    let (mut all, mut cases) = (0, 0);
    for (place, (name, taus)) in truths().iter().enumerate() {
        for host in HOSTS {
            let (mut size, mut limits) = (0, Vec::new());
            let [hits] = tally(contests, &mut random(300 + place as u64), |random| {
                let answers = answers(&steady(host, taus, 60, random), random);
                let last = answers.last().expect("looks");
                size += last.candidates.len();
                limits.push(100.0 * last.at_most.unwrap_or(f64::INFINITY).exp_m1());
                [falsehoods(&answers, taus).any()]
            });
            figures.few(&format!("any false statement, {name}, {}", host.name), hits, contests, 0.05);
            let size = size as f64 / contests as f64;
            figures.note(format!("  mean S {size:.2}, median B {:.1} %", median(&limits).expect("contests")));
            (all, cases) = (all + hits, cases + contests);
        }
    }
    // Two in a hundred over all of them are expected, three are allowed.
    figures.few("any false statement", all, cases, 0.03);
}

/// V4: ten that are alike.
fn v04(contests: u64, figures: &mut Figures) {
    let taus = [0.0; 10];
    let [lost, slower, single] = tally(contests, &mut random(400), |random| {
        let answers = answers(&steady(SHARED, &taus, 60, random), random);
        [falsehoods(&answers, &taus).lost, calls_slower(&answers, |_| true), one_left(&answers)]
    });
    figures.few("entry 0 lost", lost, contests, 0.025);
    figures.few("any entry called slower", slower, contests, 0.0075);
    figures.few("one candidate left", single, contests, 0.0003);
}

fn one_left(answers: &[Assessment]) -> bool {
    answers.last().is_some_and(|answer| answer.candidates.len() == 1)
}

/// V5 and V6: two that are alike, alone or before others.
fn two_alike(host: NoisyHost, taus: &[f64], contests: u64, figures: &mut Figures) {
    let [hits] = tally(contests, &mut random(500 + taus.len() as u64), |random| {
        [one_left(&answers(&steady(host, taus, 60, random), random))]
    });
    figures.few(&format!("one candidate left, {}", host.name), hits, contests, 0.05);
}

fn v05(contests: u64, figures: &mut Figures) {
    two_alike(SHARED, &tied(2, 10, 0.05), contests, figures);
}

fn v06(contests: u64, figures: &mut Figures) {
    HOSTS.iter().for_each(|host| two_alike(*host, &[0.0, 0.0], contests, figures));
}

/// V7: how much is found.
fn v07(contests: u64, figures: &mut Figures) {
    // A mean over few contests scatters.
    let slack = if contests < 100 { 1.6 } else { 1.0 };
    let power = |host: NoisyHost, entries: usize, ahead: f64, seed: u64| {
        let (taus, mut size) = (tied(1, entries, ahead), 0);
        let [only] = tally(contests, &mut random(seed), |random| {
            let answers = answers(&steady(host, &taus, 60, random), random);
            let candidates = &answers.last().expect("looks").candidates;
            size += candidates.len();
            [*candidates == [0]]
        });
        (only, size as f64 / contests as f64)
    };
    for (host, entries, ahead, seed, rate) in
        [(SHARED, 10, 0.02, 700, 0.98), (HOSTILE, 2, 0.02, 703, 0.87), (HOSTILE, 2, 0.05, 704, 0.99)]
    {
        let (found, _) = power(host, entries, ahead, seed);
        let what = format!("only the best is left, k = {entries}, {:.0} %, {}", 100.0 * ahead, host.name);
        figures.many(&what, found, contests, rate);
    }
    for (host, entries, seed, most) in [(HOSTILE, 10, 701, 6.5), (SHARED, 32, 702, 1.6)] {
        let (_, size) = power(host, entries, 0.02, seed);
        figures.mean(&format!("mean S, k = {entries}, 2 %, {}", host.name), size, most * slack);
    }
}

/// The addition to some rounds of some entries.
type Extra = fn(&mut ChaCha8Rng) -> f64;

fn heavy_tail(random: &mut ChaCha8Rng) -> f64 {
    if random.random_bool(0.30) { 0.30 * exponential(random) } else { 0.0 }
}

fn two_modes(random: &mut ChaCha8Rng) -> f64 {
    if random.random_bool(0.35) { 0.10 } else { 0.0 }
}

/// V8: half of the entries have another shape, moved so that the median of their difference is 0 or 5 %.
fn v08(contests: u64, figures: &mut Figures) {
    let extras = [("heavier tail", heavy_tail as Extra), ("two modes", two_modes)];
    for (place, (name, extra)) in extras.into_iter().enumerate() {
        let centre = centre_of(extra);
        for (target, entries) in [(0.0, 2), (0.0, 10), (0.05, 2), (0.05, 10)] {
            let taus: Vec<f64> = (0..entries).map(|entry| (entry % 2) as f64 * f64::ln_1p(target)).collect();
            let [hits] = tally(contests, &mut random(800 + place as u64), |random| {
                let rounds = on_host(SHARED, entries, 60, random, |entry, _, random| {
                    taus[entry] + if entry % 2 == 1 { extra(random) - centre } else { 0.0 }
                });
                [falsehoods(&answers(&rounds, random), &taus).any()]
            });
            let what = format!("any false statement, {name} at {:.0} %, k = {entries}", 100.0 * target);
            figures.few(&what, hits, contests, 0.06);
        }
    }
}

/// Returns the median of the difference that an extra makes inside a round.
fn centre_of(extra: Extra) -> f64 {
    let mut random = random(8);
    let mut differences = Vec::new();
    for _ in 0..400 {
        let rounds = on_host(SHARED, 2, 60, &mut random, |entry, _, random| match entry {
            1 => extra(random),
            _ => 0.0,
        });
        differences.extend(rounds.iter().map(|round| (round[1] / round[0]).ln()));
    }
    median(&differences).expect("rounds")
}

/// V9: a short plan, where entries that are far behind leave after three rounds.
fn v09(contests: u64, figures: &mut Figures) {
    let taus = [0.0; 10];
    let [lost, far_behind] = tally(contests, &mut random(900), |random| {
        let rounds = steady(HOSTILE, &taus, 30, random);
        let answers = follow(&rounds, &rules(6, 30), Course::AllLooks, random);
        [falsehoods(&answers, &taus).lost, falsehoods(&answers[..1], &taus).lost]
    });
    figures.few("entry 0 lost", lost, contests, 0.025);
    figures.few("entry 0 far behind", far_behind, contests, 0.005);
}

simulations! {
    v03_few_statements_about_a_contest_are_false, v03_long = "V3": v03(12, 400);
    v04_entries_that_are_alike_rarely_differ, v04_long = "V4": v04(60, 1000);
    v05_of_two_that_share_the_lead_none_is_called_fastest, v05_long = "V5": v05(60, 1000);
    v06_two_entries_that_are_alike_stay_two, v06_long = "V6": v06(150, 1000);
    v07_a_small_lead_is_found, v07_long = "V7": v07(12, 200);
    v08_other_shapes_do_not_mislead, v08_long = "V8": v08(25, 400);
    v09_a_short_plan_keeps_the_fastest, v09_long = "V9": v09(80, 1000);
}
