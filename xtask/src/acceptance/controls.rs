//! Controls whose truth is known: families of ten (T7, T8), work that depends on its place in the round (T9) or is not the same
//! all the time (T10, T11), and techniques that must not be ranked as they are (T12, T13).

use anyhow::{Result, bail};

use super::pairs::FIVE_PERCENT;
use super::seen::Standing;
use super::session::IDENTICAL;
use super::{Amount, Line, Ranking, Run, Session};

const TENS: Amount = Amount::new(200, 12, 35);

/// T7: among ten that are one, none wins and none is slower.
pub(super) fn ten_identical(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("ten identical", TENS, |session| session.contest(&IDENTICAL, ""))?;
    let strictness = session.strictness();
    let asked = "ten identical techniques";
    let any_slower = |ranking: &Ranking| ranking.entries.iter().any(|one| one.standing == Standing::Slower);
    Ok(vec![
        strictness.at_most(format!("{asked}: a winner is named"), 0.05, &runs, Ranking::has_winner),
        strictness.at_most(format!("{asked}: any is called slower"), 0.05, &runs, any_slower),
    ])
}

/// T8: two that are best both may be fastest, and neither wins.
pub(super) fn two_best_of_ten(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("two best of ten", TENS, |session| {
        let names = [&FIVE_PERCENT[..], &session.draw_identical()].concat();
        session.contest(&names, "")
    })?;
    let strictness = session.strictness();
    let is_best = |name: &&String| IDENTICAL.contains(&name.as_str());
    let both = |ranking: &Ranking| ranking.fastest.iter().filter(is_best).count() == 2;
    let asked = "two equal before eight that are 5 % slower";
    Ok(vec![
        strictness.at_most(format!("{asked}: a winner is named"), 0.05, &runs, Ranking::has_winner),
        strictness.at_least(format!("{asked}: both may be fastest"), 0.935, &runs, both),
    ])
}

/// T9: the first of a round pays 3 % more. The order is drawn again in every round, so no verdict may change.
pub(super) fn first_is_slower(session: &mut Session) -> Result<Vec<Line>> {
    const AMOUNT: Amount = Amount::new(50, 5, 20);
    /// A run ends once choosing either of two costs at most 2 %, which is sooner than place has left enough to see.
    const ROUNDS: &str = "--min-rounds 60";
    const BASE: &str = "first_is_slower";
    const SLOWER: &str = "first_is_slower_plus_5";
    let mut against = |rival: &str| {
        session.repeat("who is first pays", AMOUNT, |session| session.contest(&[BASE, rival], ROUNDS))
    };
    let (alike, apart) = (against("first_is_slower_b")?, against(SLOWER)?);
    let strictness = session.strictness();
    let pays = "who is first pays 3 %";
    let ordered = |ranking: &Ranking| ranking.flagged("order");
    let (found, reversed) =
        (|one: &Ranking| one.calls_slower(SLOWER), |one: &Ranking| one.calls_slower(BASE));
    Ok(vec![
        strictness.at_most(
            format!("identical, {pays}: a winner is named"),
            0.05,
            &alike,
            Ranking::has_winner,
        ),
        strictness.at_least(format!("identical, {pays}: flag 'order'"), 0.95, &alike, ordered),
        strictness.at_least(format!("5 % apart, {pays}: found"), 0.995, &apart, found),
        strictness.at_most(format!("5 % apart, {pays}: called the faster one"), 0.0, &apart, reversed),
    ])
}

const MOVING: Amount = Amount::new(50, 5, 20);
/// Where the true rate must lie for 40 of 50 to be the 97.5 % limit.
const RATE: f64 = 0.89;
const BASE: &str = "spin_a";

/// T10: of a ratio that moves it is said that it does, or its interval spans what it moved over in the middle half of the run: a
/// noisy host shows an early winner before it shows the drift.
pub(super) fn drifting(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("drifting", MOVING, |session| session.contest(&[BASE, "drifting"], ""))?;
    let is_honest = |ranking: &Ranking| {
        // Half a percent a round up to 10 %: what it was after a quarter and after three quarters of the rounds.
        let after = |share: f64| 1.0 + (0.005 * share * f64::from(ranking.rounds)).min(0.1);
        ranking.flagged("ratio_moved")
            || ranking.covers(BASE, after(0.25)) && ranking.covers(BASE, after(0.75))
    };
    let asked = "one drifts from 0 to +10 %: flag 'ratio_moved', or an interval as wide as the drift";
    Ok(vec![session.strictness().at_least(asked, RATE, &runs, is_honest)])
}

const HEAVY_TAIL: &str = "heavy_tail";

/// T11: alike on a typical run, and a line says that one has slow runs. Chance decides how many runs are slow, and in this many
/// rounds also whether they make it the slower one, which is true then: such runs have nothing to say, and are repeated.
pub(super) fn heavy_tail(session: &mut Session) -> Result<Vec<Line>> {
    const PATIENCE: usize = 20;
    /// Of this many rounds 15 are slow, and 9 would do: by Fisher's test for two candidates, that one has them and the other has
    /// none comes by chance once in 600 runs.
    const ROUNDS: &str = "--min-rounds 150 --rounds 150";
    /// Slow runs move the mean by more than the margin of 2 % from this share on: 0.3 x share = 2 %, and some to spare.
    const SHARE: f64 = 0.08;
    let both = |run: &Run| run.rankings.iter().all(|ranking| ranking.fastest.len() == 2);
    let usual = session.repeat("heavy tail", MOVING, |session| session.measure(&[BASE, HEAVY_TAIL], ""))?;
    let mut without = 0;
    let long = session.repeat("heavy tail, long runs", MOVING, |session| {
        for _ in 0..PATIENCE {
            let run = session.measure(&[BASE, HEAVY_TAIL], ROUNDS)?;
            if slow_share(&run) >= SHARE && both(&run) {
                return Ok(run);
            }
            without += 1;
        }
        bail!("{HEAVY_TAIL} had no slow runs in {PATIENCE} runs of the program")
    })?;
    let flagged = |run: &Run| run.rankings.iter().all(|ranking| ranking.flagged("tail"));
    let strictness = session.strictness();
    let asked = "one has a tail of +30 % runs";
    let flag = format!(
        "{asked}: flag 'tail' ({without} more had too few slow runs to show it, or enough to be slower)"
    );
    Ok(vec![
        strictness.at_least(format!("{asked}: both may be fastest on a typical run"), RATE, &usual, both),
        strictness.at_least(flag, RATE, &long, flagged),
    ])
}

/// The share of slow samples of the heavy tail, among the rounds that were judged.
fn slow_share(run: &Run) -> f64 {
    let Some(trial) = run.trial(HEAVY_TAIL) else { return 0.0 };
    let mut times: Vec<u64> = trial.samples.iter().map(|sample| sample.work_ns).collect();
    times.sort_unstable();
    let Some(&typical) = times.get(times.len() / 2) else { return 0.0 };
    let slow = times.iter().filter(|&&time| time as f64 > 1.25 * typical as f64).count();
    slow as f64 / times.len() as f64
}

/// T12: who gives a wrong answer, or does nothing, is out; the others are ranked.
pub(super) fn disqualified(session: &mut Session) -> Result<Vec<Line>> {
    const WRONG: [&str; 2] = ["wrong_answer", "instant"];
    let runs = session.repeat("wrong answers", Amount::new(20, 2, 10), |session| {
        session.measure(&["spin_a", "spin_b", WRONG[0], WRONG[1]], "")
    })?;
    let lines = WRONG.map(|name| {
        let is_out =
            |run: &Run| matches!(&run.rankings[..], [one] if one.standing(name) == Some(Standing::Failed));
        session.strictness().at_least(format!("{name}: disqualified"), 1.0, &runs, is_out)
    });
    Ok(lines.into())
}

/// T13: 50 ns of work are done so often that the clock shows them, or the verdict is refused or called coarse.
pub(super) fn too_short_for_the_clock(session: &mut Session) -> Result<Vec<Line>> {
    let mut lines = Vec::new();
    for rival in ["tiny_b", "spin_a"] {
        let what = format!("50 ns of work against {rival}");
        let runs =
            session.repeat(&what, Amount::new(10, 1, 10), |session| session.measure(&["tiny", rival], ""))?;
        let sized = runs.iter().filter(|run| is_sized(run)).count();
        let asked = format!("{what}: a stretch of 1 ms ({sized} runs), or refused or called coarse");
        let is_doubted = |one: &Ranking| one.is_refused() || one.flagged("clock");
        let is_right = |run: &Run| is_sized(run) || run.rankings.iter().all(is_doubted);
        lines.push(session.strictness().at_least(asked, 1.0, &runs, is_right));
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
