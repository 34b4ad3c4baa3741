//! What this machine is, and what it will do to the numbers.

use serde_json::Value;

use super::Page;
use super::blocks::{Align, Block, Extent, Remark, Section, Sections, Table, Tone};
use crate::json;
use crate::pages::HostPage;
use crate::words::advice;
use crate::words::facts;

/// A machine with the volumes of the directories asked about.
impl Page for HostPage<'_> {
    fn title(&self) -> String {
        "This machine".to_owned()
    }

    fn blocks(&self, _: Extent) -> Sections {
        let Self { host, volumes } = *self;
        let section = |(title, lines): facts::Section| -> Section {
            let mut table = Table::new([("", Align::Left), ("", Align::Fold)]);
            lines.into_iter().for_each(|(name, value)| table.row([name.to_owned(), value], Tone::Plain));
            vec![Block::heading(title), Block::Table(table)]
        };
        let mut page: Sections = facts::of(host, volumes).into_iter().map(section).collect();
        let found = advice::of(host, volumes);
        let told = match found.is_empty() {
            true => {
                Block::Sentence("Nothing that is known of it disturbs a measurement.".to_owned(), Tone::Plain)
            }
            false => {
                let remark = |one: &advice::Advice| Remark::new("", one.text.as_str(), Tone::Plain);
                Block::Remarks(found.iter().map(remark).collect())
            }
        };
        page.push(vec![Block::heading("what this machine will do to the numbers"), told]);
        page
    }

    fn json(&self) -> Value {
        json::host(self.host, self.volumes)
    }
}
