//! The test over a family's list: a technique that no list names would never take part.

use std::fs;
use std::path::{Path, PathBuf};

/// Fails, with the lines to paste, when a file in the folder `techniques` declares a technique that the folder's front page
/// does not list; also when it declares none, and when a technique is declared outside that folder.
pub(crate) fn assert_every_technique_is_listed(family: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(family);
    let faults = faults_in(&folder);
    assert!(faults.is_empty(), "add to {family}/techniques/mod.rs:\n{}", faults.join("\n"));
}

fn faults_in(family: &Path) -> Vec<String> {
    let folder = family.join("techniques");
    let front_page = fs::read_to_string(folder.join("mod.rs")).expect("the techniques have a front page");
    let mut faults = Vec::new();
    for file in source_files(family) {
        let text = fs::read_to_string(&file).expect("a source file is readable");
        let declared = declared_in(&text);
        match file.strip_prefix(&folder) {
            Ok(inside) if inside == Path::new("mod.rs") => {}
            Ok(inside) => faults.extend(unlisted(&inside.with_extension(""), &declared, &front_page)),
            Err(_) if declared.is_empty() => {}
            Err(_) => {
                let inside = file.strip_prefix(family).expect("it lies in the folder").display();
                faults.push(format!(
                    "    (move {inside} into techniques: it declares {})",
                    declared.join(", ")
                ));
            }
        }
    }
    faults
}

/// The lines that the front page lacks for the file of this module.
fn unlisted(module: &Path, declared: &[&str], front_page: &str) -> Vec<String> {
    let parts: Vec<String> = module.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let name = parts.last().expect("a file has a name");
    let module = parts.join("::");
    let mut missing = Vec::new();
    if declared.is_empty() {
        missing.push(format!("    (no technique is declared in {module}: move it out of techniques)"));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_technique_of_every_family_is_listed() {
        // Those of the others are rows of tables, which their front page lists whole.
        let families = crate::all().iter().map(|family| family.name());
        families
            .filter(|name| !["clock", "control"].contains(name))
            .for_each(assert_every_technique_is_listed);
    }

    const DECLARATION: &str = "pub(super) const LEAP: Technique<Job> = Technique {\n";

    /// What is wrong in a family of a job and these files, whose techniques have this front page.
    fn faults(front_page: &str, files: &[(&str, &str)]) -> Vec<String> {
        let family = tempfile::tempdir().expect("scratch");
        fs::create_dir_all(family.path().join("techniques/linux")).expect("folders");
        for (path, text) in
            [("job.rs", "struct Job;\n"), ("techniques/mod.rs", front_page)].iter().chain(files)
        {
            fs::write(family.path().join(path), text).expect("written");
        }
        faults_in(family.path())
    }

    #[test]
    fn a_technique_that_is_not_listed_is_found_with_the_lines_to_paste() {
        let files = [("techniques/leap.rs", DECLARATION)];
        assert_eq!(faults("", &files), ["mod leap;", "    leap::LEAP,"]);
        assert_eq!(faults("mod leap;\n    leap::LEAP,\n", &files), Vec::<String>::new());
        let alone = "mod leap;\nconst TECHNIQUES: &[Technique<Job>] = &[leap::LEAP];\n";
        assert_eq!(faults(alone, &files), Vec::<String>::new());
        let of_a_system = [("techniques/linux/leap.rs", DECLARATION)];
        assert_eq!(faults("pub(super) mod leap;\n", &of_a_system), ["    linux::leap::LEAP,"]);
    }

    #[test]
    fn a_file_in_the_wrong_folder_is_told() {
        let faults_of_support = faults("mod parts;\n", &[("techniques/parts.rs", "struct Parts;\n")]);
        assert_eq!(faults_of_support, ["    (no technique is declared in parts: move it out of techniques)"]);
        let faults_of_technique = faults("", &[("leap.rs", DECLARATION)]);
        assert_eq!(faults_of_technique, ["    (move leap.rs into techniques: it declares LEAP)"]);
    }
}
