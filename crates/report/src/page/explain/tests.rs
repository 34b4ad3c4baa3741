//! What the page of what techniques did says.

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
        leader_of: None,
    }]
}

fn shown(pages: &[ExplainPage]) -> String {
    render(pages, Format::Text, &Style::default()).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_first_sentence_says_who_makes_how_many_calls_and_a_table_puts_them_side_by_side() {
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
fn of_many_the_extremes_are_told_and_each_has_its_calls_below() {
    let many = (1..=6).map(|nth| technique(&format!("t{nth}"), vec![call("read", nth, None)])).collect();
    let shown = shown(&page(many));
    let said = "t1 makes the fewest system calls, 1 (1 read); t6 the most, 6 (6 read).";
    assert!(shown.contains(said), "{shown}");
    assert!(shown.contains("read 3"), "{shown}");
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
fn markdown_and_json_tell_the_same_and_what_is_not_known_is_absent() {
    let pages = page(vec![technique("small_buffer", vec![call("read", 7, Some(1))])]);
    assert!(render(&pages[..], Format::Markdown, &Style::default()).contains("small_buffer"));
    let told = pages[..].json();
    let account = &told["families"][0]["techniques"][0]["account"];
    assert_eq!(account["calls"][0]["calls"], 7);
    assert!(account.get("unseen").is_none() && account["usage"].get("read_bytes").is_none(), "{account}");
}
