//! What the page of what techniques did says.

use judge::{Counted, Reason, RunAnswer, Transfers, Why};
use model::{Account, CallCounters, Durability, Setting, Workload};

use crate::fixture::{call, explained as technique};
use crate::page::Page;
use crate::pages::{ExplainPage, ExplainedTechnique};
use crate::text::Style;
use crate::{Format, render};

fn page(techniques: Vec<ExplainedTechnique>) -> Vec<ExplainPage> {
    vec![ExplainPage {
        family: "copy".to_owned(),
        question: "How do I copy a file?".to_owned(),
        workload: Workload::of_size(25_600_000),
        setting: Setting::warm("/data", Durability::Returned),
        techniques,
        ..ExplainPage::default()
    }]
}

fn shown(pages: &[ExplainPage]) -> String {
    render(pages, Format::Text, &Style::default()).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_sentence_counts_calls_and_a_table_shows_them_side_by_side() {
    let bytes = Some(25_600_000);
    let mut leader = technique("presized@256K", vec![call("read", 98, bytes), call("fallocate", 1, None)]);
    leader.is_leader = true;
    let mut plain = technique("read_write@4K", vec![call("read", 6_251, bytes), call("write", 6_250, bytes)]);
    plain.is_baseline = true;
    let shown = shown(&page(vec![leader, plain]));
    let sentence = "presized@256K (the leader) makes 99 system calls (98 read, 1 fallocate); read_write@4K (the baseline)";
    assert!(shown.contains(sentence), "{shown}");
    assert!(shown.contains("read 98 (25.6 MB) 6,251 (25.6 MB)"), "{shown}");
    assert!(shown.contains("page faults"), "{shown}");
}

#[test]
fn of_many_the_extremes_are_said_and_each_has_its_calls_below() {
    let many = (0..=6).map(|nth| technique(&format!("t{nth}"), vec![call("read", nth, None)]));
    let mut many: Vec<ExplainedTechnique> = many.collect();
    // What did a part of the work is none of them.
    many[0].account.as_mut().expect("an account").is_cut = true;
    let shown = shown(&page(many));
    let said = "t1 makes the fewest system calls, 1 (1 read); t6 the most, 6 (6 read).";
    assert!(shown.contains(said), "{shown}");
    assert!(shown.contains("read 3") && shown.contains("counts are of a part: t0 "), "{shown}");
}

#[test]
fn what_breaks_its_word_fails_or_is_not_seen_is_said() {
    let mut broken = technique("direct", vec![call("read", 2, None)]);
    broken.broken = vec!["open O_DIRECT|openat O_DIRECT".to_owned(), "!read".to_owned()];
    let failed = ExplainedTechnique {
        name: "io_uring".to_owned(),
        failure: Some("refused".to_owned()),
        ..ExplainedTechnique::default()
    };
    let unseen = Account {
        counters: CallCounters { read_calls: Some(1_234), ..CallCounters::default() },
        unseen: Some("no process may trace another one here".to_owned()),
        ..Account::default()
    };
    let unseen = ExplainedTechnique {
        name: "sendfile".to_owned(),
        account: Some(unseen),
        ..ExplainedTechnique::default()
    };
    let shown = shown(&page(vec![broken, failed, unseen]));
    for said in [
        "open O_DIRECT or openat O_DIRECT was not made",
        "read was made",
        "failed: refused",
        "sendfile: the system calls were not seen: no process may trace",
        "1,234",
    ] {
        assert!(shown.contains(said), "'{said}' is not in: {shown}");
    }
}

#[test]
fn markdown_and_json_agree_and_the_unknown_is_absent() {
    let pages = page(vec![technique("small_buffer", vec![call("read", 7, Some(1))])]);
    assert!(render(&pages[..], Format::Markdown, &Style::default()).contains("small_buffer"));
    let json = pages[..].json();
    let account = &json["families"][0]["techniques"][0]["account"];
    assert_eq!(account["calls"][0]["calls"], 7);
    assert!(account.get("unseen").is_none() && account["usage"].get("read_bytes").is_none(), "{account}");
}

fn reason(counted: Counted, for_second: bool, figures: [u64; 2]) -> Reason {
    Reason { counted, for_second, figures, moved: None }
}

fn why(found: RunAnswer, reasons: Vec<Reason>) -> Vec<Why> {
    let by = String::new();
    vec![Why { pair: ["a".to_owned(), "b".to_owned()], found, by, reasons, is_cut: false }]
}

fn faster() -> RunAnswer {
    RunAnswer::Faster { run: "r".to_owned(), by: 1.62 }
}

#[test]
fn one_sentence_says_why_one_of_two_is_faster() {
    use Counted::{Calls, Faults, Fetched, Flushes, MoreThreads, ProcessorTime, Sent, Switches, Threads};
    let moved =
        [(196, 261_224), (12_501, 4_096)].map(|(calls, bytes_a_call)| Transfers { calls, bytes_a_call });
    let by_size = Reason { moved: Some(moved), ..reason(Calls, false, [210, 12_510]) };
    for (found, reasons, said) in [
        (
            faster(),
            vec![by_size, reason(Faults, false, [25, 53])],
            "a is 1.6x faster than b in the run r: it moves 261 kB a call (196 calls) where b moves 4.10 kB (12,501 calls); \
             it takes 2.1 times fewer page faults (25) than b (53).",
        ),
        (
            faster(),
            [Calls, Faults, Switches, Threads].map(|counted| reason(counted, false, [0, 100])).to_vec(),
            "a is 1.6x faster than b in the run r: it makes no system calls where b makes 100; it takes no page faults where \
             b takes 100; it makes no context switches where b makes 100.",
        ),
        (faster(), vec![], "a is 1.6x faster than b in the run r, and nothing that was counted explains it."),
        (
            faster(),
            vec![reason(ProcessorTime, false, [0, 9_000_000])],
            "a is 1.6x faster than b in the run r, and no count explains it, but it spends less than a tick of processor time \
             where b spends 9 ms.",
        ),
        (
            faster(),
            vec![reason(Flushes, false, [1, 768]), reason(MoreThreads, false, [3, 0])],
            "a is 1.6x faster than b in the run r: it waits for 770 times fewer flushes to the device (1) than b (768); it starts \
             3 threads to work at the same time, b none.",
        ),
        (
            RunAnswer::Unknown,
            vec![reason(Switches, true, [9_000, 0]), reason(Threads, false, [1, 64])],
            "No kept run compares a with b at this work and under these conditions: b makes no context switches where a makes 9,000; a starts 64 \
             times fewer threads (1) than b (64).",
        ),
        (
            RunAnswer::Tied { run: "r".to_owned() },
            vec![reason(Fetched, false, [0, 25_600_000]), reason(Sent, true, [2_000_000, 1_000_000])],
            "Neither a nor b is shown to be faster in the run r: a fetches 0 B from the device where b fetches 25.6 MB; b sends 1.00 MB to \
             the device where a sends 2.00 MB.",
        ),
        (
            RunAnswer::Unknown,
            vec![],
            "No kept run compares a with b at this work and under these conditions, and nothing that was counted differs \
             clearly.",
        ),
    ] {
        let two = vec![technique("a", vec![call("read", 1, None)]), technique("b", vec![])];
        let mut pages = page(two);
        pages[0].why = why(found, reasons);
        assert_eq!(pages[..].json()["families"][0]["why"], said);
        let shown = shown(&pages);
        assert!(shown.contains(said) && !shown.contains("makes 1 system call"), "{shown}");
    }
    assert!(page(Vec::new())[..].json()["families"][0].get("why").is_none());
    let mut cut = page(Vec::new());
    cut[0].why = why(faster(), vec![]);
    cut[0].why[0].is_cut = true;
    let said = "a is 1.6x faster than b in the run r, and the work of one was cut short, so that its counts say nothing.";
    assert_eq!(cut[..].json()["families"][0]["why"], said);
}
