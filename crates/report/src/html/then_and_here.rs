//! Then and here: the published machines next to this host, a plot for each contest whose work they did.

use findings::published::{self, Program, SideBySide, Then};
use judge::Ranking;
use maud::{Markup, html};
use model::{Cache, Kind, Metric, Record, Unit};

use super::axis::{Axis, ends, short};
use super::compare::TICK_GAP;
use super::marks::{self, axis_row, mark};
use super::picture::Picture;
use super::{Titled, slug, write};
use crate::page::blocks::{Align, Cell, Row, Section, Table};
use crate::text::layout::plain;
use crate::words::compare::times;
use crate::words::phrase::{self, counted, once};
use crate::words::units::amount;

/// The block; nothing where no contest has a published program. What was published along a curve is drawn next to the curve.
pub(super) fn then_and_here(record: &Record, printed: &[Section], parts: &[Titled<'_>]) -> Option<Markup> {
    let contests = parts.iter().filter_map(|titled| Some((titled.label.as_str(), titled.contest()?)));
    let contests: Vec<(&str, &Ranking)> =
        contests.filter(|(_, ranking)| ranking.metric.key == Metric::WORK.key).collect();
    let rankings: Vec<&Ranking> = contests.iter().map(|(_, ranking)| *ranking).collect();
    let (mut found, mut others) = (Vec::new(), Vec::new());
    let compared = published::compare_with_published(record, &rankings);
    for ((label, ranking), then) in contests.into_iter().zip(compared) {
        let cache = ranking.setting.conditions.cache;
        match then {
            Some(Then::SideBySide(one)) => found.push((label, cache, of_a_call(one, ranking))),
            Some(Then::OtherConditions(conditions)) => others.push((label, cache, conditions)),
            None => {}
        }
    }
    if found.is_empty() && others.is_empty() && printed.is_empty() {
        return None;
    }
    let sources = found.iter().flat_map(|(_, _, one)| &one.sources).map(|source| source.title());
    Some(html! {
        section #then aria-labelledby="h-then" {
            h2 #h-then { "Then and here" }
            @for section in printed { (write::section(section)) }
            @if !found.is_empty() {
                p.body {
                    "The published machines next to this host, with the programs and the work that both have. "
                    b { "~ is no claim" }
                    ": other machines, other systems, and figures that were printed without their samples. The axis is logarithmic."
                }
                div.key role="group" aria-label="How to read the plots" {
                    (marks::key("20", "16", mark(0, "10", "8"), "then: a published machine"))
                    (marks::key("20", "16", here("10", "8"), "here: median of this run"))
                }
            }
            @for (cache, title) in CACHES {
                @let found = || found.iter().filter(move |(_, own, _)| *own == cache);
                @let others = || others.iter().filter(move |(_, own, _)| *own == cache);
                @if found().count() + others().count() > 0 { h3.cache { (title) } }
                @for (label, _, one) in found() { (of_contest(label, one)) }
                @for (label, _, conditions) in others() {
                    p.note { b { (plain(label)) } ": not compared. The published figures need other conditions: " (conditions) "." }
                }
            }
            @if !found.is_empty() { p.note { "Published in: " (once(sources).join("; ")) "." } }
        }
    })
}

/// The states of the file cache, with the heading of what was measured with each.
pub(super) const CACHES: [(Option<Cache>, &str); 3] =
    [(Some(Cache::Cold), "Cold file cache"), (Some(Cache::Warm), "Warm file cache"), (None, "No file cache")];

/// Returns the times of one call, of work that is a number of calls.
fn of_a_call(mut one: SideBySide, ranking: &Ranking) -> SideBySide {
    let calls = phrase::calls(ranking).unwrap_or(1.0);
    for program in &mut one.programs {
        program.here_ns /= calls;
        program.then_ns.iter_mut().flatten().for_each(|ns| *ns /= calls);
    }
    one
}

fn here(x: &str, y: &str) -> Markup {
    html! { svg x=(x) y=(y) { circle.cand r="5" {} } }
}

fn of_contest(label: &str, one: &SideBySide) -> Markup {
    let values = one.programs.iter().flat_map(|program| program.known().chain([program.here_ns]));
    let axis = Axis::around(values, 1.2, 3.0);
    let ticks = axis.ticks(axis.round_values(5), TICK_GAP);
    let mut picture = Picture::new(&format!("{label}, then and here"));
    picture.line("hollow: a published machine; filled: the median of this run", "mute");
    picture.axis("technique", ticks.iter().map(|tick| (axis.at(*tick), short(Unit::Nanoseconds, *tick))));
    for program in &one.programs {
        picture.row(&program.technique, "", &strip(program, &axis, &ticks), &(then(program, ratio) + "×"));
    }
    html! {
        section.contest aria-label={ (plain(label)) ", then and here" } {
            h4 { (plain(label)) }
            p.cond { (counted(one.machines.len() as u64, "published machine")) ", less is better" }
            div.plot.cmp {
                (axis_row("technique [program]", &axis, &ticks, |tick| short(Unit::Nanoseconds, tick), html! {
                    "then over here"
                }))
                ol.rows {
                    @for program in &one.programs {
                        li.r {
                            span.n {
                                span.nm {
                                    (write::breakable(&plain(&program.technique)))
                                    @for alias in alias(program) { " " small { "[" (plain(&alias)) "]" } }
                                }
                            }
                            (strip(program, &axis, &ticks))
                            span.v { (then(program, ratio)) "×" }
                        }
                    }
                }
            }
            (picture.link(&format!("{}-then-and-here", slug(label))))
            (write::folded(&table(one), true))
            @for fault in &one.faults { p.note { "Of the source: " (plain(fault)) "." } }
        }
    }
}

fn strip(program: &Program, axis: &Axis, ticks: &[f64]) -> Markup {
    let (low, high) = ends(program.known().chain([program.here_ns]));
    let said = in_words(program);
    html! {
        svg.strip role="img" aria-label=(said) {
            title { (said) }
            @for &tick in ticks { line.g x1=(axis.x(tick)) x2=(axis.x(tick)) y1="0" y2="100%" {} }
            line.link x1=(axis.x(low)) x2=(axis.x(high)) y1="13" y2="13" {}
            @for ns in program.known() { (mark(0, &axis.x(ns), "13")) }
            (here(&axis.x(program.here_ns), "13"))
        }
    }
}

/// The program, where the technique has another name.
fn alias(program: &Program) -> Vec<String> {
    let alias = Some(program.program.clone()).filter(|alias| *alias != program.technique);
    alias.into_iter().collect()
}

/// Returns what the published machines took, from the least to the most: `~636 to ~3500`.
fn then(program: &Program, said: impl Fn(&Program, f64) -> String) -> String {
    let (low, high) = ends(program.known());
    let (least, most) = (said(program, low), said(program, high));
    if low < high { format!("{least} to {most}") } else { least }
}

fn ratio(program: &Program, then_ns: f64) -> String {
    format!("~{}", times(then_ns / program.here_ns))
}

fn in_words(program: &Program) -> String {
    format!(
        "{}, published as {}: here {}, then {} on {}, {}×",
        plain(&program.technique),
        plain(&program.program),
        amount(Unit::Nanoseconds, program.here_ns),
        then(program, |_, ns| amount(Unit::Nanoseconds, ns)),
        counted(program.known().count() as u64, "machine"),
        then(program, ratio),
    )
}

fn table(one: &SideBySide) -> Table {
    let fixed = [("technique [program]".to_owned(), Align::Left), ("here".to_owned(), Align::Right)];
    let machines = one.machines.iter().map(|name| (name.clone(), Align::Right));
    let mut table = Table::new(fixed.into_iter().chain(machines));
    table.about = "this host and each published machine, with the ratio of then to here";
    for program in &one.programs {
        let name =
            Cell::Entry { name: program.technique.clone(), aliases: alias(program), kind: Kind::BuiltIn };
        let then = program.then_ns.iter().map(|ns| {
            ns.map_or(Cell::Text(String::new()), |ns| {
                Cell::Estimate(amount(Unit::Nanoseconds, ns), ratio(program, ns) + "×")
            })
        });
        let here = Cell::Text(amount(Unit::Nanoseconds, program.here_ns));
        let cells = [name, here].into_iter().chain(then).collect();
        table.rows.push(Row { cells, ..Row::default() });
    }
    table
}

#[cfg(test)]
mod tests {
    use model::Workload;

    use super::*;
    use crate::fixture;
    use crate::words::curves::Part;

    fn titled<'a>(label: &str, ranking: &'a Ranking) -> Titled<'a> {
        Titled { part: Part::Contest(ranking), label: label.to_owned(), id: "copy".to_owned() }
    }

    fn block(ranking: &Ranking) -> Option<String> {
        let parts = [titled("A technique and its program", ranking)];
        then_and_here(&fixture::record(), &[], &parts).map(Markup::into_string)
    }

    /// A contest in which one technique goes back to a published program.
    fn ranking() -> Ranking {
        let mut ranking = fixture::clear();
        ranking.metric = Metric::WORK;
        ranking.setting.conditions.cache = Some(Cache::Cold);
        ranking.entries.iter_mut().for_each(|entry| entry.aliases.clear());
        ranking.entries[0].aliases = vec!["cpC".to_owned()];
        ranking.entries[0].technique = "<a>".to_owned();
        ranking
    }

    #[test]
    fn a_technique_stands_next_to_its_program_without_a_claim() {
        let text = block(&ranking()).expect("a block");
        assert_eq!(text.matches("<li ").count(), 1, "{text}");
        let plot = text.split("<li ").nth(1).and_then(|text| text.split("</li>").next()).expect("a row");
        assert_eq!(plot.matches("class=\"th\"").count(), 6, "{plot}");
        assert_eq!(plot.matches("class=\"cand\"").count(), 1, "{plot}");
        for (before, _) in text.match_indices('×') {
            let ratio = text[..before].rsplit([' ', '>']).next().expect("a ratio");
            assert!(ratio.starts_with('~'), "{ratio}");
        }
        assert!(text.contains("&lt;a&gt;") && !text.contains("<a>"), "{text}");
        assert!(text.contains("Windows System Programming"), "{text}");
    }

    #[test]
    fn every_figure_of_the_plot_stands_in_the_table_below_it() {
        let text = block(&ranking()).expect("a block");
        let (_, table) = text.split_once("<table>").expect("a table");
        for machine in ["pentium3-w2000-fat", "xeon-4way-w2000-ntfs"] {
            assert!(table.contains(&format!("scope=\"col\">{machine}</th>")), "{table}");
        }
        assert!(table.contains("14.7 s") && table.contains("2.67 s"), "{table}");
        assert_eq!(table.matches("scope=\"row\"").count(), 1);
    }

    #[test]
    fn a_fault_of_a_source_stands_where_its_program_does() {
        let text = |program: &str| {
            let mut ranking = ranking();
            ranking.entries[0].aliases = vec![program.to_owned()];
            block(&ranking).expect("a block")
        };
        let said = "Of the source: the book's text gives cpUC a mean of 7.71 s";
        assert!(text("cpUC").contains(said) && !text("cpC").contains(said), "{}", text("cpUC"));
    }

    #[test]
    fn a_warm_contest_is_not_compared_with_figures_of_a_cold_cache() {
        let mut warm = ranking();
        warm.setting.conditions.cache = Some(Cache::Warm);
        let text = block(&warm).expect("a block");
        let said = "not compared. The published figures need other conditions: a cold file cache";
        assert!(text.contains(said), "{text}");
        assert!(!text.contains("<li ") && !text.contains('×'), "{text}");
    }

    #[test]
    fn warm_and_cold_stand_apart() {
        let cold = ranking();
        let mut warm = ranking();
        warm.setting.conditions.cache = Some(Cache::Warm);
        let both = [titled("copy, warm", &warm), titled("copy, cold", &cold)];
        let text = then_and_here(&fixture::record(), &[], &both).expect("a block").into_string();
        let order = [">Cold file cache<", ">copy, cold<", ">Warm file cache<", ">copy, warm<"];
        let places: Vec<_> = order.iter().map(|part| text.find(part).expect(part)).collect();
        assert!(places.is_sorted(), "{places:?} {text}");
    }

    #[test]
    fn without_a_published_program_there_is_no_block() {
        let mut none = fixture::clear();
        none.entries.iter_mut().for_each(|entry| entry.aliases.clear());
        let other = Ranking { workload: Workload::of_bytes("1MB", 1_000_000), ..ranking() };
        let memory = Ranking { metric: Metric::MEMORY, ..ranking() };
        assert_eq!([none, other, memory].map(|ranking| block(&ranking)), [None, None, None]);
    }
}
