//! The test over a family's list: a technique that no list names would never take part.

use std::fs;
use std::path::{Path, PathBuf};

/// Fails, with the lines to paste, when a file of the folder declares a technique that the front page does not
/// list, or when it declares none and is not one of the `supporting` files.
pub(crate) fn assert_every_technique_is_listed(family: &str, supporting: &[&str]) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(family);
    let front_page = fs::read_to_string(folder.join("mod.rs")).expect("a family has a front page");
    let missing = unlisted(&folder, &front_page, supporting);
    assert!(missing.is_empty(), "add to {family}/mod.rs:\n{}", missing.join("\n"));
}

fn unlisted(folder: &Path, front_page: &str, supporting: &[&str]) -> Vec<String> {
    let mut missing = Vec::new();
    for file in source_files(folder) {
        let inside = file.strip_prefix(folder).expect("it lies in the folder").with_extension("");
        let module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let module = module.join("::");
        if ["mod", "tests", "linux::tests", "windows::tests"].contains(&module.as_str()) {
            continue;
        }
        let text = fs::read_to_string(&file).expect("a source file is readable");
        let declared = declared_in(&text);
        if declared.is_empty() && !supporting.contains(&module.as_str()) {
            missing.push(format!(
                "    (no technique is declared in {module}: name it as supporting in the test)"
            ));
        }
        let name = module.rsplit("::").next().expect("a file has a name");
        if !front_page.contains(&format!("mod {name};")) {
            missing.push(format!("mod {name};"));
        }
        for constant in declared {
            let name = format!("{module}::{constant}");
            // A list of one stands in a single line.
            if !front_page.split(['[', ']', ',', '\n']).any(|listed| listed.trim() == name) {
                missing.push(format!("    {name},"));
            }
        }
    }
    missing
}

fn source_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files.extend(source_files(&path)),
            false => files.push(path),
        }
    }
    files.sort();
    files
}

/// The names of the constants that are techniques: `pub(super) const READ_WRITE: Technique<CopyJob> = ...`.
fn declared_in(text: &str) -> Vec<&str> {
    text.lines()
        .filter_map(|line| line.split_once(": Technique<"))
        .filter_map(|(before, _)| before.rsplit_once("const "))
        .filter(|(visibility, _)| visibility.starts_with("pub"))
        .map(|(_, name)| name)
        .collect()
}

#[test]
fn a_technique_that_is_not_listed_is_found_with_the_lines_to_paste() {
    let folder = tempfile::tempdir().expect("scratch");
    let declaration = "pub(super) const LEAP: Technique<Job> = Technique {\n";
    fs::write(folder.path().join("leap.rs"), declaration).expect("written");
    fs::write(folder.path().join("job.rs"), "struct Job;\n").expect("written");
    let listed = "mod job;\nmod leap;\n    leap::LEAP,\n";
    assert_eq!(unlisted(folder.path(), listed, &["job"]), Vec::<String>::new());
    let alone = "mod job;\nmod leap;\nconst TECHNIQUES: &[Technique<Job>] = &[leap::LEAP];\n";
    assert_eq!(unlisted(folder.path(), alone, &["job"]), Vec::<String>::new());
    assert_eq!(unlisted(folder.path(), "mod job;", &["job"]), ["mod leap;", "    leap::LEAP,"]);
    assert_eq!(unlisted(folder.path(), listed, &[]).len(), 1);
}
