//! T9: the first of a round pays 3 % more. The order is drawn again in every round, so no verdict may change.

use anyhow::Result;

use super::line::Line;
use super::seen::Ranking;
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(50, 5, 20);
/// A run ends once choosing either of two costs at most 2 %, which is sooner than place has left enough to see.
const ROUNDS: &[&str] = &["--min-rounds", "60"];
const BASE: &str = "first_is_slower";
const ALIKE: &str = "first_is_slower_b";
const SLOWER: &str = "first_is_slower_plus_5";

pub(super) fn first_is_slower(session: &mut Session) -> Result<Vec<Line>> {
    let strictness = session.strictness();
    let alike = contests(session, ALIKE)?;
    let count = |rankings: &[Ranking], holds: &dyn Fn(&Ranking) -> bool| {
        rankings.iter().filter(|ranking| holds(ranking)).count()
    };
    let (n, winners) = (alike.len(), count(&alike, &|ranking| ranking.has_winner()));
    let flagged = count(&alike, &|ranking| ranking.flagged("order"));
    let mut lines = vec![
        Line::at_most(
            "identical, who is first pays 3 %: a winner is named",
            winners,
            n,
            strictness.at_most(n, 0.05),
        ),
        Line::at_least(
            "identical, who is first pays 3 %: flag 'order'",
            flagged,
            n,
            strictness.at_least(n, 0.95),
        ),
    ];
    let apart = contests(session, SLOWER)?;
    let n = apart.len();
    let found = count(&apart, &|ranking| ranking.calls_slower(SLOWER));
    let reversed = count(&apart, &|ranking| ranking.calls_slower(BASE));
    let limit = strictness.at_least(n, 0.995);
    lines.push(Line::at_least("5 % apart, who is first pays 3 %: found", found, n, limit));
    lines.push(Line::at_most("5 % apart, who is first pays 3 %: called the faster one", reversed, n, 0));
    Ok(lines)
}

fn contests(session: &mut Session, rival: &str) -> Result<Vec<Ranking>> {
    session.repeat("who is first pays", AMOUNT, |session| {
        let mut run = session.measure(&[BASE, rival], ROUNDS)?;
        anyhow::ensure!(run.rankings.len() == 1, "{BASE} and {rival} have {} rankings", run.rankings.len());
        Ok(run.rankings.remove(0))
    })
}
