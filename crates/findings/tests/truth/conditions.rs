//! By which runs a finding is judged, and what must have been measured for it.

use findings::Outcome::{Holds, NotMeasured, NotTestable, Reversed, Undecided};
use findings::{KeptRun, Known, judge};
use model::{Failure, FailureKind, Fingerprint};

use crate::ROUNDS;
use crate::world::{FASTER, World, finding, judged, judged_here, known, two};

fn sized(bytes: u64) -> World {
    World::new().at("a", 10.0, &[("bytes", bytes)]).at("b", 20.0, &[("bytes", bytes)])
}

#[test]
fn a_workload_of_another_size_is_no_evidence() {
    let claim = &format!("within = {{ bytes = [12800000, 51200000] }}\nwithout = [\"file_bytes\"]\n{FASTER}");
    let small = judged(claim, &[sized(4096).run(ROUNDS, 1)]);
    assert_eq!(small.outcome, NotMeasured);
    let reason = small.reason.expect("a reason");
    assert!(reason.contains("bytes from 12.8 MB to 51.2 MB") && reason.contains("4 KiB"), "{reason}");
    assert_eq!(judged(claim, &[sized(25_600_000).run(ROUNDS, 1)]).outcome, Holds);
    let files = World::new().at("a", 10.0, &[("bytes", 25_600_000), ("file_bytes", 25_600)]);
    let folder = judged(claim, &[files.run(ROUNDS, 1)]);
    assert_eq!(folder.outcome, NotMeasured, "a folder of small files");
}

#[test]
fn a_claim_about_several_programs_is_not_judged_by_some_of_them() {
    let share = "[[share]]\ntechnique = [\"a\", \"b\", \"c\"]\nof = \"cpu\"\nin = \"work\"\nat_most = 0.5\n";
    let some = World::new().with("a", 10.0).cpu_share(0.2).with("b", 10.0).cpu_share(0.2);
    let found = judged(share, &[some.run(ROUNDS, 1)]);
    assert_eq!(found.outcome, NotMeasured);
    let reason = found.reason.expect("a reason");
    assert!(reason.contains("only 2 of its 3 comparisons") && reason.contains("c took no part"), "{reason}");
    assert!(found.run.is_none() && found.judged_by.is_empty());
    let whole = some.with("c", 10.0).cpu_share(0.2);
    assert_eq!(judged(share, &[whole.run(ROUNDS, 1)]).outcome, Holds);
}

#[test]
fn missing_techniques_are_skipped_where_a_finding_allows() {
    let share = "[[share]]\ntechnique = [\"a\", \"b\"]\nof = \"cpu\"\nin = \"work\"\nat_most = 0.5\n";
    let run = [World::new().with("a", 10.0).cpu_share(0.2).run(ROUNDS, 1)];
    let own = Known::from([("copy".to_owned(), ["a".to_owned()].into())]);
    assert_eq!(judge(&finding(share), &run, &own, None).outcome, NotTestable);
    let least = finding(&format!("least = 1\n{share}"));
    assert_eq!(judge(&least, &run, &own, None).outcome, Holds);
    // What this system has was not measured: that says more than what it has not.
    let other = judge(&least, &[World::new().with("z", 10.0).run(ROUNDS, 1)], &own, None);
    assert_eq!(other.outcome, NotMeasured);
    assert!(other.reason.is_some_and(|reason| reason.contains("a took no part")));
}

#[test]
fn a_technique_that_gave_a_wrong_answer_proves_nothing() {
    let mut run = two(10.0, 12.0).run(ROUNDS, 1);
    let failed = |kind, reason| Failure { round: Some(3), ..Failure::before_the_rounds(kind, reason) };
    let hang = failed(FailureKind::Hang, "no end after 10 s");
    run.record.trials[0].failures = vec![hang, failed(FailureKind::Wrong, "7 bytes short")];
    let found = judged(FASTER, std::slice::from_ref(&run));
    assert_eq!(found.outcome, NotMeasured);
    assert_eq!(found.reason.as_deref(), Some("a gave a wrong answer: 7 bytes short"));
    // Measured once more, it gave another answer.
    let mut again = run.record.trials.clone();
    again[0].failures.clear();
    again.iter_mut().for_each(|trial| trial.attempt = 1);
    run.record.trials.extend(again);
    assert_eq!(judged(FASTER, &[run]).outcome, NotMeasured);
}

#[test]
fn time_below_a_tick_of_its_counter_proves_nothing() {
    let by_user = FASTER.to_owned() + "metric = \"user\"\n";
    for (share, outcome) in [(0.0, NotTestable), (1e-3, Holds)] {
        let world = World::new().with("a", 10.0).cpu_share(share).with("b", 10.0);
        let judged = judged(&by_user, &[world.run(10, 1)]);
        assert_eq!((judged.outcome, judged.comparisons[0].effect.is_none()), (outcome, share == 0.0));
        assert_eq!(
            judged.reason.is_some_and(|why| why.contains("user time of a is less than a tick")),
            share == 0.0
        );
    }
}

#[test]
fn only_runs_of_this_host_count_as_tested_here() {
    let foreign = two(10.0, 12.0).called("elsewhere").run(ROUNDS, 1);
    let found = judged_here(FASTER, &[foreign], "linux-2", "linux");
    assert_eq!((found.outcome, found.has_run), (NotMeasured, false));
    assert_eq!(found.reason.as_deref(), Some("no kept run of this host has the family copy"));
    let runs = [two(10.0, 12.0).called("elsewhere").run(ROUNDS, 1), two(12.0, 10.0).run(ROUNDS, 2)];
    let found = judged_here(FASTER, &runs, "linux-2", "linux");
    assert_eq!((found.outcome, found.run.map(|run| run.0)), (Reversed, Some("r2".to_owned())));
    let by = &found.judged_by[0];
    assert_eq!((by.host.as_deref(), by.started.as_str()), (Some("linux-2"), "2026-01-01T00:00:00+00:00"));
    assert_eq!(by.workloads, ["[], warm cache"]);
}

#[test]
fn a_claim_about_this_system_without_a_run_is_not_measured_yet() {
    let linux = &format!("system = \"linux\"\n{FASTER}");
    assert_eq!(judged_here(linux, &[], "linux-2", "linux").outcome, NotMeasured);
    let other = judged_here(linux, &[], "windows-2", "windows");
    assert_eq!(other.outcome, NotTestable);
    assert_eq!(other.reason.as_deref(), Some("it is about linux, and this host has windows"));
}

#[test]
fn a_later_run_with_few_rounds_hides_no_decision() {
    let runs = [two(10.0, 12.0).run(3, 1), two(10.0, 12.0).run(ROUNDS, 2)];
    assert_eq!(judged(FASTER, &runs[..1]).outcome, Undecided);
    let found = judged_here(FASTER, &runs, "linux-2", "linux");
    assert_eq!((found.outcome, found.run.map(|run| run.0)), (Holds, Some("r2".to_owned())));
    // Another version may have changed the technique.
    let [mut later, earlier] = runs;
    later.record.tool.version = "9.0.0".to_owned();
    assert_eq!(judged_here(FASTER, &[later, earlier], "linux-2", "linux").outcome, Undecided);
}

#[test]
fn two_hosts_are_compared_by_the_same_work_or_not_at_all() {
    let claim = "[[hosts]]\nof = { technique = \"a\", system = \"windows\" }\n\
                 over = { technique = \"a\", system = \"linux\" }\nat_least = 1.0\n";
    let runs = |small: u64, large: u64| -> Vec<KeptRun> {
        let laptop = World::new().at("a", 20.0, &[("bytes", small)]).host("windows", 2);
        let server = World::new().at("a", 10.0, &[("bytes", large)]).host("linux", 8);
        (0..3).flat_map(|nth| [laptop.run(ROUNDS, nth), server.run(ROUNDS, 10 + nth)]).collect()
    };
    let found = judged(claim, &runs(4096, 1 << 30));
    assert_eq!(found.outcome, NotMeasured);
    let reason = found.reason.expect("a reason");
    for said in ["same work", "3 on windows-2", "4 KiB", "3 on linux-8", "1 GiB"] {
        assert!(reason.contains(said), "{said}: {reason}");
    }
    let found = judged(claim, &runs(4096, 4096));
    assert_eq!((found.outcome, found.judged_by.len()), (Holds, 6));
    // Two runs of one host and one of another are not three of a host.
    let mut mixed = runs(4096, 4096);
    mixed[0].record.host.fingerprint = Some(Fingerprint("a third".to_owned()));
    assert_eq!(judged(claim, &mixed).outcome, NotMeasured);
}

#[test]
fn the_limit_on_threads_is_judged_by_the_room_left() {
    let all = findings::all();
    let stacks = all.iter().find(|one| one.claim.id == "threads-7").expect("threads-7");
    let own = Known::from([("threads".to_owned(), Default::default())]);
    let fact =
        |name: &str, about: &str, number: f64| model::Fact::number("threads", name, about, number, "threads");
    let mut run = World::new().with("a", 1.0).run(1, 1);
    run.record.trials[0].family = "threads".to_owned();
    for (about, created) in [("stacks of 64 KiB", 8704.0), ("stacks of 8 MiB", 12959.0)] {
        run.record.facts.push(fact("threads that the limits leave room for", about, 32470.0));
        run.record.facts.push(fact("threads created at once", about, created));
        run.record.facts.push(model::Fact::words("threads", "runs out first", about, "kernel.pid_max"));
    }
    let found = judge(stacks, &[run], &own, None);
    assert_eq!(found.outcome, findings::Outcome::NoDifference);
    let one = &found.comparisons[0];
    assert_eq!(one.effect.map(|effect| effect.estimate), Some(1.0));
    assert!(one.found.as_ref().is_some_and(|found| found.contains("kernel.pid_max")), "{one:?}");
}

#[test]
fn published_figures_stand_next_to_their_claims() {
    let all = findings::all();
    for (id, place, low, high, machines) in [
        ("copy-2", 0, 0.5, 1.1, 6),
        ("convert-2", 0, 1.22, 5.51, 4),
        ("search-4", 0, 3.05, 3.05, 1),
        ("sort-1", 0, 12.3, 12.3, 1),
        ("sort-2", 0, 1.14, 6.34, 4),
        ("sort-4", 0, 1.077, 1.077, 1),
        ("convert-11", 0, 3.208, 3.208, 1),
        ("threads-8", 0, 1.094, 1.105, 2),
        ("threads-9", 0, 1.598, 1.598, 1),
        ("disk-14", 0, 0.81, 0.81, 2),
        ("pipeline-5", 0, 1.06, 1.06, 1),
        ("threads-3", 1, 1.28, 1.28, 2),
        ("disk-8", 0, 0.0571, 0.0571, 1),
        ("clock-1", 0, 729.0, 806.0, 3),
        ("clock-2", 0, 2.63, 2.67, 3),
    ] {
        let one = all.iter().find(|one| one.claim.id == id).expect(id);
        let names = one.names().into_iter().map(str::to_owned).collect();
        let known = Known::from([(one.family.clone(), names)]);
        let found = judge(one, &[], &known, None).comparisons[place].published.clone().expect(id);
        assert!((found.low / low - 1.0).abs() < 0.01, "{id}: {found:?}");
        assert!((found.high / high - 1.0).abs() < 0.01, "{id}: {found:?}");
        assert_eq!(found.machines, machines, "{id}");
    }
}

#[test]
fn a_source_that_contradicts_itself_says_so() {
    let all = findings::all();
    let of_finding = |id: &str| {
        let one = all.iter().find(|one| one.claim.id == id).expect(id);
        judge(one, &[], &known(one), None)
    };
    let figures = |id: &str| {
        let judged = of_finding(id);
        judged
            .contradictions
            .into_iter()
            .map(|one| (one.machine, (100.0 * one.figure).round()))
            .collect::<Vec<_>>()
    };
    let own = |machine: &str, percent| (machine.to_owned(), percent);
    assert_eq!(figures("convert-3"), [own("pentium3-w2000-ntfs", 55.0), own("xeon-4way-w2000-ntfs", 97.0)]);
    assert_eq!(figures("sort-2"), []);
    // "Often" is true where it is true of some.
    assert_eq!(figures("copy-7"), []);
    assert!(of_finding("disk-8").faults[0].contains("maps offset 0 in every turn"));
    let pipeline = all.iter().find(|one| one.claim.id == "pipeline-3").expect("pipeline-3");
    let known = Known::from([("pipeline".to_owned(), Default::default())]);
    let departures = |system: &str| {
        let here = findings::Here { fingerprint: None, system: system.to_owned() };
        judge(pipeline, &[], &known, Some(&here)).departures
    };
    assert!(departures("linux").iter().any(|text| text.contains("SignalObjectAndWait")));
    assert_eq!(departures("windows"), Vec::<String>::new());
}

#[test]
fn no_published_figure_of_other_conditions_joins_a_claim() {
    let all = findings::all();
    let of_finding = |id: &str| {
        let one = all.iter().find(|one| one.claim.id == id).expect(id);
        judge(one, &[], &known(one), None)
    };
    // The table was taken with a yield after every 100 iterations.
    let without = of_finding("threads-5");
    assert!(without.comparisons.iter().all(|one| one.published.is_none()), "{without:?}");
    assert!(without.conditions.contains("no forced yields"), "{}", without.conditions);
    for (id, low, high) in
        [("clock-3", 1.106, 1.106), ("copy-1", 1.46, 1.70), ("threads-4", 1.85, 1.85), ("copy-8", 0.87, 8.64)]
    {
        let found = of_finding(id).published.expect("two machines");
        assert!((found.low - low).abs() < 0.01 && (found.high - high).abs() < 0.01, "{id}: {found:?}");
    }
}
