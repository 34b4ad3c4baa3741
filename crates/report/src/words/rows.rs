//! The entries of a contest that a page shows, and what it says of the others.

use judge::{Entry, Ranking, Standing};
use model::Kind;

use crate::page::blocks::Extent;
use crate::words::phrase::{Words, joined, words_of};

/// A contest with this many entries is shown whole.
pub(crate) const SHORT: usize = 12;
/// Of a longer one, this many rows are shown, as far as they are no more than this many times the fastest.
const ROWS: usize = 7;
const NARROW_ROWS: usize = 4;
const NEAR: f64 = 2.2;

pub(crate) struct Shown<'a> {
    pub(crate) rows: Vec<&'a Entry>,
    /// A sentence on the rows left aside.
    pub(crate) others: Option<String>,
}

/// Returns the rows of a contest: all of them where they are few or all were asked for.
pub(crate) fn shown(ranking: &Ranking, extent: Extent) -> Shown<'_> {
    let entries = &ranking.entries;
    let most = if extent.is_narrow { NARROW_ROWS } else { ROWS };
    if extent.all || entries.len() <= SHORT {
        let mut rows: Vec<&Entry> = entries.iter().collect();
        rows.sort_by_key(|entry| !entry.standing.is_candidate());
        return Shown { rows, others: None };
    }
    let mut rows: Vec<&Entry> = Vec::new();
    let mut hidden: Vec<&Entry> = Vec::new();
    for entry in entries {
        let baseline = ranking.baseline.as_deref() == Some(&entry.technique);
        let wanted = baseline
            || entry.kind == Kind::Command
            || matches!(entry.standing, Standing::Failed | Standing::Ceiling)
            || rows.len() < most
                && (entry.standing.is_candidate() || entry.factor.is_none_or(|factor| factor < NEAR));
        if wanted { rows.push(entry) } else { hidden.push(entry) }
    }
    // What is tied stands on top, also where an estimate of what is slower is smaller.
    rows.sort_by_key(|entry| !entry.standing.is_candidate());
    Shown { rows, others: (!hidden.is_empty()).then(|| told(&hidden, &words_of(&ranking.metric))) }
}

/// `3 more are tied, 24 are slower, up to 37.0x, 2 are skipped for time`.
fn told(hidden: &[&Entry], words: &Words) -> String {
    let of = |all: &[Standing]| hidden.iter().filter(|one| all.contains(&one.standing)).count();
    let slower = hidden.iter().filter(|one| one.standing == Standing::Slower);
    let most = slower.filter_map(|one| one.factor).max_by(f64::total_cmp);
    let far = most.map_or(String::new(), |most| format!(", up to {}x", judge::times(most)));
    let kinds = [
        (of(&[Standing::Wins, Standing::Tied]), "tied".to_owned()),
        (of(&[Standing::Slower]), format!("{}{far}", words.worse)),
        (of(&[Standing::Unjudged]), "not judged".to_owned()),
        (of(&[Standing::Skipped]), "skipped for time".to_owned()),
    ];
    let mut more = " more";
    let parts = kinds.into_iter().filter(|(count, _)| *count > 0).map(|(count, what)| {
        format!("{count}{} {} {what}", std::mem::take(&mut more), if count == 1 { "is" } else { "are" })
    });
    joined(parts, ", ").unwrap_or_default()
}
