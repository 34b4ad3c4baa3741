//! V16: what holds for any values, with ties, failures and missing ends among them.

use proptest::prelude::*;
use stats::Matrix;
use stats::contest::{Assessment, assess};
use stats::synthetic::SHARED;

use crate::simulate::{order, random, rules, steady};

/// Values by round and entry, and from which round on each entry has none.
type Field = (Vec<Vec<f64>>, Vec<usize>);

const ROUNDS: usize = 21;

fn value() -> impl Strategy<Value = f64> {
    prop_oneof![10 => 0.5f64..4.0, 10 => (1u32..4).prop_map(f64::from), 1 => Just(f64::INFINITY)]
}

fn field() -> impl Strategy<Value = Field> {
    (2usize..6).prop_flat_map(|entries| {
        let rounds = prop::collection::vec(prop::collection::vec(value(), entries), ROUNDS);
        let end = prop_oneof![3 => Just(ROUNDS), 1 => Just(9usize), 1 => Just(14), 1 => 1..ROUNDS];
        (rounds, prop::collection::vec(end, entries))
    })
}

fn matrix((rounds, ends): &Field, until: usize, by: f64) -> Matrix {
    let mut matrix = Matrix::new(ends.len());
    for (round, values) in rounds.iter().take(until).enumerate() {
        let present =
            values.iter().zip(ends).map(|(v, &end)| if round < end { vec![v * by] } else { vec![] });
        matrix.push_round(present.collect());
    }
    matrix
}

fn judged(field: &Field, until: usize, first: u32) -> Assessment {
    let entries: Vec<usize> = (0..field.1.len()).collect();
    assess(&matrix(field, until, 1.0), &entries, &rules(first, 20))
}

fn sorted(mut entries: Vec<usize>) -> Vec<usize> {
    entries.sort_unstable();
    entries
}

fn close(a: f64, b: f64) -> bool {
    a == b || (a - b).abs() < 1e-9
}

proptest! {
    #[test]
    fn v16_candidates_only_shrink_and_hold_the_leader(field in field(), first in prop_oneof![Just(3u32), Just(6), Just(8)]) {
        let mut before: Option<Assessment> = None;
        for until in 1..=ROUNDS {
            let now = judged(&field, until, first);
            let leader = now.leader.expect("every entry has round 0");
            prop_assert!(now.candidates.contains(&leader));
            prop_assert_eq!(now.rows.len(), field.1.len());
            if let Some(before) = before {
                prop_assert!(now.candidates.iter().all(|entry| before.candidates.contains(entry)));
                let same = now.leader == before.leader && sorted(now.candidates.clone()) == sorted(before.candidates.clone());
                for row in &now.rows {
                    let old = before.row(row.entry).expect("a row");
                    prop_assert!(row.low >= old.low, "{:?} {:?}", old, row);
                    prop_assert!(!same || row.high <= old.high, "{:?} {:?}", old, row);
                }
                let [limit, earlier] = [&now, &before].map(|answer| answer.at_most.unwrap_or(f64::INFINITY));
                prop_assert!(!same || limit <= earlier);
            }
            before = Some(now);
        }
    }

    #[test]
    fn v16_equal_values_leave_all_candidates_and_cost_nothing(entries in 1usize..8, value in 0.1f64..10.0) {
        let field = (vec![vec![value; entries]; ROUNDS], vec![ROUNDS; entries]);
        let answer = judged(&field, ROUNDS, 8);
        prop_assert_eq!(answer.candidates.len(), entries);
        prop_assert_eq!(answer.at_most, Some(0.0));
    }

    #[test]
    fn v16_a_unit_changes_nothing(field in field(), by in prop_oneof![Just(1e9), Just(1e-3), 0.1f64..10.0]) {
        let entries: Vec<usize> = (0..field.1.len()).collect();
        let answer = judged(&field, ROUNDS, 8);
        let other = assess(&matrix(&field, ROUNDS, by), &entries, &rules(8, 20));
        prop_assert_eq!((answer.leader, answer.look, answer.decided), (other.leader, other.look, other.decided));
        prop_assert_eq!(sorted(answer.candidates.clone()), sorted(other.candidates.clone()));
        for row in &answer.rows {
            let twin = other.row(row.entry).expect("a row");
            prop_assert_eq!(row.standing, twin.standing);
            prop_assert!(close(row.low, twin.low) && close(row.high, twin.high), "{:?} {:?}", row, twin);
        }
    }

    #[test]
    fn v16_the_order_of_the_list_changes_nothing(field in field(), seed: u64) {
        let entries: Vec<usize> = (0..field.1.len()).collect();
        let listed = order(field.1.len(), &mut random(seed));
        let all = matrix(&field, ROUNDS, 1.0);
        prop_assert_eq!(assess(&all, &entries, &rules(8, 20)), assess(&all, &listed, &rules(8, 20)));
    }

    #[test]
    fn v16_of_two_entries_either_may_come_first(pairs in prop::collection::vec((0.5f64..4.0, 0.5f64..4.0), ROUNDS)) {
        let rounds: Vec<Vec<f64>> = pairs.iter().map(|&(a, b)| vec![a, b]).collect();
        moved_about(&rounds, &[1, 0]);
    }
}

/// Judges the entries in another order and compares the answers.
fn moved_about(rounds: &[Vec<f64>], places: &[usize]) {
    let ends = vec![rounds.len(); places.len()];
    let moved = rounds.iter().map(|round| places.iter().map(|&place| round[place]).collect()).collect();
    let answer = judged(&(rounds.to_vec(), ends.clone()), rounds.len(), 8);
    let other = judged(&(moved, ends), rounds.len(), 8);
    assert_eq!(answer.leader, other.leader.map(|leader| places[leader]));
    assert_eq!(answer.at_most, other.at_most);
    let named: Vec<usize> = other.candidates.iter().map(|&entry| places[entry]).collect();
    assert_eq!(answer.candidates, named);
}

/// The values are fixed by their seed and without equal scores, for which the earlier entry would go first.
#[test]
fn v16_many_entries_may_come_in_any_order() {
    let taus: Vec<f64> = (0..10).map(|entry| 0.01 * f64::from(entry)).collect();
    let mut random = random(160);
    for _ in 0..20 {
        let rounds = steady(SHARED, &taus, 20, &mut random);
        moved_about(&rounds, &order(10, &mut random));
    }
}
