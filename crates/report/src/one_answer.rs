//! Terminal, Markdown, HTML and JSON of one run name the same choice, the same tied entries and the same levels.

use judge::{Decided, Observation, Options, decide_observations, times};
use model::{Kind, Metric, Workload, axis_value};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::Value;

use crate::text::layout::{columns, plain};
use crate::{Format, Page, Style, fixture, render};

/// Returns the pages for people with their names. No line is folded, and no name broken.
fn pages<P: Page>(page: &P) -> [(&'static str, String); 3] {
    let style = Style { width: 2000, verbose: true, ..Style::default() };
    let html = render(page, Format::Html, &style).replace("<wbr>", "");
    [
        ("terminal", render(page, Format::Text, &style)),
        ("Markdown", render(page, Format::Markdown, &style)),
        ("HTML", html.replace("&gt;", ">").replace("&lt;", "<").replace("&amp;", "&")),
    ]
}

/// Returns what stands behind each "Use " of a page, up to the end of the name.
fn used(page: &str) -> Vec<&str> {
    let behind = page.split("Use ").skip(1);
    behind.map(|rest| rest.split([':', ',', ';', ' ', '<', '.']).next().unwrap_or(rest)).collect()
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The contests one by one, so that nothing on a page is about another one.
fn assert_contests_agree(decided: &Decided) {
    let whole = decided.json();
    for (ranking, in_whole) in decided.rankings.iter().zip(whole["contests"].as_array().expect("contests")) {
        let one = fixture::decided(std::slice::from_ref(ranking));
        let pages = pages(&one);
        let contest = &one.json()["contests"][0];
        assert_eq!(contest, in_whole);
        let sentence = contest["sentence"].as_str().expect("a sentence");
        let choice = contest["choice"]["entry"].as_str();
        for (name, page) in &pages {
            assert!(page.contains(sentence), "{name}: {sentence}\n{page}");
            match choice {
                Some(entry) => {
                    assert!(used(page).iter().all(|used| *used == entry), "{name}: {entry}\n{page}");
                    assert!(!used(page).is_empty(), "{name}: {entry}\n{page}");
                }
                None => assert_eq!(used(page), Vec::<&str>::new(), "{name}: {page}"),
            }
            if let Some(factor) = contest["choice"]["baseline"]["factor"].as_f64() {
                assert!(page.contains(&format!("{}x", times(factor))), "{name}: {factor}\n{page}");
            }
        }
        let marks = ["\n  =  ", "\n| = | `", "scope=\"row\">=\u{a0}"];
        // What is within the tolerance of the leader is tied too.
        let tied = contest["entries"].as_array().expect("entries").iter();
        let tied = tied.filter(|entry| matches!(entry["standing"].as_str(), Some("wins" | "tied")));
        let tied: Vec<&str> = tied.filter_map(|entry| entry["technique"].as_str()).collect();
        let mut fastest = texts(&contest["fastest"]);
        fastest.sort_by_key(|name| tied.iter().position(|one| one == name));
        assert_eq!(fastest, tied, "{contest}");
        // What is alone was compared with nothing, and has no mark.
        let marked = if contest["state"] == "alone" { Vec::new() } else { tied };
        for ((page, text), mark) in pages.iter().zip(marks) {
            let rows: Vec<&str> = text.split(mark).skip(1).collect();
            assert_eq!(rows.len(), marked.len(), "{page}: {marked:?}\n{text}");
            for (row, name) in rows.iter().zip(&marked) {
                assert!(row.starts_with(&plain(name)), "{page}: {name}\n{text}");
            }
        }
    }
}

/// Returns the levels of a table in a terminal: what stands in each column of techniques, level by level.
fn terminal_levels(page: &str, axis: &str, techniques: &[String]) -> Vec<Vec<String>> {
    let mut lines = page.lines().skip_while(|line| {
        let behind = line.trim_start().strip_prefix(axis);
        !behind.is_some_and(|rest| rest.starts_with("  ") && rest.trim_start().starts_with("a "))
    });
    let head = lines.next().unwrap_or_else(|| panic!("the table of levels: {page}"));
    let titles = techniques.iter().zip('a'..).map(|(name, letter)| format!("{letter} {name}"));
    let titles = std::iter::once(axis.to_owned()).chain(titles);
    let ends: Vec<usize> =
        titles.map(|title| columns(&head[..head.find(&title).expect("a title") + title.len()])).collect();
    let lines =
        lines.take_while(|line| !line.is_empty() && !line.starts_with("  = ") && !line.starts_with("  - "));
    let cells = lines.map(|line| {
        let letters: Vec<char> = line.chars().chain(std::iter::repeat(' ')).take(columns(head)).collect();
        let cells = ends.windows(2).map(|ends| letters[ends[0]..ends[1]].iter().collect::<String>());
        cells.map(|cell| cell.trim().to_owned()).collect()
    });
    cells.collect()
}

fn markdown_levels(page: &str, axis: &str) -> Vec<Vec<String>> {
    let lines = page.lines().skip_while(|line| !line.starts_with(&format!("| {axis} | `"))).skip(2);
    let rows = lines.take_while(|line| line.starts_with('|')).map(|line| line.trim_matches('|').split('|'));
    rows.map(|cells| cells.skip(1).map(|cell| cell.trim().to_owned()).collect()).collect()
}

fn html_levels(page: &str) -> Vec<Vec<String>> {
    let table = page.split("class=\"tw levels\"").nth(1).and_then(|rest| rest.split("</table>").next());
    let rows = table.expect("the table of levels").split("<tr>").skip(2);
    let cells = rows.map(|row| row.split("<td").skip(1).filter_map(|cell| cell.split_once('>')));
    let text = |(_, text): (_, &str)| text.split('<').next().unwrap_or("").trim().to_owned();
    cells.map(|cells| cells.map(text).collect()).collect()
}

fn assert_curves_agree(decided: &Decided) {
    let pages = pages(decided);
    let whole = decided.json();
    for (place, curve) in decided.curves.iter().enumerate() {
        let in_json = &whole["curves"][place];
        let sentence = in_json["sentence"].as_str().expect("a sentence");
        for (name, page) in &pages {
            assert!(page.contains(sentence), "{name}: {sentence}\n{page}");
        }
        let ranges = in_json["ranges"].as_array().cloned().unwrap_or_default();
        for range in &ranges {
            let entry = range["choice"]["entry"].as_str().expect("an entry");
            let [from, to] =
                ["from", "to"].map(|end| axis_value(&curve.axis, range[end].as_u64().expect("a level")));
            let range = format!("from {}", judge::between(&from, &to));
            let said = [format!("at {from}"), range, "at every ".to_owned()];
            let said = said.map(|levels| format!("{entry} {levels}"));
            assert!(said.iter().any(|said| sentence.contains(said)), "{entry} {from} {to}: {sentence}");
        }
        let levels = in_json["levels"].as_array().expect("levels");
        let names: Vec<String> = curve.techniques.iter().map(|line| line.technique.clone()).collect();
        let axis = model::axis_name(&curve.axis);
        let [(_, terminal), (_, markdown), (_, html)] = &pages;
        let tables =
            [terminal_levels(terminal, &axis, &names), markdown_levels(markdown, &axis), html_levels(html)];
        for ((page, _), table) in pages.iter().zip(tables) {
            assert_eq!(table.len(), levels.len(), "{page}: {table:?}");
            for (row, level) in table.iter().zip(levels) {
                let marked = row.iter().zip(&names).filter(|(cell, _)| cell.starts_with('='));
                let marked: Vec<&String> = marked.map(|(_, name)| name).collect();
                let tied: Vec<String> =
                    texts(&level["tied"]).into_iter().map(|entry| curve.technique_of(entry)).collect();
                let tied: Vec<&String> = names.iter().filter(|name| tied.contains(name)).collect();
                assert_eq!(marked, tied, "{page}: {row:?} {level}");
            }
        }
        // The bar below the plot: what to use, level by level.
        let mut bar: Vec<String> = Vec::new();
        for level in levels {
            let choice = level["choice"]["entry"].as_str();
            let name = choice.map_or("no answer".to_owned(), |entry| curve.technique_of(entry));
            if bar.last() != Some(&name) {
                bar.push(name);
            }
        }
        let drawn = html.split("class=\"fl\"").nth(1 + place);
        let drawn = drawn.and_then(|rest| rest.split("class=\"fll\"").next());
        let titles = drawn.expect("the bar").split("title=\"").skip(1);
        let drawn: Vec<&str> = titles.map(|rest| rest.split('"').next().unwrap_or_default()).collect();
        assert_eq!(drawn, bar);
        assert_advice_agrees(decided, curve, &ranges);
    }
}

fn assert_advice_agrees(decided: &Decided, curve: &judge::Curve, ranges: &[Value]) {
    let page = fixture::advised(decided, curve);
    if page.advice.is_none() {
        assert!(ranges.is_empty(), "{ranges:?}");
        return;
    }
    let in_json = &page.json()["advice"];
    let advised = in_json["ranges"].as_array().cloned().unwrap_or_default();
    let said = |range: &Value| {
        let [from, to] = ["from", "to"].map(|end| range[end].as_u64());
        (from, to, range["choice"]["entry"].clone())
    };
    assert_eq!(advised.iter().map(said).collect::<Vec<_>>(), ranges.iter().map(said).collect::<Vec<_>>());
    let sentence = in_json["sentence"].as_str().expect("a sentence");
    for (_, page) in &pages(&page) {
        assert!(page.contains(sentence), "{sentence}\n{page}");
        for range in &advised {
            let [from, to] =
                ["from", "to"].map(|end| axis_value(&curve.axis, range[end].as_u64().expect("a level")));
            let levels = if from == to { from } else { judge::between(&from, &to) };
            let entry = range["choice"]["entry"].as_str().expect("an entry");
            let mut rows = page.lines().flat_map(|line| line.split("<tr>"));
            let has_row = rows.any(|row| row.contains(&format!("{levels} ")) && row.contains(entry));
            assert!(has_row, "{levels} {entry}\n{page}");
        }
    }
}

/// The time of a technique by the size; `None` where it does not take part.
type Times<'a> = &'a dyn Fn(u64) -> Option<f64>;

/// Times of techniques at some sizes, with a little noise that is the same whenever the test runs.
fn observed(sizes: &[u64], rounds: u32, techniques: &[(&str, Times<'_>)]) -> Vec<Observation> {
    let mut state = 7_u64;
    let mut all = Vec::new();
    for &size in sizes {
        for round in 0..=20.min(rounds) {
            for (name, time) in techniques {
                let Some(time) = time(size) else { continue };
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let noise = 1.0 + 0.02 * ((state >> 40) as f64 / (1u64 << 24) as f64 - 0.5);
                all.push(Observation {
                    family: "copy".into(),
                    workload: Workload::of_bytes(format!("{size} bytes"), size),
                    setting: fixture::setting(),
                    metric: Some(Metric::WORK),
                    baseline: Some("plain".into()),
                    kind: if *name == "memory" { Kind::Ceiling } else { Kind::BuiltIn },
                    looks: vec![10, 20],
                    ..Observation::new(round, *name, time * noise)
                });
            }
        }
    }
    all
}

const SIZES: [u64; 5] = [1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20];

fn decide(levels: usize, rounds: u32, techniques: &[(&str, Times<'_>)]) -> Decided {
    decide_observations(&observed(&SIZES[..levels], rounds, techniques), &Options::default())
}

fn linear(a_byte: f64, fixed: f64) -> impl Fn(u64) -> Option<f64> {
    move |size| Some(size as f64 * a_byte + fixed)
}

fn sets() -> Vec<Decided> {
    let (plain, fast, like_fast) = (linear(1.0, 1e4), linear(0.5, 3e4), linear(0.501, 3e4));
    let (slow, memory) = (linear(3.0, 1e5), linear(0.1, 0.0));
    let large_only = |size: u64| (size > 1 << 16).then_some(size as f64 * 0.4);
    vec![
        decide(5, 20, &[("plain", &plain), ("fast", &fast), ("slow_one", &slow), ("memory", &memory)]),
        decide(5, 20, &[("plain", &plain), ("fast", &fast), ("like@64K", &like_fast), ("slow_one", &slow)]),
        decide(5, 20, &[("plain", &plain), ("slow_one", &slow), ("large_only", &large_only)]),
        decide(5, 20, &[("fast", &fast), ("slow_one", &slow)]),
        decide(1, 20, &[("plain", &plain), ("same", &plain)]),
        decide(2, 1, &[("plain", &plain), ("fast", &fast)]),
        decide(1, 20, &[("plain", &plain)]),
    ]
}

#[test]
fn fixtures_have_one_answer_on_every_page() {
    assert_contests_agree(&fixture::decided(&[fixture::ranking(), fixture::clear()]));
    assert_contests_agree(&fixture::with_levels());
    assert_curves_agree(&fixture::with_levels());
}

#[test]
fn judged_samples_have_one_answer_on_every_page() {
    for decided in sets() {
        assert_contests_agree(&decided);
        assert_curves_agree(&decided);
    }
}

/// A technique: nanoseconds a call and for each KiB, and the place of the first size at which it takes part.
type DrawnTechnique = (f64, f64, usize);

proptest! {
    #![proptest_config(ProptestConfig { cases: 32, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn drawn_samples_have_one_answer_on_every_page(
        drawn in vec((1e3..2e4f64, 100.0..300.0f64, 0..3usize), 4),
        levels in 1..=SIZES.len(),
        rounds in 0..=20u32,
    ) {
        let times: Vec<_> = drawn.into_iter().map(|(a_call, a_kib, first): DrawnTechnique| {
            move |size: u64| (size >= SIZES[first]).then_some(a_call + a_kib * size as f64 / 1024.0)
        }).collect();
        let names = ["plain", "fast", "like@64K", "slow_one"];
        let techniques: Vec<(&str, Times<'_>)> =
            names.into_iter().zip(&times).map(|(name, time)| (name, time as Times<'_>)).collect();
        let decided = decide(levels, rounds, &techniques);
        assert_contests_agree(&decided);
        assert_curves_agree(&decided);
    }
}
