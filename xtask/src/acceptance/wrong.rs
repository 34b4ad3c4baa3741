//! Techniques that must not be ranked as they are: wrong answers and nothing at all (T12), work too short for the
//! clock (T13).

use anyhow::Result;

use super::line::Line;
use super::seen::{Run, Standing};
use super::session::{Amount, Session};

const AMOUNT: Amount = Amount::new(20, 2, 10);
const WRONG: [&str; 2] = ["wrong_answer", "instant"];

/// T12: who gives a wrong answer, or does nothing, is out; the others are ranked.
pub(super) fn disqualified(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("wrong answers", AMOUNT, |session| {
        session.measure(&["spin_a", "spin_b", WRONG[0], WRONG[1]], &[])
    })?;
    let count = |name: &str| {
        let out =
            |run: &&Run| run.rankings.len() == 1 && run.rankings[0].standing(name) == Some(Standing::Failed);
        runs.iter().filter(out).count()
    };
    let lines = WRONG
        .map(|name| Line::at_least(format!("{name}: disqualified"), count(name), runs.len(), runs.len()));
    Ok(lines.into())
}

/// T13: 50 ns of work are done so often that the clock can tell, or the verdict is refused or called coarse.
pub(super) fn too_short_for_the_clock(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for rival in ["tiny_b", "spin_a"] {
        let what = format!("50 ns of work against {rival}");
        let runs = session
            .repeat(&what, Amount::new(10, 1, 10), |session| session.measure(&["tiny", rival], &[]))?;
        let right = runs.iter().filter(|run| is_sized(run) || is_doubted(run)).count();
        let sized = runs.iter().filter(|run| is_sized(run)).count();
        let asked = format!("{what}: a stretch of 1 ms ({sized} runs), or refused or called coarse");
        lines.push(Line::at_least(asked, right, runs.len(), runs.len()));
    }
    Ok(lines)
}

/// Whether the median stretch is about as long as it should be: the length is planned from two trial runs.
fn is_sized(run: &Run) -> bool {
    let Some(trial) = run.trial("tiny") else { return false };
    let mut stretches: Vec<u64> =
        trial.samples.iter().map(|sample| sample.work_ns.saturating_mul(sample.repetitions)).collect();
    stretches.sort_unstable();
    stretches.get(stretches.len() / 2).is_some_and(|&ns| ns >= 800_000)
}

fn is_doubted(run: &Run) -> bool {
    run.rankings.iter().all(|ranking| ranking.is_refused() || ranking.flagged("clock"))
}
