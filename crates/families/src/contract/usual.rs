//! What most families are, and how a family finds its techniques.

use std::io;
use std::path::Path;

use model::{Point, Proof, Trial, Workload};

use super::entry::technique_in;
use super::isolation::Isolation;
use super::{Family, Technique};

impl<Job> Family<Job> {
    /// What most families are: measured in processes, judged by time, with nothing to choose. A declaration names what
    /// differs, and always its name, question, reference, techniques and workloads.
    pub const fn usual(
        job: fn(&Trial, Point) -> io::Result<Job>,
        expected: fn(&Workload, &Path) -> io::Result<Proof>,
    ) -> Self {
        Self {
            name: "",
            question: "",
            reference: "",
            techniques: &[],
            isolation: Isolation::Sample,
            consumes_its_input: false,
            is_control: false,
            usual_bytes_per_second: None,
            workloads: |_preset| Vec::new(),
            axes: &[],
            range: |_axis| None,
            set: |workload, axis, value| {
                workload.point.set(axis.name, value);
                Ok(())
            },
            check: |_workload| Ok(()),
            quantities: &[],
            facts: None,
            curve: None,
            spread_over: None,
            cache: None,
            durability: None,
            memory_bytes: None,
            threads: |workload| workload.number("threads"),
            same_work_over: None,
            marks: Vec::new,
            further_levels: Vec::new,
            job,
            expected,
            files: None,
        }
    }

    /// The technique of an entry, with the values of its parameters.
    pub(super) fn technique_of(&self, entry: &str) -> Result<(&'static Technique<Job>, Point), String> {
        let values = entry.split_once('@').map(|(_, values)| values);
        match self.techniques.iter().find(|technique| technique.name == technique_in(entry)) {
            Some(technique) => technique.point_of(values).map(|point| (technique, point)),
            None => {
                let (family, name) = (self.name, technique_in(entry));
                match self.techniques.iter().find(|technique| technique.alias.contains(&name)) {
                    Some(meant) => Err(meant.named_by_a_program(family, name, values)),
                    None => {
                        Err(format!("{family} has no technique '{name}'; 'bakeoff list {family}' names them"))
                    }
                }
            }
        }
    }
}
