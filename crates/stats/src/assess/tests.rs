use super::*;

/// A matrix of techniques whose time is a base value times a jitter that differs from round to round.
fn matrix(bases: &[f64], rounds: usize) -> Matrix {
    let mut matrix = Matrix::new(bases.len());
    for round in 0..rounds {
        add_round(&mut matrix, bases, round);
    }
    matrix
}

fn add_round(matrix: &mut Matrix, bases: &[f64], round: usize) {
    let jitter = |technique: usize| 1.0 + 0.01 * (scatter(round * 64 + technique) - 0.5);
    let times =
        bases.iter().enumerate().map(|(i, base)| if *base > 0.0 { vec![base * jitter(i)] } else { vec![] });
    matrix.push_round(times.collect());
}

/// A number from 0 to 1 without any order in it (the finaliser of splitmix64).
fn scatter(index: usize) -> f64 {
    let mut x = (index as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (x ^ (x >> 31)) as f64 / u64::MAX as f64
}

fn rules() -> Rules {
    Rules { alpha: 0.05, delta: 0.02, looks: vec![10, 15, 20, 30, 40, 60] }
}

#[test]
fn before_the_first_look_nothing_is_said() {
    let assessment = assess(&matrix(&[1.0, 2.0], 9), &[0, 1], &rules());
    assert_eq!((assessment.look, assessment.leader, assessment.decided), (None, None, false));
    assert_eq!(assessment.rounds, 9);
}

#[test]
fn the_fastest_leads_and_the_others_are_beaten() {
    let assessment = assess(&matrix(&[1.2, 1.0, 1.1], 10), &[0, 1, 2], &rules());
    assert_eq!(assessment.leader, Some(1));
    assert_eq!(assessment.rows.iter().map(|row| row.technique).collect::<Vec<_>>(), [2, 0]);
    assert!(assessment.rows.iter().all(|row| row.standing == Standing::Beaten), "{assessment:?}");
    assert!(assessment.decided);
    assert!((assessment.rows[0].estimate.exp() - 1.1).abs() < 0.01);
}

#[test]
fn techniques_that_are_alike_end_tied() {
    let assessment = assess(&matrix(&[1.0, 1.0], 20), &[0, 1], &rules());
    assert_eq!(assessment.rows[0].standing, Standing::Tied, "{assessment:?}");
    assert!(assessment.decided);
}

#[test]
fn only_competitors_are_judged() {
    let assessment = assess(&matrix(&[1.0, 0.1, 2.0], 10), &[0, 2], &rules());
    assert_eq!(assessment.leader, Some(0));
    assert_eq!(assessment.rows.len(), 1);
}

#[test]
fn an_incomplete_round_waits_for_the_look() {
    let mut matrix = matrix(&[1.0, 2.0], 14);
    matrix.set(0, 14, vec![1.0]);
    let assessment = assess(&matrix, &[0, 1], &rules());
    assert_eq!((assessment.look, assessment.rounds), (Some(10), 14));
}

#[test]
fn a_technique_far_behind_may_leave_and_stays_beaten() {
    let mut matrix = matrix(&[1.0, 1.01, 2.0], 10);
    let at_ten = assess(&matrix, &[0, 1, 2], &rules());
    assert_eq!(leavers(&at_ten), [2]);
    for round in 10..20 {
        add_round(&mut matrix, &[1.0, 1.01, 0.0], round);
    }
    let later = assess(&matrix, &[0, 1, 2], &rules());
    assert_eq!((later.look, later.rounds), (Some(20), 20));
    let gone = later.row(2).expect("still a row");
    assert_eq!((gone.left, gone.rounds, gone.standing), (Some(10), 10, Standing::Beaten));
    assert!(leavers(&later).is_empty());
    let frozen = at_ten.row(2).expect("a row");
    assert_eq!((frozen.low, frozen.high), (gone.low, gone.high));
}

#[test]
fn a_technique_that_just_stops_holds_the_others_up() {
    let mut matrix = matrix(&[1.0, 1.1], 10);
    for round in 10..20 {
        add_round(&mut matrix, &[1.0, 0.0], round);
    }
    let assessment = assess(&matrix, &[0, 1], &rules());
    assert_eq!(assessment.look, Some(10));
    assert_eq!(assessment.row(1).expect("a row").left, None);
}

#[test]
fn who_left_is_beaten_by_a_later_leader_that_beats_its_conqueror() {
    // 0 leads by a hair at first; from round 10 on, 1 does. 2 left after round 10, and its ratio to 1 is so
    // scattered that only the chain "1 beats 0, 0 beats 2" can place it.
    let mut matrix = Matrix::new(3);
    for round in 0..60 {
        let wobble = 1.0 + 0.001 * ((round * 7919 % 13) as f64 - 6.0) / 6.0;
        let one = if round < 10 { 1.002 } else { 0.996 };
        // In two rounds of the first ten technique 1 and 2 coincide, so 1 alone does not beat 2 by sign.
        let slow = if round == 3 || round == 7 { 1.3 } else { 3.0 };
        let one = if round == 3 || round == 7 { 1.31 } else { one * wobble };
        let third = if round < 10 { vec![slow] } else { vec![] };
        matrix.push_round(vec![vec![1.0], vec![one], third]);
    }
    let assessment = assess(&matrix, &[0, 1, 2], &rules());
    assert_eq!(assessment.leader, Some(1), "{assessment:?}");
    let own = assessment.row(2).expect("a row");
    assert!(own.low <= 0.0, "the chain must be what decides: {own:?}");
    assert_eq!(own.left, Some(10));
    assert_eq!(assessment.row(0).expect("a row").standing, Standing::Beaten);
    assert_eq!(own.standing, Standing::Beaten);
}

#[test]
fn crashes_count_as_infinitely_slow() {
    let mut matrix = Matrix::new(2);
    for round in 0..10 {
        let second = if round < 9 { f64::INFINITY } else { 1.1 };
        matrix.push_round(vec![vec![1.0], vec![second]]);
    }
    let assessment = assess(&matrix, &[0, 1], &rules());
    assert_eq!(assessment.leader, Some(0));
    let row = assessment.rows[0];
    assert_eq!((row.estimate, row.high, row.standing), (f64::INFINITY, f64::INFINITY, Standing::Beaten));
}

#[test]
fn a_pair_may_win_where_no_row_may_be_called_slower() {
    // Nine of ten rounds are not enough for 45 pairs: at look 10 nothing can be said about a row of ten.
    let bases: Vec<f64> = (0..10).map(|i| 1.0 + 0.1 * f64::from(i)).collect();
    let competitors: Vec<usize> = (0..10).collect();
    let assessment = assess(&matrix(&bases, 10), &competitors, &rules());
    assert!(assessment.rows.iter().all(|row| row.standing == Standing::Beaten));
    assert!(assessment.rows.iter().all(|row| row.row_low == f64::NEG_INFINITY), "{assessment:?}");
    assert!(leavers(&assessment).is_empty());
}

#[test]
fn a_ratio_that_moves_is_not_decided() {
    let mut matrix = Matrix::new(2);
    for round in 0..60 {
        let other = 1.001 + 0.1 * round as f64 / 60.0 + 0.0005 * ((round * 7919 % 13) as f64 / 13.0);
        matrix.push_round(vec![vec![1.0], vec![other]]);
    }
    let assessment = assess(&matrix, &[0, 1], &rules());
    assert!(assessment.unstable(rules().margin()).is_some());
    assert!(!assessment.decided);
}
