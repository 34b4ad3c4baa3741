//! Made-up runs of which everything is known: what no host shows at will.

use findings::published::{self as tables, machine};
use findings::{Judged, KeptRun, Known};
use judge::Side;
use model::{Along, Failure, FailureKind, Mark, Record, TrialRecord, Workload};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use report::{Context, Format, Page, RunPage, Style, render};

/// A made-up run, or several that stand side by side.
pub(super) struct Made {
    pub(super) name: &'static str,
    pub(super) records: Vec<Record>,
}

impl Made {
    /// Returns the page of the run, or that of the runs side by side.
    pub(super) fn page(&self) -> String {
        if let [one] = &self.records[..] { run_page(one) } else { compared_page(&self.records) }
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
    ]
    .map(|(family, question)| (family.to_owned(), question.to_owned()));
    let ideas = [
        ("copy", "presized", "the output gets its length first, then read and write"),
        ("pipeline", "spinning-ring", "a ring of places with a number each; who waits spins, then sleeps"),
        ("pipeline", "signal-mutex", "a mutex and two condition variables, one waiter woken for each unit"),
    ]
    .map(|(family, name, idea)| ((family.to_owned(), name.to_owned()), idea.to_owned()));
    let stored_in = Some("a store".to_owned());
    let context =
        Context { questions: questions.into(), ideas: ideas.into(), stored_in, ..Context::default() };
    html(&RunPage { record, decided: &decided, context: &context, findings: &findings_of(record) })
}

fn compared_page(records: &[Record]) -> String {
    let decided: Vec<_> = records.iter().map(judge::decide).collect();
    let sides = records.iter().zip(&decided);
    let sides = sides.map(|(record, decided)| Side { name: record.id.to_string(), record, decided });
    html(&judge::compare_runs(&sides.collect::<Vec<_>>()))
}

/// Judges the findings about the families of a run, as if this version had the techniques of the run and no others.
fn findings_of(record: &Record) -> Vec<Judged> {
    let mut known = Known::new();
    for trial in &record.trials {
        known.entry(trial.family.clone()).or_default().insert(trial.technique.clone());
    }
    let all = findings::all();
    let runs = [KeptRun { record: record.clone(), decided: judge::decide(record) }];
    let own = all.iter().filter(|finding| known.contains_key(&finding.family));
    own.map(|finding| findings::judge(finding, &runs, &known, None)).collect()
}

/// Returns the page of the findings about the first of the made-up runs.
pub(super) fn findings_page() -> String {
    html(&overview().records.iter().flat_map(findings_of).collect::<Vec<_>>()[..])
}

/// Returns all made-up runs; the first is the one to show.
pub(super) fn all() -> Vec<Made> {
    let runs = [
        overview(),
        // A clear answer; two rounds, and no answer yet.
        Run::of("one", 1, 20, "presized=1 splice=1.02 std_copy=1.7* read_write@4K=12"),
        Run::of("open", 2, 3, "presized=1 splice=1.02 std_copy=1.7"),
        Run::of("one-sample", 5, 1, "presized=1"),
        then_and_here(),
        refused(),
        failures(),
        names(),
        long_curve(),
    ];
    let large = [many(), levels(), noisy(), large()];
    let compared = [two_hosts(), many_runs(), with_published(), nothing_in_common()];
    runs.into_iter().chain(large).chain(compared).collect()
}

/// Makes two contests and a curve with published lines next to it, and findings of every outcome.
fn overview() -> Made {
    let mut run = Run::new(12, 26);
    run.record.design.looks = vec![8, 10, 13, 16, 20, 25];
    run.shares = Some((0.3, 0.6));
    run.base_ns = 2e7;
    run.contest(
        "copy",
        "presized@256K=1 presized@1M=1.03 splice=1.3 sendfile=1.34 mmap_write=1.6 std_copy=1.75* read_write@4K=9",
    );
    let sorts = "sortMT4=0.7 sortMT2=0.75 sortFL=1* sortHP=1.02 sortFLSR=1.2 sortMT1=1.25 sortBT=3.4";
    run.contest_at("sort", &published("sort", None), &read(sorts));
    // The book sorted from a cold cache.
    for trial in run.record.trials.iter_mut().filter(|trial| trial.family == "sort") {
        trial.setting.conditions.cache = Some(model::Cache::Cold);
    }
    run.pipeline(0.4, |count| [("signal-mutex*", count), ("signal-critsec", count * 1.01)]);
    run.made("overview")
}

/// Returns a workload of a published machine: only with the same work do published lines and findings stand next to a run.
fn published(family: &str, threads: Option<u64>) -> Workload {
    let machine = machine("xeon-4way-w2000-ntfs").expect("a published machine");
    let trials = tables::record(machine, &[]).trials.into_iter().filter(|trial| trial.family == family);
    let mut workloads = trials.map(|trial| trial.workload);
    workloads.find(|work| threads.is_none() || work.number("threads") == threads).expect("it was published")
}

/// Makes two contests of published programs: the machines of then stand next to this host.
fn then_and_here() -> Made {
    let mut run = Run::new(13, 20);
    run.contest("copy", "cpCF=1 cpUC=4.1 cpC=4.4 cpW=18 splice=1.1");
    let converted = read("atouMM=4 atouLSFP=5 atouOV=5.2 atouLB=6 atou=17");
    run.contest_at("convert", &Workload::of_size(12_800_000), &converted);
    // The book copied and converted from a cold cache.
    for trial in &mut run.record.trials {
        trial.setting.conditions.cache = Some(model::Cache::Cold);
    }
    run.made("then-and-here")
}

/// Makes a run in which a full disk spoils what comes after it.
fn refused() -> Made {
    let mut run = Run::new(3, 20);
    run.contest("copy", "presized=1 splice=1.3");
    run.fail("splice", Some(4), FailureKind::DiskFull, "write out: No space left on device");
    run.made("refused")
}

/// Makes a run in which nothing worked.
fn failures() -> Made {
    let mut run = Run::new(4, 0);
    run.contest("copy", "reflink=1 mmap=1 io_uring=1");
    run.fail("reflink", None, FailureKind::Missing, "ext4 shares no extents; btrfs and XFS do");
    run.fail("mmap", Some(0), FailureKind::Crash, "ended by signal 7 (bus error)");
    run.fail("io_uring", Some(0), FailureKind::Refused, "io_uring_setup: Operation not permitted");
    run.made("failures")
}

const LONG: [&str; 4] = [
    "a_name_of_forty_characters_that_is_long_",
    "another_name_of_forty_characters_it_is_x",
    "and_a_third_name_of_forty_characters_xyz",
    "<b>a_fourth_name_of_forty_characters</b>",
];

/// Names of 40 characters, and names with markup.
fn names() -> Made {
    let mut run = Run::new(6, 20);
    let entries = [
        (LONG[0], 1.0),
        (LONG[1], 1.01),
        ("<script>alert('x')</script>", 1.4),
        ("</title><img src=x onerror=alert(1)>", 1.6),
        ("a & b \"quoted\" 'twice'", 2.5),
        ("名前がとても長い技術の名前がとても長い技術の名前です", 30.0),
    ];
    run.contest_at("copy", &Workload::of_size(25_600_000), &entries);
    run.baseline("copy", LONG[1]);
    run.made("names")
}

/// Makes a curve with names of 40 characters, along an axis on which two caches lie.
fn long_curve() -> Made {
    let mut run = Run::new(11, 12);
    for bytes in [4096_u64, 65_536, 1 << 20, 16 << 20] {
        let size = bytes as f64 / 65_536.0;
        let times = [1.0 + size, 1.1 + size * 0.9, 2.0 + size * 0.5, 4.0 + size * 0.4];
        run.contest_at("search", &Workload::of_size(bytes), &LONG.into_iter().zip(times).collect::<Vec<_>>());
    }
    run.along("search", "bytes");
    let marks = [("L2", 1 << 18), ("L3", 6 << 20), ("L4", 1 << 30)];
    run.record.design.curves.entry("search".to_owned()).or_default().marks =
        marks.map(|(name, at)| Mark { at, name: name.to_owned() }).into();
    run.baseline("search", LONG[0]);
    run.made("long-curve")
}

fn many() -> Made {
    let mut run = Run::new(7, 12);
    let entries = (0..300).map(|nth| {
        let factor = 1.0 + (nth / 6) as f64 * 0.13 + if nth > 250 { 40.0 } else { 0.0 };
        format!("technique_{nth:03}@{}K={factor}", 4 << (nth % 5))
    });
    run.contest("copy", &entries.collect::<Vec<_>>().join(" "));
    run.baseline("copy", "technique_020@4K");
    run.made("many")
}

fn levels() -> Made {
    let mut run = Run::new(8, 12);
    let names = ["sequential*", "thread_pool", "split", "mapped", "ring", "direct", "advised", "per_file"];
    for level in 0..64_u64 {
        let bytes = 4096 + level * 65_536;
        let size = bytes as f64 / 4096.0;
        let times = (0_u8..).map(f64::from).map(|nth| 30.0 * nth * nth + size / (1.0 + nth * 0.4));
        let entries: Vec<_> = names.into_iter().zip(times).collect();
        run.contest_at("search", &Workload::of_size(bytes), &entries);
    }
    run.along("search", "bytes");
    run.made("levels")
}

/// Makes a run of a host on which the same work takes up to twice as long from round to round.
fn noisy() -> Made {
    let mut run = Run::new(9, 40);
    run.spread = 0.25;
    run.contest("copy", "presized=1 splice=1.1 sendfile=1.2 std_copy=1.9* dd=6");
    run.contest("sort", "lsd_radix=1 std_sort=1.5 heap=3");
    run.made("noisy")
}

/// Makes a run of 100,000 samples.
fn large() -> Made {
    let mut run = Run::new(10, 370);
    run.record.design.looks = vec![369];
    let entries = (0..30).map(|nth| format!("technique_{nth}={}", 1.0 + f64::from(nth) * 0.09));
    let entries = entries.collect::<Vec<_>>().join(" ");
    for family in ["copy", "convert", "search", "sort", "clock", "pipeline", "blocks", "threads", "memory"] {
        run.contest(family, &entries);
        run.baseline(family, "technique_9");
    }
    run.made("large")
}

/// Makes two hosts on which techniques change places; one has a name of 40 characters.
fn two_hosts() -> Made {
    let mut first = Run::new(21, 20);
    first.shares = Some((0.1, 0.8));
    first.base_ns = 2e7;
    first.contest("copy", &format!("presized=1 splice=1.3 std_copy=1.7 {}=2 read_write@4K=9", LONG[0]));
    first.contest("sort", "lsd_radix=1 std_sort=1.5 heap=3");
    first.contest("clock", "only_here=1 also_only_here=1.1");
    let mut other = Run::new(22, 20);
    other.base_ns = 4.1e7;
    other.contest("copy", &format!("presized=1.4 splice=1 std_copy=1.2 {}=1.1 read_write@4K=3", LONG[0]));
    other.contest("sort", "lsd_radix=0.5 std_sort=0.6 heap=2");
    // The same work by more and more threads: at some levels the two hosts are near each other, at others they are not.
    for (run, spin, lock) in [(&mut first, 0.4, 1.0), (&mut other, 0.2, 0.51)] {
        run.pipeline(spin, |count| {
            [("signal-mutex", lock * count), ("own_queue", 0.9 * lock * count.powf(0.9))]
        });
    }
    let host = &mut other.record.host;
    host.name = Some("another-host".into());
    host.processor.model = Some("Another made-up processor".into());
    host.processor.logical = Some(16);
    host.os.kernel = Some("6.1".into());
    Made { name: "compared", records: vec![first.finished(), other.finished()] }
}

/// Makes seven runs that hardly differ: their marks would hide each other.
fn many_runs() -> Made {
    let records = (31..38_u32).map(|seed| {
        let mut run = Run::new(seed.into(), 12);
        run.shares = Some((0.2, 0.7));
        run.base_ns = 2e7 * (1.0 + f64::from(seed - 31) / 200.0);
        run.contest("copy", "presized=1 splice=1.3 std_copy=1.7");
        run.contest("sort", "lsd_radix=1 std_sort=1.5");
        run.finished()
    });
    Made { name: "compared-many", records: records.collect() }
}

fn with_published() -> Made {
    let mut records = Run::of("", 23, 20, "cpC=1.7 cpW=1.2 cpwFA=1 cpCF=1.3 cpUC=1.75").records;
    records.extend(Run::of("", 24, 20, "cpC=1 cpW=1.1 cpwFA=1.2 cpCF=1.3 cpUC=0.98").records);
    let published = machine("xeon-4way").expect("it was published");
    records.push(tables::record(published, &records.iter().collect::<Vec<_>>()));
    Made { name: "compared-published", records }
}

fn nothing_in_common() -> Made {
    let records = [(25, "copy"), (26, "sort")].map(|(seed, family)| {
        let mut run = Run::new(seed, 8);
        run.contest(family, "a=1 b=1.4");
        run.finished()
    });
    Made { name: "nothing-in-common", records: records.into() }
}

/// Reads the entries of a contest, written `name=factor`, or `name=factor*` for the baseline: its name gets the asterisk.
fn read(entries: &str) -> Vec<(String, f64)> {
    let entries = entries.split(' ').map(|entry| {
        let (name, factor) = entry.rsplit_once('=').expect("a factor");
        let number = factor.trim_end_matches('*');
        let mark = if number == factor { "" } else { "*" };
        (format!("{name}{mark}"), number.parse().expect("a number"))
    });
    entries.collect()
}

struct Run {
    record: Record,
    rounds: u32,
    spread: f64,
    /// The time of a factor of 1.
    base_ns: f64,
    /// The shares of user and system time, where they are known.
    shares: Option<(f64, f64)>,
    random: ChaCha8Rng,
}

impl Run {
    fn new(seed: u64, rounds: u32) -> Self {
        let looks = vec![8, 10, 13, 16, 20, 25, 30, 40];
        let started = "2026-11-21T10:00:00+00:00".to_owned();
        let mut record = crate::made_up_run(&format!("made-up-{seed}"), started, looks);
        record.seed = seed;
        record.command = ["bakeoff", "run"].map(str::to_owned).into();
        record.host.processor.model = Some("Made-up processor".into());
        let random = ChaCha8Rng::seed_from_u64(seed);
        Self { record, rounds, spread: 0.02, base_ns: 5e6, shares: None, random }
    }

    fn of(name: &'static str, seed: u64, rounds: u32, entries: &str) -> Made {
        let mut run = Self::new(seed, rounds);
        run.contest("copy", entries);
        run.made(name)
    }

    fn contest(&mut self, family: &str, entries: &str) {
        self.contest_at(family, &Workload::of_size(25_600_000), &read(entries));
    }

    fn contest_at(&mut self, family: &str, workload: &Workload, entries: &[(impl AsRef<str>, f64)]) {
        let host: Vec<f64> = (0..self.rounds).map(|_| self.noise()).collect();
        for (marked, factor) in entries {
            let name = marked.as_ref().trim_end_matches('*');
            if name != marked.as_ref() {
                self.baseline(family, name);
            }
            let mut trial = TrialRecord {
                family: family.to_owned(),
                technique: name.to_owned(),
                workload: workload.clone(),
                ..TrialRecord::default()
            };
            for (round, host) in (0..).zip(&host) {
                let ns = self.base_ns * factor * host * self.noise();
                let mut sample = testkit::sample(round, 0, ns as u64);
                if let Some((user, system)) = self.shares {
                    sample.usage.user_ns = Some((ns * user) as u64);
                    sample.usage.system_ns = Some((ns * system) as u64);
                }
                trial.samples.push(sample);
            }
            self.record.trials.push(trial);
        }
    }

    /// Adds a curve of published work over the number of threads: two entries with times of their own, and two that grow fast.
    fn pipeline(&mut self, spin: f64, own: impl Fn(f64) -> [(&'static str, f64); 2]) {
        for threads in [1_u64, 2, 4, 8, 16, 32, 64] {
            let count = threads as f64;
            let [one, other] = own(count);
            let rest =
                [("spinning-ring", spin * count.powf(1.4)), ("broadcast-mutex-5ms", 0.9 * count.powf(1.3))];
            let entries = [one, other, rest[0], rest[1]];
            self.contest_at("pipeline", &published("pipeline", Some(threads)), &entries);
        }
        self.along("pipeline", "threads");
    }

    /// Makes the contests of a family the levels of a curve.
    fn along(&mut self, family: &str, axis: &str) {
        let along = Along { axis: axis.to_owned(), ..Along::default() };
        self.record.design.curves.insert(family.to_owned(), along);
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

    /// Draws a factor of about 1, with the spread of the host; now and then far above.
    fn noise(&mut self) -> f64 {
        let sum: f64 = (0..6).map(|_| self.random.random_range(-1.0..1.0)).sum();
        let far = if self.random.next_u32().is_multiple_of(50) { self.spread * 8.0 } else { 0.0 };
        (sum / 1.4 * self.spread + far).exp()
    }

    fn finished(mut self) -> Record {
        for round in 0..self.rounds {
            let (processor, memory) = (1e6 * self.noise(), 2e6 * self.noise());
            self.record.canaries.push((round, processor as u64, memory as u64));
        }
        self.record
    }

    fn made(self, name: &'static str) -> Made {
        Made { name, records: vec![self.finished()] }
    }
}

#[cfg(test)]
mod tests;
