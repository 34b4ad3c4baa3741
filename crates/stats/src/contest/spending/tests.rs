use serde_json::Value;

use super::*;

/// Tables that were worked out independently.
fn vectors() -> Value {
    serde_json::from_str(include_str!("../../../tests/vectors.json")).expect("JSON")
}

fn looks(table: &Value) -> Vec<u32> {
    table["looks"]
        .as_array()
        .expect("looks")
        .iter()
        .map(|look| look.as_u64().expect("a look") as u32)
        .collect()
}

/// Minus one stands for "nothing can be said".
fn cuts(table: &Value) -> Vec<Option<u32>> {
    let cuts = table.as_array().expect("cuts").iter();
    cuts.map(|cut| u32::try_from(cut.as_i64().expect("a cut")).ok()).collect()
}

#[test]
fn the_boundaries_and_what_they_spend_are_those_of_the_tables() {
    let vectors = vectors();
    let tables = vectors["boundaries"].as_array().expect("tables");
    assert!(tables.len() >= 64);
    for table in tables {
        let pace = if table["first_share"] == 0.5 { Pace::Even } else { Pace::Early };
        let (found, spent) = spend(u32::MAX, table["level"].as_f64().expect("a level"), pace, &looks(table));
        assert_eq!(found, cuts(&table["c"]), "{table}");
        assert!((spent - table["spent"].as_f64().expect("a chance")).abs() < 1e-9, "{table}: {spent}");
    }
}

#[test]
fn the_cuts_for_factors_are_those_of_the_tables() {
    use crate::contest::Rules;
    use crate::contest::levels::Levels;
    let vectors = vectors();
    let tables = vectors["per_entries"].as_array().expect("tables");
    assert!(tables.len() >= 64);
    for table in tables {
        let rules = Rules { alpha: 0.05, delta: 0.02, looks: looks(table), baseline: None };
        let levels = Levels::new(u32::MAX, &rules, table["k"].as_u64().expect("a number") as usize);
        assert_eq!((levels.low, levels.high), (cuts(&table["L"]), cuts(&table["U"])), "{table}");
    }
}

#[test]
fn a_level_too_small_for_the_first_look_waits_for_a_later_one() {
    assert_eq!(boundaries(0.001, Pace::Early, &[8, 10, 13]), [None, Some(0), Some(0)]);
}

#[test]
fn looks_that_were_planned_and_never_reached_cost_nothing() {
    let planned = [8, 10, 1_000_000, u32::MAX];
    let far = boundaries_until(10, 0.05, Pace::Even, &planned);
    assert_eq!(far, boundaries(0.05, Pace::Even, &[8, 10, 1_000_000, u32::MAX])[..2]);
}

#[test]
fn a_look_after_very_many_rounds_leaves_out_what_the_normal_distribution_says() {
    let cuts = boundaries(0.025, Pace::Early, &[1_000_000]);
    // 500,000 - 1.959964 x 500 rounds, less one half: the first of this many is left out when the 499,020th is not.
    assert_eq!(cuts, [Some(499_019)]);
}

proptest::proptest! {
    #[test]
    fn no_table_spends_more_than_its_level(
        level in 0.0001f64..0.3,
        early: bool,
        steps in proptest::collection::vec(1u32..30, 1..8),
    ) {
        let looks: Vec<u32> = steps.iter().scan(2, |sum, step| { *sum += step; Some(*sum) }).collect();
        let (cuts, spent) = spend(u32::MAX, level, if early { Pace::Early } else { Pace::Even }, &looks);
        proptest::prop_assert!(spent <= level);
        // Later looks never leave out fewer values.
        proptest::prop_assert!(cuts.is_sorted(), "{:?}", cuts);
    }
}
