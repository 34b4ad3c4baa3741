//! Ten runs of `blocks` that must agree on the best piece (T22). On request.

use anyhow::Result;

use super::output::{Curve, OverLevels};
use super::{Amount, Line, Run, Session};

const AMOUNT: Amount = Amount::new(10, 3, 300);

/// The command of a user, and the same with a level for each doubling of the piece.
const COMMANDS: [(&str, &str); 2] =
    [("blocks", "blocks"), ("blocks, 1 KiB to 8 MiB", "blocks --set piece_bytes=1K..8M")];

/// The published loop.
const PLAIN: &str = "plain";

/// The best piece of one run.
#[derive(Debug, PartialEq)]
struct Named {
    /// The one to choose.
    piece: u64,
    /// Those that may be best.
    plateau: Vec<u64>,
}

/// T22: the piece that each run chooses lies in the plateau of each other run, for the technique that `advise` would take and for
/// the published loop.
pub(super) fn best_piece(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (what, line) in COMMANDS {
        let runs = session.repeat(what, AMOUNT, |session| Ok(session.instrument.measure(line)?.0))?;
        for (which, choose) in [("best technique", fastest as Choose), (PLAIN, plain)] {
            let named: Vec<_> = runs.iter().map(|run| named(curve(run)?, choose)).collect();
            lines.push(agreed(&format!("{what}: {which}"), &named));
        }
    }
    Ok(lines)
}

type Choose = fn(&Curve) -> Option<&OverLevels>;

/// Returns the curve with the most levels; results of other classes are ranked apart.
fn curve(run: &Run) -> Option<&Curve> {
    let of_family = run.curves.iter().filter(|curve| curve.family == "blocks");
    of_family.max_by_key(|curve| (curve.levels.len(), curve.techniques.len()))
}

/// Returns the technique with the largest bandwidth at any of its best pieces, as `advise` chooses it.
fn fastest(curve: &Curve) -> Option<&OverLevels> {
    let bandwidths = curve.techniques.iter().filter_map(|line| {
        let best = &line.spread.as_ref()?.best;
        let points = line.points.iter().filter(|point| best.contains(&point.at));
        let bandwidth = points.filter_map(|point| point.median_bytes_per_second).fold(0.0, f64::max);
        (bandwidth > 0.0).then_some((line, bandwidth))
    });
    Some(bandwidths.max_by(|a, b| a.1.total_cmp(&b.1))?.0)
}

fn plain(curve: &Curve) -> Option<&OverLevels> {
    curve.techniques.iter().find(|line| line.technique == PLAIN)
}

fn named(curve: &Curve, choose: Choose) -> Option<Named> {
    let spread = choose(curve)?.spread.as_ref()?;
    Some(Named { piece: spread.chosen?, plateau: spread.best.clone() })
}

/// Counts the pairs of runs in which the piece of one lies in the plateau of the other. A run that names none agrees with none.
fn agreed(what: &str, runs: &[Option<Named>]) -> Line {
    let (mut agreed, mut pairs) = (0, 0);
    let mut pieces = Vec::new();
    for (nth, one) in runs.iter().enumerate() {
        for (_, other) in runs.iter().enumerate().filter(|(other, _)| *other != nth) {
            pairs += 1;
            let both = one.as_ref().zip(other.as_ref());
            agreed += usize::from(both.is_some_and(|(one, other)| other.plateau.contains(&one.piece)));
        }
        pieces.push(one.as_ref().map_or("none".to_owned(), |named| model::format_bytes(named.piece)));
    }
    let seen = format!("{agreed} of {pairs} (chosen: {})", pieces.join(", "));
    // One run has no other to agree with, and still must name a piece.
    let all_named = runs.iter().all(Option::is_some);
    let asked = format!("{what}: the piece of one run lies in the plateau of another");
    Line::new(asked, seen, "all pairs", !runs.is_empty() && all_named && agreed == pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(piece: u64, plateau: &[u64]) -> Option<Named> {
        Some(Named { piece: piece << 10, plateau: plateau.iter().map(|piece| piece << 10).collect() })
    }

    #[test]
    fn runs_agree_if_each_piece_lies_in_every_plateau() {
        let line = agreed("blocks", &[run(8, &[4, 8, 16]), run(4, &[4, 8]), run(8, &[4, 8, 16])]);
        assert!(line.holds && line.to_string().contains("6 of 6 (chosen: 8 KiB, 4 KiB, 8 KiB)"), "{line}");
        // The piece of the second lies in the plateau of the first, and not the other way round.
        let line = agreed("blocks", &[run(8, &[4, 8, 16]), run(16, &[16, 32])]);
        assert!(!line.holds && line.to_string().contains("1 of 2"), "{line}");
        assert!(agreed("blocks", &[run(1, &[1])]).holds);
        assert!(![&[run(1, &[1]), None][..], &[None], &[]].iter().any(|runs| agreed("blocks", runs).holds));
    }

    #[test]
    fn the_best_technique_has_the_largest_bandwidth() {
        use serde_json::json;
        let techniques = [
            ("plain", 1e10, json!({"entry": "plain", "best": [16, 8192]})),
            ("avx2", 6e10, json!({"entry": "avx2", "best": [16], "chosen": 16})),
        ]
        .map(|(technique, rate, spread)| {
            let points = [(16, rate), (8192, rate / 2.0)];
            let points = points.map(|(at, rate)| json!({"at": at, "median_bytes_per_second": rate}));
            json!({"technique": technique, "spread": spread, "points": points})
        });
        let curves = json!([{"family": "blocks", "levels": [{}, {}], "techniques": techniques}]);
        let run = crate::acceptance::output::run(&json!({ "curves": curves }));
        let curve = curve(&run).expect("a curve");
        assert_eq!(named(curve, fastest), Some(Named { piece: 16, plateau: vec![16] }));
        // Before the first look, no piece is chosen.
        assert_eq!(named(curve, plain), None);
    }
}
