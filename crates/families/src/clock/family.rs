//! The family as the coordinator sees it.

use std::io;
use std::path::{Path, PathBuf};

use model::{Availability, Host, Preset, Proof, Setting, Trial, Workload};

use super::job::{ClockJob, proof_of_calls};
use super::{REFERENCE, TECHNIQUES};
use crate::contract::{Axis, Body, Entry, Family, Mode, Placeholder, entries_of};
use crate::lookup::technique_of;

/// Readings in a batch of the default run.
const CALLS: u64 = 1_000;
/// Readings in a batch of the published programs.
const PUBLISHED_CALLS: u64 = 1_000_000;
/// More would not end within the time that a process may take.
const MOST_CALLS: u64 = 1_000_000_000;
/// About 40 ns at 4 GHz: what a program may do between two events.
const CHAIN_STEPS: u64 = 16;
const MOST_CHAIN_STEPS: u64 = 1_000_000;

const CALLS_AXIS: &str = "calls";
const CHAIN_AXIS: &str = "chain_steps";

/// How do I read the time?
pub struct Clock;

impl Family for Clock {
    fn name(&self) -> &'static str {
        "clock"
    }

    fn question(&self) -> &'static str {
        "How do I read the time?"
    }

    fn entries(&self) -> Vec<Entry> {
        entries_of(TECHNIQUES)
    }

    fn mode(&self) -> Mode {
        Mode::Session
    }

    fn reference(&self) -> &'static str {
        REFERENCE
    }

    fn workloads(&self, preset: Preset) -> Vec<Workload> {
        match preset {
            Preset::Published => vec![workload("1000000 calls back to back", PUBLISHED_CALLS, 0)],
            Preset::Quick | Preset::Large => vec![
                workload("1000 calls back to back", CALLS, 0),
                workload("1000 calls amid other work", CALLS, CHAIN_STEPS),
            ],
        }
    }

    fn workload_of_bytes(&self, _bytes: u64) -> Option<Workload> {
        None
    }

    fn axes(&self) -> &'static [Axis] {
        const AXES: &[Axis] = &[
            Axis { name: CALLS_AXIS, meaning: "readings in a batch", example: "1000000" },
            Axis {
                name: CHAIN_AXIS,
                meaning: "steps of other work between two readings; 16 take about 40 ns at 4 GHz",
                example: "16",
            },
        ];
        AXES
    }

    fn set(&self, workload: &mut Workload, axis: &str, value: &str) -> Result<(), String> {
        let (least, most) = match axis {
            CALLS_AXIS => (1, MOST_CALLS),
            _ => (0, MOST_CHAIN_STEPS),
        };
        let number = value.parse().ok().filter(|number| (least..=most).contains(number));
        let number = number
            .ok_or_else(|| format!("a whole number from {least} to {most} is expected, for example 1000"))?;
        workload.numbers.insert(axis.to_owned(), number);
        Ok(())
    }

    /// It has no files.
    fn scratch_bytes(&self, _workload: &Workload) -> u64 {
        0
    }

    fn generate(&self, _workload: &Workload, _scratch: &Path, _seed: u64) -> io::Result<()> {
        Ok(())
    }

    fn inputs(&self, _workload: &Workload, _scratch: &Path) -> Vec<PathBuf> {
        Vec::new()
    }

    fn expected(&self, workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(proof_of_calls(job_of(workload)?.calls))
    }

    fn clear(&self, _workload: &Workload, _scratch: &Path) -> io::Result<()> {
        Ok(())
    }

    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        self.expected(workload, scratch)
    }

    fn placeholders(&self, _workload: &Workload, _scratch: &Path) -> Vec<Placeholder> {
        Vec::new()
    }

    fn probe(&self, entry: &str, host: &Host, setting: &Setting) -> Availability {
        match technique_of(self.name(), TECHNIQUES, entry) {
            Ok((technique, _)) => (technique.probe)(host, setting),
            Err(refused) => Availability::Missing(refused.to_string()),
        }
    }

    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let (technique, _) = technique_of(self.name(), TECHNIQUES, &trial.technique)?;
        let job = job_of(&trial.workload)?;
        let mut prepared = (technique.prepare)(&job)?;
        body(&mut *prepared)
    }
}

fn workload(name: &str, calls: u64, chain_steps: u64) -> Workload {
    let named = Workload { name: name.to_owned(), ..Workload::default() };
    named.with_number(CALLS_AXIS, calls).with_number(CHAIN_AXIS, chain_steps)
}

fn job_of(workload: &Workload) -> io::Result<ClockJob> {
    let number = |name: &str| {
        workload.number(name).ok_or_else(|| {
            let sentence =
                format!("the workload '{}' of the family clock has no number '{name}'", workload.name);
            io::Error::new(io::ErrorKind::InvalidInput, sentence)
        })
    };
    Ok(ClockJob { calls: number(CALLS_AXIS)?, chain_steps: number(CHAIN_AXIS)?, shown: None })
}
