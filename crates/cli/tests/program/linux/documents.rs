//! The commands in the documents are run, so that none has an option, a technique or an axis that does not exist.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::sandbox::{Program, Sandbox, Words, unfolded};

/// Returns all documents but the guide for users of hyperfine, whose lines have a test of their own.
fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = vec![root.join("README.md"), root.join("METHODOLOGY.md"), root.join("CONTRIBUTING.md")];
    for folder in ["docs", "docs/families"] {
        let entries = fs::read_dir(root.join(folder)).expect(folder);
        found.extend(entries.map(|entry| entry.expect(folder).path()));
    }
    found.retain(|path| path.extension().is_some_and(|kind| kind == "md") && !path.ends_with("hyperfine.md"));
    found
}

/// Returns the commands in the blocks of a document, and those in its sentences that name no placeholder: `bakeoff list FAMILY`.
fn commands(text: &str) -> Vec<String> {
    let (mut found, mut prose, mut is_fenced) = (Vec::new(), String::new(), false);
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced || line.starts_with("    ") {
            let typed = line.split(" #").next().unwrap_or_default().trim();
            found.extend(typed.trim_start_matches("$ ").split(" && ").map(str::to_owned));
        } else {
            prose.push_str(&format!("{line} "));
        }
    }
    let is_placeholder = |word: &str| word.trim_start_matches(['[', '\'']).starts_with(char::is_uppercase);
    let spans =
        prose.split('`').skip(1).step_by(2).filter(|span| !span.split_whitespace().any(is_placeholder));
    found.extend(spans.map(unfolded));
    found.retain(|command| command.starts_with("bakeoff "));
    found
}

/// A store with a run, and what the documents' commands name: files, folders and programs.
struct Stage {
    sandbox: Sandbox,
    run: String,
    path: String,
}

impl Stage {
    fn new() -> Self {
        let sandbox = Sandbox::new();
        sandbox.ran("--no-report");
        let (run, programs) = (sandbox.last_id(), sandbox.path("bin"));
        fs::create_dir(&programs).expect("a folder");
        let own = ["tool", "tool-main", "tool-pr"].map(|name| sandbox.dir().join(name));
        for program in ["gzip", "zstd", "make"].map(|name| programs.join(name)).into_iter().chain(own) {
            fs::write(&program, "#!/bin/sh\n").expect("a program");
            fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("a program");
        }
        for folder in ["data", "usb"] {
            fs::create_dir(sandbox.path(folder)).expect("a folder");
        }
        let path = format!("{}:{}", programs.display(), std::env::var("PATH").unwrap_or_default());
        Self { sandbox, run, path }
    }

    /// Returns why a command is refused, if it is. What would take long is planned only, or done with less.
    fn refusal(&self, command: &str) -> Option<String> {
        let mut words = command.words();
        for word in &mut words[1..] {
            *word = match word.as_str() {
                "20261121" => self.run.clone(),
                "/data" | "/usb" => self.sandbox.word(&word[1..]),
                _ => continue,
            };
        }
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let less: &[&str] = match words[1] {
            "run" if !words.contains(&"--dry-run") => &["--dry-run"],
            "findings" if words.contains(&"--measure") => &["--dry-run"],
            "noise" => &["--budget", "1s"],
            // The name of a command in a sentence.
            "advise" | "compare" | "explain" | "import" | "judge" | "show" | "time" if words.len() == 2 => {
                &["--help"]
            }
            "time" if !words.contains(&"-n") && !words.contains(&"--") => &["-n", "2"],
            "explain" if words.iter().any(|word| word.starts_with("copy")) => &["--size", "64K"],
            _ => &[],
        };
        let mut program: Program = self.sandbox.bakeoff(&words[1..]);
        program.args(less).env("PATH", &self.path).current_dir(self.sandbox.dir());
        let output = program.output().expect("an answer");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // One run is no history.
        let is_well =
            matches!(output.status.code(), Some(0 | 1)) || said.contains("nothing could be checked");
        (!is_well).then_some(said)
    }
}

#[test]
fn every_command_in_the_documents_is_accepted() {
    let stage = Stage::new();
    let (mut refused, mut run) = (Vec::new(), 0);
    for document in documents() {
        let text = fs::read_to_string(&document).expect("a document");
        for command in commands(&text) {
            run += 1;
            if let Some(said) = stage.refusal(&command) {
                refused.push(format!("{}: {command}: {said}", document.display()));
            }
        }
    }
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert!(run > 40, "only {run} commands were found");
}

#[test]
fn a_document_with_a_wrong_name_is_noticed() {
    let stage = Stage::new();
    for (document, wrong) in [
        ("```sh\nbakeoff run copy --sise 4K  # a comment\n```", "--sise"),
        ("```text\n$ bakeoff run copi\n  a line of output\n```", "'copi'"),
        ("Text.\n\n    bakeoff explain copy/cp\n", "'cp'"),
        ("As `bakeoff\nrun sort --set ordre=sorted` says.", "--set ordre"),
        ("```sh\nbakeoff time true && bakeoff histry\n```", "'histry'"),
        ("`bakeoff show copy/presizd` and `bakeoff list FAMILY`", "'presizd'"),
    ] {
        let refused: Vec<String> =
            commands(document).iter().filter_map(|command| stage.refusal(command)).collect();
        assert!(refused.len() == 1 && refused[0].contains(wrong), "{document}: {refused:?}");
    }
}
