//! What must be ready on the machine where everything is tested. A technique that its probe refuses is tested there by
//! no test, and none would tell: here it fails, unless it is named among those that need what is not there.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(windows)]
mod windows;
#[cfg(target_os = "linux")]
use linux as system;
#[cfg(windows)]
use windows as system;

use families::all;
use model::{Availability, Durability, Host, Setting};

#[test]
#[ignore = "asks for the machine where everything is tested: .ci/steps/ready runs it"]
fn every_technique_is_ready_but_those_that_need_what_is_not_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let setting = Setting::warm(folder.path(), Durability::Returned);
    let mut missing = Vec::new();
    let mut known = Vec::new();
    for family in all() {
        for entry in family.entries() {
            let technique = entry.name.split('@').next().unwrap_or_default();
            let name = format!("{}/{technique}", family.name());
            known.push(name.clone());
            if let Availability::Missing(sentence) = family.probe(&entry.name, &Host::default(), &setting) {
                missing.push((name, sentence));
            }
        }
    }
    let excused = |(name, sentence): &(String, String)| {
        system::MAY_BE_MISSING.iter().any(|(entry, reason)| entry == name && sentence.contains(reason))
    };
    missing.retain(|refused| !excused(refused));
    assert!(missing.is_empty(), "these must be ready here, in {}: {missing:#?}", folder.path().display());
    for (entry, _) in system::MAY_BE_MISSING {
        assert!(known.iter().any(|name| name == entry), "{entry} is the name of no technique");
    }
}
