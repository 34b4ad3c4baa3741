//! Two techniques: identical ones (T1), ones that differ by a known share (T4), and what is said of them (T5, T6).
//!
//! The checks ask the same runs: T1 takes 200 pairs of identical techniques, T4 100 of each injected difference; T5 and
//! T6 look at the first ones of these.

use anyhow::Result;
use rand::RngExt;

use super::line::Line;
use super::seen::{Ranking, Run};
use super::session::{Amount, IDENTICAL, Session};

/// All names of the work that is 5 % longer.
pub(super) const FIVE_PERCENT: [&str; 8] = [
    "spin_plus_5",
    "spin_plus_5_b",
    "spin_plus_5_c",
    "spin_plus_5_d",
    "spin_plus_5_e",
    "spin_plus_5_f",
    "spin_plus_5_g",
    "spin_plus_5_h",
];

/// A contest of two, judged.
pub(super) struct Pair {
    /// The one that is not slower.
    pub(super) base: &'static str,
    pub(super) other: &'static str,
    /// How much more work the other one does, as a fraction.
    pub(super) effect: f64,
    pub(super) ranking: Ranking,
}

impl Pair {
    pub(super) fn is_found(&self) -> bool {
        self.ranking.calls_slower(self.other)
    }

    pub(super) fn is_reversed(&self) -> bool {
        self.ranking.calls_slower(self.base)
    }

    fn is_covered(&self) -> bool {
        self.ranking.covers(self.base, 1.0 + self.effect)
    }

    /// Called alike within less than what was injected. At 2 % the two are equal: there, too, it must be rare.
    fn is_falsely_alike(&self) -> bool {
        self.ranking.is_alike() && self.ranking.delta <= self.effect + 1e-9
    }

    /// Whether choosing the leader is said to cost at most 2 %.
    fn is_known_well(&self) -> bool {
        self.ranking.at_most_slower.is_some_and(|limit| limit <= 0.02 + 1e-9)
    }
}

pub(super) fn pair(session: &mut Session, percent: u32, further: &[&str]) -> Result<Pair> {
    let [base, twin_name] = session.draw_identical();
    let other = match percent {
        0 => twin_name,
        1 => "spin_plus_1",
        2 => "spin_plus_2",
        _ => FIVE_PERCENT[session.random.random_range(0..FIVE_PERCENT.len())],
    };
    debug_assert!(IDENTICAL.contains(&base));
    let Run { mut rankings, .. } = session.measure(&[base, other], further)?;
    anyhow::ensure!(rankings.len() == 1, "{base} and {other} have {} rankings", rankings.len());
    Ok(Pair { base, other, effect: f64::from(percent) / 100.0, ranking: rankings.remove(0) })
}

/// The runs of 200 identical pairs and 100 of each difference, and fewer in the short form.
fn amount(percent: u32) -> Amount {
    match percent {
        0 => Amount::new(200, 40, 70),
        _ => Amount::new(100, 20, 25),
    }
}

/// The differences that are injected. On a busy host little can be said of 1 and 2 % in 20 rounds.
fn injections(session: &Session) -> &'static [u32] {
    if session.short { &[5] } else { &[1, 2, 5] }
}

/// All pairs with this difference; measured once, by the check that asks first.
fn all_pairs(session: &mut Session, percent: u32) -> Result<()> {
    if session.pairs.contains_key(&percent) {
        return Ok(());
    }
    let what = format!("pairs that differ by {percent} %");
    let pairs = session.repeat(&what, amount(percent), |session| pair(session, percent, &[]))?;
    session.pairs.insert(percent, pairs);
    Ok(())
}

fn first_pairs(session: &mut Session, percent: u32, most: usize) -> Result<&[Pair]> {
    all_pairs(session, percent)?;
    let pairs = &session.pairs[&percent];
    Ok(&pairs[..most.min(pairs.len())])
}

fn count(pairs: &[Pair], holds: impl Fn(&Pair) -> bool) -> usize {
    pairs.iter().filter(|pair| holds(pair)).count()
}

/// T1: identical techniques have no winner.
pub(super) fn identical(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let pairs = first_pairs(session, 0, usize::MAX)?;
    Ok(vec![winners("two identical techniques: a winner is named", pairs, strictness)])
}

pub(super) fn winners(asked: &str, pairs: &[Pair], strictness: super::limits::Strictness) -> Line {
    let winners = count(pairs, |pair| pair.ranking.has_winner());
    Line::at_most(asked, winners, pairs.len(), strictness.at_most(pairs.len(), 0.05))
}

/// T4: a difference that is there is found, and never the wrong way round.
pub(super) fn injected(session: &mut Session) -> Result<Vec<Line>> {
    let (strictness, short) = (session.strictness(), session.short);
    let (mut lines, mut reversed, mut all) = (Vec::new(), 0, 0);
    for &percent in injections(session) {
        let pairs = first_pairs(session, percent, usize::MAX)?;
        reversed += count(pairs, Pair::is_reversed);
        all += pairs.len();
        // What a quiet host finds. A busy one may be too noisy for 5 %, and the short form must not blame it: that
        // differences are found at all is shown there by T15, and by sleepers that the tests of the program rank.
        let rate = match (percent, short) {
            (_, true) | (1, _) => continue,
            (2, _) => 0.95,
            _ => 0.995,
        };
        let limit = strictness.at_least(pairs.len(), rate);
        let found = count(pairs, Pair::is_found);
        lines.push(Line::at_least(
            format!("one of two is {percent} % slower: found"),
            found,
            pairs.len(),
            limit,
        ));
    }
    lines.push(Line::at_most("one of two is slower: called the faster one", reversed, all, 0));
    Ok(lines)
}

/// T5: the printed interval holds the injected ratio.
pub(super) fn coverage(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let (mut covered, mut all) = (0, 0);
    for percent in [0].iter().chain(injections(session)) {
        // As many of each in the full form: 200 in all.
        let most = if session.short { usize::MAX } else { 50 };
        let pairs = first_pairs(session, *percent, most)?;
        covered += count(pairs, Pair::is_covered);
        all += pairs.len();
    }
    let asked = "the printed interval holds the injected ratio";
    Ok(vec![Line::at_least(asked, covered, all, strictness.at_least(all, 0.95))])
}

/// T6: of what is alike, either may be chosen; what is not alike is not called so.
pub(super) fn ties(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let mut lines = Vec::new();
    if !session.short {
        let pairs = first_pairs(session, 0, 100)?;
        let known = count(pairs, Pair::is_known_well);
        let limit = strictness.at_least(pairs.len(), 0.87);
        let asked = "two identical techniques: choosing the leader costs at most 2 %";
        lines.push(Line::at_least(asked, known, pairs.len(), limit));
        let pairs = first_pairs(session, 2, 100)?;
        let (alike, limit) = (count(pairs, Pair::is_falsely_alike), strictness.at_most(pairs.len(), 0.025));
        lines.push(Line::at_most(
            "one of two is exactly 2 % slower: called alike",
            alike,
            pairs.len(),
            limit,
        ));
    }
    let pairs = first_pairs(session, 5, 100)?;
    let alike = count(pairs, Pair::is_falsely_alike);
    lines.push(Line::at_most("one of two is 5 % slower: called alike", alike, pairs.len(), 0));
    Ok(lines)
}
