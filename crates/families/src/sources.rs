//! The source of every technique, as it was compiled.

/// Path below `crates/families/src` and text of each file, in the order of the paths of a family.
static SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The file that declares a technique.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Source {
    /// Its path below `crates/families/src`.
    pub path: &'static str,
    /// What stands in it.
    pub text: &'static str,
}

/// The file of a built-in technique; most are called after it. What it shares with others stands in files of its family.
pub fn source_of(family: &str, technique: &str) -> Option<Source> {
    let of_family = || SOURCES.iter().filter(|(path, _)| path.split('/').next() == Some(family));
    let named = format!("/{technique}.rs");
    let declared = [format!("name: \"{technique}\""), format!("\"{technique}\"")];
    let by_name = of_family().find(|(path, _)| path.ends_with(&named));
    let found = by_name.or_else(|| {
        declared.iter().find_map(|words| of_family().find(|(_, text)| text.contains(words.as_str())))
    });
    found.map(|&(path, text)| Source { path, text })
}

#[cfg(test)]
mod tests {
    use super::source_of;

    #[test]
    fn every_technique_carries_the_file_that_declares_it() {
        for family in crate::all() {
            for entry in family.entries() {
                let technique = entry.technique();
                let source = source_of(family.name(), technique);
                let source = source.unwrap_or_else(|| panic!("{}/{technique} has no source", family.name()));
                assert!(source.path.starts_with(family.name()), "{}", source.path);
                assert!(source.text.contains(&format!("\"{technique}\"")), "{} of {technique}", source.path);
            }
        }
        assert_eq!(source_of("copy", "carrier_pigeon"), None);
    }
}
