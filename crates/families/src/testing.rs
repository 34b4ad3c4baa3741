//! What the tests of all families share.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use model::{Durability, Host, Proof, Setting, Trial, Workload};
use tempfile::TempDir;

use crate::contract::{AnyFamily, Technique};
use crate::values::{HandedOver, Values};

pub(crate) fn trial(
    family: &dyn AnyFamily, entry: &str, workload: &Workload, scratch: &Path, durability: Durability,
) -> Trial {
    Trial {
        family: family.name().to_owned(),
        technique: entry.to_owned(),
        workload: workload.clone(),
        setting: Setting::warm(scratch, durability),
        scratch: scratch.to_owned(),
        seed: 1,
    }
}

pub(crate) fn named<Job>(techniques: &'static [Technique<Job>], name: &str) -> &'static Technique<Job> {
    techniques.iter().find(|technique| technique.name == name).expect("listed")
}

/// Returns the entries that are meant and can run in a setting.
pub(crate) fn ready(
    family: &dyn AnyFamily, setting: &Setting, is_meant: impl Fn(&str) -> bool,
) -> Vec<String> {
    let names = family.entries().into_iter().map(|entry| entry.name).filter(|name| is_meant(name));
    names.filter(|name| family.probe(name, &Host::default(), setting).is_ready()).collect()
}

/// Returns a workload with other values on these axes, looked at as a whole.
pub(crate) fn changed(
    family: &dyn AnyFamily, mut workload: Workload, axes: &[(&str, &str)],
) -> Result<Workload, String> {
    axes.iter().try_for_each(|(axis, value)| family.set(&mut workload, axis, value))?;
    family.check(&workload).map(|()| workload)
}

/// Asserts that each value, such as `threads=0`, is refused by a sentence with this part.
pub(crate) fn assert_refused(family: &dyn AnyFamily, workload: &Workload, cases: &[(&str, &str)]) {
    for (text, part) in cases {
        let (axis, value) = text.split_once('=').expect("an axis and a value");
        let mut changed = workload.clone();
        let refused = match family.set(&mut changed, axis, value) {
            Ok(()) => family.check(&changed).expect_err(text),
            Err(refused) => {
                assert_eq!(changed, *workload, "a refused value changes nothing");
                refused
            }
        };
        assert!(refused.contains(part), "{text}: {refused}");
    }
}

/// As [`assert_refused`], where `set` itself refuses each value.
pub(crate) fn assert_set_refuses(family: &dyn AnyFamily, workload: &Workload, cases: &[(&str, &str)]) {
    for (text, _) in cases {
        let (axis, value) = text.split_once('=').expect("an axis and a value");
        family.set(&mut workload.clone(), axis, value).expect_err(text);
    }
    assert_refused(family, workload, cases);
}

/// Makes a folder with one file; returns both.
pub(crate) fn scratch_with(name: &str, bytes: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().expect("scratch");
    let path = scratch.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (scratch, path)
}

/// Makes the inputs of a workload in a folder of their own; returns the right proof.
pub(crate) fn generated(family: &dyn AnyFamily, workload: &Workload, seed: u64) -> (TempDir, Proof) {
    let scratch = tempfile::tempdir().expect("scratch");
    family.generate(workload, scratch.path(), seed).expect("generated");
    let expected = family.expected(workload, scratch.path()).expect("readable");
    (scratch, expected)
}

/// Does a trial's work twice, as a worker would; returns its proof and its notes.
pub(crate) fn done_twice(family: &dyn AnyFamily, trial: &Trial) -> io::Result<(Proof, Vec<String>)> {
    done(family, trial, &[1, 1]).map(|(proof, notes, _)| (proof, notes))
}

/// Does a trial's work this many times after each refresh; returns its proof, its notes, and the values of the last stretch.
pub(crate) fn done(
    family: &dyn AnyFamily, trial: &Trial, times: &[u64],
) -> io::Result<(Proof, Vec<String>, HandedOver)> {
    let mut done = None;
    family.perform(trial, &mut |technique| {
        for &times in times {
            technique.refresh()?;
            technique.repeat(times)?;
        }
        let mut values = Values::default();
        technique.values(&mut values);
        done = Some((technique.proof()?, technique.notes(), values.hand_over()));
        Ok(())
    })?;
    Ok(done.expect("the body ran"))
}

/// Waits until no other test chooses among the processors: on Windows a choice holds for the whole process.
pub(crate) fn choosing_processors() -> MutexGuard<'static, ()> {
    static CHOOSING: Mutex<()> = Mutex::new(());
    // A test that has failed does not make the others fail.
    CHOOSING.lock().unwrap_or_else(PoisonError::into_inner)
}
