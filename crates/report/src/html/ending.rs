//! What stands behind the numbers: the host, the command, the methods, and what is missing.

use maud::{Markup, html};
use model::{Host, Record, Volume};

use super::Titled;
use crate::text::layout::plain;
use crate::words::advice;
use crate::words::curves::{self, Part};
use crate::words::facts;
use crate::words::phrase;
use crate::words::units::{grouped, percent};
use judge::Ranking;

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

/// The command that makes such a run again, with its seed.
pub(super) fn command(record: &Record) -> String {
    with_seed(&record.command, record.seed)
}

fn with_seed(command: &[String], seed: u64) -> String {
    let mut words: Vec<&str> = command.iter().map(String::as_str).collect();
    let seed = seed.to_string();
    let end = own_words(command).len();
    if !words[..end].iter().any(|word| *word == "--seed" || word.starts_with("--seed=")) {
        words.splice(end..end, ["--seed", &seed]);
    }
    line(&words)
}

/// The command that measures a family again: that of the run without the other families.
pub(super) fn command_of(record: &Record, family: &str) -> String {
    let own = own_words(&record.command);
    let places = positional(own);
    let is_run = places.first().is_some_and(|at| own[*at] == "run");
    if !is_run {
        return command(record);
    }
    let (mine, mut others): (Vec<usize>, Vec<usize>) =
        places[1..].iter().partition(|at| own[**at].split('/').next() == Some(family));
    // The family of a job has the name that its file gives it.
    others.retain(|at| !mine.is_empty() && !own[*at].ends_with(".toml"));
    let kept = record.command.iter().enumerate().filter(|(at, _)| !others.contains(at));
    let mut one: Vec<String> = kept.map(|(_, word)| word.clone()).collect();
    // A run that names nothing measures every family.
    if places.len() == 1 {
        one.insert(places[0] + 1, family.to_owned());
    }
    // A path that was typed says where the program was, not what is done.
    let program = one.first().and_then(|word| std::path::Path::new(word).file_stem()?.to_str());
    if program.is_some_and(|name| name.starts_with("bakeoff")) {
        one[0] = "bakeoff".to_owned();
    }
    with_seed(&one, record.seed)
}

/// Options of `run` that stand without a value.
const SWITCHES: [&str; 10] = [
    "--durable",
    "--fast",
    "--deep",
    "--alpha-report",
    "--dry-run",
    "--no-report",
    "--verbose",
    "-v",
    "--quiet",
    "-q",
];

/// Returns the places of the words that are neither the program, nor an option, nor the value of one.
fn positional(words: &[String]) -> Vec<usize> {
    let mut places = Vec::new();
    let mut is_value = true;
    for (at, word) in words.iter().enumerate() {
        let is_option = word.starts_with('-') && word.len() > 1;
        if !std::mem::take(&mut is_value) {
            is_value = is_option && !word.contains('=') && !SWITCHES.contains(&word.as_str());
            places.extend((!is_option).then_some(at));
        }
    }
    places
}

/// The words of a command line that are ours: those before the command that is timed.
fn own_words(words: &[String]) -> &[String] {
    words.split(|word| word == "--").next().unwrap_or_default()
}

fn line(words: &[&str]) -> String {
    // What no shell can take as a word, a NUL, stands in no command line either.
    plain(&shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" ")))
}

/// The command that prints all samples, with the store that the run named.
fn export(record: &Record) -> String {
    let id = record.id.to_string();
    let mut words = vec!["bakeoff", "export", &id, "--format", "json"];
    let own = own_words(&record.command);
    if let Some(at) = own.iter().position(|word| word == "--store" || word.starts_with("--store=")) {
        words.extend(own[at..].iter().take(1 + usize::from(own[at] == "--store")).map(String::as_str));
    }
    line(&words)
}

pub(super) fn methods(record: &Record) -> Vec<String> {
    let design = &record.design;
    let chance = percent(design.alpha);
    let held = match design.shared_by {
        0 | 1 => format!("Except with a chance of {chance} in each contest"),
        contests => format!("Except with a chance of {chance} in all {contests} contests together"),
    };
    vec![
        "Every round measures each technique once, in a newly drawn order, and checks that its result is right. Inside a \
         round each technique is compared with the others, so that what slows the whole host cancels. Tests over the rounds, \
         at looks that were fixed beforehand, drop what cannot be fastest and give each factor its interval."
            .to_owned(),
        format!(
            "{held}, the fastest technique is among those that are tied, and every interval holds the true factor. Differences up to \
             {} do not matter. Lower ends are rounded down, upper ends up. This says nothing about other hosts or other days.",
            percent(design.delta)
        ),
        format!("Every sample stands in the JSON of the run: {}", export(record)),
    ]
}

pub(super) fn absent(parts: &[Titled<'_>], rankings: &[Ranking], record: &Record) -> Markup {
    let summary = record.summary();
    let missing = |part: &Part<'_>| match part {
        Part::Contest(ranking) => phrase::not_available(&ranking.not_available),
        Part::Curve(curve) => curves::missing(curve, rankings),
    };
    let samples = match summary.failures {
        0 => format!("Failed samples: none of {}.", grouped(summary.samples)),
        failures => format!(
            "Samples: {}. Failures, with what is not available or was skipped: {}.",
            grouped(summary.samples),
            grouped(failures)
        ),
    };
    html! {
        section.quiet #absent aria-labelledby="h-absent" {
            h2 #h-absent { "Not available, and failures" }
            ul {
                @for Titled { part, label, .. } in parts {
                    @for text in missing(part) { li { b { (plain(label)) } ": " (plain(&text)) } }
                }
                li { (samples) }
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
        let mut record = fixture::record();
        record.seed = 7;
        record.command = ["bakeoff", "run", "copy", "--set", "a=b c"].map(str::to_owned).to_vec();
        assert_eq!(command(&record), "bakeoff run copy --set 'a=b c' --seed 7");
        record.command = ["bakeoff", "time", "--", "cp", "a", "b"].map(str::to_owned).to_vec();
        assert_eq!(command(&record), "bakeoff time --seed 7 -- cp a b");
        record.command = ["bakeoff", "run", "--seed=7"].map(str::to_owned).to_vec();
        assert_eq!(command(&record), "bakeoff run '--seed=7'");
    }

    #[test]
    fn an_answer_is_repeated_without_the_other_families() {
        let mut record = fixture::record();
        record.seed = 7;
        for (typed, copy) in [
            ("run", "run copy"),
            ("run copy sort", "run copy"),
            ("run sort copy/mmap copy/splice", "run copy/mmap copy/splice"),
            ("--store sort run --quiet sort copy --dir sort", "--store sort run --quiet copy --dir sort"),
            ("run job.toml", "run job.toml"),
            ("time -- cp sort", "time --seed 7 -- cp sort"),
        ] {
            record.command = ["bakeoff"].into_iter().chain(typed.split(' ')).map(str::to_owned).collect();
            let seed = if typed.contains("--seed") || copy.contains("--seed") { "" } else { " --seed 7" };
            assert_eq!(command_of(&record, "copy"), format!("bakeoff {copy}{seed}"));
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
