//! The pages for a browser.

use std::fs;

use crate::sandbox::{Sandbox, assert_refused, assert_shows, names, stderr, text};

const CONTROL: &str = "run control/spin_a control/spin_plus_2 --rounds 6";

#[test]
fn a_run_writes_its_page_next_to_the_store_and_says_where() {
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.bakeoff(CONTROL).assert().success());
    let run = sandbox.exported();
    let page = sandbox.path("reports").join(format!("{}.html", text(&run["run"]["id"])));
    assert_shows(&said, &format!("report: {}", page.display()));
    let written = fs::read_to_string(&page).expect("the page");
    assert!(written.starts_with("<!DOCTYPE html>"));
    assert_shows(&written, &[text(&run["contests"][0]["sentence"])]);
    assert_eq!(names(&sandbox.path("reports")).len(), 1, "nothing else is left there");
}

#[test]
fn a_run_goes_well_where_its_page_cannot_be_written() {
    let sandbox = Sandbox::new();
    sandbox.file("reports", "in the way");
    let said = stderr(&sandbox.bakeoff(CONTROL).assert().success());
    let line_of_it = said.lines().find(|line| line.contains("cannot be written")).unwrap_or_default();
    assert!(line_of_it.contains(".html") && line_of_it.contains("--html FILE"), "{said}");
}

#[test]
fn a_kept_run_is_a_page_again() {
    let sandbox = Sandbox::new();
    let said = stderr(&sandbox.bakeoff(CONTROL).arg("--no-report").assert().success());
    let usual = sandbox.path("reports");
    assert!(!said.contains("report: ") && !usual.exists(), "{said}");
    let said = stderr(&sandbox.bakeoff("report --html").assert().success().stdout(""));
    let [own] = &names(&usual)[..] else { panic!("one page in the usual place") };
    assert_shows(&said, own);
    for partial in ["report control --html", "report last --metric cpu --html"] {
        assert_refused(&mut sandbox.bakeoff(partial), "--html | name a file");
    }
    let file = sandbox.word("page.html");
    sandbox.bakeoff(&["report", "--html", &file]).assert().success().stdout("");
    let printed = sandbox.shown("report --format html");
    assert_eq!(fs::read_to_string(&file).expect("the page").trim_end(), printed.trim_end());
    assert_eq!(fs::read(&file).expect("the page"), fs::read(usual.join(own)).expect("the page"));
    let nowhere = sandbox.path("no such folder").join("page.html");
    assert_refused(sandbox.bakeoff("report --html").arg(nowhere), "--html | cannot be written");
    let both = ["report", "--html", &file, "--format", "json"];
    assert_refused(&mut sandbox.bakeoff(&both), "--html | --format");
    for page in ["list clock", "host --quiet"] {
        assert_shows(&sandbox.shown(&format!("{page} --format html")), "<table>");
    }
}

#[test]
fn a_page_shows_the_findings_that_its_run_tests() {
    let sandbox = Sandbox::new();
    let sorts = "sort/sortFL sort/sortFLSR sort/sortHP --size 6.4MB";
    sandbox.measured(&format!("{sorts} --set output=suppressed --cache cold --rounds 8"));
    let page = sandbox.shown("report --format html");
    assert_shows(&page, "Published findings, tested here | <li><span class=\"cl\">");
    let (tested, folded) = page.split_once("that this run does not test</summary>").expect("a folded line");
    assert_shows(tested, "<small>sort-6 · | published findings were tested here");
    assert!(folded.contains("sort-1") && !tested.contains("<small>sort-1 · "), "{page}");
    assert!(!page.contains("copy-1"), "no finding about a family that took no part");
}

#[test]
fn runs_side_by_side_are_a_page_with_each_technique() {
    let sandbox = Sandbox::new();
    sandbox.measured("copy/cpC copy/cpW --rounds 3");
    let file = sandbox.word("compared.html");
    let compare = "compare last published:xeon-4way";
    sandbox.bakeoff(compare).args(["--html", &file]).assert().success().stdout("");
    let page = fs::read_to_string(&file).expect("the page");
    let parts = "<!DOCTYPE html> | What differs | Techniques by run | published:xeon-4way | 2.67 s";
    assert_shows(&page, parts);
    assert_eq!(page.trim_end(), sandbox.shown(&format!("{compare} --format html")).trim_end());
    let both = ["--html", &file, "--format", "json"];
    assert_refused(sandbox.bakeoff(compare).args(both), "--html | --format");
    assert_shows(&sandbox.shown(compare), "copy published | 2.67 s | ~");
}
