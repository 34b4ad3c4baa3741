//! What a reader must know of a sample.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a reader must know of a sample. In files it is one text that begins with its name; a text that names nothing known here, as
/// those of a newer version may, stays what it is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(from = "String", into = "String")]
#[schemars(with = "String")]
pub enum SampleNote {
    /// The result shares the extents of the input.
    Reflinked,
    /// The technique did something else than its name says: what, and why.
    FellBack(String),
    /// The input was to be out of the file cache, and this is why that is not proven.
    ColdNotProven(String),
    /// The input was to be in the file cache, and not all of it stayed there.
    NotWarm(String),
    /// Only a part of the work was done, and its time follows from that part: which, and how long that took.
    Extrapolated(String),
    /// The input was made again before this sample: why.
    MadeAnew(String),
    /// In the technique's own words.
    Other(String),
}

const REFLINKED: &str = "reflinked";
const FELL_BACK: &str = "fell back: ";
const COLD_NOT_PROVEN: &str = "cold: not proven (";
const NOT_WARM: &str = "warm: ";
const EXTRAPOLATED: &str = "extrapolated: ";
const MADE_ANEW: &str = "made anew: ";

impl From<String> for SampleNote {
    fn from(text: String) -> Self {
        let behind = |name: &str| text.strip_prefix(name).map(str::to_owned);
        if text == REFLINKED {
            return Self::Reflinked;
        }
        let cold = behind(COLD_NOT_PROVEN).and_then(|why| why.strip_suffix(')').map(str::to_owned));
        behind(FELL_BACK)
            .map(Self::FellBack)
            .or_else(|| cold.map(Self::ColdNotProven))
            .or_else(|| behind(NOT_WARM).map(Self::NotWarm))
            .or_else(|| behind(EXTRAPOLATED).map(Self::Extrapolated))
            .or_else(|| behind(MADE_ANEW).map(Self::MadeAnew))
            .unwrap_or(Self::Other(text))
    }
}

impl From<&str> for SampleNote {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<SampleNote> for String {
    fn from(note: SampleNote) -> Self {
        note.to_string()
    }
}

impl fmt::Display for SampleNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Reflinked => f.write_str(REFLINKED),
            Self::FellBack(what) => write!(f, "{FELL_BACK}{what}"),
            Self::ColdNotProven(why) => write!(f, "{COLD_NOT_PROVEN}{why})"),
            Self::NotWarm(what) => write!(f, "{NOT_WARM}{what}"),
            Self::Extrapolated(what) => write!(f, "{EXTRAPOLATED}{what}"),
            Self::MadeAnew(why) => write!(f, "{MADE_ANEW}{why}"),
            Self::Other(words) => f.write_str(words),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_note_comes_back_from_its_text_and_one_of_a_newer_version_stays_readable() {
        let notes = [
            (SampleNote::Reflinked, "reflinked"),
            (SampleNote::FellBack("read and write".into()), "fell back: read and write"),
            (SampleNote::ColdNotProven("no answer".into()), "cold: not proven (no answer)"),
            (SampleNote::NotWarm("only 3 of 4 pages".into()), "warm: only 3 of 4 pages"),
            (SampleNote::Extrapolated("read from 2 %".into()), "extrapolated: read from 2 %"),
            (SampleNote::MadeAnew("/a had changed".into()), "made anew: /a had changed"),
            (SampleNote::Other("teleported: twice".into()), "teleported: twice"),
            (SampleNote::Other("cold: not proven (cut".into()), "cold: not proven (cut"),
            (SampleNote::Other("reflinked by chance".into()), "reflinked by chance"),
        ];
        for (note, text) in notes {
            assert_eq!(note.to_string(), text);
            assert_eq!(serde_json::to_value(&note).expect("a text"), text);
            assert_eq!(SampleNote::from(text), note);
        }
    }
}
