//! Under which conditions and where each family is measured.

use families::AnyFamily;
use model::{Cache, Conditions, Durability, Place, Setting, Volume};
use thiserror::Error;

use crate::plan::Request;

/// What a family without files cannot serve.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the family {family} works on no files: leave {option} out, or name other families")]
pub struct NoFilesError {
    family: String,
    option: &'static str,
}

/// Refuses what only means something for files, where a family has none: a figure must not claim to be cold or durable.
///
/// # Errors
/// The request asks for it.
pub(crate) fn refuse_what_files_need(family: &dyn AnyFamily, request: &Request) -> Result<(), NoFilesError> {
    let option = match family.works_on_files() {
        true => None,
        false if request.caches.contains(&Cache::Cold) => Some("--cache cold"),
        false if request.durabilities.contains(&Durability::Durable) => Some("--durable"),
        false => None,
    };
    match option {
        None => Ok(()),
        Some(option) => Err(NoFilesError { family: family.name().to_owned(), option }),
    }
}

/// The settings in which a family is measured. One that works on no files is measured once: directories, states of the file cache
/// and end points are nothing to it.
pub(crate) fn settings(family: &dyn AnyFamily, request: &Request, volumes: &[Volume]) -> Vec<Setting> {
    let of_all = Conditions {
        processors: request.processors.clone(),
        memory_limit_bytes: request.memory_limit_bytes,
        ..Conditions::default()
    };
    if !family.works_on_files() {
        return vec![Setting { conditions: of_all, place: Place::default() }];
    }
    let mut settings = Vec::new();
    for directory in &request.directories {
        let volume = volumes.iter().find(|volume| volume.directory == *directory);
        for &cache in &request.caches {
            for &durability in &request.durabilities {
                settings.push(Setting {
                    conditions: Conditions {
                        cache: Some(cache),
                        durability: Some(durability),
                        file_system: volume.and_then(|volume| volume.file_system.clone()),
                        ..of_all.clone()
                    },
                    place: Place { directory: Some(directory.clone()) },
                });
            }
        }
    }
    settings
}
