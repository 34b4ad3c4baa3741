//! Which entries may be fastest, and their factors: how often any of it is false, and how much is found.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use stats::contest::Assessment;
use stats::median;
use stats::synthetic::{HOSTILE, NoisyHost, QUIET, SHARED};

use crate::simulate::{
    Course, Figures, calls_slower, exponential, falsehoods, follow, on_host, random, rules, steady,
};

const HOSTS: [NoisyHost; 3] = [QUIET, SHARED, HOSTILE];

/// Entries spread evenly on the logarithmic scale.
fn spread(count: usize, from: f64, to: f64) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| from.ln() + (to / from).ln() * i as f64 / (count - 1).max(1) as f64)
}

/// Ten entries each.
fn truths() -> [(&'static str, Vec<f64>); 5] {
    let tied_and = |tied: usize, rest: Vec<f64>| {
        let mut taus = vec![0.0; tied];
        taus.extend(rest);
        taus
    };
    [
        ("all tied", vec![0.0; 10]),
        ("2 tied, rest +5 %", tied_and(2, vec![0.05f64.ln_1p(); 8])),
        ("best by 2 %", tied_and(1, vec![0.02f64.ln_1p(); 9])),
        ("5 tied, rest 1.1-8x", tied_and(5, spread(5, 1.1, 8.0).collect())),
        ("spread 1-8x", spread(10, 1.0, 8.0).collect()),
    ]
}

/// V3: any false statement at any look.
fn v03(contests: u64, figures: &mut Figures) {
    let (mut all, mut cases) = (0, 0);
    for (place, (name, taus)) in truths().iter().enumerate() {
        for host in HOSTS {
            let mut random = random(300 + place as u64);
            let (mut hits, mut size, mut limits) = (0, 0, Vec::new());
            for _ in 0..contests {
                let rounds = steady(host, taus, 60, &mut random);
                let answers = follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random);
                hits += u64::from(falsehoods(&answers, taus).any());
                let last = answers.last().expect("looks");
                size += last.candidates.len();
                limits.push(100.0 * last.at_most.unwrap_or(f64::INFINITY).exp_m1());
            }
            let what = format!("any false statement, {name}, {}", host.name);
            figures.few(&what, hits, contests, (400, 35), 0.05);
            let size = size as f64 / contests as f64;
            figures.note(format!("  mean S {size:.2}, median B {:.1} %", median(&limits).expect("contests")));
            (all, cases) = (all + hits, cases + contests);
        }
    }
    // Two in a hundred over all of them are expected, three are allowed.
    figures.few("any false statement", all, cases, (6000, 240), 0.03);
}

/// V4: ten that are alike.
fn v04(contests: u64, figures: &mut Figures) {
    let taus = [0.0; 10];
    let mut random = random(400);
    let (mut lost, mut slower, mut single) = (0, 0, 0);
    for _ in 0..contests {
        let rounds = steady(SHARED, &taus, 60, &mut random);
        let answers = follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random);
        lost += u64::from(falsehoods(&answers, &taus).lost);
        slower += u64::from(calls_slower(&answers, |_| true));
        single += u64::from(one_left(&answers));
    }
    figures.few("entry 0 lost", lost, contests, (1000, 42), 0.025);
    figures.few("any entry called slower", slower, contests, (1000, 18), 0.0075);
    figures.few("one candidate left", single, contests, (1000, 3), 0.0003);
}

fn one_left(answers: &[Assessment]) -> bool {
    answers.last().is_some_and(|answer| answer.candidates.len() == 1)
}

/// V5 and V6: two that are alike, alone or before others.
fn two_alike(host: NoisyHost, taus: &[f64], contests: u64, figures: &mut Figures) {
    let mut random = random(500 + taus.len() as u64);
    let hits = (0..contests).filter(|_| {
        let rounds = steady(host, taus, 60, &mut random);
        one_left(&follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random))
    });
    let hits = hits.count() as u64;
    figures.few(&format!("one candidate left, {}", host.name), hits, contests, (1000, 73), 0.05);
}

fn v05(contests: u64, figures: &mut Figures) {
    let mut taus = vec![0.05f64.ln_1p(); 10];
    taus[..2].fill(0.0);
    two_alike(SHARED, &taus, contests, figures);
}

fn v06(contests: u64, figures: &mut Figures) {
    for host in HOSTS {
        two_alike(host, &[0.0, 0.0], contests, figures);
    }
}

/// V7: how much is found.
fn v07(contests: u64, figures: &mut Figures) {
    // A mean over few contests scatters.
    let slack = if contests < 100 { 1.6 } else { 1.0 };
    let power = |host: NoisyHost, entries: usize, ahead: f64, seed: u64| {
        let mut taus = vec![f64::ln_1p(ahead); entries];
        taus[0] = 0.0;
        let mut random = random(seed);
        let (mut only, mut size) = (0, 0);
        for _ in 0..contests {
            let rounds = steady(host, &taus, 60, &mut random);
            let answers = follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random);
            let candidates = &answers.last().expect("looks").candidates;
            only += u64::from(*candidates == [0]);
            size += candidates.len();
        }
        (only, size as f64 / contests as f64)
    };
    let only = "only the best is left,";
    let (found, _) = power(SHARED, 10, 0.02, 700);
    figures.many(&format!("{only} k = 10, 2 %, shared"), found, contests, (200, 190), 0.98);
    let (_, size) = power(HOSTILE, 10, 0.02, 701);
    figures.mean("mean S, k = 10, 2 %, hostile", size, 6.5 * slack);
    let (_, size) = power(SHARED, 32, 0.02, 702);
    figures.mean("mean S, k = 32, 2 %, shared", size, 1.6 * slack);
    let (found, _) = power(HOSTILE, 2, 0.02, 703);
    figures.many(&format!("{only} k = 2, 2 %, hostile"), found, contests, (200, 160), 0.87);
    let (found, _) = power(HOSTILE, 2, 0.05, 704);
    figures.many(&format!("{only} k = 2, 5 %, hostile"), found, contests, (200, 194), 0.99);
}

/// What some entries take longer in some of their rounds.
#[derive(Clone, Copy)]
enum Extra {
    HeavyTail,
    TwoModes,
}

impl Extra {
    fn draw(self, random: &mut ChaCha8Rng) -> f64 {
        match self {
            Self::HeavyTail if random.random_bool(0.30) => 0.30 * exponential(random),
            Self::TwoModes if random.random_bool(0.35) => 0.10,
            _ => 0.0,
        }
    }
}

/// V8: half of the entries have another shape, moved so that the median of their difference is 0 or 5 %.
fn v08(contests: u64, figures: &mut Figures) {
    for (place, (name, extra)) in
        [("heavier tail", Extra::HeavyTail), ("two modes", Extra::TwoModes)].iter().enumerate()
    {
        let centre = centre_of(*extra);
        for target in [0.0, 0.05f64.ln_1p()] {
            for entries in [2, 10] {
                let mut random = random(800 + place as u64);
                let taus: Vec<f64> =
                    (0..entries).map(|entry| if entry % 2 == 1 { target } else { 0.0 }).collect();
                let hits = (0..contests).filter(|_| {
                    let rounds = on_host(SHARED, entries, 60, &mut random, |entry, _, random| {
                        let own = if entry % 2 == 1 { extra.draw(random) - centre } else { 0.0 };
                        taus[entry] + own
                    });
                    falsehoods(&follow(&rounds, &rules(8, 60), Course::AllLooks, &mut random), &taus).any()
                });
                let what =
                    format!("any false statement, {name} at {:.0} %, k = {entries}", 100.0 * target.exp_m1());
                figures.few(&what, hits.count() as u64, contests, (400, 40), 0.06);
            }
        }
    }
}

/// The median of the difference that an extra makes inside a round.
fn centre_of(extra: Extra) -> f64 {
    let mut random = random(8);
    let mut differences = Vec::new();
    for _ in 0..400 {
        let rounds = on_host(
            SHARED,
            2,
            60,
            &mut random,
            |entry, _, random| {
                if entry == 1 { extra.draw(random) } else { 0.0 }
            },
        );
        differences.extend(rounds.iter().map(|round| (round[1] / round[0]).ln()));
    }
    median(&differences).expect("rounds")
}

/// V9: a short plan, where entries that are far behind leave after three rounds.
fn v09(contests: u64, figures: &mut Figures) {
    let taus = [0.0; 10];
    let mut random = random(900);
    let (mut lost, mut far_behind) = (0, 0);
    for _ in 0..contests {
        let rounds = steady(HOSTILE, &taus, 30, &mut random);
        let answers = follow(&rounds, &rules(6, 30), Course::AllLooks, &mut random);
        lost += u64::from(falsehoods(&answers, &taus).lost);
        far_behind += u64::from(falsehoods(&answers[..1], &taus).lost);
    }
    figures.few("entry 0 lost", lost, contests, (1000, 42), 0.025);
    figures.few("entry 0 far behind", far_behind, contests, (1000, 13), 0.005);
}

simulations! {
    v03_few_statements_about_a_contest_are_false, v03_long = "V3": v03(12, 400);
    v04_entries_that_are_alike_are_rarely_told_apart, v04_long = "V4": v04(60, 1000);
    v05_of_two_that_share_the_lead_none_is_called_fastest, v05_long = "V5": v05(60, 1000);
    v06_two_entries_that_are_alike_stay_two, v06_long = "V6": v06(150, 1000);
    v07_a_small_lead_is_found, v07_long = "V7": v07(12, 200);
    v08_other_shapes_do_not_mislead, v08_long = "V8": v08(25, 400);
    v09_a_short_plan_keeps_the_fastest, v09_long = "V9": v09(80, 1000);
}
