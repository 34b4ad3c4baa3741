//! What is said of one host over time.

use judge::{Changed, Course, History};

use crate::words::phrase::{self, Settled};

/// `build of bakeoff`, `kernel`, `device of /srv`.
pub(crate) fn fact(change: &Changed) -> String {
    match &change.directory {
        Some(directory) => format!("{} of {}", change.fact, directory.display()),
        None => named(&change.fact).to_owned(),
    }
}

fn named(fact: &str) -> &str {
    if fact == "bakeoff" { "build of bakeoff" } else { fact }
}

/// What changed together with what became slower or faster, and among the runs that it is compared with.
fn coincident(history: &History) -> String {
    let (now, before) = history.coincident();
    let mut said = String::new();
    if !now.is_empty() {
        let one =
            |change: &Changed| format!("the {} ({}, before {})", fact(change), change.now, change.before);
        let all: Vec<String> = now.iter().map(one).collect();
        said += &format!(
            " The latest run differs from the one before it in {}, which may be why.",
            phrase::enumerated(&all)
        );
    }
    if !before.is_empty() {
        let all: Vec<String> = before.iter().map(|fact| format!("the {}", named(fact))).collect();
        said +=
            &format!(" The runs before the latest differ in {} among themselves.", phrase::enumerated(&all));
    }
    said
}

pub(crate) fn answer(history: &History, runs: &str, (slower, faster): (u64, u64)) -> (String, Settled) {
    let all = history.lines.len() as u64;
    let too_few = history.lines.iter().all(|line| line.course == Course::TooFew);
    match (&history.technique, slower, faster) {
        (None, ..) if all == 0 => {
            (format!("Nothing of the latest of {runs} was measured before."), Settled::Partly)
        }
        (Some(technique), ..) if all == 0 => {
            (format!("{technique} was measured in no run before the latest."), Settled::Partly)
        }
        (_, 0, 0) if too_few => {
            ("Too few runs to tell a change: it takes five before the latest.".to_owned(), Settled::Partly)
        }
        (None, 0, 0) => (format!("No technique changed over {runs}."), Settled::Yes),
        (Some(technique), 0, 0) => (format!("{technique} did not change over {runs}."), Settled::Yes),
        (technique, ..) => {
            let told = |number: u64, word: &str| match (technique, all) {
                (None, _) => format!("{} {word}", phrase::counted(number, "technique")),
                (Some(_), 1) => word.to_owned(),
                (Some(_), all) => format!("{word} in {number} of {all} contests"),
            };
            let both = [(slower, "slower"), (faster, "faster")].into_iter();
            let parts: Vec<String> =
                both.filter(|(number, _)| *number > 0).map(|(number, word)| told(number, word)).collect();
            let subject = technique.as_ref().map_or(String::new(), |technique| format!("{technique} is "));
            let predicted = format!("{subject}{} than the earlier runs predict.", parts.join(" and "));
            (predicted + &coincident(history), Settled::No)
        }
    }
}
