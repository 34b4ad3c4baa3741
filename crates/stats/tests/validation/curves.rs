//! Which of two is ahead at a level of an axis, and how time grows along it.

use stats::contest::ahead;
use stats::synthetic::{HOSTILE, QUIET, SHARED};
use stats::{Growth, power_law};

use crate::simulate::{Figures, fewest, matrix_of, most, on_host, random, rules, steady};

/// V12: which of two entries is ahead, where they are alike, and where one is by 5 %.
fn v12(contests: u64, figures: &mut Figures) {
    for apart in [0.0, 0.05] {
        let mut random = random(1200);
        let (mut first, mut second) = (0, 0);
        for _ in 0..contests {
            let matrix = matrix_of(&steady(SHARED, &[0.0, f64::ln_1p(apart)], 60, &mut random));
            let found = ahead(&matrix, &rules(8, 60).looks, 0, 1, 0.05);
            first += u64::from(found == Some(0));
            second += u64::from(found == Some(1));
        }
        let alike = if apart > 0.0 { 0 } else { first };
        let what = format!("the wrong one is ahead, {apart} apart");
        figures.at_most(&what, alike + second, contests, most(contests, 0.025));
        if apart > 0.0 {
            figures.at_least("the right one is ahead", first, contests, fewest(contests, 0.985));
        }
    }
}

/// V15: the exponent of n^1.08 over seven levels in twenty rounds.
fn v15(fits: u64, figures: &mut Figures) {
    let sizes: Vec<f64> = (0..7).map(|level| 1000.0 * 2f64.powi(level)).collect();
    let looks = rules(8, 20).looks;
    for host in [QUIET, SHARED, HOSTILE] {
        let mut random = random(1500);
        let (mut covered, mut linear) = (0, 0);
        for _ in 0..fits {
            let rounds = on_host(host, 7, 20, &mut random, |level, _, _| 1.08 * sizes[level].ln());
            let law = power_law(&sizes, &rounds[1..], 0.05, &looks).expect("a fit");
            covered += u64::from(!law.exponent.excludes(1.08));
            linear += u64::from(law.growth == Growth::Linear);
        }
        figures.many(&format!("covered, {}", host.name), covered, fits, (400, 372), 0.955);
        if host != HOSTILE {
            figures.many(&format!("called linear, {}", host.name), linear, fits, (400, 388), 0.985);
        }
    }
}

simulations! {
    v12_the_wrong_one_is_rarely_ahead, v12_long = "V12": v12(60, 1000);
    v15_an_exponent_is_covered, v15_long = "V15": v15(40, 400);
}
