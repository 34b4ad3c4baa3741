//! The published machines as hosts: `bakeoff compare last published:NAME`.

use std::collections::{BTreeMap, BTreeSet};

use findings::published::{Figure, Machine, machines, record};
use model::{Preset, Record, RunId, Workload};
use serde_json::Value;
use store::Sqlite;

use crate::sandbox::{Sandbox, assert_shows, from_json, list, stdout, text, unfolded};

/// Calls of a batch, and bytes of a file, next to which the time of one call or one kilobyte stands times their number.
const CALLS: u64 = 1_000;
const FILE_BYTES: u64 = 64 << 20;

/// Every machine that was published, with the families that it has figures of.
const PUBLISHED: [(&str, &[&str]); 17] = [
    ("pentium3-w2000-fat", &["copy", "convert"]),
    ("pentium3-w2000-ntfs", &["copy", "convert"]),
    ("pentium-laptop-w2000-ntfs", &["copy", "convert", "search", "sort"]),
    ("celeron-laptop-xp-ntfs", &["copy", "convert", "search", "sort"]),
    ("xeon-w2000-ntfs", &["copy", "convert", "search", "sort"]),
    ("xeon-4way-w2000-ntfs", &["copy", "convert", "search", "sort", "pipeline"]),
    ("2x-pentium3-1000-nt4-server", &["threads"]),
    ("2x-pentium3-1000-w2000-pro", &["threads"]),
    ("pentium3-1000-w2000-pro", &["threads"]),
    ("pentium3-1000-xp-pro", &["threads"]),
    ("pentium3-1000-win98se", &["threads"]),
    ("linux-2.2.16", &["clock"]),
    ("linux-2.4.2", &["clock"]),
    ("linux-2.4.2-smp", &["clock"]),
    ("windows-2000", &["clock"]),
    ("redhat-linux", &["disk"]),
    ("windows-xp", &["disk"]),
];

/// Returns a run of this host that did what the machine did, under the names of today and in a thousandth of the time.
fn run_of(machine: &Machine) -> Record {
    let mut run = record(machine, &[]);
    run.tool.name = "bakeoff".to_owned();
    run.tool.version = "0.1.0".to_owned();
    run.id = RunId("20991201T000000.000Z-00000000".to_owned());
    run.started = "2099-12-01T00:00:00+00:00".to_owned();
    for trial in &mut run.trials {
        trial.technique = format!("modern_{}", trial.technique);
        match trial.family.as_str() {
            "clock" => trial.workload = trial.workload.without_axis("calls").with("calls", CALLS),
            "disk" => {
                let work = Workload::of_bytes("published", FILE_BYTES);
                trial.workload = work.with("phases", "all").with("order", "sequential");
            }
            _ => {}
        }
        for sample in &mut trial.samples {
            for ns in [&mut sample.work_ns, &mut sample.usage.user_ns, &mut sample.usage.system_ns] {
                *ns = ns.map(|ns| (ns / 1_000).max(1));
            }
        }
    }
    run
}

/// Returns what a figure is next to that run.
fn expected_ns(figure: &Figure) -> f64 {
    let units = match figure.family {
        "clock" => CALLS,
        // Read, rewritten and reread.
        "disk" => 3 * FILE_BYTES / 1024,
        _ => 1,
    };
    (figure.ns * units as f64).round()
}

fn reported_ns(compared: &Value, figure: &Figure) -> Option<f64> {
    let contests = compared["contests"].as_array()?.iter().filter(|contest| {
        let has_own_work = matches!(figure.family, "clock" | "disk");
        contest["family"] == figure.family && (has_own_work || contest["workload"] == figure.workload.name)
    });
    let mut techniques = contests.flat_map(|contest| contest["techniques"].as_array()).flatten();
    let technique = techniques
        .find(|one| one["aliases"].as_array().into_iter().flatten().any(|alias| *alias == figure.program))?;
    let key = match figure.metric {
        "work" => "median",
        "user" => "user_ns",
        _ => "system_ns",
    };
    technique["showed"][1][key].as_f64()
}

/// Returns the cells of the tables of programs, each with the title of its column.
fn cells(markdown: &str) -> Vec<(String, String)> {
    let mut titles: Vec<String> = Vec::new();
    let mut found = Vec::new();
    for line in markdown.lines() {
        let cells = line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned());
        if !line.starts_with('|') {
            titles.clear();
        } else if titles.is_empty() {
            titles = cells.collect();
        } else if titles[0] == "technique" && !line.starts_with("|:") {
            found.extend(titles.iter().cloned().zip(cells));
        }
    }
    found
}

#[test]
fn every_published_machine_stands_next_to_a_run() {
    let all = machines();
    let names: Vec<&str> = all.iter().map(|machine| machine.name.as_str()).collect();
    assert_eq!(names, PUBLISHED.map(|(name, _)| name), "a machine is missing from this table");
    for (machine, (name, families)) in all.iter().zip(PUBLISHED) {
        let sandbox = Sandbox::new();
        let run = run_of(machine);
        let mut store = Sqlite::open(sandbox.store()).expect("a store");
        store.begin(&run).expect("a new run");
        store.finish(&run.id).expect("a whole run");
        drop(store);
        let host = format!("published:{name}");
        let [compared, page] =
            ["json", "markdown"].map(|format| sandbox.shown(&["compare", "last", &host, "--format", format]));
        let compared = from_json(&compared);
        let mut reported: Vec<&str> = Vec::new();
        // Where no real time was published, the program stands in no table.
        let has_time =
            |figure: &&Figure| run.trials.iter().any(|trial| trial.aliases.contains(&figure.program));
        for figure in machine.figures.iter().filter(|figure| figure.metric != "cpu").filter(has_time) {
            assert_eq!(reported_ns(&compared, figure), Some(expected_ns(figure)), "{name}: {figure:?}");
            if !reported.contains(&figure.family) {
                reported.push(figure.family);
            }
        }
        assert_eq!(reported, families, "{name}");
        let of_one_call = compared["marks"].to_string().contains("the time of one call of ");
        assert_eq!(of_one_call, families.contains(&"clock"), "{name}: {compared}");
        // The levels of a curve stand in a table of their own, without a row for each program.
        let curves: Vec<&Value> = compared["curves"].as_array().into_iter().flatten().collect();
        let apart = run.trials.iter().filter(|one| curves.iter().all(|curve| curve["family"] != one.family));
        let rows = apart.count();
        let cells = cells(&page);
        for column in ["A", "B", "B / A"] {
            let own: Vec<&String> =
                cells.iter().filter(|(title, _)| title == column).map(|(_, cell)| cell).collect();
            assert_eq!(own.len(), rows, "{name}: a row for each program: {page}");
            assert!(
                own.iter()
                    .all(|cell| cell.starts_with(|c: char| c.is_ascii_digit()) || cell.starts_with("\\~")),
                "{name}: {page}"
            );
        }
        assert!(!page.contains("NaN") && !page.contains("inf"), "{name}: {page}");
    }
}

#[test]
fn the_published_preset_does_the_work_of_every_published_figure() {
    for trial in machines().iter().flat_map(|machine| record(machine, &[]).trials) {
        let family = families::find(&trial.family).expect("a family");
        let does = |workload: &Workload| {
            let mut axes =
                trial.workload.point.0.iter().filter(|(axis, _)| !["calls", "kilobytes"].contains(&&***axis));
            axes.all(|(axis, value)| workload.point.0.get(axis) == Some(value))
        };
        assert!(
            family.workloads(Preset::Published).iter().any(does),
            "{}: {:?}",
            trial.family,
            trial.workload
        );
    }
}

#[test]
fn published_preset_prints_the_table_of_five_whole_runs() {
    let sandbox = Sandbox::new();
    let shown = sandbox.measured("copy/cpC copy/cpW --preset published");
    let head = "Table C-1, copying a file | the mean of 5 runs | a pentium3-w2000-fat | least to most";
    assert_shows(&unfolded(&shown), head);
    assert_shows(&shown, "8.62");
    let run = sandbox.exported();
    assert_eq!(run["contests"][0]["setting"]["cache"], "cold");
    for trial in list(&run["trials"]) {
        assert_eq!(list(&trial["samples"]).len(), 6, "an uncounted one and five: {}", trial["technique"]);
    }
    let page = sandbox.shown("report last --format html");
    let places = ["Then and here", "Table C-1, copying a file", "The published machines next to this host"];
    assert!(places.map(|text| page.find(text)).is_sorted(), "{places:?}");
}

#[test]
fn the_published_preset_measures_families_with_and_without_files() {
    let sandbox = Sandbox::new();
    let named =
        "copy/cpC copy/std_copy threads/thread_each threads/pool clock/std_instant clock/std_system_time";
    let run = sandbox.run(&format!("{named} --preset published --dry-run")).assert().success();
    assert_shows(&stdout(&run), "copy, threads, clock");
    sandbox.measured("clock/std_instant clock/std_system_time --preset published --rounds 3");
    assert!(sandbox.exported()["contests"][0]["setting"]["cache"].is_null());
}

#[test]
fn each_round_of_a_sort_as_published_has_an_input_of_its_own() {
    let sandbox = Sandbox::new();
    sandbox.measured("sort/sortHP sort/sortFL --preset published --set records=1k");
    let mut of_rounds: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    for trial in list(&sandbox.exported()["trials"]) {
        for sample in list(&trial["samples"]) {
            let round = sample["round"].as_u64().expect("a round");
            of_rounds.entry(round).or_default().insert(text(&sample["proof"]["digest"]).to_owned());
        }
    }
    assert!(of_rounds.values().all(|digests| digests.len() == 1), "{of_rounds:?}");
    assert_eq!(of_rounds.values().flatten().collect::<BTreeSet<_>>().len(), 6, "{of_rounds:?}");
}
