//! Under which conditions a trial runs, and where.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_with::skip_serializing_none;

in_words! {
    /// The input's state in the file cache when the clock starts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Cache {
        /// The whole input is resident.
        #[default]
        Warm = "warm",
        /// Nothing of the input is resident, and that was checked.
        Cold = "cold",
    }
}

in_words! {
    /// When the clock stops.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
    pub enum Durability {
        /// When the last call has returned; the data may still be in memory only.
        #[default]
        Returned = "returned",
        /// When data and directory entry have been flushed to the device.
        Durable = "durable",
    }
}

/// Conditions that must be equal for two figures to be compared. Without files there is no cache, no end point and no file system.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
pub struct Conditions {
    /// State of the file cache at the start.
    pub cache: Option<Cache>,
    /// The end point of the clock.
    pub durability: Option<Durability>,
    /// Name of the file system that holds the files, e.g. `ext4`.
    pub file_system: Option<String>,
    /// Logical processors the trial may run on; empty means all that the tool itself may use.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<u32>,
    /// Memory the trial may use, when limited.
    pub memory_limit_bytes: Option<u64>,
}

/// The place on a host. Figures of two places may be compared, and never belong to one contest.
#[skip_serializing_none]
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
pub struct Place {
    /// The directory the user named; scratch files live in a private folder inside it. `None` where no file is touched.
    pub directory: Option<PathBuf>,
}

/// Conditions and place of a trial, which distinguish contests next to the size. The default is that of work without files,
/// on all processors.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize, JsonSchema)]
pub struct Setting {
    /// The conditions of comparable figures.
    #[serde(flatten)]
    pub conditions: Conditions,
    /// The place of the measurement.
    #[serde(flatten)]
    pub place: Place,
}

impl Setting {
    /// Returns the setting of work on files in a directory, with a warm cache.
    pub fn warm(directory: impl Into<PathBuf>, durability: Durability) -> Self {
        let (cache, durability) = (Some(Cache::Warm), Some(durability));
        Self {
            conditions: Conditions { cache, durability, ..Conditions::default() },
            place: Place { directory: Some(directory.into()) },
        }
    }

    /// Returns the directory that holds the files.
    pub fn directory(&self) -> Option<&Path> {
        self.place.directory.as_deref()
    }

    /// Returns whether nothing of the input may be in the file cache.
    pub fn is_cold(&self) -> bool {
        self.conditions.cache == Some(Cache::Cold)
    }

    /// Returns whether data and directory entry must be flushed before the clock stops.
    pub fn is_durable(&self) -> bool {
        self.conditions.durability == Some(Durability::Durable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_without_files_names_no_cache_end_or_directory() {
        let mut setting = Setting::default();
        assert_eq!(serde_json::to_string(&setting).expect("JSON"), "{}");
        setting.conditions.processors = vec![0, 1];
        let written = serde_json::to_string(&setting).expect("JSON");
        assert_eq!(written, r#"{"processors":[0,1]}"#);
        assert_eq!(serde_json::from_str::<Setting>(&written).expect("a setting"), setting);
    }

    #[test]
    fn conditions_and_place_stand_side_by_side_in_files() {
        let setting = Setting::warm("/data", Durability::Durable);
        let written = serde_json::to_string(&setting).expect("JSON");
        assert_eq!(written, r#"{"cache":"warm","durability":"durable","directory":"/data"}"#);
        assert_eq!(serde_json::from_str::<Setting>(&written).expect("a setting"), setting);
        serde_json::from_str::<Setting>(r#"{"cache":"tepid"}"#).expect_err("no state of a cache");
    }
}
