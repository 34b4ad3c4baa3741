//! A technique as the plan sees it.

use model::{Class, Point};

use super::Technique;

/// A technique at one point of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `name`, `name@value` where the technique has one parameter, `name@depth=100,timeout=25ms` where it has more.
    pub name: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The idea in one line.
    pub idea: String,
    /// The program, page or paper that it comes from.
    pub source: String,
    /// What a host must have, where it is more than the system itself.
    pub needs: Option<String>,
    /// What kind of result it leaves.
    pub class: Class,
    /// Whether it is not a competitor but the limit.
    pub ceiling: bool,
    /// Names of its parameters with their units, in the order of the name.
    pub parameters: Vec<&'static str>,
    /// The chosen values.
    pub point: Point,
    /// The technique that it is a variant of.
    pub variant_of: Option<&'static str>,
}

impl Entry {
    /// The technique at one of its points.
    pub(crate) fn new<Job>(technique: &Technique<Job>, point: Point) -> Self {
        Self {
            name: technique.entry_name(&point),
            aliases: technique.alias.iter().map(|&alias| alias.to_owned()).collect(),
            idea: technique.idea.to_owned(),
            source: technique.source.to_owned(),
            needs: (!technique.needs.is_empty()).then(|| technique.needs.to_owned()),
            class: technique.class,
            ceiling: technique.ceiling,
            parameters: technique.parameters.iter().map(|axis| axis.name).collect(),
            point,
            variant_of: technique.variant_of,
        }
    }

    /// The name of the technique alone.
    pub fn technique(&self) -> &str {
        technique_in(&self.name)
    }
}

/// The technique that an entry's name names, without the values of its parameters.
pub fn technique_in(entry: &str) -> &str {
    entry.split_once('@').map_or(entry, |(technique, _)| technique)
}
