//! Runs that are asked questions instead of contests.

use super::*;

const ROUNDS: u32 = 20;

/// Answers each question once this many rounds were counted, and writes down when it was asked.
#[derive(Default)]
struct Script {
    answered_after: BTreeMap<&'static str, u32>,
    asked: Vec<(String, u32)>,
}

impl Script {
    fn new(answered_after: &[(&'static str, u32)]) -> Self {
        Self { answered_after: answered_after.iter().copied().collect(), asked: Vec::new() }
    }
}

impl Answers for Script {
    fn ask(&mut self, record: &Record, questions: &[&str]) -> Vec<Heard> {
        let counted = record.trials.iter().map(|trial| trial.samples.len()).max().unwrap_or(1) as u32 - 1;
        let mut heard = Vec::new();
        for &question in questions {
            self.asked.push((question.to_owned(), counted));
            let is_answered = self.answered_after.get(question).is_some_and(|&after| counted >= after);
            heard.push(if is_answered { Heard::Answered } else { Heard::Open(None) });
        }
        heard
    }
}

fn about(family: &'static FakeFamily, name: &str, entries: &[&str], sizes_bytes: &[u64]) -> Request {
    let workloads = sizes_bytes.iter().map(|&bytes| family.workload_of_bytes(bytes).expect("sizes"));
    let (workloads, question) = (workloads.collect(), Some(name.to_owned()));
    let entries = Some(entries.iter().map(|entry| (*entry).to_owned()).collect());
    Request {
        selections: vec![Selection { family, entries }],
        workloads,
        question,
        ..request(family, ROUNDS)
    }
}

fn costly_and_cheap(family: &'static FakeFamily, budget_ns: u64) -> [Request; 2] {
    ["costly", "cheap"].map(|name| Request { budget_ns, ..about(family, name, &[name], &[1024]) })
}

fn asked(family: &'static FakeFamily, requests: &[Request], script: &mut Script) -> Outcome {
    let show = run_fake(requests, FakeWorkers::new(family), Some(script));
    assert!(matches!(show.ending, Ok(Ending::Complete)), "{:?}", show.ending);
    show
}

fn counted(show: &Outcome, technique: &str, bytes: u64) -> Option<usize> {
    let mut own = show.trials().filter(|trial| trial.technique == technique);
    Some(own.find(|trial| trial.workload.bytes() == Some(bytes))?.samples.len() - 1)
}

#[test]
fn a_question_keeps_its_entries_until_it_is_answered() {
    let family = FakeFamily::leaked("kept", &[("a", Steady(1e6)), ("slow", Steady(9e6))]);
    let mut script = Script::new(&[("q", 13)]);
    let show = asked(family, &[about(family, "q", &["a", "slow"], &[1024])], &mut script);
    assert_eq!((counted(&show, "a", 1024), counted(&show, "slow", 1024)), (Some(13), Some(13)));
    let asked_after: Vec<u32> = script.asked.iter().map(|(_, counted)| *counted).collect();
    assert_eq!(asked_after, [8, 10, 13], "nothing is asked before eight rounds, and all looks ask");
    assert!(family.ran(ROUNDS, |_| ()).taken("slow") < 1 + 13, "a contest would have let it go");
}

#[test]
fn answered_questions_leave_and_the_others_go_on() {
    let family = FakeFamily::leaked("leaving", &["a", "b", "c"].map(|name| (name, Steady(1e6))));
    let requests = [
        about(family, "first", &["a", "b"], &[1024]),
        about(family, "second", &["b", "c"], &[1024]),
        about(family, "alone", &["a"], &[2048, 4096]),
    ];
    let mut script = Script::new(&[("first", 8), ("alone", 10)]);
    let show = asked(family, &requests, &mut script);
    assert_eq!(counted(&show, "a", 1024), Some(8));
    assert_eq!((counted(&show, "b", 1024), counted(&show, "c", 1024)), (Some(20), Some(20)));
    // One technique at several levels is no contest, and yet a question.
    assert_eq!((counted(&show, "a", 2048), counted(&show, "a", 4096)), (Some(10), Some(10)));
    let again = script.asked.iter().filter(|(name, _)| name == "first").count();
    assert_eq!(again, 1, "what is answered is not asked again");
}

#[test]
fn a_plan_holds_each_needed_sample_once_and_no_other() {
    let family = FakeFamily::leaked("planned", &["a", "b", "c", "unused"].map(|name| (name, Steady(1e6))));
    let requests = [
        about(family, "q1", &["a", "b"], &[1024]),
        about(family, "q2", &["b", "c"], &[1024, 2048]),
        about(family, "q1", &["c"], &[4096]),
    ];
    let plan = planned(&requests).expect("a plan");
    let planned = plan.tasks.iter().map(|task| {
        let names: Vec<&str> = task.participants.iter().map(|one| one.name.as_str()).collect();
        (task.workload.bytes().expect("sizes"), names.concat())
    });
    let expected = [(1024, "abc"), (2048, "bc"), (4096, "c")];
    assert!(planned.eq(expected.map(|(bytes, names)| (bytes, names.to_owned()))));
    for (name, compared) in [("q1", &["0a", "0b", "2c"][..]), ("q2", &["0b", "0c", "1b", "1c"])] {
        let question = plan.questions.iter().find(|one| one.name == name).expect(name);
        assert!(
            question
                .compared
                .iter()
                .map(|(task, entry)| format!("{task}{entry}"))
                .eq(compared.iter().copied()),
            "{name}"
        );
    }
}

#[test]
fn an_unpaid_question_is_not_begun_and_says_what_it_takes() {
    let family = FakeFamily::leaked("budget", &[("cheap", Lasts(1)), ("costly", Lasts(500))]);
    let show = asked(family, &costly_and_cheap(family, 3_000_000_000), &mut Script::new(&[("cheap", 8)]));
    assert_eq!((counted(&show, "cheap", 1024), counted(&show, "costly", 1024)), (Some(8), Some(0)));
    let failure = &show.trial("costly").failures[0];
    assert_eq!(failure.kind, FailureKind::Skipped);
    let (start, end) = ("8 rounds of what it is compared with take about ", "s' has time for them");
    assert!(failure.reason.starts_with(start) && failure.reason.ends_with(end), "{}", failure.reason);
    assert!(failure.reason.contains("; 'bakeoff findings --measure --budget "), "{}", failure.reason);
    assert!(show.trial("cheap").failures.is_empty());
}

#[test]
fn the_time_ends_the_most_costly_question_first() {
    let family = FakeFamily::leaked("ends", &[("cheap", Lasts(1)), ("costly", Lasts(60))]);
    let show = asked(family, &costly_and_cheap(family, 1_500_000_000), &mut Script::default());
    let (cheap, costly) = (counted(&show, "cheap", 1024), counted(&show, "costly", 1024));
    assert!(costly >= Some(8) && costly < Some(20), "{costly:?}");
    assert!(cheap > costly, "{cheap:?} {costly:?}");
}

#[test]
fn entries_that_fail_are_not_waited_for() {
    let family = FakeFamily::leaked("dying", &[("a", Steady(1e6)), ("dies", Behaviour::CrashesAfter(3))]);
    let requests = [about(family, "q", &["dies"], &[1024]), about(family, "r", &["a"], &[1024])];
    let show = asked(family, &requests, &mut Script::new(&[("r", 8)]));
    assert_eq!(counted(&show, "a", 1024), Some(8));
    assert!(show.trial("dies").failures.iter().all(|failure| failure.kind == FailureKind::Crash));
    // A question ends although one of its entries dies.
    let requests = [about(family, "q", &["a"], &[1024]), about(family, "q", &["dies"], &[2048])];
    let mut script = Script::default();
    let show = asked(family, &requests, &mut script);
    assert_eq!(counted(&show, "a", 1024), Some(20), "it ends after its last look");
    assert_eq!(script.asked.first(), Some(&("q".to_owned(), 8)));
    assert_eq!(script.asked.last(), Some(&("q".to_owned(), 20)));
}

#[test]
fn without_time_for_its_first_sample_an_entry_is_skipped() {
    let family = FakeFamily::leaked("late", &["a", "b"].map(|name| (name, Lasts(400))));
    let sizes = [1024, 2048, 4096, 8192];
    let mut request = about(family, "q", &["a", "b"], &sizes);
    request.budget_ns = 1_000_000_000;
    let show = asked(family, &[request], &mut Script::default());
    let latest_ns = show.workers.launched_ns.iter().max().expect("a first one");
    assert!(*latest_ns < 1_000_000_000, "nothing is begun when the time is over: {latest_ns}");
    let measured = show.trials().filter(|trial| !trial.samples.is_empty()).count();
    assert!(measured < 8, "{measured} of 8 entries");
    for trial in show.trials() {
        assert!(trial.samples.len() <= 1, "a question is not answered by a part of what it compares");
        assert_eq!(trial.failures.len(), 1, "each says that its time was missing: {:?}", trial.failures);
        assert_eq!(trial.failures[0].kind, FailureKind::Skipped);
    }
}
