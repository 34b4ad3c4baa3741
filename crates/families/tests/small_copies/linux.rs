//! Both copy in turn on one processor, each timed inside its own process of one thread, so that the same disturbances
//! meet them. What is judged is the median of the ratios, round by round: a disk that is slow at times is slow for both.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use families::{COPY, Repeat};
use model::{Durability, Host, Setting, Trial};

const SIZES: [u64; 4] = [4 << 10, 10_000, 100_000, 1 << 20];
const LIMIT: f64 = 1.2;

/// Rounds are taken in blocks until the ratio is told from the limit, and no more than so many blocks.
const BLOCK: usize = 101;
const BLOCKS: usize = 8;
/// The first rounds find nothing prepared.
const UNCOUNTED: usize = 5;
/// Half the width of an interval in standard deviations of a sign test: one of all 128 rows is false in one run of ten.
const DEVIATIONS: f64 = 3.3;

/// An entry, and the C function that does the same.
const PAIRS: [(&str, &str); 32] = [
    ("c_stdio", "c_stdio"),
    ("c_stdio_large_buffer", "c_stdio_large_buffer"),
    ("small_buffer", "small_buffer"),
    ("posix_layer", "posix_layer"),
    ("hinted_8k", "hinted_8k"),
    ("one_call", "one_call"),
    ("read_write@64K", "read_write_64K"),
    ("read_write@256K", "read_write_256K"),
    ("read_write@1M", "read_write_1M"),
    ("hinted_large_buffer", "hinted_large_buffer"),
    ("read_ahead", "read_ahead"),
    ("no_access_time", "no_access_time"),
    ("presized@128K", "presized_128K"),
    ("presized@1M", "presized_1M"),
    ("presized_truncate", "presized_truncate"),
    ("presized_keep_size", "presized_keep_size"),
    ("presized_mmap_write", "presized_mmap_write"),
    ("presized_mmap_read_ahead", "presized_mmap_read_ahead"),
    ("presized_mmap_populate_ahead", "presized_mmap_populate_ahead"),
    ("presized_splice", "presized_splice"),
    ("sendfile", "sendfile"),
    ("splice", "splice"),
    ("mmap_write", "mmap_write"),
    ("mmap_write_populate", "mmap_write_populate"),
    ("mmap_to_mmap", "mmap_to_mmap"),
    ("mmap_to_mmap_split", "mmap_to_mmap_split"),
    ("mmap_to_mmap_streaming", "mmap_to_mmap_streaming"),
    ("direct", "direct"),
    ("direct_write_through", "direct_write_through"),
    ("write_through", "write_through"),
    ("parallel_ranges", "parallel_ranges"),
    ("uncached", "uncached"),
];

/// What a comparison found.
struct Row {
    /// Typical microseconds.
    own_us: f64,
    plain_us: f64,
    /// How many times as long the technique takes, with the ends of its interval.
    ratio: f64,
    low: f64,
    high: f64,
    rounds: usize,
}

pub(crate) fn a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls() {
    let processor = sys::affinity::allowed().pop().expect("a processor");
    sys::affinity::restrict(&[processor]).expect("restricted");
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("scratch");
    let program = built(folder.path());
    let mut rows = Vec::new();
    let mut slow = 0;
    for bytes in SIZES {
        for (entry, function) in PAIRS {
            let Some(row) = compared(entry, &program, function, bytes, folder.path()) else {
                rows.push(format!("{bytes:>8} {entry:<30} not available here"));
                continue;
            };
            let Row { own_us, plain_us, ratio, low, high, rounds } = row;
            slow += usize::from(low > LIMIT);
            let mark = match (low > LIMIT, high > LIMIT) {
                (true, _) => "  slow",
                (false, true) => "  not told from the limit",
                _ => "",
            };
            rows.push(format!(
                "{bytes:>8} {entry:<30} {own_us:>9.1} us {plain_us:>9.1} us {ratio:.2} ({low:.2} to {high:.2}, {rounds}){mark}"
            ));
        }
    }
    let table = rows.join("\n");
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("small_copies.txt"), &table).expect("written");
    assert!(slow == 0, "own, plain, median ratio (its interval, rounds):\n{table}");
}

/// The C functions as a program.
fn built(folder: &Path) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small_copies/plain.c");
    let program = folder.join("plain");
    let compiler = Command::new("cc").args(["-O2", "-o"]).args([&program, &source]).status();
    assert!(compiler.expect("cc is installed").success());
    program
}

/// The C program, waiting for its turn.
struct Plain {
    process: Child,
    ask: ChildStdin,
    answer: BufReader<ChildStdout>,
}

impl Plain {
    fn new(program: &Path, function: &str, source: &Path, destination: &Path) -> io::Result<Self> {
        let mut command = Command::new(program);
        command.arg(function).args([source, destination]).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn()?;
        let (ask, answer) = (process.stdin.take().expect("piped"), process.stdout.take().expect("piped"));
        Ok(Self { process, ask, answer: BufReader::new(answer) })
    }

    /// Lets it copy once; gives its own microseconds.
    fn copy(&mut self) -> io::Result<f64> {
        self.answer_to(b"c")
    }

    /// Goes there and back without a copy: either side then begins when the other has just run on the processor.
    fn visit(&mut self) -> io::Result<()> {
        self.answer_to(b"-").map(drop)
    }

    fn answer_to(&mut self, word: &[u8]) -> io::Result<f64> {
        self.ask.write_all(word)?;
        let mut line = String::new();
        self.answer.read_line(&mut line)?;
        line.trim().parse().map_err(|_| io::Error::other(format!("the C program said '{line}'")))
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.ask);
        self.process.wait().map(drop)
    }
}

/// Both in turn; nothing where this host lacks what the entry needs.
fn compared(entry: &str, program: &Path, function: &str, bytes: u64, folder: &Path) -> Option<Row> {
    let setting = Setting::warm(folder, Durability::Returned);
    if !COPY.probe(entry, &Host::default(), &setting).is_ready() {
        return None;
    }
    let workload = COPY.workload_of_bytes(bytes).expect("the family has sizes");
    COPY.generate(&workload, folder, 1).expect("generated");
    let source = COPY.inputs(&workload, folder).remove(0);
    let destination = folder.join("plain.output");
    let trial = Trial {
        family: "copy".to_owned(),
        technique: entry.to_owned(),
        workload,
        setting,
        scratch: folder.to_owned(),
        seed: 1,
    };
    let mut row = None;
    COPY.perform(&trial, &mut |technique| {
        let mut plain = Plain::new(program, function, &source, &destination)?;
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
            row = Some(so_far);
            if is_told {
                break;
            }
        }
        plain.end()
    })
    .expect(entry);
    row
}

/// The microseconds of a technique and of the C program, in the order asked for.
fn round(
    technique: &mut dyn Repeat,
    plain: &mut Plain,
    destination: &Path,
    own_first: bool,
) -> io::Result<(f64, f64)> {
    let (mut own_us, mut plain_us) = (0.0, 0.0);
    for is_own in [own_first, !own_first] {
        technique.refresh()?;
        match std::fs::remove_file(destination) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        if is_own {
            plain.visit()?;
            let begin = Instant::now();
            technique.repeat(1)?;
            own_us = begin.elapsed().as_secs_f64() * 1e6;
        } else {
            plain_us = plain.copy()?;
        }
    }
    Ok((own_us, plain_us))
}

/// The medians, and the interval of the median ratio that a sign test leaves.
fn judged(pairs: &[(f64, f64)]) -> Row {
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
    Row { own_us: own[middle], plain_us: plain[middle], ratio: ratios[middle], low, high, rounds }
}
