//! `bakeoff show`.

use model::{Preset, Workload};

use crate::sandbox::{Sandbox, assert_refused, assert_shows, list, stderr, stdout, text};

fn shown(sandbox: &Sandbox, technique: &str) -> String {
    stdout(&sandbox.in_dir("show", technique).assert().success())
}

#[test]
fn a_technique_is_shown_with_idea_calls_and_code() {
    let sandbox = Sandbox::new();
    let page = shown(&sandbox, "copy/cpW");
    let words = "copy/small_buffer | 256 bytes at a time | published as | what it does here | No kept run has compared it.";
    assert_shows(&page, words);
    let code =
        "its code: crates/families/src/copy/techniques/small_buffer.rs | pub(super) const SMALL_BUFFER";
    assert_shows(&page, code);
    let markdown = shown(&sandbox, "copy/cpW --format markdown");
    assert!(markdown.contains("```rust\n") && markdown.ends_with("}\n```\n"), "{markdown}");
    let said = sandbox.json_in_dir("show", "copy/cpW");
    assert_eq!((&said["technique"], &said["available"]), (&"small_buffer".into(), &true.into()));
    assert_shows(text(&said["code"]), "\"small_buffer\"");
    assert_eq!(said["explained"]["techniques"][0]["name"], "small_buffer");
    sandbox.assert_untouched();
}

#[test]
fn technique_is_shown_at_the_workload_of_its_contest() {
    let sandbox = Sandbox::new();
    for (name, preset) in [("copy/mmap_write", Preset::Quick), ("copy/parallel_files", Preset::Large)] {
        let said = sandbox.json_in_dir("show", name);
        let shown: Workload = serde_json::from_value(said["explained"]["workload"].clone()).expect("one");
        assert_eq!(families::COPY.workloads(preset).last(), Some(&shown), "{name}");
    }
}

#[test]
fn a_technique_shows_where_it_stood_in_the_kept_runs() {
    let sandbox = Sandbox::new();
    sandbox.ran("");
    let said = sandbox.json_in_dir("show", "copy/std_copy");
    let contest = &said["contests"][0];
    assert_eq!((text(&contest["run"]), text(&contest["entry"])), (&*sandbox.last_id(), "std_copy"));
    assert!(contest["standing"].is_string(), "{contest}");
    // What it does is seen at the work of that contest, not at a preset's.
    let of_run = &sandbox.exported()["contests"][0]["workload"];
    assert_eq!(&said["explained"]["workload"], of_run);
    // The second in which it began says which run it was.
    assert_shows(&shown(&sandbox, "copy/std_copy"), &sandbox.last_id()[..15]);
}

#[test]
fn runs_of_other_hosts_show_nothing_of_this_one() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    there.ran("");
    let mut run = there.exported();
    run["host"]["fingerprint"] = "0000000000000000".into();
    here.import(&run);
    assert!(list(&here.json_in_dir("show", "copy/std_copy")["contests"]).is_empty());
    let named = "clock/std_system_time clock/std_instant";
    there.measured(&format!("{named} --rounds 3"));
    let mut run = there.exported();
    run["host"]["fingerprint"] = "0000000000000000".into();
    here.import(&run);
    let explained = here.in_dir("explain", "clock --format json").assert().success();
    assert_shows(&stderr(&explained), "no run of clock that is kept has a leader");
}

#[test]
fn what_cannot_run_here_says_why_and_shows_its_code() {
    let sandbox = Sandbox::new();
    let families = sandbox.json(&["list", "--dir", &sandbox.word("dir")]);
    for family in list(&families["families"]) {
        let missing = list(&family["techniques"]).iter().find(|one| one["available"] == false);
        if let Some(missing) = missing {
            let said = sandbox
                .json_in_dir("show", &format!("{}/{}", text(&family["family"]), text(&missing["name"])));
            assert!(said["reason"].is_string() && said["not_explained"].is_string(), "{said}");
            assert!(!text(&said["code"]).is_empty(), "{said}");
        }
    }
}

#[test]
fn what_a_technique_needs_and_is_meant_for_is_shown() {
    let sandbox = Sandbox::new();
    for (name, only_for) in [
        ("copy/parallel_files", "many files: "),
        ("copy/direct", "one large file: "),
        ("disk/write_through", "workloads other than 'phases=read' ("),
    ] {
        let said = sandbox.json_in_dir("show", name);
        let [one] = list(&said["only_for"]) else { panic!("{said}") };
        assert!(text(one).starts_with(only_for), "{said}");
    }
    assert!(list(&sandbox.json_in_dir("show", "copy/read_write")["only_for"]).is_empty());
    assert_shows(&shown(&sandbox, "copy/direct"), "only for | one large file");
    assert_shows(&shown(&sandbox, "blocks/plain"), "needs | nothing but");
    let needs = "a file system that reads and writes past the file cache";
    assert_eq!(sandbox.json_in_dir("show", "copy/direct")["needs"], needs);
}

#[test]
fn code_that_a_technique_takes_its_idea_from_follows_its_own() {
    let sandbox = Sandbox::new();
    let name = "pipeline/signal_kernel_lock";
    let said = sandbox.json_in_dir("show", name);
    let further = list(&said["further_code"]);
    let queue = "crates/families/src/pipeline/locked.rs";
    assert!(further.iter().any(|one| one["file"] == queue), "{said}");
    let page = shown(&sandbox, name);
    assert_shows(&page, &format!("further code: {queue}, 40 of "));
    let whole = shown(&sandbox, &format!("{name} --all"));
    assert_shows(&whole, &further.iter().map(|one| text(&one["code"])).collect::<Vec<_>>()[..]);
    assert!(whole.len() > page.len());
}

#[test]
fn what_is_no_technique_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    for (name, words) in [
        ("copy", "name one technique of copy | bakeoff list copy"),
        ("copy/presised", "did you mean 'presized'"),
        ("cpW", "copy/cpW"),
        ("copy/none", "'none' is not a technique of copy"),
        ("copy/", "copy has no technique ''"),
        ("", "FAMILY/TECHNIQUE"),
    ] {
        assert_refused(&mut sandbox.in_dir("show", name), words);
    }
    sandbox.assert_untouched();
}
