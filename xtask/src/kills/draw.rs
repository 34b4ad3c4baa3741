//! The program's work when it is killed, and each kill, drawn from the seed and the kill's number alone: any one can be repeated.

use std::fmt;
use std::path::Path;
use std::time::Duration;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustix::process::Signal;

/// One kill: what the program does, who is hit, by what, when, and how the program is started afterwards.
#[derive(Debug)]
pub(super) struct Kill {
    pub(super) number: u32,
    pub(super) scenario: &'static Scenario,
    pub(super) seed: u32,
    /// True if the store holds a run before.
    pub(super) keeps_a_run: bool,
    pub(super) moment: Moment,
    pub(super) target: Target,
    pub(super) signals: &'static [Signal],
    pub(super) gap: Duration,
    /// The next start is killed as well, this long after it began.
    pub(super) again: Option<Duration>,
    /// True if the next start is a small run, and not a list.
    pub(super) next_runs: bool,
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
pub(super) enum Moment {
    /// This long after the program was started.
    After(Duration),
    /// After this many workers have ended and a delay: then their work is looked at.
    Between { ended: u32, delay: Duration },
}

/// Early moments lie before this one.
const EARLY_S: f64 = 0.06;

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
            next_runs: *one_of(&[false, true], &mut random),
        }
    }
}

fn one_of<'a, T>(choices: &'a [T], random: &mut ChaCha8Rng) -> &'a T {
    choices.choose(random).expect("no list of choices is empty")
}

fn early(random: &mut ChaCha8Rng) -> Duration {
    Duration::from_secs_f64(random.random_range(0.0..EARLY_S))
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

const KILL: Signal = Signal::KILL;
const TERM: Signal = Signal::TERM;
const INT: Signal = Signal::INT;

/// The second signal of two comes while the program cleans up after the first.
fn sequences(scenario: &Scenario, target: Target) -> &'static [&'static [Signal]] {
    const MANY: &[&[Signal]] = &[
        &[KILL],
        &[KILL],
        &[KILL],
        &[TERM],
        &[INT],
        &[TERM, TERM],
        &[INT, INT],
        &[INT, KILL],
        &[TERM, KILL],
    ];
    match target {
        Target::Coordinator => MANY,
        Target::Terminal => &[&[INT], &[INT, INT], &[TERM], &[TERM, TERM]],
        // No signal but a kill ends a guard. So it is with a supervisor, and a command that never ends goes on.
        Target::Guard => &[&[KILL]],
        Target::Supervisor if !scenario.has_workers() => &[&[KILL]],
        // Without two different ones.
        Target::Supervisor | Target::Worker => &MANY[..6],
    }
}

impl fmt::Display for Kill {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { scenario, moment, target, signals, gap, again, next_runs, .. } = self;
        write!(out, "{}: {signals:?} ({gap:.1?} apart) to the {target:?}, {moment:.1?}, ", scenario.name)?;
        if let Some(again) = again {
            write!(out, "once more {again:.1?} after the next start, ")?;
        }
        out.write_str(if *next_runs { "then run" } else { "then list" })
    }
}

/// One command line of the program.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// Its words; [`Self::words`] fills in those that begin with `%`.
    template: &'static str,
    /// Processes to kill.
    pub(super) targets: &'static [Target],
    /// Its usual time at least: random moments are drawn from this span.
    pub(super) span: Duration,
}

use Target::{Coordinator, Guard, Supervisor, Terminal, Worker};

const ALL: &[Target] =
    &[Coordinator, Coordinator, Coordinator, Terminal, Supervisor, Supervisor, Guard, Worker, Worker];
/// A command whose shell is killed leaves what the shell had started: that is how `bakeoff time` is meant.
const ALL_BUT_WORKERS: &[Target] = &[Coordinator, Coordinator, Terminal, Supervisor, Supervisor, Guard];
const ALONE: &[Target] = &[Coordinator, Coordinator, Terminal];

/// Works with two living descendants, one of them in a session of its own.
const FORKS: &str =
    "forks=sh -c 'sleep 600 & a=$!; setsid sleep 600 & b=$!; cp {input} {output}; sleep 0.02; kill $a $b'";
/// Leaves two descendants, which the program has to end after it: that takes a second.
const DAEMONS: &str = "daemons=sh -c 'sleep 600 & (setsid sleep 600 &); cp {input} {output}'";
/// Never ends, and has a child, a child in another session, and a grandchild whose parent is gone.
const FAMILY: &str = "sleep 600 & setsid sleep 600 & (setsid sleep 600 &); wait";

/// `generate` makes this many records of 64 bytes, or none.
const RECORDS: u64 = 2_000_000;
pub(super) const GENERATED_BYTES: u64 = 64 * RECORDS;

pub(super) const SCENARIOS: &[Scenario] = &[
    scenario("copies", ALL, 1800, "run copy/read_write copy/mmap_write copy/small_buffer --size 4MB %run 2s"),
    scenario("short work", ALL, 1800, "run control/spin_a control/spin_b control/spin_c %run 2s"),
    scenario(
        "tree of files",
        ALL,
        1800,
        "run search/sequential search/process_per_file search/thread_pool --size 8MB --set kind=tree %run 2s",
    ),
    scenario("forks", ALL, 1800, "run copy/mmap_write --command %forks --command %cp --size 1MB %run 2s"),
    scenario("daemons", ALL, 3000, "run copy/none --command %daemons --command %cp --size 1MB %run 4s"),
    scenario("large proofs", ALL, 2500, "run copy/none --command %cp --command %cat --size 32MB %run 3s"),
    scenario("time of a command that forks", ALL_BUT_WORKERS, 500, "time -- sh -c %family"),
    scenario("time of a series", ALL, 800, "time -n 200 %sleep_2ms %sleep_3ms"),
    scenario("noise", ALL, 1800, "noise --budget 2s --seed %seed"),
    scenario("list", ALONE, 100, "list"),
    scenario("generate", ALONE, 400, "generate %records %file --seed %seed"),
];

type Text = &'static str;

const fn scenario(name: Text, targets: &'static [Target], span_ms: u64, template: Text) -> Scenario {
    Scenario { name, template, targets, span: Duration::from_millis(span_ms) }
}

impl Scenario {
    /// Returns the words of the command line, with a directory to measure in and a file to generate.
    pub(super) fn words(&self, directory: &Path, file: &Path, seed: u32) -> Vec<String> {
        let all = self.template.replace("%run", "--rounds 60 --dir %dir --seed %seed --budget");
        let words = all.split(' ').map(|word| match word {
            "%forks" => FORKS.to_owned(),
            "%daemons" => DAEMONS.to_owned(),
            "%cp" => "cp=cp {input} {output}".to_owned(),
            "%cat" => "cat=sh -c 'cat {input} >{output}'".to_owned(),
            "%family" => FAMILY.to_owned(),
            "%sleep_2ms" => "sleep 0.002".to_owned(),
            "%sleep_3ms" => "sleep 0.003".to_owned(),
            "%records" => RECORDS.to_string(),
            "%file" => file.display().to_string(),
            "%dir" => directory.display().to_string(),
            "%seed" => seed.to_string(),
            other => other.to_owned(),
        });
        words.collect()
    }

    /// Returns whether a supervisor starts processes one after the other, so that there are proofs between them.
    pub(super) fn has_workers(&self) -> bool {
        self.targets.contains(&Worker)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_line_names_the_private_folders() {
        for scenario in SCENARIOS {
            let words = scenario.words(Path::new("/private/work"), Path::new("/private/file"), 7);
            assert!(words.iter().all(|word| !word.starts_with('%')), "{words:?}");
            assert_eq!(words.iter().any(|word| word == "/private/work"), words[0] == "run", "{words:?}");
        }
    }

    #[test]
    fn a_kill_follows_from_the_seed_and_its_number() {
        let [one, again, next, other] = [(7, 19), (7, 19), (7, 20), (8, 19)]
            .map(|(seed, number)| format!("{:?}", Kill::draw(seed, number)));
        assert!(one == again && one != next && one != other, "{one}, {again}, {next}, {other}");
    }

    #[test]
    fn five_hundred_kills_hit_everything_with_every_signal() {
        let kills: Vec<Kill> = (0..500).map(|number| Kill::draw(1, number)).collect();
        for Scenario { name, targets, .. } in SCENARIOS {
            let own: Vec<&Kill> = kills.iter().filter(|kill| kill.scenario.name == *name).collect();
            for target in *targets {
                assert!(own.iter().any(|kill| kill.target == *target), "{name} {target:?}");
            }
            let mut moments = own.iter().map(|kill| kill.moment);
            let early = Duration::from_secs_f64(EARLY_S);
            assert!(moments.any(|moment| matches!(moment, Moment::After(time) if time < early)), "{name}");
        }
        for target in SCENARIOS[0].targets {
            for signals in sequences(&SCENARIOS[0], *target) {
                let mut hits = kills.iter().filter(|kill| kill.target == *target);
                assert!(hits.any(|kill| kill.signals == *signals), "{target:?} {signals:?}");
            }
        }
    }
}
