//! What the program does when it is killed.

use std::path::Path;
use std::time::Duration;

use super::draw::Target;

/// One command line of the program.
#[derive(Debug)]
pub(super) struct Scenario {
    pub(super) name: &'static str,
    /// Its words; [`words`](Self::words) fills in those that begin with `%`.
    template: &'static str,
    /// Which of its processes there are to kill.
    pub(super) targets: &'static [Target],
    /// It usually takes at least this long: random moments are drawn from this span.
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
    scenario(
        "a run of copies",
        ALL,
        1800,
        "run copy/read_write copy/mmap_write copy/small_buffer --size 4MB --budget 2s %further",
    ),
    scenario(
        "a run of short work",
        ALL,
        1800,
        "run control/spin_a control/spin_b control/spin_c --budget 2s %further",
    ),
    scenario(
        "a run on a tree of files",
        ALL,
        1800,
        "run search/sequential search/process_per_file search/thread_pool --size 8MB --set kind=tree --budget 2s %further",
    ),
    scenario(
        "a run with a command that forks",
        ALL,
        1800,
        "run copy/mmap_write --command %forks --command %cp --size 1MB --budget 2s %further",
    ),
    scenario(
        "a run with a command that leaves processes",
        ALL,
        3000,
        "run copy/none --command %daemons --command %cp --size 1MB --budget 4s %further",
    ),
    scenario(
        "a run with large proofs",
        ALL,
        2500,
        "run copy/none --command %cp --command %cat --size 32MB --budget 3s %further",
    ),
    scenario("time of a command that forks", ALL_BUT_WORKERS, 500, "time -- sh -c %family"),
    scenario("time of a series", ALL, 800, "time -n 200 %sleep_2ms %sleep_3ms"),
    scenario("noise", ALL, 1800, "noise --budget 2s --seed %seed"),
    scenario("list", ALONE, 100, "list"),
    scenario("generate", ALONE, 400, "generate %records %file --seed %seed"),
];

const fn scenario(
    name: &'static str,
    targets: &'static [Target],
    span_ms: u64,
    template: &'static str,
) -> Scenario {
    Scenario { name, template, targets, span: Duration::from_millis(span_ms) }
}

impl Scenario {
    /// The words of the command line, with a directory to measure in and a file to generate.
    pub(super) fn words(&self, directory: &Path, file: &Path, seed: u32) -> Vec<String> {
        let word = |word: &str| match word {
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
        };
        let all = self.template.replace("%further", "--rounds 60 --dir %dir --seed %seed");
        all.split(' ').map(word).collect()
    }

    /// Whether a supervisor starts processes one after the other, so that there are proofs between them.
    pub(super) fn has_workers(&self) -> bool {
        self.targets.contains(&Worker)
    }
}

#[test]
fn a_command_line_names_the_private_folders() {
    for scenario in SCENARIOS {
        let words = scenario.words(Path::new("/private/work"), Path::new("/private/file"), 7);
        assert!(words.iter().all(|word| !word.starts_with('%')), "{words:?}");
        let named = words.iter().any(|word| word == "/private/work");
        assert_eq!(named, words[0] == "run", "{words:?}");
    }
}
