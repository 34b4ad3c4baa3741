//! A store of many runs of one host: `cargo xtask large-store FILE` makes up what two years of measuring would leave, to look at
//! time and memory of commands that read it. It is written in the order in which a run writes, but in one transaction.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Parser;
use jiff::{SignedDuration, Timestamp};
use model::{
    Durability, Failure, FailureKind, Fingerprint, Increment, Proof, Record, Sample, Setting, TrialRecord,
    Usage, Volume, Workload,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats::synthetic::normal;
use store::Sqlite;

use crate::{Progress, made_up_run};

/// Make up a store of many runs
#[derive(Debug, Parser)]
#[command(after_help = "Exit code: 0 done; 2 could not be carried out.")]
pub(crate) struct Options {
    /// The store; it must not exist yet
    file: PathBuf,
    /// Number of runs
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Number of their samples together
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    samples: u64,
    /// The same seed gives the same runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// This many runs are made up before the first of them is written: each takes some megabytes.
const MADE_AHEAD: usize = 4;

pub(crate) fn carry_out(options: &Options) -> Result<bool> {
    let Options { file, runs, samples, seed } = options;
    if file.exists() {
        bail!("{} exists already; name another file", file.display());
    }
    let start = Instant::now();
    let trials = fill(file, *runs, *samples, *seed)?;
    let (mb, seconds) = (file.metadata()?.len() / 1_000_000, start.elapsed().as_secs());
    println!("{}: {runs} runs, {trials} trials, {samples} samples, {mb} MB, {seconds} s", file.display());
    Ok(true)
}

/// Writes the runs and returns the number of their trials. One thread makes them up while the other one writes.
pub(crate) fn fill(file: &Path, runs: u32, samples: u64, seed: u64) -> Result<u64> {
    let mut store = Sqlite::open(file).context("the store")?;
    let maker = Maker::new(seed, runs);
    let (mut progress, mut trials) = (Progress::new(), 0);
    let (made, taken) = sync_channel(MADE_AHEAD);
    std::thread::scope(|scope| {
        scope.spawn(move || {
            for nth in 0..runs {
                // The writer has given up where it takes no further one.
                if made.send(maker.run(nth, share(samples, nth, runs))).is_err() {
                    break;
                }
            }
        });
        let counted = taken.into_iter().enumerate().map(|(nth, (record, rounds))| {
            progress.say(format_args!("{nth} of {runs} runs"));
            trials += record.trials.len() as u64;
            (record, rounds)
        });
        store.fill(counted)
    })?;
    Ok(trials)
}

/// Returns the share of part `nth` of `parts`, so that all together are the whole.
fn share(whole: u64, nth: u32, parts: u32) -> u64 {
    let [from, until] =
        [u128::from(nth), u128::from(nth) + 1].map(|nth| u128::from(whole) * nth / u128::from(parts));
    (until - from) as u64
}

/// When the first run began, seconds since 1970: 2024-11-01.
const FIRST_S: i64 = 1_730_419_200;
const SPAN_S: i64 = 2 * 365 * 86_400;
/// Rounds of a run, round 0 among them; where a trial has more samples, its rounds have inner ones.
const ROUNDS: u64 = 61;

struct Family {
    name: &'static str,
    /// The sizes of its workloads.
    bytes: [u64; 5],
    /// Names as the families have them; their times are made up.
    techniques: &'static str,
}

impl Family {
    fn techniques(&self) -> impl Iterator<Item = &'static str> {
        self.techniques.split(' ')
    }
}

const FAMILIES: &[Family] = &[
    Family {
        name: "copy",
        bytes: [4_096, 65_536, 1 << 20, 25_600_000, 1 << 28],
        techniques: "std_copy copy_file_range sendfile splice read_write@4K read_write@256K read_write@1M mmap_to_mmap presized \
                     io_uring",
    },
    Family {
        name: "convert",
        bytes: [65_536, 1 << 20, 12_800_000, 1 << 26, 1 << 28],
        techniques: "byte_loop encoding_rs simdutf mmap_to_mmap threads@2 threads@4 overlapped small_buffer large_buffer std_chars",
    },
    Family {
        name: "search",
        bytes: [1 << 16, 1 << 20, 1 << 24, 1 << 28, 1 << 30],
        techniques: "sequential thread_pool split mapped ring direct advised per_file memmem regex",
    },
    Family {
        name: "sort",
        bytes: [64_000, 640_000, 6_400_000, 25_600_000, 1 << 28],
        techniques: "std_sort std_unstable radix heap threads@2 threads@4 mapped keys_only merge index",
    },
    Family {
        name: "blocks",
        bytes: [1 << 10, 1 << 14, 1 << 18, 1 << 22, 1 << 25],
        techniques: "plain std_slice memset sse2 avx2 avx512 nontemporal prefetch rep_string huge_pages",
    },
    Family {
        name: "pipeline",
        bytes: [1, 2, 4, 8, 16],
        techniques: "std_mutex parking_lot std_channel crossbeam flume kanal rtrb disruptor tokio spin",
    },
];

/// Makes the runs, each from the seed and its number alone.
struct Maker {
    seed: u64,
    runs: u32,
    techniques: BTreeMap<(&'static str, &'static str), Made>,
}

struct Made {
    /// Its time over that of the fastest.
    factor: f64,
    /// The day of a change, as a share of all the time, and the factor of the change.
    change: Option<(f64, f64)>,
}

impl Maker {
    fn new(seed: u64, runs: u32) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut techniques = BTreeMap::new();
        for family in FAMILIES {
            for technique in family.techniques() {
                let factor = 1.0 + 3.0 * random.random::<f64>().powi(2);
                let changes = random.random::<f64>() < 0.2;
                let change = (random.random::<f64>(), 0.8 + 0.5 * random.random::<f64>());
                let made = Made { factor, change: changes.then_some(change) };
                techniques.insert((family.name, technique), made);
            }
        }
        Self { seed, runs, techniques }
    }

    /// Makes a run as it begins, and what its rounds add.
    fn run(&self, nth: u32, samples: u64) -> (Record, Increment) {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(u64::from(nth) + 1);
        let when = f64::from(nth) / f64::from(self.runs);
        let families = [0, 1, 4].map(|step| &FAMILIES[(nth as usize + step) % FAMILIES.len()]);
        let mut record = head(nth, when, &families, &mut random);
        let mut series = Vec::new();
        for family in &families {
            for bytes in family.bytes {
                for technique in family.techniques() {
                    record.trials.push(trial(family, technique, bytes));
                    let made = &self.techniques[&(family.name, technique)];
                    let changed = made.change.filter(|(day, _)| when >= *day).map_or(1.0, |(_, by)| by);
                    let time_ns = 20_000.0 + bytes as f64 * 0.2;
                    series.push((bytes, time_ns * made.factor * changed));
                }
            }
        }
        let mut increment = rounds(&series, samples, &mut random);
        let reason = "made up: an entry that could not run on that day";
        increment.failures.push((0, Failure::before_the_rounds(FailureKind::Missing, reason)));
        (record, increment)
    }
}

/// Makes the samples of all trials, in the order in which a run takes them.
fn rounds(series: &[(u64, f64)], samples: u64, random: &mut ChaCha8Rng) -> Increment {
    let trials = series.len() as u64;
    let inner_rounds = samples.div_ceil(trials).div_ceil(ROUNDS).max(1);
    let day = 1.0 + 0.01 * normal(random);
    let mut increment = Increment::default();
    for round in 0..ROUNDS {
        increment.canaries.push((round as u32, 1_000_000 + random.random_range(0..9_000), 2_000_000));
        for inner in 0..inner_rounds {
            for (trial, &(bytes, ns)) in (0..).zip(series) {
                // The first trials have one more where it does not come out even.
                if round * inner_rounds + inner < samples / trials + u64::from(trial < samples % trials) {
                    let noise = (0.03 * normal(random)).exp() + 0.1 * random.random::<f64>().powi(20);
                    let time = (ns * day * noise) as u64;
                    let sample = sample(round as u32, inner as u32, trial as u32, time, bytes);
                    increment.samples.push((trial as u32, sample));
                }
            }
        }
    }
    increment
}

fn sample(round: u32, inner: u32, position: u32, ns: u64, bytes: u64) -> Sample {
    Sample {
        round,
        inner,
        position,
        work_ns: Some(ns),
        repetitions: 1,
        usage: Usage {
            user_ns: Some(ns / 10),
            system_ns: Some(ns - ns / 8),
            minor_faults: Some(120),
            major_faults: Some(0),
            voluntary_switches: Some(2),
            involuntary_switches: Some(u64::from(round.is_multiple_of(7))),
            run_delay_ns: Some(ns / 100),
            peak_memory_bytes: Some(2_500_000),
            ..Usage::default()
        },
        processor_before: Some(position % 2),
        processor_after: Some(position % 2),
        proof: Proof { bytes, digest: "00ff00ff00ff00ff".into() },
        ..Sample::default()
    }
}

fn trial(family: &Family, technique: &str, bytes: u64) -> TrialRecord {
    let mut setting = Setting::default();
    if !["blocks", "pipeline"].contains(&family.name) {
        setting = Setting::warm("data", Durability::Returned);
        setting.conditions.file_system = Some("ext4".into());
    }
    TrialRecord {
        family: family.name.into(),
        technique: technique.into(),
        workload: Workload::of_size(bytes),
        setting,
        looks: vec![3, 4, 5, 6, 8, 10, 13, 16, 20, 25, 30, 40, 50, 60],
        ..TrialRecord::default()
    }
}

fn head(nth: u32, when: f64, families: &[&Family], random: &mut ChaCha8Rng) -> Record {
    let began_s = FIRST_S + (SPAN_S as f64 * when) as i64;
    let began = Timestamp::UNIX_EPOCH + SignedDuration::from_secs(began_s);
    let words = ["bakeoff", "run"].into_iter().chain(families.iter().map(|family| family.name));
    // The number keeps runs of the same second apart and in order.
    let id = format!("{}-{nth:08}", began.strftime("%Y%m%dT%H%M%S.000Z"));
    let started = began.strftime("%Y-%m-%dT%H:%M:%S+00:00").to_string();
    let mut run = made_up_run(&id, started, vec![10, 20]);
    run.seed = random.random();
    run.command = words.map(str::to_owned).collect();
    run.host.fingerprint = Some(Fingerprint("00000000000made0".into()));
    run.host.name = Some("made-up".into());
    run.host.os.kernel = Some("6.1.0".into());
    run.host.processor.model = Some("a made-up processor".into());
    run.host.processor.allowed = vec![0, 1];
    run.host.clock_step_ns = Some(20);
    let file_system = Some("ext4".into());
    run.volumes.push(Volume { directory: "data".into(), file_system, ..Volume::default() });
    run
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_has_as_many_runs_and_samples_as_asked_for() {
        let [made, again, other] = [1, 1, 2].map(|seed| {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("large.sqlite");
            fill(&file, 7, 3001, seed).expect("written");
            let store = Sqlite::open_read_only(&file).expect("a store");
            let runs = store.runs().expect("runs");
            assert_eq!(runs.iter().map(|run| run.samples).sum::<u64>(), 3001);
            // The latest first.
            assert!(runs.windows(2).all(|two| two[0].id > two[1].id && two[0].started > two[1].started));
            assert!(runs.iter().all(|run| run.complete && run.families.len() > 1));
            runs.iter().map(|run| store.load(&run.id).expect("a run")).collect::<Vec<_>>()
        });
        assert_eq!(made.len(), 7);
        assert_eq!(made, again);
        assert_ne!(made, other);
        // It is judged like a measured one.
        let rankings = judge::rank(&made[0]);
        assert!(rankings.len() > 1 && rankings.iter().all(|ranking| !ranking.entries.is_empty()));
    }

    #[test]
    fn the_parts_of_a_number_are_the_whole() {
        for (whole, parts) in [(10, 3), (2, 7), (u64::MAX, 1000)] {
            let sum: u128 = (0..parts).map(|nth| u128::from(share(whole, nth, parts))).sum();
            assert_eq!(sum, u128::from(whole));
        }
    }
}
