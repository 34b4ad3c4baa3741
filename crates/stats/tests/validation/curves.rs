//! How time grows along an axis.

use stats::synthetic::{HOSTILE, QUIET, SHARED};
use stats::{Growth, power_law};

use crate::simulate::{Figures, on_host, random, rules};

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
    v15_an_exponent_is_covered, v15_long = "V15": v15(40, 400);
}
