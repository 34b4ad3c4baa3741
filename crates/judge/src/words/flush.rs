//! How long it takes until a piece is on the device, from the techniques that wait for it with each piece.

use model::{Class, format_bytes, format_ns};

use crate::contest::ranking::{Entry, Ranking, Standing};

/// What rewriting took for a kibibyte, as a technique's samples have it.
const REWRITE: &str = "rewrite_kib_ns";
const KIB: f64 = 1024.0;

/// One sentence with the shortest and the longest of them; `None` where nothing was measured that flushes each piece.
pub(crate) fn sentence(ranking: &Ranking) -> Option<String> {
    let piece_bytes = ranking.workload.number("piece_bytes")?;
    if ranking.class != Class::FlushesEachPiece {
        return None;
    }
    let took_part =
        |entry: &&Entry| !matches!(entry.standing, Standing::Ceiling | Standing::Failed | Standing::Skipped);
    let piece_ns = |entry: &Entry| Some(entry.values.get(REWRITE)? * piece_bytes as f64 / KIB);
    let mut all: Vec<(f64, &str)> = ranking
        .entries
        .iter()
        .filter(took_part)
        .filter_map(|entry| Some((piece_ns(entry)?, entry.technique.as_str())))
        .collect();
    all.sort_by(|one, other| one.0.total_cmp(&other.0));
    let (shortest, longest) = (all.first()?, all.last()?);
    let told = |(ns, name): &(f64, &str)| format!("{} with {name}", format_ns(*ns));
    let others = match all.len() {
        1 => String::new(),
        2 => format!(" and {}", told(longest)),
        _ => format!(" and at most {}", told(longest)),
    };
    Some(format!(
        "Until a piece of {} was written and flushed to the device it took {}{others} (medians).",
        format_bytes(piece_bytes),
        told(shortest)
    ))
}
