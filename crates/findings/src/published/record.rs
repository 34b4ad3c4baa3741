//! A published machine in the form of a run: each figure is the only sample of its technique.

use std::collections::BTreeMap;

use model::{
    Class, Design, Host, Kind, Preset, Proof, Quantity, Record, RunId, Sample, Setting, Tool, TrialRecord,
    Usage,
};

use super::{Figure, Machine};

/// The machine as a run. It has no rounds, so nothing is claimed of it; it stands beside runs that were measured.
pub fn record(machine: &Machine) -> Record {
    let mut trials: Vec<TrialRecord> = Vec::new();
    for figure in &machine.figures {
        let is_it = |trial: &&mut TrialRecord| {
            trial.family == figure.family
                && trial.technique == figure.program
                && trial.workload == figure.workload
        };
        let known = trials.iter_mut().find(is_it);
        let trial = match known {
            Some(trial) => trial,
            None => {
                trials.push(trial(figure));
                trials.last_mut().expect("just added")
            }
        };
        enter(figure, &mut trial.samples[0]);
    }
    trials.retain(|trial| trial.samples[0].work_ns.is_some());
    let mut host = Host { name: Some(machine.name.clone()), ..Host::default() };
    host.processor.logical = Some(machine.processors);
    host.os.family = if machine.name.contains("linux") { "linux" } else { "windows" }.to_owned();
    Record {
        tool: Tool { name: judge::PUBLISHED.to_owned(), version: String::new(), commit: None },
        id: RunId(format!("published:{}", machine.name)),
        started: String::new(),
        seed: 0,
        preset: Preset::Published,
        complete: true,
        command: Vec::new(),
        design: Design {
            quantity: Quantity::WORK,
            quantities: BTreeMap::new(),
            alpha: 0.05,
            shared_by: 1,
            delta: 0.02,
            looks: Vec::new(),
            references: BTreeMap::new(),
            curves: BTreeMap::new(),
            questions: BTreeMap::new(),
        },
        host,
        volumes: Vec::new(),
        facts: Vec::new(),
        trials,
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

fn trial(figure: &Figure) -> TrialRecord {
    TrialRecord {
        family: figure.family.to_owned(),
        technique: figure.program.clone(),
        aliases: vec![figure.program.clone()],
        kind: Kind::BuiltIn,
        twin_of: None,
        variant_of: None,
        class: Class::MovesBytes,
        command: Vec::new(),
        workload: figure.workload.clone(),
        setting: Setting::default(),
        attempt: 0,
        looks: Vec::new(),
        samples: vec![sample()],
        failures: Vec::new(),
    }
}

fn sample() -> Sample {
    Sample {
        round: 0,
        inner: 0,
        position: 0,
        work_ns: None,
        process_ns: None,
        repetitions: 1,
        usage: Usage::default(),
        processor_before: None,
        processor_after: None,
        resident_before: None,
        proof: Proof { bytes: 0, digest: String::new() },
        values: BTreeMap::new(),
        histograms: BTreeMap::new(),
        notes: Vec::new(),
    }
}

fn enter(figure: &Figure, sample: &mut Sample) {
    let ns = Some(figure.ns.round() as u64);
    match figure.quantity {
        "work" => sample.work_ns = ns,
        "user" => sample.usage.user_ns = ns,
        "system" => sample.usage.system_ns = ns,
        // Both together follow from the two.
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine;
    use super::*;

    #[test]
    fn a_machine_becomes_a_run_with_a_sample_for_each_program() {
        let run = record(&machine("xeon-4way").expect("known"));
        let sample = |technique: &str| {
            let trial = run.trials.iter().find(|trial| trial.technique == technique).expect(technique);
            assert_eq!(trial.samples.len(), 1);
            &trial.samples[0]
        };
        assert_eq!(sample("cpC").work_ns, Some(2_670_000_000));
        assert_eq!(sample("cpC").usage.user_ns, Some(60_000_000));
        assert_eq!(sample("cpC").usage.system_ns, Some(360_000_000));
        assert_eq!(sample("grepSQ").usage.user_ns, None);
        // What was not published is no trial.
        assert!(!run.trials.iter().any(|trial| trial.technique == "sortBT"));
        assert_eq!(run.trials.iter().filter(|trial| trial.family == "pipeline").count(), 7 * 6);
    }
}
