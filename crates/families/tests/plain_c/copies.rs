//! Both copy in turn on one processor, each timed inside its own process of one thread, so that the same disturbances
//! meet them. What is judged is the median of the ratios, round by round: a disk that is slow at times is slow for both.
//! The order of the techniques is that of the medians of each side by itself.

use std::collections::BTreeSet;
use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;
use std::time::Instant;

use families::{COPY, Repeat};
use model::{Durability, Host, Setting};

use crate::harness::{Check, trial};
use crate::program::{Plain, pinned_and_built};

const SIZES: [u64; 5] = [4 << 10, 10_000, 64 << 10, 100_000, 1 << 20];
const LIMIT: f64 = 1.1;
/// Below this size the order is asked for: above it the host's caches decide as much as the calls do.
const ORDERED_BELOW_BYTES: u64 = 128 << 10;
/// Two C functions that are nearer to each other than this have no order that another program must keep.
const APART: f64 = 1.2;

/// Rounds are taken in blocks until the ratio is distinguished from the limit, and no more than this many blocks.
const BLOCK: usize = 101;
const BLOCKS: usize = 8;
/// The first rounds find nothing prepared.
const UNCOUNTED: usize = 5;
/// Half the width of an interval in standard deviations of a sign test: one of all 128 rows is false in one run of ten.
const DEVIATIONS: f64 = 3.3;

const FUNCTIONS: &str = include_str!("copies.c");

/// Returns whether an entry takes part at one file: a technique for folders of small files does not.
fn is_asked(entry: &families::Entry) -> bool {
    let one_file = COPY.workload_of_bytes(SIZES[0]).expect("the family has sizes");
    !entry.ceiling && COPY.suits(&entry.name, &one_file).is_ready()
}

/// Returns the C function of an entry: `read_write@64K` is `read_write_64K`.
fn function_of(entry: &str) -> String {
    entry.replace('@', "_")
}

/// Returns the entries for which there is a C function that does the same.
fn compared_entries() -> Vec<families::Entry> {
    let has_function =
        |entry: &families::Entry| FUNCTIONS.contains(&format!("    {{\"{}\", ", function_of(&entry.name)));
    COPY.entries().into_iter().filter(|entry| is_asked(entry) && has_function(entry)).collect()
}

/// Techniques without a C function, each for a reason.
const NOT_COMPARED: [(&str, &str); 5] = [
    ("huge_page_buffer", "below 2 MiB it falls back to ordinary pages, as hinted_large_buffer has them"),
    ("io_uring", "its time goes into setting up a ring, which the kernel does alike for every program"),
    ("posix_aio_threads", "its time goes into the C library's own threads, which both programs would share"),
    ("rayon_ranges", "its idea is rayon's pool, which a C program does not have"),
    ("reflink", "it moves no bytes and competes with none that does; most file systems refuse it"),
];

struct Row {
    entry: String,
    bytes: u64,
    found: Option<Found>,
}

struct Found {
    /// Typical microseconds.
    own_us: f64,
    plain_us: f64,
    ratio: f64,
    low: f64,
    high: f64,
    rounds: usize,
}

impl Found {
    fn is_slow(&self) -> bool {
        self.low > LIMIT
    }
}

impl fmt::Display for Row {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { entry, bytes, .. } = self;
        write!(out, "{bytes:>8} {entry:<30} ")?;
        let Some(found) = &self.found else { return write!(out, "not available here") };
        let Found { own_us, plain_us, ratio, low, high, rounds } = found;
        write!(out, "{own_us:>9.1} us {plain_us:>9.1} us {ratio:.2} ({low:.2} to {high:.2}, {rounds})")?;
        match (found.is_slow(), *high > LIMIT) {
            (true, _) => write!(out, "  slow"),
            (false, true) => write!(out, "  too close to the limit"),
            _ => Ok(()),
        }
    }
}

static MEASURED: LazyLock<Vec<Row>> = LazyLock::new(measured);

fn table(rows: &[Row]) -> String {
    rows.iter().map(|row| format!("{row}\n")).collect()
}

pub(crate) const COMPLETE: &[Check] = &[
    ("every_technique_of_copy_is_compared_or_skipped_for_a_reason", every_technique_is_compared_or_skipped),
    ("two_techniques_the_wrong_way_round_are_found", two_techniques_the_wrong_way_round_are_found),
];

pub(crate) const TIMED: &[Check] = &[
    ("a_small_copy_takes_at_most_1_1_times_a_plain_c_program_of_the_same_calls", no_row_is_slow),
    ("below_128_kib_the_techniques_stand_in_the_order_of_the_plain_c_programs", the_order_is_kept),
];

fn every_technique_is_compared_or_skipped() {
    let (entries, compared) = (COPY.entries(), compared_entries());
    let competing: BTreeSet<&str> =
        entries.iter().filter(|entry| is_asked(entry)).map(|entry| entry.technique()).collect();
    let compared_ones: BTreeSet<&str> = compared.iter().map(|entry| entry.technique()).collect();
    let skipped: BTreeSet<&str> = NOT_COMPARED.iter().map(|(technique, _)| *technique).collect();
    let known = &compared_ones | &skipped;
    let [forgotten, strange] = [&competing - &known, &known - &competing];
    let twice = &compared_ones & &skipped;
    let functions = FUNCTIONS.matches("\n    {\"").count();
    assert!(
        [&forgotten, &strange, &twice].iter().all(|names| names.is_empty()) && functions == compared.len(),
        "neither in copies.c nor in NOT_COMPARED: {forgotten:?}; no technique for one file: {strange:?}; in both: {twice:?}; \
         {functions} functions for {} entries",
        compared.len()
    );
}

fn two_techniques_the_wrong_way_round_are_found() {
    fn row(entry: &str, bytes: u64, own_us: f64, plain_us: f64) -> Row {
        let found = Found { own_us, plain_us, ratio: 1.0, low: 1.0, high: 1.0, rounds: 1 };
        Row { entry: entry.to_owned(), bytes, found: Some(found) }
    }
    let absent = Row { entry: "absent".to_owned(), bytes: 4_096, found: None };
    let kept = [row("a", 4_096, 11.0, 10.0), row("b", 4_096, 14.0, 13.0), absent];
    let near = [row("a", 4_096, 12.0, 10.0), row("b", 4_096, 11.0, 11.9)];
    let large = [row("a", 1 << 20, 30.0, 10.0), row("b", 1 << 20, 14.0, 13.0)];
    let other_size = [row("a", 4_096, 30.0, 10.0), row("b", 10_000, 14.0, 13.0)];
    let wrong = [row("a", 4_096, 14.0, 10.0), row("b", 4_096, 14.0, 13.0)];
    let told =
        [&kept[..], &near, &large, &other_size, &wrong].map(|rows| (pairs_apart(rows), disorder(rows).len()));
    assert_eq!(told, [(1, 0), (0, 0), (0, 0), (0, 0), (1, 1)]);
}

fn no_row_is_slow() {
    let is_any_slow = MEASURED.iter().any(|row| row.found.as_ref().is_some_and(Found::is_slow));
    assert!(!is_any_slow, "own, plain, median ratio (its interval, rounds):\n{}", table(&MEASURED));
}

fn the_order_is_kept() {
    let (apart, disorder) = (pairs_apart(&MEASURED), disorder(&MEASURED));
    let told = format!("{} of {apart} pairs stand in the order of the C programs", apart - disorder.len());
    append(&format!("{told}\n"));
    assert!(disorder.is_empty(), "{told}:\n{}", disorder.join("\n"));
}

/// Returns pairs of one small size whose C functions are apart, the faster one first.
fn apart(rows: &[Row]) -> impl Iterator<Item = (&Row, &Found, &Row, &Found)> {
    let small = rows.iter().filter(|row| row.bytes < ORDERED_BELOW_BYTES && row.found.is_some());
    small.flat_map(move |faster| {
        rows.iter().filter(|slower| slower.bytes == faster.bytes).filter_map(move |slower| {
            let (one, other) = (faster.found.as_ref()?, slower.found.as_ref()?);
            (one.plain_us * APART < other.plain_us).then_some((faster, one, slower, other))
        })
    })
}

fn pairs_apart(rows: &[Row]) -> usize {
    apart(rows).count()
}

/// Returns a line for each pair that stands the other way round among the techniques.
fn disorder(rows: &[Row]) -> Vec<String> {
    let wrong = apart(rows).filter(|(_, one, _, other)| one.own_us >= other.own_us);
    wrong
        .map(|(faster, one, slower, other)| {
            format!(
                "{:>8} {} before {}: plain {:.1} us, {:.1} us; own {:.1} us, {:.1} us",
                faster.bytes,
                faster.entry,
                slower.entry,
                one.plain_us,
                other.plain_us,
                one.own_us,
                other.own_us
            )
        })
        .collect()
}

fn kept() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("small_copies.txt")
}

fn append(line: &str) {
    let mut file = std::fs::OpenOptions::new().append(true).open(kept()).expect("opened");
    file.write_all(line.as_bytes()).expect("written");
}

fn measured() -> Vec<Row> {
    let (folder, program) = pinned_and_built("copies.c", &["-O2"]);
    let entries = compared_entries();
    let pairs = SIZES.into_iter().flat_map(|bytes| entries.iter().map(move |entry| (bytes, entry)));
    let rows = pairs.map(|(bytes, entry)| {
        let found = compared(&entry.name, &program, bytes, folder.path());
        Row { entry: entry.name.clone(), bytes, found }
    });
    let rows: Vec<Row> = rows.collect();
    std::fs::write(kept(), table(&rows)).expect("written");
    rows
}

/// Runs both in turn; returns `None` where this host lacks what the entry needs.
fn compared(entry: &str, program: &Path, bytes: u64, folder: &Path) -> Option<Found> {
    let setting = Setting::warm(folder, Durability::Returned);
    if !COPY.probe(entry, &Host::default(), &setting).is_ready() {
        return None;
    }
    let workload = COPY.workload_of_bytes(bytes).expect("the family has sizes");
    COPY.generate(&workload, folder, 1).expect("generated");
    let source = COPY.inputs(&workload, folder).remove(0);
    let destination = folder.join("plain.output");
    let trial = trial("copy", entry, &workload, setting, folder);
    let mut found = None;
    COPY.perform(&trial, &mut |technique| {
        let mut command = Command::new(program);
        let mut plain =
            Plain::start(command.arg(function_of(entry)).args([source.as_path(), destination.as_path()]))?;
        let mut pairs = Vec::new();
        for _ in 0..UNCOUNTED {
            round(technique, &mut plain, &destination, true)?;
        }
        for _ in 0..BLOCKS {
            for nth in 0..BLOCK {
                pairs.push(round(technique, &mut plain, &destination, nth % 2 == 0)?);
            }
            let so_far = judged(&pairs);
            let is_told = so_far.low > LIMIT || so_far.high < LIMIT;
            found = Some(so_far);
            if is_told {
                break;
            }
        }
        plain.end()
    })
    .expect(entry);
    found
}

/// Returns the microseconds of a technique and of the C program, in the order asked for.
fn round(
    technique: &mut dyn Repeat, plain: &mut Plain, destination: &Path, own_first: bool,
) -> io::Result<(f64, f64)> {
    let (mut own_us, mut plain_us) = (0.0, 0.0);
    for is_own in [own_first, !own_first] {
        technique.refresh()?;
        match std::fs::remove_file(destination) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        if is_own {
            // There and back without a copy: either side begins when the other has just run on the processor.
            plain.ask(b"-")?;
            let begin = Instant::now();
            technique.repeat(1)?;
            own_us = begin.elapsed().as_secs_f64() * 1e6;
        } else {
            plain_us = plain.ask(b"c")?[0];
        }
    }
    Ok((own_us, plain_us))
}

/// Returns the medians, and the interval of the median ratio that a sign test leaves.
fn judged(pairs: &[(f64, f64)]) -> Found {
    let sorted = |of: fn(&(f64, f64)) -> f64| {
        let mut values: Vec<f64> = pairs.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values
    };
    let (own, plain) = (sorted(|pair| pair.0), sorted(|pair| pair.1));
    let ratios = sorted(|(own, plain)| own / plain);
    let (rounds, middle) = (pairs.len(), pairs.len() / 2);
    let reach = (DEVIATIONS * (rounds as f64).sqrt() / 2.0).ceil() as usize;
    let (low, high) = (ratios[middle - reach], ratios[middle + reach]);
    Found { own_us: own[middle], plain_us: plain[middle], ratio: ratios[middle], low, high, rounds }
}
