//! What the host did while it was measured.

use judge::State;
use model::{Note, Topic};
use testkit::Run;

use super::{One, has_flag};

#[test]
fn nothing_is_said_of_a_run_in_which_memory_ran_short() {
    for topic in [Topic::Swap, Topic::OutOfMemory] {
        let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
        run.record.notes.push(Note { topic, text: "7 MiB were swapped in".into() });
        let ranking = run.one();
        assert_eq!(ranking.state, State::Refused);
        let said = "Refused: 7 MiB were swapped in. Free some memory";
        assert!(ranking.sentence.starts_with(said), "{}", ranking.sentence);
    }
}

#[test]
fn threads_that_a_family_starts_are_counted_as_it_says() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.host.processor.allowed = vec![0, 1];
    for trial in &mut run.record.trials {
        trial.workload.point.set("threads", 2);
    }
    let (family, workload) = (&run.record.trials[0].family, &run.record.trials[0].workload.name);
    run.record.design.threads = [(family.clone(), [(workload.clone(), 6)].into())].into();
    assert!(has_flag(&run.one(), "oversubscribed", "6 threads share 2 processors"));
}

#[test]
fn what_the_host_did_is_flagged() {
    let mut run = Run::new().with("a", 12.0).with("b", 10.0).rounds(20);
    run.record.notes.push(Note { topic: Topic::Steal, text: "3 % of the time was stolen".into() });
    run.record.canaries =
        (0..20).map(|round| (round, 1_000_000 + 10_000 * u64::from(round), 2_000_000)).collect();
    run.record.host.processor.allowed = vec![0, 1];
    for trial in &mut run.record.trials {
        trial.workload.point.set("threads", 8);
        trial.samples.iter_mut().for_each(|sample| sample.usage.involuntary_switches = Some(3));
    }
    let ranking = run.one();
    assert!(has_flag(&ranking, "steal", "3 %"));
    assert!(has_flag(&ranking, "drift", "the processor's pace changed"));
    assert!(has_flag(&ranking, "oversubscribed", "8 threads share 2 processors"));
    let important: Vec<&str> =
        ranking.flags.iter().filter(|flag| flag.important).map(|flag| flag.name.as_str()).collect();
    assert_eq!(important, ["oversubscribed"], "the others do not change what a reader does");
    assert_eq!(ranking.entries[0].preemptions, Some(3.0));
}

#[test]
fn user_and_system_time_are_apart_where_a_tick_is_shorter() {
    for (base_ms, split) in [(10.0, false), (40.0, true)] {
        let mut run = Run::new().with("a", base_ms).with("b", 2.0 * base_ms).rounds(10);
        for sample in run.record.trials.iter_mut().flat_map(|trial| &mut trial.samples) {
            (sample.usage.user_ns, sample.usage.system_ns) = (Some(3_000_000), Some(4_000_000));
        }
        let ranking = run.one();
        let entry = &ranking.entries[0];
        assert_eq!(entry.cpu_ns, Some(7e6));
        assert_eq!((entry.user_ns.is_some(), entry.system_ns.is_some()), (split, split), "{base_ms} ms");
    }
}
