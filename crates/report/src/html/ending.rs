//! What stands behind the numbers: the host, the command, the methods, and what is missing.

use std::path::Path;

use judge::Ranking;
use maud::{Markup, html};
use model::{Host, Record, Volume};

use super::Titled;
use crate::text::layout::plain;
use crate::words::curves::Part;
use crate::words::units::{grouped, percent};
use crate::words::{advice, facts, phrase};

pub(super) fn host(host: &Host, volumes: &[Volume]) -> Markup {
    let advice = advice::of(host, volumes);
    html! {
        div.facts {
            @for (title, lines) in facts::of(host, volumes) {
                h3 { (plain(&title)) }
                dl {
                    @for (name, value) in lines { div { dt { (name) } dd { (plain(&value)) } } }
                }
            }
            @if !advice.is_empty() {
                h3 { "what this machine will do to the numbers" }
                ul.remarks { @for one in &advice { li { span { (plain(&one.text)) } } } }
            }
        }
    }
}

/// Returns the command that makes such a run again, with its seed.
pub(super) fn command(record: &Record) -> String {
    with_seed(record.command.clone(), record.seed)
}

fn with_seed(mut words: Vec<String>, seed: u64) -> String {
    // A path that was typed says where the program was, not what is done.
    let program = words.first().and_then(|word| Path::new(word).file_stem()?.to_str());
    if program.is_some_and(|name| name.starts_with("bakeoff")) {
        words[0] = "bakeoff".to_owned();
    }
    let own = own_words(&words);
    if !own.iter().any(|word| word == "--seed" || word.starts_with("--seed=")) {
        let end = own.len();
        words.splice(end..end, ["--seed".to_owned(), seed.to_string()]);
    }
    plain(&phrase::command_line(words.iter().map(String::as_str)))
}

/// Returns the command that measures a family again: that of the run without the other families it names. A word behind an option
/// may be its value and stays: then the command measures more than the family.
pub(super) fn command_of(record: &Record, family: &str) -> String {
    let own = own_words(&record.command);
    let mut free = (1..own.len()).filter(|&at| !own[at - 1..=at].iter().any(|word| word.starts_with('-')));
    let Some(run) = free.next().filter(|&at| own[at] == "run") else { return command(record) };
    let named: Vec<usize> = free.collect();
    let mut words = record.command.clone();
    if own.iter().any(|word| family_in(word) == family) {
        for &at in named.iter().rev() {
            let other = family_in(&own[at]);
            if other != family && record.trials.iter().any(|trial| trial.family == other) {
                words.remove(at);
            }
        }
    } else if named.is_empty() && !own.iter().any(|word| word.ends_with(".toml")) {
        // A run that names nothing, not even a job's file, measures every family.
        words.insert(run + 1, family.to_owned());
    }
    with_seed(words, record.seed)
}

/// Returns what a word names before its `/`.
fn family_in(word: &str) -> &str {
    word.split('/').next().unwrap_or_default()
}

/// The words of a command line that are ours: those before the command that is timed.
fn own_words(words: &[String]) -> &[String] {
    words.split(|word| word == "--").next().unwrap_or_default()
}

/// Returns the command that prints all samples, with the store that the run named.
fn export(record: &Record) -> String {
    let id = record.id.to_string();
    let mut words = vec!["bakeoff", "export", &id, "--format", "json"];
    let own = own_words(&record.command);
    if let Some(at) = own.iter().position(|word| word == "--store" || word.starts_with("--store=")) {
        words.extend(own[at..].iter().take(1 + usize::from(own[at] == "--store")).map(String::as_str));
    }
    plain(&phrase::command_line(words.into_iter()))
}

pub(super) fn methods(record: &Record, rankings: &[Ranking]) -> Vec<String> {
    let design = &record.design;
    let held = match design.shared_by {
        0 | 1 => "in each contest".to_owned(),
        contests => format!("in all {contests} contests together"),
    };
    vec![
        "Every round measures each technique once, in a newly drawn order, and checks that its result is right. Inside a \
         round each technique is compared with the others, so that what slows the whole host cancels. Tests over the rounds, \
         at looks that were fixed beforehand, drop what cannot be fastest and give each factor its interval."
            .to_owned(),
        format!(
            "Except with a chance of {} {held}, the fastest technique is among those that are tied, and every interval holds the true \
             factor. Differences up to {} do not matter. Lower ends are rounded down, upper ends up. This says nothing about other \
             hosts or other days.",
            percent(1.0 - rankings.iter().filter_map(|one| one.confidence).fold(1.0 - design.alpha, f64::min)),
            percent(design.delta)
        ),
        format!("Every sample stands in the JSON of the run: {}", export(record)),
    ]
}

pub(super) fn absent(parts: &[Titled<'_>], rankings: &[Ranking], record: &Record) -> Markup {
    let summary = record.summary();
    let samples = grouped(summary.samples);
    html! {
        section.quiet #absent aria-labelledby="h-absent" {
            h2 #h-absent { "Not available, and failures" }
            ul {
                @for Titled { part, label, .. } in parts {
                    @let missing = match part {
                        Part::Contest(ranking) => phrase::not_available(&ranking.not_available),
                        Part::Curve(curve) => {
                            phrase::missing(rankings.iter().filter(|one| curve.holds(one)), false)
                        }
                    };
                    @for text in missing { li { b { (plain(label)) } ": " (plain(&text)) } }
                }
                @if summary.failures == 0 { li { "Failed samples: none of " (samples) "." } }
                @else {
                    li { "Samples: " (samples) ". Failed, skipped or not available: " (grouped(summary.failures)) "." }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture;

    #[test]
    fn the_command_is_the_typed_one_with_its_seed() {
        for (typed, again) in [
            (&["run", "copy", "--set", "a=b c"][..], "run copy --set 'a=b c' --seed 7"),
            (&["time", "--", "cp", "a", "b"], "time --seed 7 -- cp a b"),
            (&["run", "--seed=7"], "run '--seed=7'"),
        ] {
            let record = Record {
                seed: 7,
                command: typed.iter().map(ToString::to_string).collect(),
                ..fixture::record()
            };
            assert_eq!(command(&record), again);
        }
    }

    #[test]
    fn an_answer_is_repeated_without_the_other_families() {
        let mut record = Record { seed: 7, ..fixture::record() };
        record.trials[1].family = "sort".to_owned();
        for (typed, copy) in [
            ("run", "run copy --seed 7"),
            ("run copy sort", "run copy --seed 7"),
            ("run sort copy/mmap copy/splice", "run copy/mmap copy/splice --seed 7"),
            ("run --fast sort copy sort/own", "run --fast sort copy --seed 7"),
            (
                "--store sort run --quiet sort copy sort --dir sort",
                "--store sort run --quiet sort copy --dir sort --seed 7",
            ),
            ("run copy clock", "run copy clock --seed 7"),
            ("run --quiet copy", "run --quiet copy --seed 7"),
            ("run job.toml sort", "run job.toml sort --seed 7"),
            ("run --quiet job.toml", "run --quiet job.toml --seed 7"),
            ("time -- cp sort", "time --seed 7 -- cp sort"),
        ] {
            record.command = ["/a/bakeoff"].into_iter().chain(typed.split(' ')).map(str::to_owned).collect();
            assert_eq!(command_of(&record, "copy"), format!("bakeoff {copy}"));
        }
    }

    #[test]
    fn the_export_names_the_store_that_the_run_named() {
        let mut record = fixture::record();
        let plain = format!("bakeoff export {} --format json", record.id);
        for (words, store) in [
            (&["run", "copy"][..], ""),
            (&["run", "--store", "a b.sqlite", "copy"], " --store 'a b.sqlite'"),
            (&["run", "--store=b"], " '--store=b'"),
            (&["time", "--", "x", "--store", "y"], ""),
        ] {
            record.command = words.iter().map(|word| (*word).to_owned()).collect();
            assert_eq!(export(&record), format!("{plain}{store}"));
        }
    }
}
