//! Sessions: one process for all techniques of a family, in inner rounds.

use super::*;

fn session_of(family: &'static FakeFamily, techniques: &[&str], inner_rounds: u32) -> Vec<Answer> {
    let trials = techniques.iter().map(|technique| Trial {
        family: family.name().to_owned(),
        technique: (*technique).to_owned(),
        workload: family.workloads(Preset::Quick).remove(0),
        setting: Setting::default(),
        scratch: PathBuf::from("unused"),
        seed: 1,
    });
    let trials = trials.collect();
    let assignment = Assignment::Session { trials, repetitions: 3, inner_rounds, seed: 5 };
    let mut said = Vec::new();
    work(&[family], &serde_json::to_vec(&assignment).expect("plain data"), &mut said).expect("carried out");
    Answer::read_all(&said, techniques.len())
}

#[test]
fn all_techniques_of_a_session_are_prepared_before_any_works() {
    let family = FakeFamily::leaked_session("once", &["a", "b", "c"].map(|name| (name, Steady(1e6))));
    let answers = session_of(family, &["a", "b", "c"], 4);
    let performed = family.performed.lock().expect("no panic").clone();
    assert_eq!(performed[..3], ["a is prepared", "b is prepared", "c is prepared"]);
    // In each inner round an untimed stretch and a timed one.
    for technique in ["a works", "b works", "c works"] {
        assert_eq!(performed[3..].iter().filter(|line| *line == technique).count(), 8);
    }
    assert_eq!(performed.len(), 3 + 3 * 8);
    let timed = answers.iter().filter_map(|answer| match answer {
        Answer::Timed(timed) => Some((timed.sample.inner, timed.trial)),
        _ => None,
    });
    let mut timed: Vec<(u32, usize)> = timed.collect();
    timed.sort_unstable();
    assert_eq!(timed, (0..4).flat_map(|inner| (0..3).map(move |trial| (inner, trial))).collect::<Vec<_>>());
}

#[test]
fn a_failing_technique_fails_once_and_the_others_go_on() {
    let behaviours = [("unready", Behaviour::Lies), ("a", Steady(1e6)), ("refused", Behaviour::Refused)];
    let family = FakeFamily::leaked_session("some fail", &behaviours);
    let answers = session_of(family, &["unready", "a", "refused"], 4);
    let failed = answers.iter().filter_map(|answer| match answer {
        Answer::Failed { trial, kind, reason } => Some((*trial, *kind, reason.as_str())),
        _ => None,
    });
    let failed: Vec<(usize, FailureKind, &str)> = failed.collect();
    let refused = FailureKind::Refused;
    assert_eq!(failed, [(0, refused, "refused while it was prepared"), (2, refused, "refused at work")]);
    assert_eq!(answers.iter().filter(|answer| matches!(answer, Answer::Timed(_))).count(), 4);
}

#[test]
fn what_is_prepared_is_named_before_so_that_a_crash_has_a_name() {
    let answers = session_of(FakeFamily::leaked_session("named first", &[("a", Steady(1e6))]), &["a"], 1);
    use Answer::{Begin, Timed};
    assert!(matches!(answers[..], [Begin { trial: 0 }, Begin { trial: 0 }, Timed(_)]));
}

#[test]
fn what_a_session_cannot_serve_is_refused_in_the_plan() {
    let family = FakeFamily::leaked_session("cheap", &OPEN);
    let one_for_all = "which has one process time and one peak of memory for all";
    let [process, memory, cpu] = ["process", "memory", "cpu"]
        .map(|metric| Request { metric: Some(metric.to_owned()), ..request(family, 20) });
    let commands = vec![parse_command("x=cp {output}").expect("well formed")];
    let cold = Request { caches: vec![Cache::Cold], ..request(family, 20) };
    for (request, reason, option) in [
        (process, one_for_all, "--metric process"),
        (memory, one_for_all, "--metric memory"),
        (Request { commands, ..request(family, 20) }, "in which no command can take part", "command 'x'"),
        (cold, "where only the first could find a cold cache", "--cache cold"),
    ] {
        let start = "the family cheap measures all its techniques in one process";
        let said = planned(&[request]).err().expect("refused").to_string();
        assert_eq!(said, format!("{start}, {reason}; leave {option} out, or name other families"));
    }
    assert!(planned(&[cpu]).is_ok());
}

#[test]
fn a_run_of_all_families_is_served_by_those_that_can() {
    let family = FakeFamily::leaked_session("either", &OPEN);
    assert!(serves(family, &request(family, 20)));
    assert!(!serves(family, &Request { metric: Some("process".to_owned()), ..request(family, 20) }));
    assert!(!serves(family, &Request { caches: vec![Cache::Warm, Cache::Cold], ..request(family, 20) }));
    assert!(!serves(family, &Request { files: vec!["of the user".into()], ..request(family, 20) }));
}

#[test]
fn a_session_repeats_short_work_no_longer_than_the_clock_needs() {
    // The fastest takes a microsecond: 1 ms of it would be a third of a second of the slowest, in each of five inner rounds.
    let show = FakeFamily::leaked_session("short", &[("a", Steady(1e3)), ("b", Steady(3e5))]).ran(3, |_| ());
    let repetitions = show.workers.session_repetitions.iter().copied().max().expect("sessions were taken");
    assert!(repetitions < 1_000, "{repetitions}");
}
