//! Both copy in turn, each timed inside its own process, so that the same disturbances meet them.

use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use families::{Copy, Exhibit};
use model::{Cache, Durability, Host, Setting, Trial};

const SIZES: [u64; 4] = [4 << 10, 10_000, 100_000, 1 << 20];
const ROUNDS: usize = 101;
const LIMIT: f64 = 1.2;

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

#[test]
#[ignore = "times copies on this host, which must do nothing else; needs cc; --release"]
fn a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("scratch");
    let program = built(folder.path());
    let mut rows = Vec::new();
    let mut slow = 0;
    for bytes in SIZES {
        for (entry, function) in PAIRS {
            let Some((own, plain)) = medians(entry, &program, function, bytes, folder.path()) else {
                continue;
            };
            let is_slow = own > LIMIT * plain;
            slow += usize::from(is_slow);
            let mark = if is_slow { "  <<" } else { "" };
            rows.push(format!(
                "{bytes:>8} {entry:<30} {own:>9.1} us {plain:>9.1} us {:.2}{mark}",
                own / plain
            ));
        }
    }
    let table = rows.join("\n");
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("small_copies.txt"), &table).expect("written");
    assert!(!rows.is_empty() && slow == 0, "own and plain, medians of {ROUNDS} rounds:\n{table}");
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
        self.ask.write_all(b"x")?;
        let mut line = String::new();
        self.answer.read_line(&mut line)?;
        line.trim().parse().map_err(|_| io::Error::other(format!("the C program said '{line}'")))
    }

    fn end(mut self) -> io::Result<()> {
        drop(self.ask);
        self.process.wait().map(drop)
    }
}

/// The typical microseconds of both; nothing where this host lacks what the entry needs.
fn medians(entry: &str, program: &Path, function: &str, bytes: u64, folder: &Path) -> Option<(f64, f64)> {
    let setting = Setting {
        cache: Cache::Warm,
        durability: Durability::Returned,
        directory: folder.to_owned(),
        file_system: None,
        processors: vec![],
        memory_limit_bytes: None,
    };
    if !Copy.probe(entry, &Host::default(), &setting).is_ready() {
        return None;
    }
    let workload = Copy.workload_of_bytes(bytes).expect("the family has sizes");
    Copy.generate(&workload, folder, 1).expect("generated");
    let source = Copy.inputs(&workload, folder).remove(0);
    let destination = folder.join("plain.output");
    let trial = Trial {
        family: "copy".to_owned(),
        technique: entry.to_owned(),
        workload,
        setting,
        scratch: folder.to_owned(),
        seed: 1,
    };
    let (mut own, mut other) = (Vec::new(), Vec::new());
    Copy.perform(&trial, &mut |technique| {
        let mut plain = Plain::new(program, function, &source, &destination)?;
        for round in 0..ROUNDS + 5 {
            for is_own in [round % 2 == 0, round % 2 != 0] {
                technique.refresh()?;
                let _ = std::fs::remove_file(&destination);
                if is_own {
                    let begin = Instant::now();
                    technique.repeat(1)?;
                    own.push(begin.elapsed().as_secs_f64() * 1e6);
                } else {
                    other.push(plain.copy()?);
                }
            }
        }
        plain.end()
    })
    .expect(entry);
    Some((median(&mut own), median(&mut other)))
}

/// The first rounds find nothing prepared.
fn median(times: &mut Vec<f64>) -> f64 {
    times.drain(..5);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
