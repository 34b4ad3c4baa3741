//! A published machine in the form of a run: each figure is the only sample of its technique.

use model::{CacheLevel, Fact, Host, Preset, Record, RunId, Sample, Setting, Tool, TrialRecord};

use super::remarks::faults_of;
use super::{Figure, Machine};
use crate::evidence::get_or_add;

/// Turns the machine into a run without rounds, of which nothing is claimed. The time of one call, or of one kilobyte, is multiplied
/// by the number of calls or kilobytes of each workload, and a fact says so.
pub fn record(machine: &Machine, runs: &[&Record]) -> Record {
    let (mut figures, mut facts) = (Vec::new(), Vec::new());
    for figure in &machine.figures {
        let multiplied = multiplied(figure, runs);
        if multiplied.is_empty() {
            let workload = figure.whole_workload();
            figures.push((Figure { workload, ..figure.clone() }, Setting::default()));
            continue;
        }
        figures.extend(multiplied);
        let unit = if figure.family == "clock" { "call" } else { "kilobyte" };
        let text = format!(
            "{}: the time of one {unit} of {} was published; it stands here times the number of the run",
            machine.name, figure.program
        );
        facts.push(Fact::words(figure.family, judge::PUBLISHED_FOR, &figure.program, &text));
    }
    let is_meant = |figure: &Figure| {
        let mut trials = runs.iter().flat_map(|run| &run.trials);
        trials.any(|trial| trial.family == figure.family)
    };
    facts.extend(faults_of(machine, is_meant).into_iter().map(|fault| {
        let text = format!("{}, of the source: {fault}", machine.name);
        Fact::words("", judge::PUBLISHED_FOR, "", &text)
    }));
    let record = record_of(machine, &figures);
    Record { facts: [record.facts, facts].concat(), ..record }
}

/// A figure where it stands in a run.
type Placed = (Figure, Setting);

/// Returns a figure of one call, or of one kilobyte, at the workloads of these runs that are several of them.
fn multiplied(figure: &Figure, runs: &[&Record]) -> Vec<Placed> {
    let mut found: Vec<Placed> = Vec::new();
    for trial in runs.iter().flat_map(|run| &run.trials).filter(|trial| trial.family == figure.family) {
        let work = &trial.workload;
        let units = match figure.family {
            "clock"
                if figure.whole_workload().without_axis("calls").point
                    == work.without_axis("calls").point =>
            {
                work.number("calls")
            }
            // Every phase moves all of the bytes; a read in a drawn order was not published.
            "disk" if (work.word("phases"), work.word("order")) == (Some("all"), Some("sequential")) => {
                work.bytes().map(|bytes| bytes / 1024 * 3)
            }
            _ => None,
        };
        let mut setting = Setting::default();
        setting.conditions.memory_limit_bytes = trial.setting.conditions.memory_limit_bytes;
        let is_known = found.iter().any(|(known, at)| known.workload == *work && *at == setting);
        if let Some(units) = units.filter(|units| *units > 0 && !is_known) {
            let ns = figure.ns * units as f64;
            found.push((Figure { workload: work.clone(), ns, ..figure.clone() }, setting));
        }
    }
    found
}

fn record_of(machine: &Machine, figures: &[Placed]) -> Record {
    let mut trials: Vec<TrialRecord> = Vec::new();
    for (figure, setting) in figures {
        let known = trials.iter().position(|trial| {
            trial.family == figure.family
                && trial.technique == figure.program
                && trial.workload == figure.workload
                && trial.setting == *setting
        });
        let trial = get_or_add(&mut trials, known, || TrialRecord {
            family: figure.family.to_owned(),
            technique: figure.program.clone(),
            aliases: vec![figure.program.clone()],
            workload: figure.workload.clone(),
            setting: setting.clone(),
            samples: vec![Sample { repetitions: 1, ..Sample::default() }],
            ..TrialRecord::default()
        });
        let (sample, ns) = (&mut trial.samples[0], Some(figure.ns.round() as u64));
        match figure.metric {
            "work" => sample.work_ns = ns,
            "user" => sample.usage.user_ns = ns,
            "system" => sample.usage.system_ns = ns,
            // Both together follow from the two.
            _ => {}
        }
    }
    trials.retain(|trial| trial.samples[0].work_ns.is_some());
    let described = &machine.described;
    let mut host = Host { name: Some(machine.name.clone()), ..Host::default() };
    host.processor.model.clone_from(&described.processor);
    host.processor.logical = Some(described.processors);
    host.processor.frequency_max_hz = described.frequency_mhz.map(|mhz| mhz * 1_000_000);
    host.processor.caches.extend(described.second_cache_bytes.map(|bytes| CacheLevel {
        level: 2,
        kind: "unified".to_owned(),
        bytes,
        shared_by: None,
    }));
    host.memory.total_bytes = described.memory_bytes;
    host.os.family = if described.system.contains("Linux") { "linux" } else { "windows" }.to_owned();
    host.os.name = Some(described.system.clone());
    // A Windows is known by its name.
    host.os.kernel =
        described.kernel.clone().or_else(|| (host.os.family == "windows").then(|| described.system.clone()));
    let family = trials.first().map(|trial| trial.family.as_str()).unwrap_or_default();
    let facts = vec![Fact::words(family, judge::FILE_CACHE, "", &described.cache)];
    Record {
        facts,
        tool: Tool { name: judge::PUBLISHED.to_owned(), ..Tool::default() },
        id: RunId(format!("published:{}", machine.name)),
        preset: Preset::Published,
        complete: true,
        host,
        trials,
        ..Record::default()
    }
}

#[cfg(test)]
mod tests {
    use super::super::machine;
    use super::*;

    #[test]
    fn a_host_is_described_as_its_source_does() {
        let host = |name: &str| record(machine(name).expect("known"), &[]).host;
        assert_eq!(host("linux-2.2.16").os.kernel.as_deref(), Some("2.2.16"));
        assert_eq!(host("windows-2000").os.kernel.as_deref(), Some("Windows 2000"));
        assert_eq!(host("xeon-4way").processor.model.as_deref(), Some("Xeon, 1 GHz"));
        assert_eq!(host("redhat-linux").memory.total_bytes, Some(256 << 20));
        for machine in super::super::machines() {
            let run = record(machine, &[]);
            let cache =
                run.facts.iter().find(|fact| fact.name == judge::FILE_CACHE).expect("every source names it");
            let is_book = run.trials.iter().any(|trial| trial.family == "convert");
            assert_eq!(format!("{:?}", cache.value).contains("memory cleared before each run"), is_book);
        }
    }

    #[test]
    fn a_machine_becomes_a_run_with_a_sample_for_each_program() {
        let run = record(machine("xeon-4way").expect("known"), &[]);
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
