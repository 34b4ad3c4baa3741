//! Techniques that are not the same all the time: one drifts (T10), one has slow runs now and then (T11).

use anyhow::{Result, bail};

use super::line::Line;
use super::seen::{Ranking, Run};
use super::session::{Amount, Session};

const BASE: &str = "spin_a";
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

/// T11: alike on a typical run, and a line says that one has slow runs. Chance decides whether a run that ends early
/// sees any: those that saw none have nothing to say, and are repeated.
pub(super) fn heavy_tail(session: &mut Session) -> Result<Vec<Line>> {
    const PATIENCE: usize = 20;
    let mut without = 0;
    let runs = session.repeat("heavy tail", AMOUNT, |session| {
        for _ in 0..PATIENCE {
            let run = session.measure(&[BASE, HEAVY_TAIL], &[])?;
            if slow_share(&run) >= SHARE {
                return Ok(run);
            }
            without += 1;
        }
        bail!("{HEAVY_TAIL} had no slow runs in {PATIENCE} runs of the program")
    })?;
    let limit = limit(session, runs.len());
    let rankings = || runs.iter().flat_map(|run| &run.rankings);
    let both = rankings().filter(|ranking| ranking.fastest.len() == 2).count();
    let told = rankings().filter(|ranking| ranking.flagged("tail")).count();
    let asked = "one has a tail of +30 % runs";
    let besides = format!("flag 'tail' ({without} more had too few slow runs to tell)");
    Ok(vec![
        Line::at_least(format!("{asked}: both may be fastest on a typical run"), both, runs.len(), limit),
        Line::at_least(format!("{asked}: {besides}"), told, runs.len(), limit),
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
