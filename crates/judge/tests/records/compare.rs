//! What is said of several runs side by side, and over time: against runs whose truth is known.

use judge::{ComparedRuns, Course, Decided, Rule, RunMedians, Side, compare_runs, compare_sides, history};
use model::{
    Along, Cache, Durability, FailureKind, Fingerprint, Host, Note, Record, Setting, Topic, TrialRecord,
    Volume, Workload,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use stats::synthetic::{NoisyHost, QUIET, SHARED, normal};
use testkit::{MS, failure, sample, trial, turns};

fn random(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Returns a run without contests, that began this many minutes after noon on a host with a fingerprint.
fn run(name: &str, minutes: u32) -> Record {
    let started = format!("2026-01-01T{:02}:{:02}:00+01:00", 12 + minutes / 60, minutes % 60);
    let host = Host { fingerprint: Some(Fingerprint("00ff".into())), ..Host::default() };
    Record { started, host, ..testkit::record(name) }
}

fn warm() -> Setting {
    Setting::warm("/scratch", Durability::Returned)
}

fn cold() -> Setting {
    let mut setting = warm();
    setting.conditions.cache = Some(Cache::Cold);
    setting
}

fn on(file_system: &str) -> Setting {
    let mut setting = Setting::warm(format!("/{file_system}"), Durability::Returned);
    setting.conditions.file_system = Some(file_system.into());
    setting
}

/// Adds a contest of techniques `t0`, `t1`... that take these logarithms of milliseconds, over twenty counted rounds.
fn contest(record: &mut Record, setting: &Setting, logs: &[f64], host: NoisyHost, random: &mut ChaCha8Rng) {
    let first = record.trials.len();
    record.trials.extend(
        (0..logs.len()).map(|place| TrialRecord { setting: setting.clone(), ..trial(&format!("t{place}")) }),
    );
    turns(host, logs.len(), 20, random, |turn, _| {
        let taken_ns = (MS * turn.factor * logs[turn.entry].exp()) as u64;
        record.trials[first + turn.entry].samples.push(sample(turn.round, turn.position, taken_ns));
    });
}

/// The change of each technique, as a logarithm.
type Change<'a> = &'a dyn Fn(usize) -> f64;

/// Returns a run of this many techniques at a pace of its own, each of which a run shifts by 1 %.
fn shifted(
    host: NoisyHost, mut record: Record, count: usize, random: &mut ChaCha8Rng, change: Change<'_>,
) -> Record {
    let pace = 0.03 * normal(random);
    let logs: Vec<f64> = (0..count).map(|place| 2.0 + pace + change(place) + 0.01 * normal(random)).collect();
    contest(&mut record, &warm(), &logs, host, random);
    record
}

fn pair(name: &str, settings: &[(Setting, [f64; 2])]) -> Record {
    let mut record = run(name, 0);
    for (setting, logs) in settings {
        contest(&mut record, setting, logs, QUIET, &mut random(7));
    }
    record
}

fn sides<'a>(records: &'a [Record], decided: &'a [Decided]) -> Vec<Side<'a>> {
    let side =
        |(record, decided): (&'a Record, &'a Decided)| Side { name: record.id.to_string(), record, decided };
    records.iter().zip(decided).map(side).collect()
}

fn decided(records: &[Record]) -> Vec<Decided> {
    records.iter().map(judge::decide).collect()
}

fn compared(records: &[Record]) -> ComparedRuns {
    compare_runs(&sides(records, &decided(records)))
}

fn changed(compared: &ComparedRuns) -> Vec<&str> {
    let between = compared.contests[0].between.as_ref().expect("one host");
    let claimed = between.techniques.iter().filter(|one| one.is_claimed);
    claimed.map(|one| one.technique.as_str()).collect()
}

#[test]
fn only_a_technique_that_changed_against_the_field_is_named() {
    let mut random = random(1300);
    let (mut wrong, mut found) = (0, 0);
    for _ in 0..100 {
        let mut of =
            |name, minutes, change: Change<'_>| shifted(SHARED, run(name, minutes), 20, &mut random, change);
        let (before, same) = (of("a", 0, &|_| 0.0), of("b", 1, &|_| 0.0));
        let after = of("b", 1, &|place| if place == 7 { 0.2_f64.ln_1p() } else { 0.0 });
        let unchanged = compared(&[before.clone(), same]);
        let between = unchanged.contests[0].between.as_ref().expect("one host");
        assert_eq!((between.rule, between.techniques.len()), (Rule::Field, 20));
        wrong += u32::from(!changed(&unchanged).is_empty());
        found += u32::from(changed(&compared(&[before, after])).contains(&"t7"));
    }
    assert!(wrong <= 5, "flagged though nothing changed: {wrong} of 100");
    assert!(found >= 95, "20 % more found: {found} of 100");
}

/// Three runs a side, this many minutes apart, whose paces have a spread of 3 %; the technique `t1` takes `factor` times as long on the second side.
fn six(factor: f64, minutes_apart: u32, random: &mut ChaCha8Rng) -> Vec<Record> {
    let runs = (0..6).map(|nth| {
        let empty = run(&format!("r{nth}"), nth * minutes_apart);
        shifted(QUIET, empty, 3, random, &|place| if nth > 2 && place == 1 { factor.ln() } else { 0.0 })
    });
    runs.collect()
}

#[test]
fn three_runs_a_side_claim_a_change_with_its_interval() {
    let mut random = random(31);
    let (mut wrong, mut found) = (0, 0);
    // The interval is one of 95 %: more cases than 100 distinguish its chance of error from luck.
    for _ in 0..400 {
        let records = six(1.5, 15, &mut random);
        let compared = compare_sides(&sides(&records, &decided(&records)), Some(3));
        assert_eq!(compared.sides, [[0, 1, 2], [3, 4, 5]]);
        let between = compared.contests[0].between.as_ref().expect("six runs of one host");
        assert_eq!((between.rule, between.field), (Rule::Runs, None));
        let of = |name: &str| between.techniques.iter().find(|one| one.technique == name).expect("in common");
        let (same, slower) = (of("t0"), of("t1"));
        found += u32::from(slower.is_claimed && slower.low > Some(1.0));
        wrong += u32::from(same.is_claimed);
        assert_eq!(same.is_claimed, same.low > Some(1.0) || same.high < Some(1.0));
    }
    assert!(found >= 380, "half as long again, claimed: {found} of 400");
    assert!(wrong <= 20, "claimed though nothing changed: {wrong} of 400");
}

#[test]
fn nothing_is_claimed_of_what_failed() {
    let mut records = six(1.5, 15, &mut random(31));
    let compared = |records: &[Record]| compare_sides(&sides(records, &decided(records)), Some(3));
    assert_eq!(changed(&compared(&records)), ["t1"]);
    for record in &mut records[3..] {
        record.trials[1].failures.push(failure(3, FailureKind::Wrong, "7 bytes short"));
    }
    assert_eq!(changed(&compared(&records)), [""; 0]);
}

/// Returns a run at two sizes with a warm and a cold cache, in which another technique is fastest with each.
fn with_two_curves(name: &str) -> Record {
    let mut record = run(name, 0);
    for (setting, logs) in [(warm(), [1.0, 1.5]), (cold(), [2.0, 1.5])] {
        for bytes in [4096, 8192] {
            let first = record.trials.len();
            contest(&mut record, &setting, &logs, QUIET, &mut random(7));
            let work = Workload::of_bytes(bytes.to_string(), bytes);
            record.trials[first..].iter_mut().for_each(|trial| trial.workload = work.clone());
        }
    }
    let along = Along { axis: "bytes".into(), ..Along::default() };
    record.design.curves.insert("copy".into(), along);
    record
}

#[test]
fn each_curve_has_its_own_answers() {
    let compared = compared(&[with_two_curves("a"), with_two_curves("b")]);
    let answers: Vec<_> = compared
        .curves
        .iter()
        .map(|curve| (curve.conditions.cache, curve.answers.iter().flatten().cloned().collect::<Vec<_>>()))
        .collect();
    let use_at = |name: &str| vec![format!("Use {name} at every size."); 2];
    assert_eq!(answers, [(Some(Cache::Warm), use_at("t0")), (Some(Cache::Cold), use_at("t1"))]);
}

#[test]
fn runs_of_two_versions_are_two_sides() {
    let mut records = six(1.5, 15, &mut random(32));
    assert!(compared(&records).contests[0].between.is_none(), "six runs of one version");
    for record in &mut records[3..] {
        record.tool.commit = Some("abc".into());
    }
    let compared = compared(&records);
    assert_eq!(compared.sides, [[0, 1, 2], [3, 4, 5]]);
    assert!(compared.marks.iter().any(|mark| mark.contains("different versions")), "{:?}", compared.marks);
}

#[test]
fn nothing_is_claimed_of_other_hosts_or_runs_in_a_row() {
    let nothing = |records: &[Record], said: &str| {
        let compared = compare_sides(&sides(records, &decided(records)), Some(3));
        assert!(compared.contests[0].between.is_none(), "{said}");
        assert!(compared.marks.iter().any(|mark| mark.contains(said)), "{said}: {:?}", compared.marks);
    };
    let apart = six(2.0, 15, &mut random(33));
    let mut elsewhere = apart.clone();
    elsewhere[5].host.fingerprint = Some(Fingerprint("another".into()));
    nothing(&elsewhere, "several hosts");
    elsewhere[5].host.fingerprint = None;
    nothing(&elsewhere, "several hosts");
    nothing(&six(2.0, 9, &mut random(33)), "10 minutes");
    nothing(&apart[1..], "needs 3 runs");
    let mut two = [("a", 34), ("b", 35)]
        .map(|(name, seed)| shifted(SHARED, run(name, 0), 20, &mut random(seed), &|_| 0.0));
    assert!(compared(&two).contests[0].between.is_some());
    two[1].host.fingerprint = Some(Fingerprint("another".into()));
    assert!(compared(&two).contests[0].between.is_none());
    assert!(compared(&two).contests[0].means[1].is_some(), "the ratio stands without a claim");
}

#[test]
fn incomplete_runs_and_two_versions_are_marked() {
    let mut records = vec![pair("a", &[(warm(), [1.0, 1.2])]), pair("b", &[(warm(), [1.0, 1.2])])];
    assert_eq!(compared(&records).marks, [""; 0]);
    records[1].complete = false;
    records[1].tool.version = "0.2.0".into();
    let marks = compared(&records).marks;
    assert!(marks.iter().any(|mark| mark.starts_with("b did not run to its end")), "{marks:?}");
    assert!(marks.iter().any(|mark| mark.contains("0.1.0, 0.2.0")), "{marks:?}");
}

#[test]
fn warm_and_cold_are_not_paired_for_a_reason() {
    let apart = compared(&[pair("a", &[(warm(), [1.0, 1.2])]), pair("b", &[(cold(), [1.0, 1.2])])]);
    assert!(apart.contests.is_empty());
    let reason = "the file cache is warm in a and cold in b";
    assert_eq!((apart.alone.len(), &apart.alone[0]), (2, &format!("copy w (a): {reason}")));
    assert!(apart.apart_by.contains(&reason.to_owned()), "{:?}", apart.apart_by);
    // The difference from the nearest contest is named.
    let durable = Setting::warm("/scratch", Durability::Durable);
    let mut far = pair("b", &[(cold(), [1.0, 1.2])]);
    far.trials.iter_mut().for_each(|trial| trial.workload = Workload::of_bytes("larger", 50_000_000));
    let near = pair("c", &[(durable, [1.0, 1.2])]);
    let compared = compared(&[pair("a", &[(warm(), [1.0, 1.2])]), far, near]);
    assert_eq!(compared.alone[0], "copy w (a): the end point is returned in a and durable in c");
    assert!(compared.alone[1].contains("the workload is larger in b and w in"), "{:?}", compared.alone);
}

fn working(mut run: Record, work: &Workload) -> Record {
    run.trials.iter_mut().for_each(|trial| trial.workload = work.clone());
    run
}

#[test]
fn an_axis_that_one_run_alone_has_is_another_work() {
    let file = Workload::of_bytes("w", 10_000_000);
    let folder = file.clone().with("file_bytes", 10_000);
    let run = |name: &str, work: &Workload| working(pair(name, &[(warm(), [1.0, 1.2])]), work);
    for (one, other) in [(&file, &folder), (&folder, &file)] {
        let compared = compared(&[run("a", one), run("b", other)]);
        assert!(compared.contests.is_empty(), "{:?}", compared.contests);
        assert!(compared.apart_by[0].contains("file_bytes is"), "{:?}", compared.apart_by);
        assert!(compared.apart_by[0].contains("unknown"), "{:?}", compared.apart_by);
    }
    assert_eq!(compared(&[run("a", &folder), run("b", &folder)]).contests.len(), 1);
}

#[test]
fn others_stand_over_the_first_run_that_has_a_contest() {
    let own = working(pair("a", &[(warm(), [1.0, 1.2])]), &Workload::of_bytes("other", 1));
    let shared = Workload::of_bytes("shared", 2);
    let [one, other] = ["b", "c"].map(|name| working(pair(name, &[(warm(), [1.0, 1.2])]), &shared));
    let compared = compared(&[own, one, other]);
    let contest = &compared.contests[0];
    assert_eq!((contest.over, contest.means[0]), (1, None));
    let mean = contest.means[2].expect("in common");
    assert!((mean - 1.0).abs() < 0.1, "{mean}");
}

#[test]
fn a_part_of_the_time_below_a_tick_is_unknown() {
    // 40 ms a sample, all in the system as far as the counter shows.
    let mut runs = ["a", "b"].map(|name| pair(name, &[(warm(), [3.7, 3.9])]));
    for sample in runs.iter_mut().flat_map(|run| &mut run.trials).flat_map(|trial| &mut trial.samples) {
        (sample.usage.user_ns, sample.usage.system_ns) = (Some(0), Some(39_000_000));
    }
    let compared = compared(&runs);
    let showed = compared.contests[0].techniques[0].showed[0].as_ref().expect("measured");
    assert_eq!((showed.user_ns, showed.system_ns), (None, Some(39e6)));
}

#[test]
fn what_differs_between_the_hosts_is_listed() {
    let mut records = vec![pair("a", &[(warm(), [1.0, 1.2])]), pair("b", &[(warm(), [1.0, 1.2])])];
    let host = &mut records[1].host;
    host.processor.architecture = "aarch64".into();
    host.clock_source = Some("hpet".into());
    host.load = Some([3.0, 2.0, 1.0]);
    host.memory.huge_pages = Some("never".into());
    host.memory.page_bytes = Some(65_536);
    let cache = model::CacheLevel { level: 2, kind: "unified".into(), bytes: 1 << 20, shared_by: None };
    host.processor.caches.push(cache);
    let said = compared(&records).differences;
    for (fact, value) in [
        ("architecture", Some("aarch64")),
        ("clock source", Some("hpet")),
        ("load when it began", Some("3.0")),
        ("huge pages", Some("never")),
        ("page size", Some("64 KiB")),
        ("caches", Some("L2 1 MiB")),
        // What is alike is not listed.
        ("kernel", None),
    ] {
        let found = said.iter().find(|one| one.fact == fact).and_then(|one| one.values[1].as_deref());
        assert_eq!(found, value, "{fact}: {said:?}");
    }
}

#[test]
fn directories_are_paired_by_their_file_systems_in_any_order() {
    let one = pair("a", &[(on("ext4"), [1.0, 1.2]), (on("ext2"), [2.0, 2.2])]);
    let other = pair("b", &[(on("ext2"), [2.0, 2.2]), (on("ext4"), [1.0, 1.2])]);
    let both = compared(&[one.clone(), other]);
    assert_eq!(both.contests.len(), 2);
    for contest in &both.contests {
        assert!(contest.marks.is_empty(), "{:?}", contest.marks);
        let mean = contest.means[1].expect("in common");
        assert!((mean - 1.0).abs() < 0.1, "{mean}");
    }
    // The one that has no partner is reported, and not the one that has.
    let single = compared(&[one, pair("b", &[(on("ext2"), [2.0, 2.2])])]);
    assert_eq!(single.contests[0].conditions.file_system.as_deref(), Some("ext2"));
    assert_eq!(single.alone, ["copy w (a): the file system is ext4 in a and ext2 in b"]);
}

#[test]
fn places_change_only_where_both_runs_claim_it() {
    let mut random = random(41);
    let (mut right, mut wrong) = (0, 0);
    for _ in 0..100 {
        let runs = [("a", [2.0, 2.26, 2.6]), ("b", [2.0, 2.01, 2.6]), ("b", [2.26, 2.0, 2.6])];
        let [first, same, other] = runs.map(|(name, logs)| {
            let mut record = run(name, 0);
            contest(&mut record, &warm(), &logs, SHARED, &mut random);
            record
        });
        right += u32::from(!compared(&[first.clone(), other]).contests[0].changes.is_empty());
        wrong += u32::from(!compared(&[first, same]).contests[0].changes.is_empty());
    }
    assert!(right >= 95, "changed places, and said so: {right} of 100");
    assert!(wrong <= 5, "said though one of them may be fastest in both: {wrong} of 100");
}

/// Returns the course of the latest of runs of one technique that takes these times, and by how much it changed.
fn course(times: &[f64]) -> (Course, f64) {
    let runs = times.iter().enumerate().map(|(nth, ns)| {
        let mut record = run(&nth.to_string(), 0);
        record.trials.push(TrialRecord { samples: vec![sample(0, 0, (1e3 * ns) as u64)], ..trial("a") });
        RunMedians::of(&record)
    });
    let found = history(&runs.collect::<Vec<_>>(), 0.05);
    assert_eq!(found.lines.len(), 1);
    (found.lines[0].course, found.lines[0].change)
}

#[test]
fn the_latest_run_is_flagged_where_others_predict_another() {
    let latest = |ns: f64| course(&[100.0, 101.0, 99.0, 100.5, 99.5, ns]);
    assert_eq!((latest(100.2).0, latest(95.0).0), (Course::AsBefore, Course::Faster));
    let (slower, change) = latest(110.0);
    assert!(slower == Course::Slower && (change - 1.1).abs() < 0.001, "{change}");
    assert_eq!(course(&[100.0, 100.0, 100.0, 100.0, 200.0]).0, Course::TooFew);
    let alone = RunMedians::of(&pair("a", &[(warm(), [1.0, 1.2])]));
    assert!(history(&[alone], 0.05).lines.is_empty() && history(&[], 0.05).lines.is_empty());
}

#[test]
fn what_says_nothing_is_not_followed() {
    let known = pair("a", &[(warm(), [1.0, 1.2])]);
    let of = |change: &dyn Fn(&mut Record)| {
        let mut record = known.clone();
        change(&mut record);
        let medians = RunMedians::of(&record);
        let followed = known.trials.iter().filter(|trial| medians.follows(&known, trial));
        followed.map(|trial| trial.technique.clone()).collect::<Vec<_>>()
    };
    assert_eq!(of(&|_| {}), ["t0", "t1"]);
    for topic in [Topic::Swap, Topic::OutOfMemory] {
        let note = Note { topic, text: "7 MiB were swapped in".into() };
        assert_eq!(of(&|record| record.notes.push(note.clone())), [""; 0]);
    }
    let fails = |kind| move |record: &mut Record| record.trials[1].failures.push(failure(3, kind, "why"));
    assert_eq!(of(&fails(FailureKind::DiskFull)), [""; 0], "it spoils the whole contest");
    assert_eq!(of(&fails(FailureKind::Wrong)), ["t0"]);
    assert_eq!(of(&fails(FailureKind::Skipped)), ["t0"]);
    assert_eq!(of(&fails(FailureKind::Crash)), ["t0", "t1"]);
    // A wrong answer in an earlier attempt disqualifies too.
    let again = |record: &mut Record| {
        let first = record.trials.clone();
        fails(FailureKind::Wrong)(record);
        record.trials.extend(first.into_iter().map(|trial| TrialRecord { attempt: 1, ..trial }));
    };
    assert_eq!(of(&again), ["t0"]);
}

#[test]
fn identical_runs_are_flagged_no_more_often_than_allowed() {
    let mut random = random(51);
    let (mut wrong, mut found) = (0, 0);
    for _ in 0..100 {
        let runs: Vec<Record> = (0..7)
            .map(|nth| shifted(SHARED, run(&nth.to_string(), nth * 15), 5, &mut random, &|_| 0.0))
            .collect();
        let doubled = |place: usize| if place == 2 { 2_f64.ln() } else { 0.0 };
        let slower = shifted(SHARED, run("slower", 120), 5, &mut random, &doubled);
        let medians: Vec<RunMedians> = runs.iter().map(RunMedians::of).collect();
        let said = history(&medians, 0.05);
        assert_eq!(said.lines.len(), 5);
        wrong += u32::from(said.lines.iter().any(|line| line.course != Course::AsBefore));
        let with_slower = [&medians[..], &[RunMedians::of(&slower)]].concat();
        let said = history(&with_slower, 0.05);
        let line = said.lines.iter().find(|line| line.followed.technique == "t2").expect("followed");
        found += u32::from(line.course == Course::Slower);
    }
    assert!(wrong <= 5, "flagged though nothing changed: {wrong} of 100");
    assert!(found >= 95, "twice as long, found: {found} of 100");
}

#[test]
fn what_changed_together_with_a_technique_is_named() {
    let mut random = random(52);
    let of_build = |nth: u32, commit: &str, device: &str, factor: f64, random: &mut ChaCha8Rng| {
        let mut record = shifted(SHARED, run(&nth.to_string(), nth * 15), 5, random, &|_| factor);
        record.tool.commit = Some(commit.to_owned());
        record.host.name = Some(format!("container-{nth}"));
        record.volumes = ["/scratch", "/elsewhere"]
            .map(|directory| Volume {
                directory: directory.into(),
                device: Some(if directory == "/scratch" { device.to_owned() } else { nth.to_string() }),
                ..Volume::default()
            })
            .to_vec();
        RunMedians::of(&record)
    };
    let mut runs: Vec<RunMedians> =
        (0..6).map(|nth| of_build(nth, "old", "/dev/a", 0.0, &mut random)).collect();
    runs.push(of_build(6, "new", "/dev/b", 2_f64.ln(), &mut random));
    let said = history(&runs, 0.05);
    let (now, before) = said.coincident();
    let now: Vec<(&str, &str, &str)> =
        now.iter().map(|one| (one.fact.as_str(), one.before.as_str(), one.now.as_str())).collect();
    let version = testkit::record("r").tool.version;
    let [old, new] = ["old", "new"].map(|commit| format!("{version} ({commit})"));
    // Neither the name of the host nor the device of a directory in which nothing was measured is a reason.
    assert_eq!(now, [("bakeoff", &*old, &*new), ("device", "/dev/a", "/dev/b")]);
    assert!(before.is_empty(), "{before:?}");
    // Once more as slow with the same build: it changed before, and not together with the latest.
    runs.push(of_build(7, "new", "/dev/b", 8_f64.ln(), &mut random));
    let (now, before) = history(&runs, 0.05).coincident();
    assert!(now.is_empty(), "{now:?}");
    assert_eq!(before, ["bakeoff", "device"]);
}
