//! Does the instrument see what is there, and nothing else?
//!
//! The truth about these techniques is known: identical ones, slower ones by a known share, and some that misbehave.

mod job;
mod techniques;

#[cfg(test)]
mod tests;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use crate::contract::{AnyFamily, Family, Files, Placeholder};
use crate::files::{at, remove_if_there};
use crate::parameters::{counts, number_of};
use job::{ControlJob, proof_of_iterations};
use techniques::TECHNIQUES;

/// About 2 ms on a processor of 4 GHz: an iteration takes 12 cycles.
const ITERATIONS: u64 = 660_000;

/// Environment variable in which the coordinator gives a worker its round, from 0.
const ROUND_VARIABLE: &str = "BAKEOFF_ROUND";
/// Environment variable in which the coordinator gives a worker its place in the round, from 0.
const POSITION_VARIABLE: &str = "BAKEOFF_POSITION";

/// The family whose techniques have a known truth, which checks the instrument.
pub static CONTROL: &dyn AnyFamily = &Family::<ControlJob> {
    name: "control",
    question: "Does the instrument see what is there, and nothing else?",
    baseline: "spin_a",
    techniques: TECHNIQUES,
    is_control: true,
    workloads: |_preset| {
        let work = Workload { name: "work".to_owned(), ..Workload::default() };
        vec![work.with("iterations", ITERATIONS)]
    },
    axes: &[counts(
        "iterations",
        "length of the loop; 660000 iterations take about 2 ms at 4 GHz",
        &[10 * ITERATIONS],
    )],
    files: Some(Files {
        scratch_bytes: |_workload| 64 << 10,
        clear: |_workload, scratch| remove_if_there(&false_answer_in(scratch)),
        inspect,
        placeholders: |_workload, scratch| {
            vec![Placeholder::optional("output", vec![false_answer_in(scratch).into()])]
        },
        ..Files::NONE
    }),
    ..Family::usual(
        |trial, _parameters| {
            Ok(ControlJob {
                iterations: number_of(&trial.workload, "iterations")?,
                false_answer: false_answer_in(&trial.scratch),
                round: number_in_environment(ROUND_VARIABLE).unwrap_or(0),
                position: number_in_environment(POSITION_VARIABLE),
                seed: trial.seed,
                memory_limit_bytes: trial.setting.conditions.memory_limit_bytes,
            })
        },
        |workload, _scratch| Ok(proof_of_iterations(number_of(workload, "iterations")?)),
    )
};

/// Reads the number of iterations that a wrong technique has written down.
fn inspect(workload: &Workload, scratch: &Path) -> io::Result<Proof> {
    let path = false_answer_in(scratch);
    let answer = match fs::read_to_string(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => number_of(workload, "iterations")?,
        read => {
            let number = read.and_then(|text| {
                text.trim().parse().map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
            });
            number.map_err(at("read", &path))?
        }
    };
    Ok(proof_of_iterations(answer))
}

fn false_answer_in(scratch: &Path) -> PathBuf {
    scratch.join("control.output")
}

fn number_in_environment(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}
