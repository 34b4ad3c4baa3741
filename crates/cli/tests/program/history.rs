//! This host over time: `bakeoff history`.

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, assert_shows, list, stderr, stdout, text};

const WATCH: &str = "history copy --fail-on-regression 5%";

/// A run of this host, which can be imported again as if it were of another day.
struct Days {
    sandbox: Sandbox,
    first: Value,
}

impl Days {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.ran("--seed 1");
        let first = sandbox.exported();
        Self { sandbox, first }
    }

    /// The run of a day: its times are this many per cent of the first one's, and what else is changed about it.
    fn import_changed(&self, day: u64, percent: u64, change: impl Fn(&mut Value)) {
        let mut run = self.first.clone();
        run["run"]["id"] = format!("20991201T0000{day:02}.000Z-00000000").into();
        run["run"]["started"] = format!("2099-12-01T00:00:{day:02}+00:00").into();
        for trial in run["trials"].as_array_mut().expect("trials") {
            for sample in trial["samples"].as_array_mut().expect("samples") {
                let ns = sample["work_ns"].as_u64().expect("a time");
                sample["work_ns"] = (ns * percent / 100).into();
            }
        }
        change(&mut run);
        self.sandbox.import(&run);
    }

    fn import(&self, day: u64, percent: u64) {
        self.import_changed(day, percent, |_| {});
    }
}

#[test]
fn a_regression_over_the_runs_of_a_host_sets_the_exit_code() {
    let days = Days::new();
    let sandbox = &days.sandbox;
    for (day, percent) in [(1, 101), (2, 99), (3, 102), (4, 100), (5, 101)] {
        days.import(day, percent);
    }
    assert_shows(&sandbox.shown(WATCH), "No technique changed over 6 runs.");
    days.import(6, 200);
    let slower = stdout(&sandbox.bakeoff(WATCH).assert().code(1));
    let said = sandbox.json("history");
    assert_eq!(said["lines"][0]["course"], "slower");
    let [technique, other] = [0, 1].map(|nth| text(&said["lines"][nth]["technique"]).to_owned());
    let both = format!("{technique} and {other} are slower than the earlier runs predict.");
    assert!(slower.starts_with(&both), "{slower}");
    let one = sandbox.shown(&["history", &format!("copy/{technique}")]);
    assert!(one.starts_with(&format!("copy/{technique} is slower than the earlier runs predict.")), "{one}");
    let runs = list(&said["runs"]);
    assert_eq!(runs.len(), 7, "{said}");
    for run in runs {
        assert!(one.contains(text(&run[0])), "every run has its row: {one}");
    }
    assert_refused(&mut sandbox.bakeoff("history copy/nothing"), "copy/nothing | history copy");
    assert_refused(&mut sandbox.bakeoff("history --fail-on-regression much"), "2%");
}

/// Neither a regression nor a check that was passed: the page, one line that says why, and the code of what could not be done.
fn assert_unchecked(days: &Days, arguments: &str, why: &str) {
    for silence in [None, Some("--quiet")] {
        let said = days.sandbox.bakeoff(arguments).args(silence).assert().code(2);
        assert_eq!(
            stderr(&said),
            format!("bakeoff: --fail-on-regression: nothing could be checked: {why}\n")
        );
        assert!(!stdout(&said).is_empty(), "the page is shown all the same");
    }
}

#[test]
fn a_check_for_a_regression_that_cannot_be_made_has_code_2() {
    let days = Days::new();
    assert_unchecked(&days, WATCH, "no run before the latest measured the same");
    days.import_changed(1, 100, |run| {
        for trial in run["trials"].as_array_mut().expect("trials") {
            trial["workload"]["name"] = "another".into();
        }
    });
    assert_unchecked(&days, WATCH, "no run before the latest measured the same");
    for day in 2..=4 {
        days.import(day, 100);
    }
    let few = "it takes 5 runs of the same before the latest, and there are 3";
    assert_unchecked(&days, WATCH, few);
    assert_unchecked(&days, "history copy/std_copy --fail-on-regression 5%", few);
    assert_eq!(list(&days.sandbox.json("history")["runs"]).len(), 4, "without that of other work");
    assert_refused(days.sandbox.bakeoff(WATCH).args(["--runs", "5"]), "--runs 5 | 6 or more");
    let empty = Sandbox::new();
    store::Sqlite::open(empty.store()).expect("an empty store");
    let said = empty.bakeoff("history --fail-on-regression 5%").assert().code(2);
    assert!(
        stderr(&said).ends_with("nothing could be checked: no whole run is stored\n"),
        "{}",
        stderr(&said)
    );
}

#[test]
fn techniques_that_could_not_be_checked_are_counted() {
    let days = Days::new();
    for day in 1..=4 {
        days.import_changed(day, 100 + day % 2, |run| {
            run["trials"].as_array_mut().expect("trials").retain(|trial| trial["technique"] == "std_copy");
        });
    }
    days.import(5, 100);
    let said = days.sandbox.bakeoff(WATCH).assert().success();
    let counted =
        "bakeoff: 1 of 2 were not checked for a regression: fewer than 5 runs before the latest have them\n";
    assert_eq!(stderr(&said), counted);
    days.import(6, 200);
    days.sandbox.bakeoff(WATCH).assert().code(1).stderr(counted);
}
