//! Links that another program has planted where techniques write. Here, since this program can play the part of the
//! processes that some techniques start.

use std::fs;
use std::io;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use families::{AnyFamily, CONVERT, COPY, SEARCH, SORT};
use model::{Durability, Host, Setting, Trial, Workload};

use crate::harness::trial;

/// The families that write, and all names at which their techniques do.
const PLACES: [(&dyn AnyFamily, &[&str]); 4] = [
    (COPY, &["copy.output"]),
    (CONVERT, &["convert.output"]),
    (SEARCH, &["search.output"]),
    (SORT, &["sort.output", "sort.index", "sort.runs"]),
];
/// The standard library's own call: it follows a link, and there is no flag to choose. Its family looks at the place before.
const FOLLOWS: &str = "copy/std_copy";

/// A file of someone else, and links to it and to a place next to it where nothing stands.
struct Foreign {
    folder: tempfile::TempDir,
}

impl Foreign {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::write(folder.path().join("there"), "kept").expect("written");
        Self { folder }
    }

    fn targets(&self) -> [PathBuf; 2] {
        ["there", "absent"].map(|name| self.folder.path().join(name))
    }

    fn is_unchanged(&self) -> bool {
        let [there, absent] = self.targets();
        fs::read(there).is_ok_and(|text| text == b"kept") && absent.symlink_metadata().is_err()
    }
}

fn workloads(family: &dyn AnyFamily) -> Vec<Workload> {
    let one = family.workload_of_bytes(1_280_000).expect("the family has sizes");
    let mut all = vec![one.clone()];
    if family.name() == "copy" {
        let mut many = one;
        family.set(&mut many, "files", "3").expect("a number of files");
        all.push(many);
    }
    all
}

/// The time at which another program plants a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Planted {
    /// Before the technique is prepared.
    Early,
    /// Between the preparation and the work.
    Late,
}

/// Does the work once as a worker would that is timed from outside, with a link planted meanwhile.
fn work(family: &dyn AnyFamily, trial: &Trial, link: Option<(Planted, &Path, &Path)>) -> io::Result<()> {
    let plant = |now| match link {
        Some((when, target, path)) if when == now => symlink(target, path),
        _ => Ok(()),
    };
    plant(Planted::Early)?;
    family.perform(trial, &mut |repeat| {
        plant(Planted::Late)?;
        repeat.repeat(1)
    })
}

fn ready(family: &dyn AnyFamily, workload: &Workload, setting: &Setting) -> Vec<String> {
    let entries = family.entries().into_iter().filter(|entry| !entry.ceiling);
    entries
        .map(|entry| entry.name)
        .filter(|name| family.suits(name, workload).is_ready())
        .filter(|name| family.probe(name, &Host::default(), setting).is_ready())
        .collect()
}

pub(crate) fn no_technique_follows_a_link_in_the_place_of_its_output() {
    for (family, places) in PLACES {
        let mut tried = 0;
        for workload in workloads(family) {
            let scratch = tempfile::tempdir().expect("scratch");
            family.generate(&workload, scratch.path(), 1).expect("made");
            let setting = Setting::warm(scratch.path(), Durability::Returned);
            for entry in ready(family, &workload, &setting) {
                let trial = trial(family.name(), &entry, &workload, setting.clone(), scratch.path());
                assert_links_are_left_alone(family, places, &trial);
                tried += 1;
            }
        }
        assert!(tried >= 12, "{}: only {tried} techniques are ready", family.name());
    }
}

fn assert_links_are_left_alone(family: &dyn AnyFamily, places: &[&str], trial: &Trial) {
    let (scratch, shown) = (&trial.scratch, format!("{}/{}", family.name(), trial.technique));
    let clear = || family.clear(&trial.workload, scratch).expect("cleared");
    let follows = shown == FOLLOWS && !family.output_is_folder(&trial.workload);
    clear();
    work(family, trial, None).unwrap_or_else(|error| panic!("{shown}: {error}"));
    assert!(scratch.join(places[0]).symlink_metadata().is_ok(), "{shown} leaves no {}", places[0]);
    for place in places {
        let path = scratch.join(place);
        for when in [Planted::Early, Planted::Late] {
            if follows && when == Planted::Late {
                continue;
            }
            let foreign = Foreign::new();
            for target in foreign.targets() {
                clear();
                let done = work(family, trial, Some((when, &target, &path)));
                let what = format!("the link at {place} to {}, planted {when:?}", target.display());
                assert!(foreign.is_unchanged(), "{shown} has followed {what}");
                assert!(*place != places[0] || done.is_err(), "{shown} has taken {what} for its output");
            }
        }
    }
    clear();
}
