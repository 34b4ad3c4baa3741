//! Techniques that are not the same all the time: one drifts (T10), one has slow runs now and then (T11).

use anyhow::{Result, bail};

use super::line::Line;
use super::seen::{Ranking, Run};
use super::session::{Amount, Session};

const BASE: &str = "spin_a";
/// Of this many rounds 15 are slow, and 9 would do: by Fisher's test for two candidates, that one has them and the other has none
/// comes by chance once in 600 runs.
const ROUNDS: &[&str] = &["--min-rounds", "150", "--rounds", "150"];
const DRIFTING: &str = "drifting";
const HEAVY_TAIL: &str = "heavy_tail";

const AMOUNT: Amount = Amount::new(50, 5, 20);
/// Where the true rate must lie for 40 of 50 to be the 97.5 % limit.
const RATE: f64 = 0.89;

/// T10: of a ratio that moves it is said that it does, or its interval spans what it moved over in the middle half of the run: a
/// noisy host shows an early winner before it shows the drift.
pub(super) fn drifting(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("drifting", AMOUNT, |session| session.measure(&[BASE, DRIFTING], &[]))?;
    let honest = runs.iter().flat_map(|run| &run.rankings).filter(|ranking| is_honest(ranking)).count();
    let limit = limit(session, runs.len());
    let asked = "one drifts from 0 to +10 %: flag 'ratio_moved', or an interval as wide as the drift";
    Ok(vec![Line::at_least(asked, honest, runs.len(), limit)])
}

fn limit(session: &Session, n: usize) -> usize {
    session.strictness().at_least(n, RATE)
}

fn is_honest(ranking: &Ranking) -> bool {
    if ranking.flagged("ratio_moved") {
        return true;
    }
    // Half a percent a round up to 10 %: what it was after a quarter and after three quarters of the rounds.
    let drift = |round: f64| 1.0 + (0.005 * round).min(0.1);
    let rounds = f64::from(ranking.rounds);
    let (early, late) = (drift(rounds / 4.0), drift(rounds * 3.0 / 4.0));
    ranking.covers(BASE, early) && ranking.covers(BASE, late)
}

/// T11: alike on a typical run, and a line says that one has slow runs. Chance decides how many runs are slow, and in this many
/// rounds also whether they make it the slower one, which is true then: such runs have nothing to say, and are repeated.
pub(super) fn heavy_tail(session: &mut Session) -> Result<Vec<Line>> {
    const PATIENCE: usize = 20;
    let both = |run: &Run| run.rankings.iter().all(|ranking| ranking.fastest.len() == 2);
    let usual = session.repeat("heavy tail", AMOUNT, |session| session.measure(&[BASE, HEAVY_TAIL], &[]))?;
    let mut without = 0;
    let long = session.repeat("heavy tail, long runs", AMOUNT, |session| {
        for _ in 0..PATIENCE {
            let run = session.measure(&[BASE, HEAVY_TAIL], ROUNDS)?;
            if slow_share(&run) >= SHARE && both(&run) {
                return Ok(run);
            }
            without += 1;
        }
        bail!("{HEAVY_TAIL} had no slow runs in {PATIENCE} runs of the program")
    })?;
    let alike = usual.iter().filter(|run| both(run)).count();
    let told = long.iter().filter(|run| run.rankings.iter().all(|ranking| ranking.flagged("tail"))).count();
    let asked = "one has a tail of +30 % runs";
    let besides =
        format!("flag 'tail' ({without} more had too few slow runs to tell, or enough to be slower)");
    Ok(vec![
        Line::at_least(
            format!("{asked}: both may be fastest on a typical run"),
            alike,
            usual.len(),
            limit(session, usual.len()),
        ),
        Line::at_least(format!("{asked}: {besides}"), told, long.len(), limit(session, long.len())),
    ])
}

/// Slow runs move the mean by more than the margin of 2 % from this share on: 0.3 x share = 2 %, and some to spare.
const SHARE: f64 = 0.08;

/// The share of slow samples of the heavy tail, among the rounds that were judged.
fn slow_share(run: &Run) -> f64 {
    let Some(trial) = run.trial(HEAVY_TAIL) else { return 0.0 };
    let mut times: Vec<u64> = trial.samples.iter().map(|sample| sample.work_ns).collect();
    times.sort_unstable();
    let Some(&typical) = times.get(times.len() / 2) else { return 0.0 };
    let slow = times.iter().filter(|&&time| time as f64 > 1.25 * typical as f64).count();
    slow as f64 / times.len() as f64
}
