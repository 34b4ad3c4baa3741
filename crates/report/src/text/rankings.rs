//! What `bakeoff run` prints at its end: the answers of all contests, then each with the figures that it rests on.

use judge::{Decided, Entry, Flag, Ranking, Standing};
use model::{Quantity, Record};

use super::curve::{curve, paint as curve_paint};
use super::plot::{MOST_COLUMNS, Plot};
use super::{Paint, Style};
use crate::curves::{self, Part};
use crate::layout::{Align, Table, columns, fold, paragraph, plain};
use crate::pages::Context;
use crate::phrase::{self, Settled};
use crate::rows::shown;
use crate::units::{Scale, bytes, percent};

/// A longer name of a contest stands on a line of its own.
const LABEL_COLUMNS: usize = 20;
/// More facts of a family than this would bury its contests.
const MOST_FACTS: usize = 12;

/// All contests of a run and what a reader must know of it, with the families' questions and the place where it is stored.
pub fn run(record: &Record, decided: &Decided, context: &Context, style: &Style) -> String {
    let rankings = &decided.rankings;
    let mut out = contests(decided, context, style, style.verbose);
    out.push_str(&facts(record, style));
    // What every ranking says in a flag of its own is not said once more.
    let flagged =
        |note: &str| rankings.iter().any(|ranking| ranking.flags.iter().any(|flag| flag.text == note));
    let wanted = |note: &&model::Note| phrase::is_important(note) || style.verbose;
    for note in record.notes.iter().filter(wanted).filter(|note| rankings.len() > 1 || !flagged(&note.text)) {
        out.push_str(&style.painted(Paint::Doubt, &paragraph("note: ", &note.text, style)));
    }
    if !record.complete {
        let text = "the run did not come to its end; these are the rounds that it finished.";
        out.push_str(&style.painted(Paint::Doubt, &paragraph("note: ", text, style)));
    }
    let stored = context.stored_in.as_ref().map_or(String::new(), |place| format!(", stored in {place}"));
    out.push_str(&paragraph("", &format!("run {}, seed {}{stored}", record.id, record.seed), style));
    out
}

/// Contests of samples that no run took.
pub fn judged(decided: &Decided, style: &Style) -> String {
    contests(decided, &Context::default(), style, true)
}

/// `levels` tells whether the contests are shown that are the levels of a curve.
fn contests(decided: &Decided, context: &Context, style: &Style, levels: bool) -> String {
    if decided.rankings.is_empty() {
        return "No contest took place.\n\n".to_owned();
    }
    let parts = curves::parts(decided);
    let mut out = answers(&parts, style) + "\n";
    for part in &parts {
        match part {
            Part::Contest(one) => out.push_str(&(ranking(one, context, style) + "\n")),
            Part::Curve(one) => {
                out.push_str(&(curve(one, &decided.rankings, context, style, levels) + "\n"));
                let shown = decided.rankings.iter().filter(|level| levels && one.holds(level));
                shown.for_each(|level| out.push_str(&(ranking(level, context, style) + "\n")));
            }
        }
    }
    out
}

/// The answers of all contests and curves, a few lines each.
fn answers(parts: &[Part<'_>], style: &Style) -> String {
    let labels: Vec<String> = curves::labels(parts).iter().map(|label| plain(label)).collect();
    let width = labels.iter().map(|label| columns(label)).max().unwrap_or(0);
    let mut out = String::new();
    for (label, part) in labels.iter().zip(parts) {
        let (answer, color) = match part {
            Part::Contest(ranking) => (phrase::answer(ranking), paint(ranking)),
            Part::Curve(curve) => (curve.sentence.as_str(), curve_paint(curve)),
        };
        let beside = width <= LABEL_COLUMNS.min(style.width / 3);
        let head = if beside {
            format!("{label}{}", " ".repeat(width - columns(label) + 2))
        } else {
            "  ".to_owned()
        };
        if !beside {
            out.push_str(&style.painted(Paint::Title, &paragraph("", label, style)));
        }
        out.push_str(&style.painted(color, &paragraph(&head, answer, style)));
    }
    out
}

fn paint(ranking: &Ranking) -> Paint {
    match phrase::settled(ranking.state) {
        Settled::Yes => Paint::Good,
        Settled::Partly => Paint::Doubt,
        Settled::No => Paint::Bad,
    }
}

/// One contest.
pub fn ranking(ranking: &Ranking, context: &Context, style: &Style) -> String {
    let mut out = headline(ranking, context, style);
    out.push_str(&style.painted(paint(ranking), &paragraph("", &ranking.sentence, style)));
    if let Some(sentence) = &ranking.reference_sentence {
        out.push_str(&paragraph("", sentence, style));
    }
    out.push('\n');
    out.push_str(&figures(ranking, style));
    if let Some(values) = values(ranking, style.verbose) {
        out.push('\n');
        out.push_str(&values.render(style));
    }
    if style.verbose {
        out.push('\n');
        out.push_str(&costs(ranking).render(style));
    }
    out.push('\n');
    out.push_str(&remarks(ranking, style));
    out
}

fn headline(ranking: &Ranking, context: &Context, style: &Style) -> String {
    let question = plain(&phrase::question(&ranking.family, context));
    let conditions = plain(&phrase::conditions(ranking));
    let one_line = format!("{question}  {conditions}");
    let lines = if columns(&one_line) <= style.width {
        vec![one_line]
    } else {
        [fold(&question, style.width), fold(&conditions, style.width)].concat()
    };
    lines.iter().map(|line| style.paint(Paint::Title, line) + "\n").collect()
}

/// The rows of a contest. Where there is room, the factors are drawn too.
fn figures(ranking: &Ranking, style: &Style) -> String {
    let (shown, words) = (shown(ranking, style.verbose), phrase::words(ranking));
    let room = style.width.saturating_sub(table(ranking, &shown.rows, None, true).natural_width() + 2);
    let plot = Plot::new(&shown.rows, room.min(MOST_COLUMNS));
    // A plot says more than throughput and processor time do.
    let narrow = || {
        let room = style.width.saturating_sub(table(ranking, &shown.rows, None, false).natural_width() + 2);
        Plot::new(&shown.rows, room.min(MOST_COLUMNS))
    };
    let (plot, all) = match plot {
        Some(plot) => (Some(plot), true),
        None => match narrow() {
            Some(plot) => (Some(plot), false),
            None => (None, true),
        },
    };
    let mut out = table(ranking, &shown.rows, plot.as_ref(), all).render(style);
    let several = shown.rows.iter().filter(|entry| entry.standing.is_candidate()).count() > 1;
    let legend = if several { format!("* {}.", words.may_be_best) } else { String::new() };
    let others = shown.others.map(|others| format!("{others} (--verbose shows all)."));
    let below = [others.as_deref().unwrap_or(""), &legend].join(" ");
    if !below.trim().is_empty() {
        out.push_str(&style.painted(Paint::Faint, &paragraph("  ", below.trim(), style)));
    }
    out
}

fn table(ranking: &Ranking, rows: &[&Entry], plot: Option<&Plot>, all: bool) -> Table {
    let factors: Vec<(String, String)> = rows.iter().map(|entry| phrase::factor(entry)).collect();
    let estimate = factors.iter().map(|(estimate, _)| estimate.len()).max().unwrap_or(0);
    let mut table = Table::new([
        (String::new(), Align::Left),
        ("technique".to_owned(), Align::Fold),
        (plot.map_or(String::new(), Plot::axis), Align::Left),
        (phrase::words(ranking).factors.to_owned(), Align::Left),
        ("median".to_owned(), Align::Right),
        ("throughput".to_owned(), Align::Right),
        (phrase::cpu_title(ranking).to_owned(), Align::Right),
        (String::new(), Align::Left),
    ])
    .spare(&[6, 5]);
    for (entry, (figure, interval)) in rows.iter().zip(&factors) {
        let figure = format!("{}{figure}  {interval}", " ".repeat(estimate - figure.len()));
        let cells = vec![
            phrase::mark(entry).to_owned(),
            phrase::technique(&entry.technique, &entry.aliases, phrase::told_kind(entry, ranking)),
            plot.map_or(String::new(), |plot| plot.bar(entry, ranking)),
            if entry.factor.is_some() { figure.trim_end().to_owned() } else { String::new() },
            phrase::median(entry, ranking),
            if all { phrase::speed(entry) } else { String::new() },
            if all { phrase::cpu(entry) } else { String::new() },
            tag(entry, ranking),
        ];
        table.row(cells, paint_of(entry), below(entry, ranking));
    }
    table
}

/// Where an entry stands. What may be fastest has its mark in front, and the line below the table says so.
fn tag(entry: &Entry, ranking: &Ranking) -> String {
    let maybe = phrase::words(ranking).may_be_best;
    phrase::tag(entry, ranking).replace(&format!("{maybe}, "), "").replace(maybe, "")
}

/// The remarks on a line. Why it failed stands below the table already.
fn below(entry: &Entry, ranking: &Ranking) -> Vec<String> {
    let told = ranking.failures.iter().any(|failure| failure.technique == entry.technique);
    if entry.standing == Standing::Failed && told { Vec::new() } else { entry.notes.clone() }
}

fn paint_of(entry: &Entry) -> Paint {
    match entry.standing {
        Standing::Fastest | Standing::MayBeFastest => Paint::Good,
        Standing::Slower | Standing::Behind | Standing::FarBehind | Standing::Unjudged => Paint::Plain,
        Standing::Limit | Standing::LeftOut => Paint::Faint,
        Standing::Failed => Paint::Bad,
    }
}

/// How the values spread, and what they cost beside time.
fn costs(ranking: &Ranking) -> Table {
    let mut table = Table::new([
        ("technique", Align::Fold),
        ("rounds", Align::Right),
        ("mean/leader", Align::Right),
        ("spread", Align::Right),
        ("p95/med", Align::Right),
        ("max/med", Align::Right),
        ("far out", Align::Right),
        ("memory", Align::Right),
        ("faults", Align::Right),
        ("switches", Align::Right),
        ("preempted", Align::Right),
        ("waited", Align::Right),
    ])
    .spare(&[11, 10, 4, 6]);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.0}"));
    let twice = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    for entry in &ranking.entries {
        let noise = entry.noise.as_ref();
        let rounds = match entry.left_after_round {
            Some(round) => format!("left {round}"),
            None => entry.rounds.to_string(),
        };
        let cells = vec![
            phrase::technique(&entry.technique, &[], entry.kind),
            rounds,
            twice(entry.mean_ratio),
            noise.map_or(String::new(), |noise| percent(noise.robust_spread)),
            twice(noise.map(|noise| noise.p95_over_median)),
            twice(noise.map(|noise| noise.max_over_median)),
            noise.map_or(String::new(), |noise| noise.far_out.to_string()),
            match ranking.quantity == Quantity::MEMORY {
                true => String::new(),
                false => entry.peak_memory_bytes.map_or(String::new(), bytes),
            },
            number(entry.faults),
            number(entry.switches),
            number(entry.preemptions),
            entry.run_delay_ns.map_or(String::new(), |ns| Scale::of_ns(ns).value(ns)),
        ];
        table.row(cells, Paint::Plain, Vec::new());
    }
    table
}

/// What techniques counted or timed themselves. The median of the whole need not be the sum of its parts.
fn values(ranking: &Ranking, all: bool) -> Option<Table> {
    let columns = phrase::values(ranking, all);
    if columns.is_empty() {
        return None;
    }
    let head = std::iter::once(("technique".to_owned(), Align::Fold));
    let mut table = Table::new(head.chain(columns.iter().map(|(_, heading)| (plain(heading), Align::Right))));
    for entry in ranking.entries.iter().filter(|entry| !entry.values.is_empty()) {
        let cells = std::iter::once(phrase::technique(&entry.technique, &[], entry.kind));
        let values = columns.iter().map(|(key, _)| phrase::value(entry, key));
        table.row(cells.chain(values).collect(), Paint::Plain, Vec::new());
    }
    Some(table)
}

/// What was found out beside the contests; only its number where it would bury them.
fn facts(record: &Record, style: &Style) -> String {
    let mut out = String::new();
    for facts in record.facts.chunk_by(|one, next| one.family == next.family) {
        if facts.len() > MOST_FACTS && !style.verbose {
            let told = format!("{} found out {} facts; --verbose shows them.", facts[0].family, facts.len());
            out.push_str(&paragraph("", &plain(&told), style));
            continue;
        }
        let title = format!("Facts that {} found out", plain(&facts[0].family));
        out.push_str(&style.painted(Paint::Title, &paragraph("", &title, style)));
        let mut table = Table::new([("about", Align::Left), ("fact", Align::Fold), ("value", Align::Left)]);
        for fact in facts {
            let cells = [&fact.about, &fact.name].map(|text| plain(&text.replace('_', " ")));
            let [about, name] = cells;
            table.row(vec![about, name, plain(&phrase::fact(&fact.value))], Paint::Plain, Vec::new());
        }
        out.push_str(&table.render(style));
        out.push('\n');
    }
    out
}

fn remarks(ranking: &Ranking, style: &Style) -> String {
    let mut out = String::new();
    for flag in ranking.flags.iter().filter(|flag| style.verbose || flag.important) {
        let Flag { name, text, .. } = flag;
        let head = format!("{}: ", plain(&name.replace('_', " ")));
        out.push_str(&style.painted(Paint::Doubt, &paragraph(&head, text, style)));
    }
    if let Some(text) = phrase::also_measured(ranking) {
        out.push_str(&paragraph("also measured: ", &text, style));
    }
    for best in phrase::parameters(ranking, style.verbose) {
        out.push_str(&paragraph("parameter: ", &phrase::parameter(best), style));
    }
    for failure in &ranking.failures {
        out.push_str(&style.painted(Paint::Bad, &paragraph("failed: ", &phrase::failed(failure), style)));
    }
    for text in phrase::not_available(&ranking.not_available) {
        out.push_str(&style.painted(Paint::Faint, &paragraph("not available here: ", &text, style)));
    }
    if let Some(text) = &ranking.further {
        out.push_str(&paragraph("to go further: ", text, style));
    }
    let basis = phrase::basis(ranking, style.verbose);
    out.push_str(&style.painted(Paint::Faint, &paragraph("", &basis, style)));
    out
}
