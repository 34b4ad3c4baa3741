//! The family as the coordinator sees it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use model::{Availability, Host, Preset, Proof, Setting, Trial, Workload};

use super::job::{ControlJob, proof_of_iterations};
use super::{REFERENCE, TECHNIQUES};
use crate::contract::{Axis, Body, Entry, Family, Placeholder, entries_of};
use crate::files::{at, remove_if_there};
use crate::lookup::technique_of;

/// About 2 ms on a processor of 4 GHz: an iteration takes 12 cycles.
const ITERATIONS: u64 = 660_000;

/// Environment variable in which the coordinator tells a worker its round, from 0.
pub(super) const ROUND_VARIABLE: &str = "BAKEOFF_ROUND";
/// Environment variable in which the coordinator tells a worker its place in the round, from 0.
pub(super) const POSITION_VARIABLE: &str = "BAKEOFF_POSITION";

/// Does the instrument see what is there, and nothing else?
pub struct Control;

impl Family for Control {
    fn name(&self) -> &'static str {
        "control"
    }

    fn question(&self) -> &'static str {
        "Does the instrument see what is there, and nothing else?"
    }

    fn entries(&self) -> Vec<Entry> {
        entries_of(TECHNIQUES)
    }

    fn is_control(&self) -> bool {
        true
    }

    fn reference(&self) -> &'static str {
        REFERENCE
    }

    fn workloads(&self, _preset: Preset) -> Vec<Workload> {
        let work = Workload { name: "work".to_owned(), ..Workload::default() };
        vec![work.with_number("iterations", ITERATIONS)]
    }

    fn workload_of_bytes(&self, _bytes: u64) -> Option<Workload> {
        None
    }

    fn axes(&self) -> &'static [Axis] {
        const AXES: &[Axis] = &[Axis {
            name: "iterations",
            meaning: "length of the loop; 660000 iterations take about 2 ms at 4 GHz",
            example: "6600000",
        }];
        AXES
    }

    fn set(&self, workload: &mut Workload, axis: &str, value: &str) -> Result<(), String> {
        let iterations = value.parse().ok().filter(|&iterations: &u64| iterations > 0);
        let iterations = iterations.ok_or("a whole number from 1 on is expected, for example 6600000")?;
        workload.numbers.insert(axis.to_owned(), iterations);
        Ok(())
    }

    fn scratch_bytes(&self, _workload: &Workload) -> u64 {
        64 << 10
    }

    fn generate(&self, _workload: &Workload, _scratch: &Path, _seed: u64) -> io::Result<()> {
        Ok(())
    }

    fn inputs(&self, _workload: &Workload, _scratch: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn expected(&self, workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(proof_of_iterations(iterations_of(workload)?))
    }

    fn clear(&self, _workload: &Workload, scratch: &Path) -> io::Result<()> {
        remove_if_there(&false_answer_in(scratch))
    }

    /// A loop leaves nothing behind. Who did something else than was asked has written the number down.
    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        let path = false_answer_in(scratch);
        let answer = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => iterations_of(workload)?,
            read => {
                let refused = |error| io::Error::new(io::ErrorKind::InvalidData, error);
                read.and_then(|text| text.trim().parse().map_err(refused)).map_err(at("read", &path))?
            }
        };
        Ok(proof_of_iterations(answer))
    }

    fn placeholders(&self, _workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        vec![Placeholder::optional("output", vec![false_answer_in(scratch).into()])]
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        match technique_of(self.name(), TECHNIQUES, entry) {
            Ok((technique, _)) => (technique.probe)(host, setting),
            Err(refused) => Availability::Missing(refused.to_string()),
        }
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, _) = technique_of(self.name(), TECHNIQUES, &trial.technique)?;
        let job = ControlJob {
            iterations: iterations_of(&trial.workload)?,
            false_answer: false_answer_in(&trial.scratch),
            round: told(ROUND_VARIABLE).unwrap_or(0),
            position: told(POSITION_VARIABLE),
            seed: trial.seed,
            memory_limit_bytes: trial.setting.memory_limit_bytes,
        };
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

fn iterations_of(workload: &Workload) -> io::Result<u64> {
    workload.number("iterations").ok_or_else(|| {
        let sentence =
            format!("the workload '{}' of the control family has no number of iterations", workload.name);
        io::Error::new(io::ErrorKind::InvalidInput, sentence)
    })
}

fn false_answer_in(scratch: &Path) -> PathBuf {
    scratch.join("control.output")
}

fn told(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
