use serde_json::Value;

use super::*;

fn rules(looks: &[u32]) -> Rules {
    Rules { alpha: 0.05, delta: 0.02, looks: looks.to_vec(), baseline: None }
}

/// Returns the numbers of a list; what is no number is infinite ("inf") or unknown (`null`).
fn numbers(list: &Value) -> Vec<Option<f64>> {
    let number =
        |value: &Value| if value.is_null() { None } else { Some(value.as_f64().unwrap_or(f64::INFINITY)) };
    list.as_array().expect("a list").iter().map(number).collect()
}

fn matrix_of(rounds: &[Vec<Option<f64>>]) -> Matrix {
    let mut matrix = Matrix::new(rounds[0].len());
    for round in rounds {
        matrix.push_round(round.iter().map(|value| value.iter().copied().collect()).collect());
    }
    matrix
}

fn close(found: Option<f64>, expected: Option<f64>, what: &str) {
    match (found, expected) {
        (Some(found), Some(expected)) => {
            assert!((found - expected).abs() < 1e-5 * expected.max(1.0), "{what}: {found}, not {expected}");
        }
        _ => assert_eq!(found, expected, "{what}"),
    }
}

#[test]
fn the_examples_give_what_is_expected_at_every_look() {
    let vectors: Value = serde_json::from_str(include_str!("../../tests/vectors.json")).expect("JSON");
    let examples = vectors["examples"].as_array().expect("examples");
    assert_eq!(examples.len(), 4);
    for example in examples {
        let rounds: Vec<_> = example["rounds"].as_array().expect("rounds").iter().map(numbers).collect();
        let looks: Vec<u32> =
            numbers(&example["looks"]).into_iter().flatten().map(|look| look as u32).collect();
        for expected in example["expected"].as_array().expect("looks") {
            let look = expected["look"].as_u64().expect("a look") as usize;
            let found = judged(&rounds[..=look], &looks);
            let what = |entry: &dyn std::fmt::Display| format!("{} at {look}: {entry}", example["name"]);
            assert_eq!(found.look, Some(look as u32), "{}", what(&""));
            // Named by their scores. One that might cost much gives way to one that is known to cost less.
            let of_best_score = expected["at_most_slower"].as_f64();
            let leads = found.leader.map(|leader| leader as u64) == expected["leader"].as_u64();
            if of_best_score.is_some_and(|limit| limit <= COARSE_DELTA) {
                assert!(leads, "{}", what(&"leader"));
            }
            let mut candidates = found.candidates.clone();
            candidates.sort_unstable();
            let fastest: Vec<usize> =
                numbers(&expected["fastest"]).into_iter().flatten().map(|entry| entry as usize).collect();
            assert_eq!(candidates, fastest, "{}", what(&"candidates"));
            if leads {
                close(found.at_most.map(f64::exp_m1), of_best_score, &what(&"limit"));
            } else {
                let of_leader = found.at_most.map_or(f64::INFINITY, f64::exp_m1);
                assert!(of_leader < of_best_score.unwrap_or(f64::INFINITY), "{}", what(&"limit"));
            }
            let (low, high) = (numbers(&expected["factor_low"]), numbers(&expected["factor_high"]));
            for row in &found.rows {
                close(Some(row.low.exp()), low[row.entry], &what(&row.entry));
                let upper = if found.leader == Some(row.entry) {
                    found.at_most_proved
                } else {
                    Some(row.high).filter(|high| high.is_finite())
                };
                close(upper.map(f64::exp), high[row.entry], &what(&row.entry));
            }
        }
        let all = judged(&rounds, &looks);
        for (entry, after) in example["left_after_round"].as_object().expect("departures") {
            let after = after.as_u64().map(|after| after as u32);
            // Who leaves at the last look is not seen to be missing afterwards.
            let after = after.filter(|&after| looks.last() != Some(&after));
            let row = all.row(entry.parse().expect("an entry")).expect("a row");
            assert_eq!(row.left_after, after, "{} {entry}", example["name"]);
        }
    }
}

/// Values in the order of the entries, the same in every round but for a small jitter.
fn steady(values: &[f64], rounds: usize) -> Vec<Vec<Option<f64>>> {
    let jitter = |round: usize, entry: usize| 1.0 + 0.001 * ((round * 7 + entry * 3) % 10) as f64;
    let rounds = (0..rounds)
        .map(|round| values.iter().enumerate().map(|(entry, v)| Some(v * jitter(round, entry))).collect());
    rounds.collect()
}

fn without(mut rounds: Vec<Vec<Option<f64>>>, entry: usize, from: usize) -> Vec<Vec<Option<f64>>> {
    for round in &mut rounds[from..] {
        round[entry] = None;
    }
    rounds
}

fn judged(rounds: &[Vec<Option<f64>>], looks: &[u32]) -> Assessment {
    let entries: Vec<usize> = (0..rounds[0].len()).collect();
    assess(&matrix_of(rounds), &entries, &rules(looks))
}

fn standings(found: &Assessment) -> Vec<(usize, Standing)> {
    found.rows.iter().map(|row| (row.entry, row.standing)).collect()
}

#[test]
fn round_0_names_the_first_leader_and_is_not_counted() {
    let found = judged(&steady(&[2.0, 1.0, 3.0], 1), &[8, 10]);
    assert_eq!((found.leader, found.second, found.rounds, found.look), (Some(1), Some(0), 0, None));
    assert_eq!(found.rows.iter().map(|row| row.entry).collect::<Vec<_>>(), [1, 0, 2]);
    assert!(!found.decided);
    let eight = judged(&steady(&[2.0, 1.0, 3.0], 8), &[8, 10]);
    assert_eq!((eight.rounds, eight.look), (7, None));
}

#[test]
fn a_clear_winner_is_found_at_the_first_look() {
    let found = judged(&steady(&[1.2, 1.0, 1.1], 9), &[8, 10]);
    assert_eq!(standings(&found), [(1, Standing::Fastest), (2, Standing::Behind), (0, Standing::Behind)]);
    assert_eq!((found.at_most, found.at_most_proved, found.decided), (Some(0.0), Some(0.0), true));
    assert!((found.rows[2].estimate.expect("rounds") - 1.2f64.ln()).abs() < 0.01);
    assert!(found.leavers().is_empty());
    assert_eq!(found.open_outsiders(), [2, 0]);
}

#[test]
fn an_entry_that_left_keeps_its_factor_and_the_others_go_on() {
    let rounds = steady(&[1.0, 1.001, 2.0], 21);
    let found = judged(&without(rounds.clone(), 2, 14), &[8, 10, 13, 16, 20]);
    assert_eq!(found.look, Some(20));
    let row = found.row(2).expect("a row");
    assert_eq!((row.standing, row.left_after, row.rounds), (Standing::Slower, Some(13), 13));
    assert!(row.low > 1.9f64.ln() && row.high < 2.1f64.ln(), "{row:?}");
    // One that ends between looks limits the rounds of all.
    let found = judged(&without(rounds, 2, 12), &[8, 10, 13, 16, 20]);
    assert_eq!((found.look, found.rounds), (Some(10), 11));
}

#[test]
fn an_entry_far_behind_leaves_a_short_contest() {
    let rounds = steady(&[1.0, 1.001, 2.5], 4);
    let looks = [6, 8, 10];
    let found = judged(&rounds, &looks);
    assert_eq!((found.look, found.rounds), (None, 3));
    assert_eq!(found.row(2).expect("a row").standing, Standing::FarBehind);
    assert_eq!(found.leavers(), [2]);
    let later = judged(&without(steady(&[1.0, 1.001, 2.5], 7), 2, 4), &looks);
    assert_eq!((later.look, later.row(2).expect("a row").left_after), (Some(6), Some(3)));
    let normal = judged(&rounds, &[8, 10]);
    assert!(normal.leavers().is_empty());
    let strict = Rules { alpha: 0.0125, ..rules(&looks) };
    assert!(assess(&matrix_of(&rounds), &[0, 1, 2], &strict).leavers().is_empty());
}

#[test]
fn an_entry_that_failed_three_times_is_out() {
    let mut rounds = steady(&[1.0, 1.001, 1.0005], 9);
    for round in [2, 3, 5] {
        rounds[round][2] = Some(f64::INFINITY);
    }
    let found = judged(&without(rounds, 2, 6), &[8, 10]);
    assert_eq!(found.look, Some(8));
    assert_eq!(found.row(2).expect("a row").standing, Standing::Failed);
    assert_eq!(found.candidates.len(), 2);
}

#[test]
fn an_entry_that_is_called_failed_is_not_compared() {
    let found =
        assess_with_failed(&matrix_of(&steady(&[1.0, 0.1, 1.3], 9)), &[0, 1, 2], &[1], &rules(&[8, 10]));
    assert_eq!(standings(&found), [(0, Standing::Fastest), (1, Standing::Failed), (2, Standing::Behind)]);
}

#[test]
fn a_decided_contest_is_led_by_an_entry_that_is_still_measured() {
    // Entries 0 and 1 cannot be distinguished and 0 is no longer measured; 2 stays for its factor.
    let found = judged(&without(steady(&[1.0, 1.0, 1.1], 21), 0, 11), &[8, 10, 13, 16, 20]);
    assert_eq!((found.look, found.leader), (Some(20), Some(1)));
    assert_eq!(
        found.row(0).map(|row| (row.standing, row.left_after)),
        Some((Standing::MayBeFastest, Some(10)))
    );
    assert!(found.row(2).expect("a row").low > 0.0);
}

#[test]
fn the_baseline_of_a_short_contest_waits_for_its_factor() {
    let rounds = steady(&[1.0, 1.2, 1.3, 1.25], 7);
    let named = Rules { baseline: Some(2), ..rules(&[6, 8, 10, 13, 16, 20]) };
    let found = assess(&matrix_of(&rounds), &[0, 1, 2, 3], &named);
    assert_eq!((found.leavers(), found.open_outsiders()), (vec![1, 3], vec![2]));
}

#[test]
fn the_baseline_stays_until_every_candidate_alone_beats_it() {
    let named = Rules { baseline: Some(2), ..rules(&[8, 10, 13, 16, 20]) };
    for (rounds, leavers) in [(14, vec![]), (17, vec![2])] {
        let mut rounds = steady(&[1.0, 1.0, 1.5], rounds);
        // The one that does not lead is slow in its first rounds.
        rounds[1..=2].iter_mut().for_each(|round| round[1] = Some(2.0));
        assert_eq!(assess(&matrix_of(&rounds), &[0, 1, 2], &named).leavers(), leavers);
    }
}

#[test]
fn a_baseline_that_seems_slower_keeps_a_contest_open() {
    let named = Rules { baseline: Some(1), ..rules(&[8, 10, 13]) };
    for (slower, decided) in [(1.1, false), (1.01, true)] {
        let mut rounds = steady(&[1.0, slower, 1.5], 9);
        rounds[8][1] = Some(0.995);
        let matrix = matrix_of(&rounds);
        let found = assess(&matrix, &[0, 1, 2], &named);
        assert_eq!((found.candidates.len(), found.decided), (2, decided), "{slower}");
        assert!(assess(&matrix, &[0, 1, 2], &rules(&[8, 10, 13])).decided, "without a baseline");
    }
}

#[test]
fn a_very_short_contest_has_no_factor_and_no_limit() {
    let found = judged(&steady(&[1.0, 1.0, 1.3], 4), &[3, 4]);
    assert_eq!(found.row(2).expect("a row").standing, Standing::Behind);
    assert_eq!((found.at_most, found.candidates.len()), (None, 2));
    assert!(found.rows.iter().all(|row| row.low == 0.0));
    for (first, expected) in [(3, 0.85), (4, 0.92), (5, 0.95), (6, 0.95), (8, 0.95)] {
        assert!((rules(&[first]).confidence() - expected).abs() < 1e-12, "{first}");
    }
}

#[test]
fn a_contest_without_values_says_nothing() {
    let found = assess(&Matrix::new(2), &[0, 1], &rules(&[8]));
    assert_eq!((found.leader, found.look, found.decided), (None, None, false));
    assert_eq!(found.rows.len(), 2);
    assert_eq!(assess(&Matrix::new(0), &[], &rules(&[8])).rows.len(), 0);
}

#[test]
fn a_pair_is_judged_by_the_rounds_that_both_took_part_in() {
    let rounds = without(steady(&[1.0, 1.0, 0.9], 21), 1, 11);
    let found = assess(&matrix_of(&rounds), &[0, 1], &rules(&[8, 10, 13, 16, 20]));
    assert_eq!((found.look, found.rounds, found.candidates.len()), (Some(10), 10, 2));
}

#[test]
fn the_only_entry_that_works_is_judged_to_the_end() {
    let mut rounds = steady(&[1.0, 0.5], 9);
    rounds[1..4].iter_mut().for_each(|round| round[1] = Some(f64::INFINITY));
    let found = judged(&without(rounds, 1, 4), &[8, 10]);
    assert_eq!((found.look, found.decided), (Some(8), true));
    assert_eq!(standings(&found), [(0, Standing::Fastest), (1, Standing::Failed)]);
}

#[test]
fn a_session_counts_by_the_median_of_its_inner_differences() {
    let mut matrix = Matrix::new(2);
    for _ in 0..9 {
        // By the medians of the values entry 1 is faster; inside the inner rounds entry 0 is, in two of three.
        matrix.push_round(vec![vec![1.0, 3.0, 5.0], vec![2.0, 4.0, 0.5]]);
    }
    let found = assess(&matrix, &[0, 1], &rules(&[8, 10]));
    // The one with the better score stays, and the other one wins every round.
    assert_eq!(found.candidates, [0, 1]);
    close(found.at_most, Some(0.0), "what the leader costs");
    close(found.row(1).and_then(|row| row.estimate), Some((4f64 / 3.0).ln()), "estimate");
}

#[test]
fn a_smaller_limit_leads_where_the_best_score_might_cost_much() {
    // Entry 0 has the better median, and is 60 % slower in every third round; entry 1 never is.
    let rounds = |slow: f64| -> Vec<_> {
        let first = (0..=30).map(|round| if round % 3 == 2 { slow } else { 0.98 });
        first.map(|first| vec![Some(first), Some(1.0), Some(3.0)]).collect()
    };
    let looks = [8, 10, 13, 16, 20, 25, 30];
    let found = judged(&rounds(1.6), &looks);
    assert_eq!((found.leader, found.candidates.as_slice()), (Some(1), [1, 0].as_slice()));
    assert!(found.at_most.is_some_and(|limit| limit < 0.03), "{:?}", found.at_most);
    let found = judged(&rounds(1.03), &looks);
    assert_eq!(found.leader, Some(0), "what it might cost is little");
}

#[test]
fn counts_of_zero_are_compared_with_infinite_factors() {
    let mut matrix = Matrix::new(3);
    for round in 0..21 {
        matrix.push_round(vec![vec![0.0], vec![120.0 + f64::from(round % 3)], vec![0.0]]);
    }
    let found = assess(&matrix, &[0, 1, 2], &rules(&[8, 10, 13, 16, 20]));
    assert_eq!((found.candidates.as_slice(), found.at_most), ([0, 2].as_slice(), Some(0.0)));
    let row = found.row(1).expect("a row");
    assert_eq!((row.standing, row.low, row.high), (Standing::Slower, f64::INFINITY, f64::INFINITY));
}

#[test]
fn an_entry_that_is_far_slower_now_and_then_does_not_lead() {
    // By its median the first entry is fastest; in every third round it takes eight times as long.
    let bases = [100.0, 103.0, 105.0, 150.0, 152.0, 155.0, 160.0, 170.0];
    let value = |round: usize, entry: usize| {
        let wobble = 1.0 + 0.01 * ((round * 7 + entry * 5) % 11) as f64 / 11.0;
        let slow = if entry == 0 && round % 3 == 1 { 8.0 } else { 1.0 };
        Some(bases[entry] * wobble * slow)
    };
    let rounds: Vec<Vec<Option<f64>>> =
        (0..=13).map(|round| (0..bases.len()).map(|entry| value(round, entry)).collect()).collect();
    let found = judged(&rounds, &[8, 10, 13]);
    assert_eq!(found.leader, Some(1));
    assert!(found.candidates.iter().all(|&entry| entry < 3), "{:?}", found.candidates);
    assert!(found.at_most.is_some_and(|limit| limit < 0.1), "{:?}", found.at_most);
}
