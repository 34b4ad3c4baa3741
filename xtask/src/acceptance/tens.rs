//! Families of ten: identical ones (T7), and two that are best before eight that are not (T8).

use anyhow::Result;

use super::line::Line;
use super::pairs::FIVE_PERCENT;
use super::seen::{Run, Standing};
use super::session::{Amount, IDENTICAL, Session};

const AMOUNT: Amount = Amount::new(200, 12, 35);

fn count(runs: &[Run], holds: impl Fn(&super::seen::Ranking) -> bool) -> usize {
    runs.iter().flat_map(|run| &run.rankings).filter(|ranking| holds(ranking)).count()
}

/// T7: among ten that are one, none wins and none is slower.
pub(super) fn identical(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("ten identical", AMOUNT, |session| session.measure(&IDENTICAL, &[]))?;
    let limit = session.strictness().at_most(runs.len(), 0.05);
    let winners = count(&runs, |ranking| ranking.has_winner());
    let slower =
        count(&runs, |ranking| ranking.entries.iter().any(|entry| entry.standing == Standing::Slower));
    Ok(vec![
        Line::at_most("ten identical techniques: a winner is named", winners, runs.len(), limit),
        Line::at_most("ten identical techniques: any is called slower", slower, runs.len(), limit),
    ])
}

/// T8: two that are best both may be fastest, and neither wins.
pub(super) fn two_best(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("two best of ten", AMOUNT, |session| {
        let [first, second] = session.draw_identical();
        let mut names = FIVE_PERCENT.to_vec();
        names.extend([first, second]);
        session.measure(&names, &[])
    })?;
    let strictness = session.strictness();
    let winners = count(&runs, |ranking| ranking.has_winner());
    let is_best = |name: &&String| IDENTICAL.contains(&name.as_str());
    let both = count(&runs, |ranking| ranking.fastest.iter().filter(is_best).count() == 2);
    let all = runs.len();
    let asked = "two equal before eight that are 5 % slower";
    Ok(vec![
        Line::at_most(format!("{asked}: a winner is named"), winners, all, strictness.at_most(all, 0.05)),
        Line::at_least(format!("{asked}: both may be fastest"), both, all, strictness.at_least(all, 0.935)),
    ])
}
