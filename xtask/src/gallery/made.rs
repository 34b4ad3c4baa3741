//! Made-up runs of which everything is known: what no host shows at will.

use std::collections::BTreeSet;

use findings::{Judged, KeptRun, Known};
use model::{
    Along, CacheLevel, Design, Failure, FailureKind, Host, OperatingSystem, Processor, Record, Sample, Usage,
    Workload,
};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::{Context, Format, Page, RunPage, Style, render};

use crate::plain;

/// A made-up run, or several that stand side by side.
pub(super) struct Made {
    pub(super) name: &'static str,
    pub(super) records: Vec<Record>,
}

impl Made {
    /// The page of the run, or that of the runs side by side.
    pub(super) fn page(&self) -> String {
        match &self.records[..] {
            [one] => run_page(one),
            several => compared::page(several),
        }
    }
}

fn html<P: Page + ?Sized>(page: &P) -> String {
    render(page, Format::Html, &Style::default())
}

fn run_page(record: &Record) -> String {
    let decided = judge::decide(record);
    let questions = [
        ("copy", "How do I copy a file?"),
        ("sort", "How do I sort records?"),
        ("pipeline", "How do threads hand work to each other?"),
    ];
    let questions = questions.map(|(family, question)| (family.to_owned(), question.to_owned()));
    let ideas = [
        ("copy", "presized", "the output gets its length first, then read and write"),
        ("pipeline", "spinning-ring", "a ring of places with a number each; who waits spins, then sleeps"),
        ("pipeline", "signal-mutex", "a mutex and two condition variables, one waiter woken for each unit"),
    ];
    let ideas = ideas.map(|(family, name, idea)| ((family.to_owned(), name.to_owned()), idea.to_owned()));
    let stored_in = Some("a store".to_owned());
    let context = Context { questions: questions.into(), ideas: ideas.into(), stored_in };
    html(&RunPage { record, decided: &decided, context: &context, findings: &findings_of(record) })
}

/// The findings about the families of a run, as if this version had the techniques of the run and no others.
fn findings_of(record: &Record) -> Vec<Judged> {
    let mut known = Known::new();
    for trial in &record.trials {
        let names: &mut BTreeSet<String> = known.entry(trial.family.clone()).or_default();
        names.insert(trial.technique.clone());
    }
    let all = findings::read_all().expect("a test reads them all");
    let runs = [KeptRun { record: record.clone(), decided: judge::decide(record) }];
    let own = all.iter().filter(|finding| known.contains_key(&finding.family));
    own.map(|finding| findings::judge(finding, &runs, &known, None)).collect()
}

/// The page of the findings about the first of the made-up runs.
pub(super) fn findings_page() -> String {
    html(&overview().records.iter().flat_map(findings_of).collect::<Vec<_>>()[..])
}

/// All made-up runs; the first is the one to show.
pub(super) fn all() -> Vec<Made> {
    vec![
        overview(),
        one(),
        then_and_here(),
        open(),
        refused(),
        failures(),
        one_sample(),
        names(),
        long_curve(),
        many(),
        levels(),
        noisy(),
        large(),
        compared::two_hosts(),
        compared::many_runs(),
        compared::with_published(),
        compared::nothing_in_common(),
    ]
}

/// Two contests and a curve with published lines next to it, and findings of every outcome.
fn overview() -> Made {
    let mut run = Run::new(12, 26);
    run.record.design.looks = vec![8, 10, 13, 16, 20, 25];
    run.shares = Some((0.3, 0.6));
    run.base_ns = 2e7;
    let copies = [
        ("presized@256K", 1.0),
        ("presized@1M", 1.03),
        ("splice", 1.3),
        ("sendfile", 1.34),
        ("mmap_write", 1.6),
        ("std_copy", 1.75),
        ("read_write@4K", 9.0),
    ];
    run.contest("copy", &copies);
    run.baseline("copy", "std_copy");
    let sorts = [
        ("sortMT4", 0.7),
        ("sortMT2", 0.75),
        ("sortFL", 1.0),
        ("sortHP", 1.02),
        ("sortFLSR", 1.2),
        ("sortMT1", 1.25),
        ("sortBT", 3.4),
    ];
    run.contest_at("sort", published("sort", None), &sorts);
    run.baseline("sort", "sortFL");
    for threads in [1_u64, 2, 4, 8, 16, 32, 64] {
        let count = threads as f64;
        let workload = published("pipeline", Some(threads));
        let entries = [
            ("signal-mutex", count),
            ("signal-critsec", count * 1.01),
            ("spinning-ring", 0.4 * count.powf(1.4)),
            ("broadcast-mutex-5ms", 0.9 * count.powf(1.3)),
        ];
        run.contest_at("pipeline", workload, &entries);
    }
    run.along("pipeline", "threads");
    run.baseline("pipeline", "signal-mutex");
    run.made("overview")
}

/// A workload of a published machine: only with the same work do published lines and findings stand next to a run.
fn published(family: &str, threads: Option<u64>) -> Workload {
    let machine = findings::published::machine("xeon-4way-w2000-ntfs").expect("a published machine");
    let record = findings::published::record(&machine, &[]);
    let is_it =
        |workload: &Workload| threads.is_none_or(|threads| workload.number("threads") == Some(threads));
    let mut workloads =
        record.trials.into_iter().filter(|trial| trial.family == family).map(|trial| trial.workload);
    workloads.find(is_it).expect("it was published")
}

/// One contest with a clear answer.
fn one() -> Made {
    let mut run = Run::new(1, 20);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.02), ("std_copy", 1.7), ("read_write@4K", 12.0)]);
    run.baseline("copy", "std_copy");
    run.made("one")
}

/// Two contests of published programs: the machines of then stand next to this host.
fn then_and_here() -> Made {
    let mut run = Run::new(13, 20);
    run.contest("copy", &[("cpCF", 1.0), ("cpUC", 4.1), ("cpC", 4.4), ("cpW", 18.0), ("splice", 1.1)]);
    let converted = [("atouMM", 4.0), ("atouLSFP", 5.0), ("atouOV", 5.2), ("atouLB", 6.0), ("atou", 17.0)];
    run.contest_at("convert", Workload::of_size(12_800_000), &converted);
    // The book copied and converted from a cold cache.
    for trial in &mut run.record.trials {
        trial.setting.conditions.cache = Some(model::Cache::Cold);
    }
    run.made("then-and-here")
}

/// Two rounds: no answer yet.
fn open() -> Made {
    let mut run = Run::new(2, 3);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.02), ("std_copy", 1.7)]);
    run.made("open")
}

/// A full disk spoils what comes after it.
fn refused() -> Made {
    let mut run = Run::new(3, 20);
    run.contest("copy", &[("presized", 1.0), ("splice", 1.3)]);
    run.fail("splice", Some(4), FailureKind::DiskFull, "write out: No space left on device");
    run.made("refused")
}

/// Nothing worked.
fn failures() -> Made {
    let mut run = Run::new(4, 0);
    run.contest("copy", &[("reflink", 1.0), ("mmap", 1.0), ("io_uring", 1.0)]);
    run.fail("reflink", None, FailureKind::Missing, "ext4 shares no extents; btrfs and XFS do");
    run.fail("mmap", Some(0), FailureKind::Crash, "ended by signal 7 (bus error)");
    run.fail("io_uring", Some(0), FailureKind::Refused, "io_uring_setup: Operation not permitted");
    run.made("failures")
}

fn one_sample() -> Made {
    let mut run = Run::new(5, 1);
    run.contest("copy", &[("presized", 1.0)]);
    run.made("one-sample")
}

/// Names of 40 characters, and names with markup.
fn names() -> Made {
    let mut run = Run::new(6, 20);
    run.contest(
        "copy",
        &[
            ("a_name_of_forty_characters_that_is_long_", 1.0),
            ("another_name_of_forty_characters_it_is_x", 1.01),
            ("<script>alert('x')</script>", 1.4),
            ("</title><img src=x onerror=alert(1)>", 1.6),
            ("a & b \"quoted\" 'twice'", 2.5),
            ("名前がとても長い技術の名前がとても長い技術の名前です", 30.0),
        ],
    );
    run.baseline("copy", "another_name_of_forty_characters_it_is_x");
    run.made("names")
}

/// A curve with names of 40 characters, on a host with so little memory that it lies on the axis.
fn long_curve() -> Made {
    let mut run = Run::new(11, 12);
    let cache = |level, bytes| CacheLevel { level, kind: "unified".into(), bytes, shared_by: None };
    run.record.host.processor.caches = vec![cache(2, 1 << 18), cache(3, 6 << 20)];
    run.record.host.memory.total_bytes = Some(8 << 20);
    for bytes in [4096_u64, 65_536, 1 << 20, 16 << 20] {
        let size = bytes as f64 / 65_536.0;
        let entries = [
            ("a_name_of_forty_characters_that_is_long_", 1.0 + size),
            ("another_name_of_forty_characters_it_is_x", 1.1 + size * 0.9),
            ("and_a_third_name_of_forty_characters_xyz", 2.0 + size * 0.5),
            ("<b>a_fourth_name_of_forty_characters</b>", 4.0 + size * 0.4),
        ];
        run.contest_at("search", Workload::of_size(bytes), &entries);
    }
    run.along("search", "bytes");
    run.baseline("search", "a_name_of_forty_characters_that_is_long_");
    run.made("long-curve")
}

/// 300 entries.
fn many() -> Made {
    let mut run = Run::new(7, 12);
    let names: Vec<String> = (0..300).map(|nth| format!("technique_{nth:03}@{}K", 4 << (nth % 5))).collect();
    let factor = |nth: usize| 1.0 + (nth / 6) as f64 * 0.13 + if nth > 250 { 40.0 } else { 0.0 };
    let entries: Vec<(&str, f64)> =
        names.iter().enumerate().map(|(nth, name)| (name.as_str(), factor(nth))).collect();
    run.contest("copy", &entries);
    run.baseline("copy", "technique_020@4K");
    run.made("many")
}

/// A curve of 64 levels by 8 techniques.
fn levels() -> Made {
    let mut run = Run::new(8, 12);
    for level in 0..64_u64 {
        let bytes = 4096 + level * 65_536;
        let size = bytes as f64 / 4096.0;
        let techniques =
            ["sequential", "thread_pool", "split", "mapped", "ring", "direct", "advised", "per_file"];
        let time = |nth: usize| 30.0 * nth as f64 * nth as f64 + size / (1.0 + nth as f64 * 0.4);
        let entries: Vec<(&str, f64)> =
            techniques.iter().enumerate().map(|(nth, name)| (*name, time(nth))).collect();
        run.contest_at("search", Workload::of_size(bytes), &entries);
    }
    run.along("search", "bytes");
    run.baseline("search", "sequential");
    run.made("levels")
}

/// A host on which the same work takes up to twice as long from round to round.
fn noisy() -> Made {
    let mut run = Run::new(9, 40);
    run.spread = 0.25;
    run.contest(
        "copy",
        &[("presized", 1.0), ("splice", 1.1), ("sendfile", 1.2), ("std_copy", 1.9), ("dd", 6.0)],
    );
    run.contest("sort", &[("lsd_radix", 1.0), ("std_sort", 1.5), ("heap", 3.0)]);
    run.baseline("copy", "std_copy");
    run.made("noisy")
}

/// 100,000 samples.
fn large() -> Made {
    let mut run = Run::new(10, 370);
    run.record.design.looks = vec![369];
    for family in ["copy", "convert", "search", "sort", "clock", "pipeline", "blocks", "threads", "memory"] {
        let names: Vec<String> = (0..30).map(|nth| format!("technique_{nth}")).collect();
        let entries: Vec<(&str, f64)> =
            names.iter().enumerate().map(|(nth, name)| (name.as_str(), 1.0 + nth as f64 * 0.09)).collect();
        run.contest(family, &entries);
        run.baseline(family, "technique_9");
    }
    run.made("large")
}

/// A record in the making.
struct Run {
    record: Record,
    rounds: u32,
    spread: f64,
    /// What a factor of 1 takes.
    base_ns: f64,
    /// The shares of user and system time, where they are told.
    shares: Option<(f64, f64)>,
    random: ChaCha8Rng,
}

impl Run {
    fn new(seed: u64, rounds: u32) -> Self {
        let processor = Processor {
            model: Some("Made-up processor".into()),
            architecture: "x86_64".into(),
            logical: Some(2),
            ..Processor::default()
        };
        let os = OperatingSystem { family: "linux".into(), ..OperatingSystem::default() };
        let record = Record {
            seed,
            host: Host { processor, os, ..Host::default() },
            ..plain::record(format!("made-up-{seed}"), Design::usual(vec![8, 10, 13, 16, 20, 25, 30, 40]))
        };
        let random = ChaCha8Rng::seed_from_u64(seed);
        Self { record, rounds, spread: 0.02, base_ns: 5e6, shares: None, random }
    }

    /// A contest with the factors of its entries.
    fn contest(&mut self, family: &str, entries: &[(&str, f64)]) {
        self.contest_at(family, Workload::of_size(25_600_000), entries);
    }

    fn contest_at(&mut self, family: &str, workload: Workload, entries: &[(&str, f64)]) {
        let host: Vec<f64> = (0..self.rounds).map(|_| self.noise()).collect();
        for &(name, factor) in entries {
            let mut trial = plain::trial(family, name, workload.clone());
            for round in 0..self.rounds {
                let ns = self.base_ns * factor * host[round as usize] * self.noise();
                trial.samples.push(sample(round, ns, self.shares));
            }
            self.record.trials.push(trial);
        }
    }

    /// The contests of a family are the levels of a curve.
    fn along(&mut self, family: &str, axis: &str) {
        let along = Along { axis: axis.to_owned(), ..Along::default() };
        self.record.design.curves.insert(family.to_owned(), along);
    }

    fn host(&mut self, name: &str, model: &str, processors: u32, kernel: &str) {
        let host = &mut self.record.host;
        host.name = Some(name.to_owned());
        host.processor.model = Some(model.to_owned());
        host.processor.logical = Some(processors);
        host.os.kernel = Some(kernel.to_owned());
    }

    fn baseline(&mut self, family: &str, name: &str) {
        self.record.design.baselines.insert(family.to_owned(), name.to_owned());
    }

    fn fail(&mut self, name: &str, round: Option<u32>, kind: FailureKind, reason: &str) {
        let failure = Failure { round, position: None, kind, reason: reason.to_owned(), shortfall: None };
        for trial in self.record.trials.iter_mut().filter(|trial| trial.technique == name) {
            trial.samples.retain(|sample| Some(sample.round) != round);
            trial.failures.push(failure.clone());
        }
    }

    /// About 1, with the spread of the host; now and then far above.
    fn noise(&mut self) -> f64 {
        let sum: f64 = (0..6).map(|_| self.random.random_range(-1.0..1.0)).sum();
        let far = if self.random.next_u32().is_multiple_of(50) { self.spread * 8.0 } else { 0.0 };
        (sum / 1.4 * self.spread + far).exp()
    }

    fn made(mut self, name: &'static str) -> Made {
        for round in 0..self.rounds {
            let (processor, memory) = (1e6 * self.noise(), 2e6 * self.noise());
            self.record.canaries.push((round, processor as u64, memory as u64));
        }
        Made { name, records: vec![self.record] }
    }
}

fn sample(round: u32, ns: f64, shares: Option<(f64, f64)>) -> Sample {
    let part = |share: f64| Some((ns * share) as u64);
    let usage = shares.map_or_else(Usage::default, |(user, system)| Usage {
        user_ns: part(user),
        system_ns: part(system),
        ..Usage::default()
    });
    Sample { usage, ..plain::sample(round, ns as u64) }
}

mod compared;
#[cfg(test)]
mod tests;
