//! `bakeoff show`.

use serde_json::Value;

use crate::sandbox::{Sandbox, assert_refused, stdout};

/// `bakeoff show` in the directory of the sandbox.
fn show(sandbox: &Sandbox, arguments: &[&str]) -> crate::sandbox::Program {
    let mut command = sandbox.bakeoff(&["show", "--dir"]);
    command.arg(sandbox.dir()).args(arguments);
    command
}

fn json(sandbox: &Sandbox, technique: &str) -> Value {
    let assert = show(sandbox, &[technique, "--format", "json"]).assert().success();
    serde_json::from_str(&stdout(&assert)).expect("JSON")
}

#[test]
fn a_technique_is_shown_with_its_idea_its_calls_and_its_code_in_every_format() {
    let sandbox = Sandbox::new();
    let shown = stdout(&show(&sandbox, &["copy/cpW"]).assert().success());
    for word in [
        "copy/small_buffer",
        "256 bytes at a time",
        "published as",
        "what it does here",
        "No kept run has compared it.",
        "its code: crates/families/src/copy/techniques/small_buffer.rs",
        "pub(super) const SMALL_BUFFER",
    ] {
        assert!(shown.contains(word), "'{word}' is missing:\n{shown}");
    }
    let markdown = stdout(&show(&sandbox, &["copy/cpW", "--format", "markdown"]).assert().success());
    assert!(markdown.contains("```rust\n//!") && markdown.ends_with("}\n```\n"), "{markdown}");
    let told = json(&sandbox, "copy/cpW");
    assert_eq!((&told["technique"], &told["available"]), (&"small_buffer".into(), &true.into()));
    assert!(told["code"].as_str().is_some_and(|code| code.contains("\"small_buffer\"")), "{told}");
    assert_eq!(told["explained"]["techniques"][0]["name"], "small_buffer");
    sandbox.assert_untouched();
}

#[test]
fn a_technique_tells_where_it_stood_in_the_kept_runs() {
    let sandbox = Sandbox::new();
    sandbox.ran(&[]);
    let run = sandbox.exported();
    let told = json(&sandbox, "copy/std_copy");
    let contest = &told["contests"][0];
    assert_eq!(contest["run"], run["run"]["id"]);
    assert_eq!(contest["entry"], "std_copy");
    assert!(contest["standing"].is_string(), "{contest}");
    let shown = stdout(&show(&sandbox, &["copy/std_copy"]).assert().success());
    assert!(shown.contains(run["run"]["id"].as_str().expect("an id")), "{shown}");
}

#[test]
fn a_technique_that_cannot_run_here_says_why_and_shows_its_code_all_the_same() {
    let sandbox = Sandbox::new();
    let families = json_of_list(&sandbox);
    for family in families["families"].as_array().expect("families") {
        let mut techniques = family["techniques"].as_array().expect("techniques").iter();
        if let Some(missing) = techniques.find(|one| one["available"] == false) {
            let name = format!(
                "{}/{}",
                family["family"].as_str().expect("a name"),
                missing["name"].as_str().expect("a name")
            );
            let told = json(&sandbox, &name);
            assert!(told["reason"].is_string() && told["not_explained"].is_string(), "{told}");
            assert!(told["code"].as_str().is_some_and(|code| !code.is_empty()), "{name}");
        }
    }
}

fn json_of_list(sandbox: &Sandbox) -> Value {
    let mut command = sandbox.bakeoff(&["list", "--format", "json", "--dir"]);
    let assert = command.arg(sandbox.dir()).assert().success();
    serde_json::from_str(&stdout(&assert)).expect("JSON")
}

#[test]
fn for_which_workloads_and_systems_a_technique_is_meant_is_told() {
    let sandbox = Sandbox::new();
    let only_for = |name: &str| {
        let told = json(&sandbox, name)["only_for"].clone();
        serde_json::from_value::<Vec<String>>(told).expect("a list")
    };
    let many = only_for("copy/parallel_files");
    assert!(many.len() == 1 && many[0].starts_with("many files: "), "{many:?}");
    let one = only_for("copy/direct");
    assert!(one.len() == 1 && one[0].starts_with("one large file: "), "{one:?}");
    let words = only_for("disk/write_through");
    assert!(words.len() == 1 && words[0].starts_with("workloads other than phases=read ("), "{words:?}");
    assert!(only_for("copy/read_write").is_empty());
    let shown = stdout(&show(&sandbox, &["copy/direct"]).assert().success());
    assert!(shown.contains("only for") && shown.contains("one large file"), "{shown}");
}

#[test]
fn what_a_technique_needs_is_told_whether_or_not_it_is_here() {
    let sandbox = Sandbox::new();
    let plain = stdout(&show(&sandbox, &["blocks/plain"]).assert().success());
    assert!(plain.contains("needs") && plain.contains("nothing but"), "{plain}");
    let direct = json(&sandbox, "copy/direct")["needs"].clone();
    assert_eq!(direct, "a file system that reads and writes past the file cache");
}

#[test]
fn the_code_that_a_technique_takes_its_idea_from_follows_its_own() {
    let sandbox = Sandbox::new();
    let names = |told: &Value| -> Vec<String> {
        let further = told["further_code"].as_array().expect("further code");
        further.iter().map(|one| one["file"].as_str().expect("a file").to_owned()).collect()
    };
    let told = json(&sandbox, "pipeline/signal_kernel_lock");
    let named = names(&told);
    let queue = "crates/families/src/pipeline/locked.rs";
    assert!(named.iter().any(|file| file == queue), "{named:?}");
    let shown = stdout(&show(&sandbox, &["pipeline/signal_kernel_lock"]).assert().success());
    assert!(shown.contains(&format!("further code: {queue}, 40 of ")), "{shown}");
    let whole = stdout(&show(&sandbox, &["pipeline/signal_kernel_lock", "--all"]).assert().success());
    let code = told["further_code"].as_array().expect("further code");
    for one in code {
        assert!(whole.contains(one["code"].as_str().expect("code")), "{}", one["file"]);
    }
    assert!(whole.len() > shown.len());
}

#[test]
fn what_is_no_technique_is_refused_in_one_line() {
    let sandbox = Sandbox::new();
    assert_refused(&mut show(&sandbox, &["copy"]), &["name one technique of copy", "bakeoff list copy"]);
    assert_refused(&mut show(&sandbox, &["copy/presised"]), &["did you mean 'presized'"]);
    assert_refused(&mut show(&sandbox, &["cpW"]), &["copy/cpW"]);
    assert_refused(&mut show(&sandbox, &["copy/none"]), &["'none' is no technique of copy"]);
    assert_refused(&mut show(&sandbox, &["copy/"]), &["copy has no technique ''"]);
    assert_refused(&mut show(&sandbox, &[]), &["FAMILY/TECHNIQUE"]);
    sandbox.assert_untouched();
}
