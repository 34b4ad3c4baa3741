//! `bakeoff judge`: the answer to samples of any program.

use std::fs;

use serde_json::Value;

use crate::sandbox::{SMALL, Sandbox, assert_refused, stdout};

/// Twenty rounds of three techniques: `slow` takes half as long again as the others, which take turns at being first.
fn samples() -> Vec<String> {
    let mut lines = Vec::new();
    for round in 0..20 {
        let wave = f64::from(round * 7 % 11) / 1000.0;
        let close = if round % 2 == 0 { 10.002 } else { 9.998 };
        for (place, (name, value)) in
            [("fast", 10.0), ("close", close), ("slow", 15.0)].into_iter().enumerate()
        {
            let position = (place + round as usize) % 3;
            lines.push(format!("{round},{position},{name},{}", value * (1.0 + wave)));
        }
    }
    lines
}

fn table(lines: &[String]) -> String {
    format!("round,position,technique,value\n{}\n", lines.join("\n"))
}

fn judged(sandbox: &Sandbox, file: &str, arguments: &[&str]) -> String {
    let mut command = sandbox.bakeoff(&["judge"]);
    stdout(&command.arg(sandbox.path(file)).args(arguments).assert().success())
}

#[test]
fn the_same_file_gives_the_same_bytes_in_every_format() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    for format in ["text", "markdown", "json"] {
        let first = judged(&sandbox, "s.csv", &["--format", format]);
        assert_eq!(judged(&sandbox, "s.csv", &["--format", format]), first);
        assert!(first.contains("fast") && first.contains("slow"), "{first}");
    }
    sandbox.assert_untouched();
}

#[test]
fn the_order_of_the_rows_does_not_matter() {
    let sandbox = Sandbox::new();
    let mut lines = samples();
    sandbox.file("s.csv", &table(&lines));
    lines.reverse();
    lines.swap(3, 40);
    sandbox.file("other.csv", &table(&lines));
    assert_eq!(judged(&sandbox, "s.csv", &[]), judged(&sandbox, "other.csv", &[]));
}

#[test]
fn an_answer_says_what_is_slower_and_what_may_be_fastest() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    let verdict: Value =
        serde_json::from_str(&judged(&sandbox, "s.csv", &["--format", "json"])).expect("JSON");
    let contests = &verdict["contests"];
    let entries = contests[0]["entries"].as_array().expect("entries");
    let standing = |name: &str| {
        let entry = entries.iter().find(|entry| entry["technique"] == name);
        entry.and_then(|entry| entry["standing"].as_str()).expect("an entry").to_owned()
    };
    assert_eq!(standing("slow"), "slower");
    assert_eq!((standing("fast"), standing("close")), ("tied".to_owned(), "tied".to_owned()));
    assert_eq!(contests[0]["fastest"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_technique_to_be_compared_with_can_be_named() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    let shown = judged(&sandbox, "s.csv", &["--baseline", "slow"]);
    assert!(shown.contains("slow is slower by 1.4") || shown.contains("slow is slower by 1.5"), "{shown}");
    let file = sandbox.path("s.csv");
    let mut unknown = sandbox.bakeoff(&["judge", "--baseline", "none"]);
    assert_refused(unknown.arg(&file), &["--baseline none", "no technique of that name", "for example"]);
}

#[test]
fn standard_input_is_a_file_too() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    let assert = sandbox.bakeoff(&["judge", "-"]).write_stdin(table(&samples())).assert().success();
    assert_eq!(stdout(&assert), judged(&sandbox, "s.csv", &[]));
}

/// What an answer rests on: where each entry stands, and by how much.
fn essence(contest: &Value) -> (Value, Value, Vec<Value>) {
    let entries = contest["entries"].as_array().expect("entries").iter();
    let keys = ["technique", "standing", "factor", "factor_low", "factor_high"];
    let compared = entries.filter(|entry| entry["standing"] != "failed");
    let compared = compared.map(|entry| keys.iter().map(|key| entry[key].clone()).collect()).collect();
    (contest["sentence"].clone(), contest["advice"].clone(), compared)
}

#[test]
fn the_exports_of_a_run_are_judged_as_the_run_was() {
    let sandbox = Sandbox::new();
    sandbox.run(SMALL).args(["copy/c_stdio", "--cache", "warm"]).assert().success();
    let run = sandbox.exported();
    let rankings = run["contests"].as_array().expect("rankings").iter();
    let expected: Vec<_> = rankings.filter(|one| one["rounds"] != 0).map(essence).collect();
    assert!(!expected.is_empty());
    for format in ["csv", "json"] {
        let file = sandbox.path("run").with_extension(format);
        sandbox.bakeoff(&["export", "--format", format, "--output"]).arg(&file).assert().success();
        let again = judged(&sandbox, &format!("run.{format}"), &["--format", "json"]);
        let again: Value = serde_json::from_str(&again).expect("JSON");
        let again = again["contests"].as_array().expect("rankings").iter();
        let again: Vec<_> = again.filter(|one| one["rounds"] != 0).map(essence).collect();
        assert_eq!(again, expected, "{format}");
    }
}

/// `bakeoff judge` of a file with this text is refused with these words.
fn refuse(name: &str, text: &str, words: &[&str]) {
    let sandbox = Sandbox::new();
    let file = sandbox.file(name, text);
    assert_refused(sandbox.bakeoff(&["judge"]).arg(&file), words);
    assert_eq!(fs::read_to_string(&file).expect("readable"), text);
    sandbox.assert_untouched();
}

#[test]
fn an_empty_file_is_refused_with_an_example() {
    refuse("s.csv", "", &["s.csv", "line 1", "round,position,technique,value"]);
    refuse("s.csv", "round,position,technique,value\n", &["s.csv", "no samples"]);
    refuse("s.json", "[]", &["s.json", "no samples"]);
}

#[test]
fn a_bad_line_is_refused_with_line_and_column() {
    let header = "round,position,technique,value\n0,0,a,1\n";
    refuse("s.csv", &format!("{header}0,1,b,fast\n"), &["s.csv", "line 3", "column 4", "'fast'"]);
    refuse("s.csv", &format!("{header}0,1,b\n"), &["s.csv", "line 3", "3 columns"]);
    refuse("s.csv", &format!("{header}0,1,b,-2\n"), &["s.csv", "line 3", "'-2'"]);
    refuse("s.json", "[{\"round\": 0,\n \"technique\": }]", &["s.json", "line 2", "column 15"]);
    refuse("s.json", "{\"something\": 1}", &["s.json", "neither"]);
}

#[test]
fn what_is_no_file_of_samples_is_refused() {
    let sandbox = Sandbox::new();
    assert_refused(
        sandbox.bakeoff(&["judge"]).arg(sandbox.path("absent.csv")),
        &["absent.csv", "cannot be read"],
    );
    assert_refused(sandbox.bakeoff(&["judge"]).arg(sandbox.dir()), &["cannot be read"]);
    fs::write(sandbox.path("s.csv"), b"\xff\xfe\x00").expect("a file");
    assert_refused(sandbox.bakeoff(&["judge"]).arg(sandbox.path("s.csv")), &["s.csv", "UTF-8"]);
    sandbox.file("good.csv", &table(&samples()));
    let good = sandbox.path("good.csv");
    for looks in ["10,5", "0,8", "8,8", "8,4000000000"] {
        assert_refused(sandbox.bakeoff(&["judge", "--looks", looks]).arg(&good), &["--looks", "8,10,13"]);
    }
}

#[test]
fn of_rates_more_is_better_when_the_user_or_the_file_says_so() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    assert!(!judged(&sandbox, "s.csv", &[]).contains("slow wins"));
    let shown = judged(&sandbox, "s.csv", &["--more-is-better"]);
    assert!(shown.contains("slow wins by value; 2 others are worse"), "{shown}");
    let lines: Vec<String> = samples().iter().map(|line| format!("{line},units_per_second")).collect();
    let named = format!("round,position,technique,value,metric\n{}\n", lines.join("\n"));
    sandbox.file("named.csv", &named);
    let shown = judged(&sandbox, "named.csv", &[]);
    assert!(shown.contains("slow wins by units per second; 2 others are worse"), "{shown}");
    let less =
        named.replace("metric\n", "metric,better\n").replace("units_per_second\n", "units_per_second,less\n");
    sandbox.file("less.csv", &less);
    let shown = judged(&sandbox, "less.csv", &[]);
    assert!(shown.contains("by units per second") && !shown.contains("slow wins"), "{shown}");
    sandbox.file("bad.csv", &named.replace("units_per_second", "=units"));
    assert_refused(
        sandbox.bakeoff(&["judge"]).arg(sandbox.path("bad.csv")),
        &["line 2", "(metric)", "no name of a metric"],
    );
}
