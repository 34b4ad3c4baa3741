//! The conditions and places in which each family is measured.

use std::cell::{OnceCell, RefCell};

use families::AnyFamily;
use model::{Cache, Conditions, Note, Place, Setting, Topic, Volume, Workload};

use crate::request::{Refusal, Request};

/// The way in which the host limits the memory of processes with their part of the file cache; asked once, when a family needs it.
#[derive(Debug, Default)]
pub(crate) struct MemoryGroups {
    answer: OnceCell<Result<String, String>>,
    pub(crate) notes: RefCell<Vec<Note>>,
}

impl MemoryGroups {
    /// Adds the limit that the family's question asks for, or the user's own. A host may have none: it is left out or refused.
    pub(crate) fn limit(
        &self, family: &dyn AnyFamily, workload: &Workload, mut setting: Setting, is_alone: bool,
    ) -> Result<Setting, Refusal> {
        let Some(usual_bytes) = family.memory_bytes(workload) else { return Ok(setting) };
        let asked_bytes = setting.conditions.memory_limit_bytes;
        let said = match self.answer.get_or_init(sys::memory_group::available) {
            Ok(way) => {
                let limit_bytes = asked_bytes.unwrap_or(usual_bytes);
                setting.conditions.memory_limit_bytes = Some(limit_bytes);
                let ahead_bytes = setting
                    .place
                    .directory
                    .as_deref()
                    .and_then(|at| sys::host::volume(at).ok()?.read_ahead_bytes);
                let said = ahead_bytes
                    .and_then(|ahead| danger_of_reading_ahead(family.name(), way, ahead, limit_bytes));
                said.map(|text| Note { topic: Topic::ReadAhead, text })
            }
            // Where several families were named, the limit may have been meant for the others.
            Err(reason) if asked_bytes.is_some() && is_alone => {
                return Err(Refusal(format!(
                    "--memory-limit: the memory of {} cannot be limited here, since {reason}; leave it out",
                    family.name()
                )));
            }
            Err(reason) => {
                setting.conditions.memory_limit_bytes = None;
                let text = format!(
                    "nothing limits the memory of {}, since {reason}: its file is taken out of the file cache before each \
                     phase instead, and is not larger than memory",
                    family.name()
                );
                Some(Note { topic: Topic::MemoryLimit, text })
            }
        };
        let mut notes = self.notes.borrow_mut();
        let said = said.filter(|note| !notes.contains(note));
        notes.extend(said);
        Ok(setting)
    }
}

/// Memory that a process takes next to what is read ahead. The smallest memories are halved, as `disk` does.
const OWN_BYTES: u64 = 8 << 20;

/// Returns a warning where the pages that the system reads ahead may fill the memory that the process leaves. None of them can be dropped
/// before it has come, and while one stretch is read the next is begun.
fn danger_of_reading_ahead(family: &str, way: &str, ahead_bytes: u64, limit_bytes: u64) -> Option<String> {
    let both_bytes = ahead_bytes.saturating_mul(2);
    (both_bytes.saturating_add(OWN_BYTES.min(limit_bytes / 2)) >= limit_bytes).then(|| {
        format!(
            "what the system reads ahead, up to {}, counts as memory of {family} under {way}: on a slow device it may get a \
             process killed; --memory-limit above {} leaves room",
            model::format_bytes(ahead_bytes),
            model::format_bytes(both_bytes.saturating_add(OWN_BYTES)),
        )
    })
}

/// Returns the settings in which a family is measured at a workload. One that works on no files is measured once.
pub(crate) fn settings(
    family: &dyn AnyFamily, workload: &Workload, request: &Request, volumes: &[Volume],
) -> Vec<Setting> {
    let of_all = Conditions {
        processors: request.processors.clone(),
        memory_limit_bytes: request.memory_limit_bytes,
        ..Conditions::default()
    };
    if !family.works_on_files() {
        return vec![Setting { conditions: of_all, place: Place::default() }];
    }
    let usual = [if request.is_as_published() { Cache::Cold } else { Cache::Warm }];
    let caches = if request.caches.is_empty() { &usual } else { &request.caches[..] };
    let mut settings = Vec::new();
    for directory in &request.directories {
        let volume = volumes.iter().find(|volume| volume.directory == *directory);
        for &cache in family.cache().as_ref().map_or(caches, std::slice::from_ref) {
            for &durability in
                family.durability(workload).as_ref().map_or(&request.durabilities[..], std::slice::from_ref)
            {
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

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: u64 = 64 << 20;

    fn limited(
        answer: Result<&str, &str>, asked: Option<u64>, is_alone: bool,
    ) -> (Result<Option<u64>, String>, Vec<String>) {
        let answer = OnceCell::from(answer.map(str::to_owned).map_err(str::to_owned));
        let groups = MemoryGroups { answer, ..MemoryGroups::default() };
        let workload = families::DISK.workload_of_bytes(FILE).expect("a size");
        let mut setting = Setting::default();
        setting.conditions.memory_limit_bytes = asked;
        let limited = groups.limit(families::DISK, &workload, setting, is_alone);
        let bytes = limited.map(|setting| setting.conditions.memory_limit_bytes);
        let notes = groups.notes.into_inner().into_iter().map(|note| note.text).collect();
        (bytes.map_err(|refused| refused.to_string()), notes)
    }

    #[test]
    fn a_file_is_twice_the_memory_unless_another_limit_is_chosen() {
        let (bytes, notes) = limited(Ok("a group"), None, true);
        assert_eq!(bytes, Ok(Some(FILE / 2)));
        assert_eq!(notes, Vec::<String>::new(), "the setting says it");
        assert_eq!(limited(Ok("a group"), Some(1 << 30), true).0, Ok(Some(1 << 30)));
    }

    #[test]
    fn a_memory_that_reading_ahead_may_fill_is_reported() {
        const MIB: u64 = 1 << 20;
        for (ahead_bytes, limit_bytes) in [(128 << 10, 8 * MIB), (8 * MIB, 25 * MIB)] {
            assert_eq!(danger_of_reading_ahead("disk", "a group", ahead_bytes, limit_bytes), None);
        }
        let said = danger_of_reading_ahead("disk", "a group", 8 * MIB, 24 * MIB);
        let sentence = "what the system reads ahead, up to 8 MiB, counts as memory of disk under a group: on a slow device it may get \
                        a process killed; --memory-limit above 24 MiB leaves room";
        assert_eq!(said.as_deref(), Some(sentence));
        assert!(danger_of_reading_ahead("disk", "a group", 2 * MIB, 8 * MIB).is_some());
    }

    #[test]
    fn a_host_without_limits_refuses_one_that_was_asked_for() {
        let (bytes, notes) = limited(Err("there is none"), None, true);
        assert_eq!(bytes, Ok(None));
        assert!(notes[0].starts_with("nothing limits the memory of disk, since there is none"), "{notes:?}");
        let refused = limited(Err("there is none"), Some(FILE), true).0.expect_err("none");
        assert!(refused.contains("cannot be limited here, since there is none; leave it out"), "{refused}");
        assert_eq!(limited(Err("there is none"), Some(FILE), false).0, Ok(None), "it was meant for others");
    }

    #[test]
    fn a_family_without_memory_keeps_its_limit_of_address_space() {
        let groups = MemoryGroups::default();
        let workload = families::COPY.workload_of_bytes(FILE).expect("a size");
        let mut setting = Setting::default();
        setting.conditions.memory_limit_bytes = Some(FILE);
        let kept = groups.limit(families::COPY, &workload, setting.clone(), true).expect("no question");
        assert_eq!((kept, groups.answer.get()), (setting, None));
    }
}
