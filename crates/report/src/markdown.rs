//! Pages as GitHub-flavoured Markdown.

use judge::{Decided, Ranking};
use model::{Host, Record, Summary, Volume, format_ns};

use crate::curves::{self, Part};
use crate::layout::plain;
use crate::pages::{Context, Listing, NoisePage, TimePage};
use crate::phrase;
use crate::units::{Scale, bytes, percent};
use crate::{advice, facts};

mod curve;

use curve::curve;

/// Text from elsewhere in a sentence: no character of it is taken for markup.
fn prose(text: &str) -> String {
    let mut out = String::new();
    for c in plain(text).chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '#' | '~' => {
                out.push('\\');
                out.push(c);
            }
            // Inside a word an underscore is itself (CommonMark 6.2), and names are full of them.
            '_' if out.ends_with(|before: char| before.is_alphanumeric()) => out.push('_'),
            '_' => out.push_str("\\_"),
            c => out.push(c),
        }
    }
    out
}

/// A name as code.
fn code(text: &str) -> String {
    let text = plain(text);
    match text.contains('`') {
        true => format!("`` {text} ``"),
        false => format!("`{text}`"),
    }
}

/// A name as code in a table, where a pipe cuts the cell even inside code (GFM 4.10).
fn code_cell(text: &str) -> String {
    code(text).replace('|', "\\|")
}

fn names(aliases: &[String]) -> String {
    aliases.iter().map(|alias| code_cell(alias)).collect::<Vec<_>>().join(" ")
}

/// All contests of a run and what a reader must know of it, with the families' questions and the place where it is stored.
pub fn run(record: &Record, decided: &Decided, context: &Context) -> String {
    let mut out = contests(decided, context);
    out.push_str(&found(record));
    for note in record.notes.iter().filter(|note| phrase::is_important(note)) {
        out.push_str(&format!("- note: {}\n", prose(&note.text)));
    }
    if !record.complete {
        out.push_str("- note: the run did not come to its end; these are the rounds that it finished.\n");
    }
    let stored =
        context.stored_in.as_ref().map_or(String::new(), |place| format!(", stored in {}", code(place)));
    out.push_str(&format!("- run {}, seed {}{stored}\n", code(&record.id.0), record.seed));
    out
}

/// Contests of samples that no run took.
pub fn judged(decided: &Decided) -> String {
    contests(decided, &Context::default())
}

fn contests(decided: &Decided, context: &Context) -> String {
    if decided.rankings.is_empty() {
        return "No contest took place.\n\n".to_owned();
    }
    let parts = curves::parts(decided);
    let labels = curves::labels(&parts);
    let mut out = String::new();
    for (label, part) in labels.iter().zip(&parts) {
        let answer = match part {
            Part::Contest(one) => phrase::answer(one),
            Part::Curve(one) => &one.sentence,
        };
        out.push_str(&format!("- **{}**: {}\n", prose(label), prose(answer)));
    }
    out.push('\n');
    for part in &parts {
        match part {
            Part::Contest(one) => out.push_str(&(ranking(one, context) + "\n")),
            Part::Curve(one) => {
                out.push_str(&(curve(one, &decided.rankings, context) + "\n"));
                let levels = decided.rankings.iter().filter(|level| one.holds(level));
                levels.for_each(|level| out.push_str(&(ranking(level, context) + "\n")));
            }
        }
    }
    out
}

/// One contest with all of its entries.
pub fn ranking(ranking: &Ranking, context: &Context) -> String {
    let title = prose(&phrase::question(&ranking.family, context));
    let conditions = prose(&phrase::conditions(ranking));
    let mut out = format!("### {title}\n\n{conditions}\n\n**{}**\n\n", prose(&ranking.sentence));
    if let Some(sentence) = &ranking.reference_sentence {
        out.push_str(&format!("{}\n\n", prose(sentence)));
    }
    // A contest about threads or clocks moves no bytes, and then there is no such column.
    let speeds = ranking.entries.iter().any(|entry| entry.bytes_per_s.is_some());
    let factors = phrase::words(ranking).factors;
    let (title, line) = if speeds { (" throughput |", "--:|") } else { ("", "") };
    out.push_str(&format!(
        "| | technique | published as | {factors} | interval | median |{title} standing | notes |\n"
    ));
    out.push_str(&format!("|:--|:--|:--|--:|:--|--:|{line}:--|:--|\n"));
    for entry in &ranking.entries {
        let (factor, interval) = phrase::factor(entry);
        let mut cells = vec![
            phrase::mark(entry).replace('*', "\\*"),
            code_cell(&entry.technique) + phrase::origin(phrase::told_kind(entry, ranking)),
            names(&entry.aliases),
            factor,
            interval,
            phrase::median(entry, ranking),
        ];
        cells.extend(speeds.then(|| phrase::speed(entry)));
        cells.push(prose(&phrase::tag(entry, ranking)));
        cells.push(entry.notes.iter().map(|note| prose(note)).collect::<Vec<_>>().join("; "));
        out.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    out.push('\n');
    out.push_str(&values(ranking));
    out.push_str(&remarks(ranking));
    out
}

/// What techniques counted or timed themselves.
fn values(ranking: &Ranking) -> String {
    let columns = phrase::values(ranking, true);
    if columns.is_empty() {
        return String::new();
    }
    let heads: Vec<String> = columns.iter().map(|(_, heading)| prose(heading)).collect();
    let mut out = format!("| technique | {} |\n|:--|{}\n", heads.join(" | "), "--:|".repeat(heads.len()));
    for entry in ranking.entries.iter().filter(|entry| !entry.values.is_empty()) {
        let numbers: Vec<String> = columns.iter().map(|(key, _)| phrase::value(entry, key)).collect();
        out.push_str(&format!("| {} | {} |\n", code_cell(&entry.technique), numbers.join(" | ")));
    }
    out + "\n"
}

/// What was found out beside the contests.
fn found(record: &Record) -> String {
    let mut out = String::new();
    for facts in record.facts.chunk_by(|one, next| one.family == next.family) {
        out.push_str(&format!("### Facts that {} found out\n\n", prose(&facts[0].family)));
        out.push_str("| about | fact | value |\n|:--|:--|:--|\n");
        for fact in facts {
            let [about, name] = [&fact.about, &fact.name].map(|text| prose(&text.replace('_', " ")));
            out.push_str(&format!("| {about} | {name} | {} |\n", prose(&phrase::fact(&fact.value))));
        }
        out.push('\n');
    }
    out
}

fn remarks(ranking: &Ranking) -> String {
    let mut out = String::new();
    let mut say = |head: &str, text: &str| out.push_str(&format!("- {}: {}\n", prose(head), prose(text)));
    for flag in ranking.flags.iter().filter(|flag| flag.important) {
        say(&flag.name.replace('_', " "), &flag.text);
    }
    if let Some(text) = phrase::also_measured(ranking) {
        say("also measured", &text);
    }
    for best in phrase::parameters(ranking, true) {
        say("parameter", &phrase::parameter(best));
    }
    for failure in &ranking.failures {
        say("failed", &phrase::failed(failure));
    }
    for text in phrase::not_available(&ranking.not_available) {
        say("not available here", &text);
    }
    if let Some(text) = &ranking.further {
        say("to go further", text);
    }
    say("basis", &phrase::basis(ranking, true));
    out
}

/// The techniques of each family, and why one is not available here.
pub fn list(listings: &[Listing]) -> String {
    let mut out = String::new();
    for listing in listings {
        out.push_str(&format!("### {}: {}\n\n", prose(&listing.family), prose(&listing.question)));
        out.push_str("| technique | published as | here | idea | from |\n|:--|:--|:--|:--|:--|\n");
        for row in &listing.rows {
            let here = match &row.available {
                Ok(()) => "ready".to_owned(),
                Err(reason) => format!("no: {}", prose(reason)),
            };
            let (name, aliases) = (code_cell(&row.name), names(&row.aliases));
            let variant = row.variant_of.as_ref();
            let variant = variant.map_or(String::new(), |base| format!(" (variant of {})", code_cell(base)));
            out.push_str(&format!(
                "| {name} | {aliases} | {here} | {}{variant} | {} |\n",
                prose(&row.idea),
                prose(&row.source)
            ));
        }
        out.push('\n');
        for (name, meaning, example) in &listing.axes {
            out.push_str(&format!("- `--set {name}={example}`: {}\n", prose(meaning)));
        }
        if !listing.axes.is_empty() {
            out.push('\n');
        }
    }
    out
}

/// What this machine is, and what it will do to the numbers.
pub fn host(host: &Host, volumes: &[Volume]) -> String {
    let mut out = String::new();
    for (title, lines) in facts::of(host, volumes) {
        out.push_str(&format!("### {}\n\n| fact | value |\n|:--|:--|\n", prose(&title)));
        for (name, value) in lines {
            out.push_str(&format!("| {name} | {} |\n", prose(&value)));
        }
        out.push('\n');
    }
    out.push_str("### what this machine will do to the numbers\n\n");
    let found = advice::of(host, volumes);
    for advice in &found {
        out.push_str(&format!("- {}\n", prose(&advice.text)));
    }
    if found.is_empty() {
        out.push_str("Nothing that is known of it disturbs a measurement.\n");
    }
    out
}

/// The times of commands, and the comparison of several.
pub fn time(page: &TimePage) -> String {
    let time = |ns: Option<u64>| ns.map_or("?".to_owned(), |ns| Scale::of_ns(ns as f64).value(ns as f64));
    let cells = [
        code_cell(&page.command),
        time(page.real_ns),
        time(page.user_ns),
        time(page.system_ns),
        page.peak_memory_bytes.map_or("?".to_owned(), |peak| bytes(peak as f64)),
        page.counted_by.as_deref().map_or("?".to_owned(), prose),
    ];
    let mut out = "| command | real | user | system | memory | counted by |\n".to_owned();
    out.push_str("|:--|--:|--:|--:|--:|:--|\n");
    out.push_str(&format!("| {} |\n\n", cells.join(" | ")));
    for failure in &page.failures {
        out.push_str(&format!("- failed: {}\n", prose(failure)));
    }
    out
}

/// What a host lets one tell apart, a row for each length of sample.
pub fn noise(page: &NoisePage) -> String {
    let word = |fraction: Option<f64>| fraction.map_or("?".to_owned(), percent);
    let mut out =
        "| a sample takes | rounds | smallest difference | twins differ by | spread | the instrument |\n"
            .to_owned();
    out.push_str("|--:|--:|--:|--:|--:|:--|\n");
    for row in &page.rows {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} |\n",
            format_ns(row.sample_ns),
            row.rounds,
            word(row.smallest),
            word(row.measured_floor),
            word(row.robust_spread),
            phrase::instrument(row.told_apart),
        ));
    }
    out.push('\n');
    for note in &page.notes {
        out.push_str(&format!("- note: {}\n", prose(note)));
    }
    out.push_str(&format!("- controls: {}\n", phrase::noise_controls(page)));
    out
}

/// The stored runs, in the order given.
pub fn runs(summaries: &[Summary]) -> String {
    let mut out =
        "| run | began | host | preset | families | trials | samples | failures | state |\n".to_owned();
    out.push_str("|:--|:--|:--|:--|:--|--:|--:|--:|:--|\n");
    for run in summaries {
        out.push_str(&format!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n",
            code_cell(&run.id.0),
            prose(&run.started),
            run.host.as_deref().map_or("?".to_owned(), prose),
            run.preset,
            prose(&run.families.join(" ")),
            run.trials,
            run.samples,
            run.failures,
            if run.complete { "complete" } else { "incomplete" },
        ));
    }
    out
}

#[cfg(test)]
mod tests;
