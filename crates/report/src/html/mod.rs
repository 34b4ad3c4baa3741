//! Pages as HTML: one file that needs no network and no script.
//!
//! What is said is what terminal and Markdown say, to the letter. Next to it stand plots of the rankings and of all samples;
//! the only arithmetic here is that of their scales.

mod axis;
mod by_run;
mod cards;
mod compare;
mod contest;
mod contest_row;
mod curve;
mod ending;
mod findings;
mod marks;
mod noise;
mod picture;
mod then_and_here;
mod times;
mod winners;
mod write;

use judge::{Decided, Document, Ranking, Seen, State, Verdict};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use model::Record;
use serde_json::Value;

use crate::json;
use crate::page::blocks::{Block, Extent, Sections};
use crate::page::{self, Page};
use crate::pages::{Context, RunPage};
use crate::text::layout::plain;
use crate::words::{
    self,
    curves::{self, Part},
    phrase::{self, counted, once},
};

const STYLE: &str = include_str!("page.css");

/// Of runs side by side, the tables of the first contests are open.
const OPEN: usize = 2;

/// A contest or a curve with its name next to the others, and where a link finds it.
struct Titled<'a> {
    part: Part<'a>,
    label: String,
    id: String,
}

impl<'a> Titled<'a> {
    fn contest(&self) -> Option<&'a Ranking> {
        if let Part::Contest(ranking) = self.part { Some(ranking) } else { None }
    }
}

impl Page for RunPage<'_> {
    fn blocks(&self, extent: Extent) -> Sections {
        page::run(self, extent)
    }

    fn json(&self) -> Value {
        json::value_of(&Document::new(self.record, self.decided))
    }

    fn drawn(&self) -> Option<String> {
        Some(run(self, &judge::seen(self.record, self.decided)))
    }
}

/// Contests of samples that no run took.
impl Page for Decided {
    fn blocks(&self, extent: Extent) -> Sections {
        page::contests(self, &Context::default(), Extent { levels: true, ..extent })
    }

    fn json(&self) -> Value {
        json::value_of(&Verdict::new(self))
    }

    fn drawn(&self) -> Option<String> {
        let parts = titled(self);
        let context = Context::default();
        let main = html! {
            (answers(&parts, self, &context))
            (contests(&parts, self, None, &context))
        };
        Some(document(&title(&parts), &question(&parts, &context), html! {}, &links(&parts), main, "bakeoff"))
    }
}

fn run(page: &RunPage<'_>, seen: &Seen) -> String {
    let RunPage { record, decided, context, findings } = *page;
    let parts = titled(decided);
    let ending = page::ending(record, decided, context, Extent::HTML);
    let (notes, closing) = ending.split_at(ending.len().min(1));
    let noise = noise::noise(&parts, decided, seen, notes);
    let findings = findings::findings(findings, findings::RUN);
    let printed = page::published_tables(record, decided);
    let then = then_and_here::then_and_here(record, &printed, &parts);
    let mut links = links(&parts);
    links.extend(noise.as_ref().map(|_| ("noise", "Noise")));
    links.extend([("host", "Host, command, methods"), ("absent", "Not available")]);
    let is_published = findings.is_some() || then.is_some();
    links.extend(is_published.then_some(("published", "Published, then and here")));
    let main = html! {
        (answers(&parts, decided, context))
        (contests(&parts, decided, Some((record, seen)), context))
        @if let Some(noise) = &noise { (noise) }
        section #host aria-labelledby="h-host" {
            h2 #h-host { "Host, command, methods" }
            (ending::host(&record.host, &record.volumes))
            @for section in page::facts(record, Extent { all: true, ..Extent::HTML }) { (facts(&section)) }
            p.cmdl { "To repeat" }
            pre tabindex="0" { code { (ending::command(record)) } }
            @for text in ending::methods(record, &decided.rankings) { p.body { (plain(&text)) } }
            @for one in closing { (write::block(one)) }
        }
        (ending::absent(&parts, &decided.rankings, record))
        // What was published is a page of its own inside the file: a link shows it instead of the rest, and it is printed by itself.
        @if is_published {
            section.apart #published aria-label="What was published, then and here" {
                p.back { a href="#answers" { "Back to the answers of this run" } }
                @if let Some(findings) = findings { (findings) }
                @if let Some(then) = then { (then) }
            }
        }
    };
    let version = format!("{} {}", record.tool.name, record.tool.version);
    let lede = html! {
        p.lede { (plain(&lede(record, &decided.rankings))) }
        (noise::verdict(record, decided, seen))
    };
    document(&title(&parts), &question(&parts, context), lede, &links, main, &version)
}

/// Writes the facts of a family behind a line that opens them.
fn facts(section: &[Block]) -> Markup {
    html! {
        @match section {
            [Block::Heading { text, .. }, Block::Table(table)] => details {
                summary { (plain(text)) ": " (table.rows.len()) }
                (write::table(table))
            },
            other => (write::section(other)),
        }
    }
}

pub(crate) fn of_blocks(title: &str, page: &Sections) -> String {
    let main = html! { @for section in page { section { (write::section(section)) } } };
    document(&format!("bakeoff: {title}"), title, html! {}, &[], main, "bakeoff")
}

fn document(
    title: &str, heading: &str, lede: Markup, links: &[(&str, &str)], main: Markup, version: &str,
) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width,initial-scale=1";
                meta name="color-scheme" content="light dark";
                // Nothing that stands in a name or a reason can make a browser fetch or run anything.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                title { (plain(title)) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                a.skip href="#main" { "Skip to the answers" }
                header {
                    p.brand { "bakeoff " span { "report" } }
                    h1 { (plain(heading)) }
                    (lede)
                    @if !links.is_empty() {
                        nav aria-label="Blocks" { @for (id, text) in links { a href={ "#" (id) } { (text) } " " } }
                    }
                }
                main #main { (main) }
                footer { (plain(version)) " · one file, no network, no script" }
            }
        }
    };
    page.into_string()
}

/// The contests and curves of two entries or more: one entry is no contest.
fn compared(decided: &Decided) -> Vec<Part<'_>> {
    let mut parts = curves::parts(decided);
    parts.retain(|part| !matches!(part, Part::Contest(one) if one.state == State::Alone));
    parts
}

/// The contests and curves with names that differ, and identifiers that do.
fn titled(decided: &Decided) -> Vec<Titled<'_>> {
    let parts = compared(decided);
    let labels = curves::labels(&parts);
    let mut all: Vec<Titled<'_>> = Vec::new();
    for (part, label) in parts.into_iter().zip(labels) {
        let mut id = slug(&label);
        if id.is_empty() || RESERVED.contains(&id.as_str()) || all.iter().any(|known| known.id == id) {
            id = format!("contest-{}", all.len() + 1);
        }
        all.push(Titled { part, label, id });
    }
    all
}

const RESERVED: [&str; 9] =
    ["main", "answers", "contests", "noise", "findings", "then", "host", "absent", "published"];

/// Returns a label as an identifier: letters, digits and dashes.
fn slug(label: &str) -> String {
    let part =
        label.chars().take(60).map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' });
    part.collect::<String>().split_whitespace().collect::<Vec<_>>().join("-")
}

fn links(parts: &[Titled<'_>]) -> Vec<(&'static str, &'static str)> {
    if parts.is_empty() { Vec::new() } else { vec![("answers", "Answers"), ("contests", heading(parts))] }
}

fn heading(parts: &[Titled<'_>]) -> &'static str {
    match parts.iter().filter_map(Titled::contest).count() {
        all if all == parts.len() => "Contests",
        0 => "Curves",
        _ => "Contests and curves",
    }
}

fn answers(parts: &[Titled<'_>], decided: &Decided, context: &Context) -> Markup {
    html! {
        section #answers aria-labelledby="h-answers" {
            h2.vh #h-answers { "Answers" }
            @if decided.rankings.is_empty() { p.sent { "No contest took place." } }
            @if !parts.is_empty() {
                @if families(parts).len() > 1 {
                    @for block in page::summary(&compared(decided), &decided.rankings, Extent::HTML) { (write::block(&block)) }
                }
                (cards::cards(parts, context))
                p.small {
                    @if let Some(said) = words::run::confidence(decided, parts.len() > 1) { (said) " " }
                    "The large number: how many times as much the baseline costs as what to use. \
                     1.7x (1.5–2.1): the estimate, and the interval that holds the true factor."
                }
            }
            (alone(decided))
        }
    }
}

/// Writes what was measured alone: there is nothing to compare it with.
fn alone(decided: &Decided) -> Markup {
    let mut alone: Vec<&Ranking> = decided.rankings.iter().filter(|one| one.state == State::Alone).collect();
    alone.retain(|one| !decided.curves.iter().any(|curve| curve.holds(one)));
    html! {
        @if !alone.is_empty() {
            ul.remarks {
                @for ranking in alone {
                    li {
                        b { (plain(&ranking.family)) }
                        span {
                            (plain(&ranking.sentence))
                            @for entry in ranking.entries.iter().filter(|entry| entry.median.value().is_some()) {
                                " " (plain(&entry.technique)) ": " (phrase::median(entry, ranking)) "."
                            }
                            @for failure in &ranking.failures { " " (plain(&phrase::failed(failure))) "." }
                        }
                    }
                }
            }
        }
    }
}

/// Writes the contests and curves; those of a run with its samples, and with the command that measures each again.
fn contests(
    parts: &[Titled<'_>], decided: &Decided, run: Option<(&Record, &Seen)>, context: &Context,
) -> Markup {
    let dots = contest_row::most_dots(parts.iter().filter_map(Titled::contest).map(contest::rows).sum());
    html! {
        @if !parts.is_empty() {
            section #contests aria-labelledby="h-contests" {
                h2 #h-contests { (heading(parts)) }
                @if parts.iter().any(|titled| titled.contest().is_some()) { (contest_row::key()) }
                @for Titled { part, id, .. } in parts {
                    @let command = run.map(|(record, _)| ending::command_of(record, part.family()));
                    @match part {
                        Part::Contest(ranking) => {
                            @let seen = run.and_then(|(_, seen)| crate::words::run::seen_of(ranking, decided, seen));
                            @let shown = contest::Shown { ranking, seen, dots, command: command.as_deref() };
                            (contest::contest(&page::contest(ranking, context, Extent::HTML), id, &shown))
                        }
                        Part::Curve(curve) => {
                            @let section = page::curve(curve, &decided.rankings, context, Extent::HTML);
                            (curve::curve(&section, id, curve, command.as_deref()))
                        }
                    }
                }
            }
        }
    }
}

fn families<'a>(parts: &'a [Titled<'_>]) -> Vec<&'a str> {
    once(parts.iter().map(|titled| titled.part.family()))
}

fn title(parts: &[Titled<'_>]) -> String {
    let families = families(parts).join(", ");
    if families.is_empty() { "bakeoff".to_owned() } else { format!("bakeoff: {families}") }
}

fn question(parts: &[Titled<'_>], context: &Context) -> String {
    let own = if let [one] = families(parts)[..] { context.questions.get(one).cloned() } else { None };
    own.unwrap_or_else(|| "Which technique is fastest on this host?".to_owned())
}

fn lede(record: &Record, rankings: &[Ranking]) -> String {
    let host = &record.host;
    let processor = &host.processor;
    let mut machine: Vec<String> = processor.model.iter().cloned().collect();
    machine.extend(processor.logical.map(|count| counted(count.into(), "processor")));
    let under = record.host.processor.virtual_by().map_or(String::new(), |name| format!(" under {name}"));
    let mut system = vec![host.os.name.clone().unwrap_or_else(|| host.os.family.clone())];
    system.extend(host.os.kernel.as_ref().map(|kernel| format!("kernel {kernel}")));
    system.extend(record.volumes.iter().filter_map(|one| one.file_system.clone()));
    system.dedup();
    let (date, time) = record.started.split_once('T').unwrap_or((&record.started, ""));
    let mut parts = vec![
        format!("{}{under}", machine.join(", ")),
        system.join(", "),
        format!("{date} {}", time.get(..5).unwrap_or(time)),
    ];
    parts.extend(rankings.iter().map(phrase::rounds).max().map(|most| match most {
        0 => "no round was counted".to_owned(),
        _ => format!("up to {}", counted(most, "round")),
    }));
    parts.retain(|part| !part.trim().is_empty());
    parts.join(" · ")
}

#[cfg(test)]
mod tests;
