//! Where entries leave before the others end: three rules that simulations asked for.

use rand::RngExt;
use stats::contest::{Assessment, Pace, Rules, boundaries};
use stats::synthetic::{HOSTILE, QUIET, SHARED};

use crate::simulate::{
    Course, Figures, Rounds, calls_slower, falsehoods, follow, normal, random, rules, steady, tally,
};

/// Checks that the leader's limit counts a candidate with the looks that it reached; those of the last look are counted too.
fn limit_of_candidates_that_left(contests: u64, figures: &mut Figures) {
    let rules = rules(8, 60);
    let cuts = boundaries(rules.alpha / 4.0, Pace::Even, &rules.looks);
    let last_cut = cuts.last().copied().flatten().expect("a cut") as usize;
    for host in [QUIET, SHARED, HOSTILE] {
        for (name, step) in [("tied", 0.0), ("1 % apart", 0.01)] {
            let taus: Vec<f64> = (0..10).map(|entry| step * f64::from(entry)).collect();
            let [any, at_most, with_later_cuts] = tally(contests, &mut random(2000), |random| {
                let rounds = steady(host, &taus, 60, random);
                let answers = follow(&rounds, &rules, Course::LosesCandidates, random);
                let found = falsehoods(&answers, &taus);
                let last = answers.last().expect("looks");
                let limit = limit_with_later_cuts(last, &rounds, last_cut);
                let is_below = last.leader.is_some_and(|leader| limit < taus[leader] - 1e-12);
                [found.any(), found.at_most, is_below]
            });
            let of = format!("{name}, {}", host.name);
            figures.few(&format!("the leader's limit is false, {of}"), at_most, contests, 0.0125);
            figures.few(&format!("any false statement, {of}"), any, contests, 0.05);
            let what = "  and with the cuts of later looks";
            let visible = if host == HOSTILE && step > 0.0 { contests / 8 } else { 0 };
            figures.at_least(what, with_later_cuts, contests, visible);
        }
    }
}

/// Returns the limit if an entry that left were counted with the cut of the last look.
fn limit_with_later_cuts(answer: &Assessment, rounds: &Rounds, cut: usize) -> f64 {
    let leader = answer.leader.expect("a leader");
    let rivals = answer.rows.iter().filter(|row| row.standing.is_candidate() && row.entry != leader);
    let limits = rivals.map(|row| {
        let counted = &rounds[1..=row.rounds as usize];
        let mut d: Vec<f64> = counted.iter().map(|round| (round[leader] / round[row.entry]).ln()).collect();
        d.sort_unstable_by(f64::total_cmp);
        d.len().checked_sub(1 + cut).map_or(f64::NEG_INFINITY, |place| d[place])
    });
    limits.fold(0.0, f64::max)
}

/// Checks that a contest that goes on is led by an entry that is still measured: opponents are of the same round.
fn contests_that_go_on(contests: u64, figures: &mut Figures) {
    for (host, ahead) in [(QUIET, 0.003), (SHARED, 0.005), (HOSTILE, 0.01)] {
        // Four that are alike within what decides, two a little behind.
        let taus = [0.0, 0.0, ahead, ahead, 2.0 * ahead, 3.0 * ahead];
        let [any, slower] = tally(contests, &mut random(2100), |random| {
            let wide = Rules { delta: 0.05, ..rules(8, 60) };
            let answers = follow(&steady(host, &taus, 60, random), &wide, Course::StopWhenDecided, random);
            [falsehoods(&answers, &taus).any(), calls_slower(&answers, |entry| taus[entry] == 0.0)]
        });
        figures.few(&format!("a fastest entry called slower, {}", host.name), slower, contests, 0.0075);
        figures.few(&format!("any false statement, {}", host.name), any, contests, 0.05);
    }
}

/// Checks the worst case of the rule for entries far behind: three times as long in one round of six, else a little faster.
fn far_behind_with_a_small_alpha(contests: u64, figures: &mut Figures) {
    // In the other five rounds it is faster with a chance of 3/5: in all, it is slower in half of them.
    const SPREAD: f64 = 0.01;
    const AHEAD: f64 = 0.253_347 * std::f64::consts::SQRT_2 * SPREAD;
    let taus = [0.0; 6];
    for (alpha, used) in [(0.05, true), (0.0125, false)] {
        let [dropped, lost] = tally(contests, &mut random(2200), |random| {
            let mut value = |entry: usize| {
                let slow = entry == 0 && random.random_bool(1.0 / 6.0);
                let own = if entry == 0 { -AHEAD } else { 0.0 };
                (SPREAD * normal(random) + own).exp() * if slow { 3.0 } else { 1.0 }
            };
            let rounds: Rounds = (0..=10).map(|_| (0..6).map(&mut value).collect()).collect();
            let answers = follow(&rounds, &Rules { alpha, ..rules(6, 10) }, Course::AllLooks, random);
            [!answers[0].candidates.contains(&0), falsehoods(&answers, &taus).lost]
        });
        let far_behind = if used { 1.0 / 216.0 } else { 0.0 };
        figures.few(&format!("entry 0 far behind, alpha {alpha}"), dropped, contests, far_behind);
        figures.few(&format!("entry 0 lost, alpha {alpha}"), lost, contests, alpha / 2.0 + far_behind);
    }
}

/// A baseline takes half of the chance of error of all factors, and no more.
fn baseline_named_beforehand(contests: u64, figures: &mut Figures) {
    let taus = [0.0, 0.0, 0.02, 0.02, 0.05, 0.05, 0.1, 0.1];
    for baseline in [0, 3, 6] {
        let named = Rules { baseline: Some(baseline), ..rules(8, 60) };
        let [hits] = tally(contests, &mut random(2300), |random| {
            let rounds = steady(SHARED, &taus, 60, random);
            [falsehoods(&follow(&rounds, &named, Course::AllLooks, random), &taus).any()]
        });
        figures.few(&format!("any false statement, baseline {baseline}"), hits, contests, 0.05);
    }
}

simulations! {
    the_leaders_limit_holds_when_candidates_leave, the_leaders_limit_when_candidates_leave_long = "candidates leave": limit_of_candidates_that_left(15, 1000);
    a_contest_that_goes_on_calls_no_fastest_entry_slower, a_contest_that_goes_on_long = "goes on after being decided": contests_that_go_on(40, 1000);
    the_rule_for_entries_far_behind_keeps_to_its_share, the_rule_for_entries_far_behind_long = "far behind": far_behind_with_a_small_alpha(300, 20_000);
    a_baseline_costs_no_confidence, a_baseline_long = "baseline": baseline_named_beforehand(20, 1000);
}
