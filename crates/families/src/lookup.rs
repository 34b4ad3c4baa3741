//! From the name in a trial to the technique.

use std::io;

use crate::contract::{Technique, split_entry};

/// The technique of an entry, and the value of its parameter where it has one.
///
/// # Errors
/// No technique has that name, a value is missing, not expected, or 0.
pub(crate) fn technique_of<Job>(
    family: &str,
    techniques: &'static [Technique<Job>],
    entry: &str,
) -> io::Result<(&'static Technique<Job>, Option<u64>)> {
    let refused = |sentence: String| Err(io::Error::new(io::ErrorKind::InvalidInput, sentence));
    let (name, value) = split_entry(entry)?;
    let Some(technique) = techniques.iter().find(|technique| technique.name == name) else {
        let sentence = format!("{family} has no technique '{name}'; `bakeoff list {family}` names them");
        return Err(io::Error::new(io::ErrorKind::NotFound, sentence));
    };
    match (technique.parameter, value) {
        (Some(axis), None) => {
            refused(format!("{name} needs a value of {}: for example {name}@{}", axis.name, axis.values[0]))
        }
        (None, Some(_)) => refused(format!("{name} has no parameter: '{entry}' must be {name}")),
        (Some(axis), Some(0)) => refused(format!("{entry}: 0 is no value of {}", axis.name)),
        _ => Ok((technique, value)),
    }
}
