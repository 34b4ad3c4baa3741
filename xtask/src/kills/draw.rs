//! What is done in each kill, drawn from the seed and the kill's number alone: any one can be repeated by itself.

use std::fmt;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::scenario::{SCENARIOS, Scenario};

/// One kill: what the program does, who is hit, by what, when, and how the program is started afterwards.
#[derive(Debug)]
pub(super) struct Kill {
    pub(super) number: u32,
    pub(super) scenario: &'static Scenario,
    /// The seed that the program gets.
    pub(super) seed: u32,
    /// Whether the store holds a run before.
    pub(super) keeps_a_run: bool,
    pub(super) moment: Moment,
    pub(super) target: Target,
    pub(super) signals: &'static [Signal],
    /// Between two signals.
    pub(super) gap: Duration,
    /// The next start is killed as well, this long after it began.
    pub(super) again: Option<Duration>,
    pub(super) next: Next,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    Coordinator,
    /// All processes of the foreground, as Ctrl-C in a terminal does.
    Terminal,
    Supervisor,
    /// The process that waits for the end of the supervisor.
    Guard,
    /// A worker, a command or a command that is timed.
    Worker,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Kill,
    Term,
    Int,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Moment {
    /// So long after the program was started.
    After(Duration),
    /// So long after this many workers have ended: what they did is looked at then.
    Between { ended: u32, delay: Duration },
}

/// How the program is started after the kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    List,
    Run,
}

/// Early moments lie in the first this many milliseconds.
const EARLY_MS: f64 = 60.0;

impl Signal {
    pub(super) fn number(self) -> rustix::process::Signal {
        match self {
            Self::Kill => rustix::process::Signal::KILL,
            Self::Term => rustix::process::Signal::TERM,
            Self::Int => rustix::process::Signal::INT,
        }
    }
}

impl Kill {
    pub(super) fn draw(seed: u64, number: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        random.set_stream(number.into());
        let scenario = one_of(SCENARIOS, &mut random);
        let target = *one_of(scenario.targets, &mut random);
        Self {
            number,
            scenario,
            seed: random.random(),
            keeps_a_run: random.random(),
            moment: moment(scenario, &mut random),
            target,
            signals: *one_of(sequences(scenario, target), &mut random),
            gap: Duration::from_secs_f64(random.random_range(0.0..0.04)),
            again: random.random_bool(0.2).then(|| early(&mut random)),
            next: *one_of(&[Next::List, Next::Run], &mut random),
        }
    }
}

fn one_of<'a, T>(choices: &'a [T], random: &mut ChaCha8Rng) -> &'a T {
    choices.choose(random).expect("no list of choices is empty")
}

fn early(random: &mut ChaCha8Rng) -> Duration {
    Duration::from_secs_f64(random.random_range(0.0..EARLY_MS / 1000.0))
}

fn moment(scenario: &Scenario, random: &mut ChaCha8Rng) -> Moment {
    match random.random_range(0..10) {
        0..3 => Moment::After(early(random)),
        3..6 if scenario.has_workers() => Moment::Between {
            ended: random.random_range(1..30),
            delay: Duration::from_secs_f64(random.random_range(0.0..0.005)),
        },
        _ => Moment::After(scenario.span.mul_f64(random.random())),
    }
}

/// The second signal of two comes while the program cleans up after the first.
fn sequences(scenario: &Scenario, target: Target) -> &'static [&'static [Signal]] {
    use Signal::{Int, Kill, Term};
    match target {
        Target::Coordinator => &[
            &[Kill],
            &[Kill],
            &[Kill],
            &[Term],
            &[Int],
            &[Term, Term],
            &[Int, Int],
            &[Int, Kill],
            &[Term, Kill],
        ],
        Target::Terminal => &[&[Int], &[Int, Int], &[Term], &[Term, Term]],
        // No signal but a kill ends a guard. So it is with a supervisor, and a command that never ends goes on.
        Target::Guard => &[&[Kill]],
        Target::Supervisor if !scenario.has_workers() => &[&[Kill]],
        Target::Supervisor | Target::Worker => &[&[Kill], &[Kill], &[Kill], &[Term], &[Int], &[Term, Term]],
    }
}

impl fmt::Display for Kill {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<String> = self.signals.iter().map(ToString::to_string).collect();
        write!(out, "{}: {} to {}", self.scenario.name, names.join(" and "), self.target)?;
        if names.len() > 1 {
            write!(out, " ({:.1} ms apart)", milliseconds(self.gap))?;
        }
        write!(out, " {}", self.moment)?;
        if let Some(again) = self.again {
            write!(out, ", once more {:.1} ms after the next start", milliseconds(again))?;
        }
        write!(out, ", then {}", self.next)
    }
}

impl fmt::Display for Target {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Coordinator => "the coordinator",
            Self::Terminal => "the process group",
            Self::Supervisor => "the supervisor",
            Self::Guard => "the guard",
            Self::Worker => "a worker",
        })
    }
}

impl fmt::Display for Signal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Kill => "SIGKILL",
            Self::Term => "SIGTERM",
            Self::Int => "SIGINT",
        })
    }
}

impl fmt::Display for Moment {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::After(time) => write!(out, "{:.1} ms after the start", milliseconds(*time)),
            Self::Between { ended, delay } => {
                write!(out, "{:.1} ms after the end of worker {ended}", milliseconds(*delay))
            }
        }
    }
}

impl fmt::Display for Next {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::List => "list",
            Self::Run => "run",
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(seed: u64, number: u32) -> String {
        format!("{:?}", Kill::draw(seed, number))
    }

    #[test]
    fn a_kill_follows_from_the_seed_and_its_number() {
        assert_eq!(shown(7, 19), shown(7, 19));
        assert_ne!(shown(7, 19), shown(7, 20));
        assert_ne!(shown(7, 19), shown(8, 19));
    }

    #[test]
    fn five_hundred_kills_hit_every_scenario_and_every_process_with_every_signal() {
        let kills: Vec<Kill> = (0..500).map(|number| Kill::draw(1, number)).collect();
        for scenario in SCENARIOS {
            let own: Vec<&Kill> = kills.iter().filter(|kill| kill.scenario.name == scenario.name).collect();
            for target in scenario.targets {
                assert!(own.iter().any(|kill| kill.target == *target), "{} {target}", scenario.name);
            }
            let is_early =
                |kill: &&&Kill| matches!(kill.moment, Moment::After(t) if t < Duration::from_millis(60));
            assert!(own.iter().filter(is_early).count() > 0, "{}", scenario.name);
        }
        let scenario = &SCENARIOS[0];
        for target in scenario.targets {
            for signals in sequences(scenario, *target) {
                let hit = |kill: &Kill| kill.target == *target && kill.signals == *signals;
                assert!(kills.iter().any(hit), "{target} {signals:?}");
            }
        }
    }
}
