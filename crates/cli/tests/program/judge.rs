//! `bakeoff judge`: the answer to samples of any program.

use std::fs;

use serde_json::Value;

use crate::curves::crossing;
use crate::sandbox::{SMALL, Sandbox, assert_refused, assert_shows, list, stdout, text, unfolded};

/// Twenty rounds of three techniques: `slow` takes half as long again as the others, which take turns at being first.
fn samples() -> Vec<String> {
    let mut lines = Vec::new();
    for round in 0..20 {
        let wave = f64::from(round * 7 % 11) / 1000.0;
        let close = if round % 2 == 0 { 10.002 } else { 9.998 };
        for (place, (name, value)) in (0..).zip([("fast", 10.0), ("close", close), ("slow", 15.0)]) {
            lines.push(format!("{round},{},{name},{}", (place + round) % 3, value * (1.0 + wave)));
        }
    }
    lines
}

fn table(lines: &[String]) -> String {
    format!("round,position,technique,value\n{}\n", lines.join("\n"))
}

fn judged(sandbox: &Sandbox, file: &str, arguments: &[&str]) -> String {
    stdout(&sandbox.bakeoff("judge").arg(sandbox.path(file)).args(arguments).assert().success())
}

#[test]
fn a_file_gives_the_same_bytes_in_every_format() {
    let sandbox = Sandbox::new();
    let table = table(&samples());
    sandbox.file("s.csv", &table);
    for format in ["text", "markdown", "json"] {
        let first = judged(&sandbox, "s.csv", &["--format", format]);
        assert_eq!(judged(&sandbox, "s.csv", &["--format", format]), first);
        assert_shows(&first, "fast | slow");
    }
    let assert = sandbox.bakeoff("judge -").write_stdin(table).assert().success();
    assert_eq!(stdout(&assert), judged(&sandbox, "s.csv", &[]), "standard input is a file too");
    let shown = judged(&sandbox, "s.csv", &["--baseline", "slow"]);
    assert!(shown.contains("slow is slower by 1.4") || shown.contains("slow is slower by 1.5"), "{shown}");
    sandbox.assert_untouched();
}

/// Returns what an answer rests on: the standing of each entry, and its factor.
fn essence(contest: &Value) -> (Value, Value, Vec<Value>) {
    let keys = ["technique", "standing", "factor", "factor_low", "factor_high"];
    let compared = list(&contest["entries"]).iter().filter(|entry| entry["standing"] != "failed");
    let compared = compared.map(|entry| keys.iter().map(|key| entry[key].clone()).collect()).collect();
    (contest["sentence"].clone(), contest["advice"].clone(), compared)
}

fn essences(page: &Value) -> Vec<(Value, Value, Vec<Value>)> {
    list(&page["contests"]).iter().filter(|one| one["rounds"] != 0).map(essence).collect()
}

#[test]
fn exports_are_judged_as_the_run_was_by_any_metric() {
    let sandbox = Sandbox::new();
    sandbox.run(SMALL).args(["copy/c_stdio", "--cache", "warm"]).assert().success();
    let by_user = sandbox.json("report --metric user");
    assert_eq!(by_user["contests"][0]["metric"]["key"], "user_ns");
    for format in ["csv", "json"] {
        let file = sandbox.word(&format!("run.{format}"));
        sandbox.bakeoff(&["export", "--format", format, "--output", &file]).assert().success();
        assert_eq!(essences(&sandbox.json(&["judge", &file])), essences(&sandbox.exported()), "{format}");
        assert_eq!(essences(&sandbox.json(&["judge", &file, "--metric", "user"])), essences(&by_user));
        assert_refused(&mut sandbox.bakeoff(&["judge", &file, "--metric", "miles"]), &[&*file, "miles"]);
        let by = ["export", "--format", format, "--metric", "user", "--output", &file];
        sandbox.bakeoff(&by).assert().success();
        assert_eq!(essences(&sandbox.json(&["judge", &file])), essences(&by_user), "{format} by it");
    }
    assert_refused(&mut sandbox.bakeoff("export --format csv --metric miles"), "--metric | miles | work");
    let hyperfine = "export --format hyperfine --metric user";
    assert_refused(&mut sandbox.bakeoff(hyperfine), "--metric | hyperfine | times only | csv");
}

#[test]
fn a_curve_is_judged_alike_from_its_exports() {
    let sandbox = crossing();
    let run = sandbox.exported();
    let sentence = text(&run["curves"][0]["sentence"]);
    for format in ["json", "csv"] {
        let file = sandbox.word(&format!("run.{format}"));
        sandbox.bakeoff(&["export", "--format", format, "--output", &file]).assert().success();
        let shown = sandbox.shown(&["judge", &file]);
        assert_shows(&unfolded(&shown), sentence);
        let page = sandbox.json(&["judge", &file]);
        assert_eq!((&page["schema"], list(&page["contests"]).len()), (&3.into(), 4));
        assert_eq!(page["curves"][0]["sentence"], sentence, "{format}");
    }
}

#[test]
fn what_is_no_file_of_samples_is_refused() {
    let header = "round,position,technique,value\n";
    for (name, content, words) in [
        ("s.csv", "", "s.csv | line 1 | round,position,technique,value"),
        ("s.csv", header, "s.csv | no samples"),
        ("s.json", "[]", "s.json | no samples"),
        (
            "s.csv",
            "round,position,technique,value\n0,0,a,1\n0,1,b,fast\n",
            "s.csv | line 3 | column 4 | 'fast'",
        ),
        ("s.json", "[{\"round\": 0,\n \"technique\": }]", "s.json | line 2 | column 15"),
    ] {
        let sandbox = Sandbox::new();
        let file = sandbox.file(name, content);
        assert_refused(sandbox.bakeoff("judge").arg(&file), words);
        assert_eq!(fs::read_to_string(&file).expect("readable"), content);
        sandbox.assert_untouched();
    }
    let sandbox = Sandbox::new();
    fs::write(sandbox.path("s.csv"), b"\xff\xfe\x00").expect("a file");
    for (file, words) in
        [("absent.csv", "absent.csv | cannot be read"), ("dir", "cannot be read"), ("s.csv", "s.csv | UTF-8")]
    {
        assert_refused(sandbox.bakeoff("judge").arg(sandbox.path(file)), words);
    }
    let good = sandbox.file("good.csv", &table(&samples()));
    for option in [["--looks", "10,5"], ["--looks", "0,8"], ["--looks", "8,8"], ["--looks", "8,4000000000"]] {
        assert_refused(sandbox.bakeoff("judge").args(option).arg(&good), "--looks | 8,10,13");
    }
    let unknown = "--baseline none | no technique of that name | for example";
    assert_refused(sandbox.bakeoff("judge --baseline none").arg(&good), unknown);
}

#[test]
fn of_rates_more_is_better_when_the_user_or_the_file_says_so() {
    let sandbox = Sandbox::new();
    sandbox.file("s.csv", &table(&samples()));
    assert!(!judged(&sandbox, "s.csv", &[]).contains("slow wins"));
    assert_shows(&judged(&sandbox, "s.csv", &["--more-is-better"]), "slow wins by value; 2 others are worse");
    let lines: Vec<String> = samples().iter().map(|line| format!("{line},units_per_second")).collect();
    let named = format!("round,position,technique,value,metric\n{}\n", lines.join("\n"));
    sandbox.file("named.csv", &named);
    assert_shows(&judged(&sandbox, "named.csv", &[]), "slow wins by units per second; 2 others are worse");
}
