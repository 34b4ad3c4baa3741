//! Whether ten runs of `blocks` agree on the best piece (T22). On request, for a host that does nothing else.

use anyhow::Result;

use super::line::Line;
use super::seen::{Curve, OverLevels, Run};
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(10, 3, 300);

/// What a user types, and the same with a level for each doubling of the piece.
const COMMANDS: [(&str, &[&str]); 2] =
    [("blocks", &["blocks"]), ("blocks, 1 KiB to 8 MiB", &["blocks", "--set", "piece_bytes=1K..8M"])];

/// The published loop.
const PLAIN: &str = "plain";

/// What one run says of the best piece.
#[derive(Debug, PartialEq)]
struct Named {
    /// The one to choose.
    piece: u64,
    /// Those that may be best.
    plateau: Vec<u64>,
}

/// T22: the piece that each run chooses lies in the plateau that each other run names: for the technique that `advise` would take,
/// and for the published loop. Runs may choose different pieces of one plateau, and different techniques.
pub(super) fn best_piece(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for (what, words) in COMMANDS {
        let runs = session.repeat(what, AMOUNT, |session| Ok(session.instrument.measure(words)?.0))?;
        let of_all = |choose: fn(&Curve) -> Option<&OverLevels>| -> Vec<Option<Named>> {
            runs.iter().map(|run| named(curve(run)?, choose)).collect()
        };
        lines.push(agreed(&format!("{what}: best technique"), &of_all(fastest)));
        lines.push(agreed(&format!("{what}: {PLAIN}"), &of_all(plain)));
    }
    Ok(lines)
}

/// The curve with the most levels; results of other classes are ranked apart.
fn curve(run: &Run) -> Option<&Curve> {
    let of_family = run.curves.iter().filter(|curve| curve.family == "blocks");
    of_family.max_by_key(|curve| (curve.levels.len(), curve.techniques.len()))
}

/// The technique with the largest bandwidth at any of its best pieces, as `advise` chooses it.
fn fastest(curve: &Curve) -> Option<&OverLevels> {
    let bandwidth = |line: &&OverLevels| {
        let best = line.spread.as_ref().map_or(&[][..], |spread| &spread.best);
        let points = line.points.iter().filter(|point| best.contains(&point.at));
        points.filter_map(|point| point.median_bytes_per_second).fold(0.0, f64::max)
    };
    let named = curve.techniques.iter().filter(|line| bandwidth(line) > 0.0);
    named.max_by(|a, b| bandwidth(a).total_cmp(&bandwidth(b)))
}

fn plain(curve: &Curve) -> Option<&OverLevels> {
    curve.techniques.iter().find(|line| line.technique == PLAIN)
}

fn named(curve: &Curve, choose: fn(&Curve) -> Option<&OverLevels>) -> Option<Named> {
    let spread = choose(curve)?.spread.as_ref()?;
    Some(Named { piece: spread.chosen?, plateau: spread.best.clone() })
}

/// Of all pairs of runs: the piece of one lies in the plateau of the other. A run that names none agrees with none.
fn agreed(what: &str, runs: &[Option<Named>]) -> Line {
    let (mut agreed, mut pairs) = (0, 0);
    for (nth, one) in runs.iter().enumerate() {
        for other in runs.iter().enumerate().filter(|(other, _)| *other != nth).map(|(_, other)| other) {
            pairs += 1;
            let lies_within = |one: &Named, other: &Named| other.plateau.contains(&one.piece);
            agreed += usize::from(one.as_ref().zip(other.as_ref()).is_some_and(|(a, b)| lies_within(a, b)));
        }
    }
    let pieces: Vec<String> = runs
        .iter()
        .map(|run| run.as_ref().map_or("none".to_owned(), |named| model::format_bytes(named.piece)))
        .collect();
    let seen = format!("{agreed} of {pairs} (chosen: {})", pieces.join(", "));
    // One run has no other to agree with, and still must name a piece.
    let all_named = runs.iter().all(Option::is_some);
    let asked = format!("{what}: the piece of one run lies in the plateau of another");
    Line::new(asked, seen, "all pairs", !runs.is_empty() && all_named && agreed == pairs)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: u64 = 1 << 10;

    fn run(piece: u64, plateau: &[u64]) -> Option<Named> {
        Some(Named { piece, plateau: plateau.to_vec() })
    }

    #[test]
    fn runs_that_choose_different_pieces_of_one_plateau_agree() {
        let plateau = [4 * KIB, 8 * KIB, 16 * KIB];
        let line =
            agreed("blocks", &[run(8 * KIB, &plateau), run(4 * KIB, &plateau[..2]), run(8 * KIB, &plateau)]);
        assert!(line.holds, "{line}");
        assert!(line.to_string().contains("6 of 6 (chosen: 8 KiB, 4 KiB, 8 KiB)"), "{line}");
    }

    #[test]
    fn a_piece_outside_the_plateau_of_one_other_run_is_told() {
        let low = run(8 * KIB, &[4 * KIB, 8 * KIB, 16 * KIB]);
        let high = run(16 * KIB, &[16 * KIB, 32 * KIB]);
        let line = agreed("blocks", &[low, high]);
        assert!(!line.holds);
        // The piece of the second lies in the plateau of the first, and not the other way round.
        assert!(line.to_string().contains("1 of 2"), "{line}");
    }

    #[test]
    fn a_run_that_names_no_piece_agrees_with_none() {
        assert!(!agreed("blocks", &[run(KIB, &[KIB]), None]).holds);
        assert!(!agreed("blocks", &[None]).holds && !agreed("blocks", &[]).holds);
        assert!(agreed("blocks", &[run(KIB, &[KIB])]).holds);
    }

    fn measured(plain: serde_json::Value) -> Run {
        let line = |technique: &str, rate: f64, spread: serde_json::Value| {
            serde_json::json!({"technique": technique, "spread": spread, "points": [
                {"at": 16384, "entry": technique, "may_be_fastest": false, "median_bytes_per_second": rate},
                {"at": 8388608, "entry": technique, "may_be_fastest": false, "median_bytes_per_second": rate / 2.0}]})
        };
        let avx2 = serde_json::json!({"entry": "avx2", "best": [16384], "chosen": 16384});
        serde_json::from_value(serde_json::json!({
            "run": {"complete": true, "design": {"looks": [8]}}, "contests": [], "trials": [],
            "curves": [{"family": "blocks", "axis": "piece_bytes", "levels": [{"at": 16384}, {"at": 8388608}],
                "techniques": [line("plain", 1e10, plain), line("avx2", 6e10, avx2)]}],
        }))
        .expect("a run")
    }

    #[test]
    fn the_best_technique_is_the_one_with_the_largest_bandwidth_at_its_best_pieces() {
        let run = measured(serde_json::json!({"entry": "plain", "best": [16384, 8388608]}));
        let curve = curve(&run).expect("a curve");
        assert_eq!(fastest(curve).map(|line| line.technique.as_str()), Some("avx2"));
        assert_eq!(named(curve, fastest), Some(Named { piece: 16384, plateau: vec![16384] }));
        // Before the first look, no piece is chosen.
        assert_eq!(named(curve, plain), None);
    }
}
