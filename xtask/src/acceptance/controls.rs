//! Controls whose truth is known: T7 to T13.

use anyhow::{Result, bail};
use judge::Standing;

use super::line::count;
use super::output::Sample;
use super::pairs::FIVE_PERCENT;
use super::session::IDENTICAL;
use super::{Amount, Line, Ranking, Run, Session};

const TENS: Amount = Amount::new(200, 12, 35);

/// T7: among ten that are one, none wins and none is slower.
pub(super) fn ten_identical(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("ten identical", TENS, |session| session.contest(&IDENTICAL, ""))?;
    let strictness = session.strictness();
    let asked = "ten identical techniques";
    let slower = count(&runs, |run| run.entries.iter().any(|one| one.standing == Standing::Slower));
    Ok(vec![
        strictness.at_most(format!("{asked}: a winner is named"), 0.05, count(&runs, Ranking::has_winner)),
        strictness.at_most(format!("{asked}: any is called slower"), 0.05, slower),
    ])
}

/// T8: two that are best both may be fastest, and neither wins.
pub(super) fn two_best_of_ten(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("two best of ten", TENS, |session| {
        let names = [&FIVE_PERCENT[..], &session.draw_identical()].concat();
        session.contest(&names, "")
    })?;
    let strictness = session.strictness();
    let asked = "two equal before eight that are 5 % slower";
    let both =
        count(&runs, |run| run.fastest.iter().filter(|name| IDENTICAL.contains(&name.as_str())).count() == 2);
    Ok(vec![
        strictness.at_most(format!("{asked}: a winner is named"), 0.05, count(&runs, Ranking::has_winner)),
        strictness.at_least(format!("{asked}: both may be fastest"), 0.935, both),
    ])
}

/// T9: the first of a round pays 3 % more. The order is drawn again in every round, so no verdict may change.
pub(super) fn first_is_slower(session: &mut Session) -> Result<Vec<Line>> {
    const AMOUNT: Amount = Amount::new(50, 5, 20);
    /// A run ends once choosing either of two costs at most 2 %, which is sooner than place has left enough to see.
    const ROUNDS: &str = "--min-rounds 60";
    const BASE: &str = "first_is_slower";
    const SLOWER: &str = "first_is_slower_plus_5";
    let [alike, apart] = ["first_is_slower_b", SLOWER].map(|rival| {
        session.repeat("who is first pays", AMOUNT, |session| session.contest(&[BASE, rival], ROUNDS))
    });
    let (alike, apart) = (alike?, apart?);
    let strictness = session.strictness();
    let pays = "who is first pays 3 %";
    let (named, ordered) = (count(&alike, Ranking::has_winner), count(&alike, |one| one.flagged("order")));
    let [found, reversed] = [SLOWER, BASE].map(|name| count(&apart, |one| one.calls_slower(name)));
    Ok(vec![
        strictness.at_most(format!("identical, {pays}: a winner is named"), 0.05, named),
        strictness.at_least(format!("identical, {pays}: flag 'order'"), 0.95, ordered),
        strictness.at_least(format!("5 % apart, {pays}: found"), 0.995, found),
        strictness.at_most(format!("5 % apart, {pays}: called the faster one"), 0.0, reversed),
    ])
}

const MOVING: Amount = Amount::new(50, 5, 20);
/// The true rate for which 40 of 50 are the 97.5 % limit.
const RATE: f64 = 0.89;
const BASE: &str = "spin_a";

/// T10: a ratio that moves is flagged, or its interval spans its movement in the middle half: noise shows a winner early.
pub(super) fn drifting(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("drifting", MOVING, |session| session.contest(&[BASE, "drifting"], ""))?;
    // Half a percent a round up to 10 %: its ratio after a quarter and after three quarters of the rounds.
    let honest = count(&runs, |run| {
        let [early, late] = [0.25, 0.75].map(|share| 1.0 + (0.005 * share * f64::from(run.rounds)).min(0.1));
        run.flagged("ratio_moved") || run.covers(BASE, early) && run.covers(BASE, late)
    });
    let asked = "one drifts from 0 to +10 %: flag 'ratio_moved', or an interval as wide as the drift";
    Ok(vec![session.strictness().at_least(asked, RATE, honest)])
}

const HEAVY_TAIL: &str = "heavy_tail";

/// T11: both may be fastest, and a line says that one has slow runs. Runs without enough of them to show it, or with enough to make
/// it the slower one, are repeated; and those in which the host gave slow runs to the other one too.
pub(super) fn heavy_tail(session: &mut Session) -> Result<Vec<Line>> {
    const PATIENCE: usize = 20;
    /// Of this many rounds 15 are slow, and by Fisher's test 9 show it: chance gives them to one of two once in 600 runs.
    const ROUNDS: &str = "--min-rounds 150 --rounds 150";
    /// Slow runs move the mean by more than the margin of 2 % from this share on: 0.3 x share = 2 %, and some to spare.
    const SHARE: f64 = 0.08;
    /// One of them at most: against two, 12 slow runs may be chance.
    const HOSTS_SHARE: f64 = 0.01;
    let usual = session.repeat("heavy tail", MOVING, |session| session.measure(&[BASE, HEAVY_TAIL], ""))?;
    let mut without = 0;
    let long = session.repeat("heavy tail, long runs", MOVING, |session| {
        for _ in 0..PATIENCE {
            let run = session.measure(&[BASE, HEAVY_TAIL], ROUNDS)?;
            let [own, hosts] = [HEAVY_TAIL, BASE].map(|name| slow_share(&run, name));
            if own >= SHARE && hosts <= HOSTS_SHARE && are_tied(&run) {
                return Ok(run);
            }
            without += 1;
        }
        bail!(
            "{PATIENCE} runs showed nothing: too few slow runs, enough to be slower, or slow runs of the host"
        )
    })?;
    let flagged = count(&long, |run| run.rankings.iter().all(|ranking| ranking.flagged("tail")));
    let strictness = session.strictness();
    let (asked, tied) = ("one has a tail of +30 % runs", count(&usual, are_tied));
    let flag = format!(
        "{asked}: flag 'tail' ({without} more showed nothing: too few slow runs, enough to be slower, or as many of the host)"
    );
    Ok(vec![
        strictness.at_least(format!("{asked}: both may be fastest on a typical run"), RATE, tied),
        strictness.at_least(flag, RATE, flagged),
    ])
}

fn are_tied(run: &Run) -> bool {
    run.rankings.iter().all(|ranking| ranking.fastest.len() == 2)
}

/// Returns the share of slow samples of one of them, among the rounds that were judged.
fn slow_share(run: &Run, name: &str) -> f64 {
    let times = sorted(run, name, |sample| sample.work_ns);
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
        let failed = Some(Standing::Failed);
        let out = count(&runs, |run| matches!(&run.rankings[..], [one] if one.standing(name) == failed));
        session.strictness().at_least(format!("{name}: disqualified"), 1.0, out)
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
        let right = count(&runs, |run| {
            is_sized(run) || run.rankings.iter().all(|one| one.is_refused() || one.flagged("clock"))
        });
        lines.push(session.strictness().at_least(asked, 1.0, right));
    }
    Ok(lines)
}

/// Returns whether the median stretch is about as long as planned from two trial runs.
fn is_sized(run: &Run) -> bool {
    let stretches = sorted(run, "tiny", |sample| sample.work_ns.saturating_mul(sample.repetitions));
    stretches.get(stretches.len() / 2).is_some_and(|&ns| ns >= 800_000)
}

/// Returns a value of all samples of a control, in ascending order; none where it took no part.
fn sorted(run: &Run, control: &str, value: fn(&Sample) -> u64) -> Vec<u64> {
    let mut values: Vec<u64> =
        run.trial(control).iter().flat_map(|trial| &trial.samples).map(value).collect();
    values.sort_unstable();
    values
}
