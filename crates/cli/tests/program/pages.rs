//! The pages for a browser.

use std::fs;

use crate::sandbox::{Sandbox, assert_refused, names, stderr, stdout};

const CONTROL: [&str; 5] = ["run", "control/spin_a", "control/spin_plus_2", "--rounds", "6"];

#[test]
fn a_run_writes_its_page_beside_the_store_and_says_where() {
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.bakeoff(&CONTROL).assert().success());
    let run = sandbox.exported();
    let id = run["run"]["id"].as_str().expect("an identity");
    let page = sandbox.path("reports").join(format!("{id}.html"));
    assert!(said.contains(&format!("report: {}", page.display())), "{said}");
    let text = fs::read_to_string(&page).expect("the page");
    assert!(text.starts_with("<!DOCTYPE html>"));
    let sentence = run["contests"][0]["sentence"].as_str().expect("a sentence");
    assert!(text.contains(sentence), "{sentence}");
    assert_eq!(names(&sandbox.path("reports")).len(), 1, "nothing else is left there");
}

#[test]
fn a_run_goes_well_where_its_page_cannot_be_written() {
    let sandbox = Sandbox::new();
    sandbox.file("reports", "in the way");
    let said = stderr(&sandbox.bakeoff(&CONTROL).assert().success());
    let told = said.lines().find(|line| line.contains("cannot be written")).unwrap_or_default();
    assert!(told.contains(".html") && told.contains("--html FILE"), "{said}");
}

#[test]
fn a_kept_run_is_a_page_again() {
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.bakeoff(&CONTROL).arg("--no-report").assert().success());
    let usual = sandbox.path("reports");
    assert!(!said.contains("report: ") && !usual.exists(), "{said}");
    let said = stderr(&sandbox.bakeoff(&["report", "--html"]).assert().success().stdout(""));
    let [own] = &names(&usual)[..] else { panic!("one page in the usual place") };
    assert!(said.contains(own), "{said}");
    let file = sandbox.path("page.html");
    let shown = file.to_str().expect("UTF-8");
    sandbox.bakeoff(&["report", "--html", shown]).assert().success().stdout("");
    let printed = sandbox.shown(&["report", "--format", "html"]);
    assert_eq!(fs::read_to_string(&file).expect("the page").trim_end(), printed.trim_end());
    assert_eq!(fs::read(&file).expect("the page"), fs::read(usual.join(own)).expect("the page"));
    let nowhere = sandbox.path("no such folder").join("page.html");
    let nowhere = nowhere.to_str().expect("UTF-8");
    assert_refused(&mut sandbox.bakeoff(&["report", "--html", nowhere]), &["--html", "cannot be written"]);
    assert_refused(
        &mut sandbox.bakeoff(&["report", "--html", shown, "--format", "json"]),
        &["--html", "--format"],
    );
}

#[test]
fn every_command_that_prints_a_page_prints_it_for_a_browser() {
    let sandbox = Sandbox::new();
    for arguments in [["list", "clock"], ["host", "--quiet"]] {
        let assert = sandbox.bakeoff(&arguments).args(["--format", "html"]).assert().success();
        assert!(stdout(&assert).contains("<table>"), "{arguments:?}");
    }
}

#[test]
fn the_page_of_a_run_shows_the_findings_that_it_tests_and_folds_the_others_away() {
    let sandbox = Sandbox::new();
    let sorts = ["sort/sortFL", "sort/sortFLSR", "sort/sortHP", "--size", "6.4MB", "--rounds", "8"];
    sandbox.run(&sorts).assert().success();
    let page = sandbox.shown(&["report", "--format", "html"]);
    assert!(
        page.contains("Published findings, tested here") && page.contains("<li><span class=\"cl\">"),
        "{page}"
    );
    let (tested, folded) = page.split_once("that this run does not test</summary>").expect("a folded line");
    assert!(
        tested.contains("<small>sort-6 · ") && tested.contains("published findings were tested here"),
        "{page}"
    );
    assert!(folded.contains("sort-1") && !tested.contains("<small>sort-1 · "), "{page}");
    assert!(!page.contains("copy-1"), "no finding about a family that took no part");
}

#[test]
fn runs_side_by_side_are_a_page_with_the_place_of_each_technique() {
    let sandbox = Sandbox::new();
    sandbox.run(&["copy/cpC", "copy/cpW", "--rounds", "3"]).assert().success();
    let file = sandbox.path("compared.html");
    let shown = file.to_str().expect("UTF-8");
    let compare = ["compare", "last", "published:xeon-4way"];
    sandbox.bakeoff(&compare).args(["--html", shown]).assert().success().stdout("");
    let page = fs::read_to_string(&file).expect("the page");
    for part in ["<!DOCTYPE html>", "What differs", "Techniques by run", "published:xeon-4way", "2.67 s"] {
        assert!(page.contains(part), "{part} in {page}");
    }
    let printed = stdout(&sandbox.bakeoff(&compare).args(["--format", "html"]).assert().success());
    assert_eq!(page.trim_end(), printed.trim_end());
    let both = ["--html", shown, "--format", "json"];
    assert_refused(sandbox.bakeoff(&compare).args(both), &["--html", "--format"]);
}
