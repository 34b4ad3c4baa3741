//! What `bakeoff run` prints at its end: for every contest the verdict first, then the figures that it rests on.

use std::collections::BTreeMap;

use judge::{Place, Ranking, Standing, Verdict};
use model::{Metric, Record};

use super::{Paint, Style};
use crate::layout::{Align, Table, fold, paragraph, plain};
use crate::pages::Context;
use crate::phrase;
use crate::units::{Scale, bytes, largest, percent};

/// How many flags of one name are shown when nobody asked for all.
const FLAGS_SHOWN: usize = 2;
/// The flag of slow runs: the first one is the one that matters most, and it alone is shown.
const TAIL: &str = "tail";

/// All contests of a run and what a reader must know of it.
pub fn rankings(record: &Record, rankings: &[Ranking], style: &Style) -> String {
    rankings_in(record, rankings, &Context::default(), style)
}

/// The same with the families' questions and the place where the run is stored.
pub fn rankings_in(record: &Record, rankings: &[Ranking], context: &Context, style: &Style) -> String {
    let mut out = contests(rankings, context, style);
    for sentence in &context.break_evens {
        out.push_str(&paragraph("break-even: ", sentence, style));
    }
    // What every ranking says in a flag of its own is not said once more.
    let flagged =
        |note: &str| rankings.iter().any(|ranking| ranking.flags.iter().any(|flag| flag.text == note));
    for note in record.notes.iter().filter(|note| rankings.len() > 1 || !flagged(&note.text)) {
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

/// Contests of samples that no run took: the verdict on anybody's figures.
pub fn judged(rankings: &[Ranking], style: &Style) -> String {
    contests(rankings, &Context::default(), style)
}

fn contests(rankings: &[Ranking], context: &Context, style: &Style) -> String {
    if rankings.is_empty() {
        return "No contest took place.\n\n".to_owned();
    }
    rankings.iter().map(|one| ranking(one, context, style) + "\n").collect()
}

/// One contest.
pub fn ranking(ranking: &Ranking, context: &Context, style: &Style) -> String {
    let mut out = headline(ranking, context, style);
    let paint = match ranking.verdict {
        Verdict::Winner | Verdict::WinnerSmall | Verdict::Tie => Paint::Good,
        Verdict::Partial | Verdict::Inconclusive | Verdict::Unstable => Paint::Doubt,
        Verdict::Refused => Paint::Bad,
    };
    out.push_str(&style.painted(paint, &paragraph("", &ranking.sentence, style)));
    out.push('\n');
    out.push_str(&figures(ranking).render(style));
    if let Some(phases) = phases(ranking) {
        out.push('\n');
        out.push_str(&phases.render(style));
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
    let lines = if crate::layout::columns(&one_line) <= style.width {
        vec![one_line]
    } else {
        [fold(&question, style.width), fold(&conditions, style.width)].concat()
    };
    lines.iter().map(|line| style.paint(Paint::Title, line) + "\n").collect()
}

fn figures(ranking: &Ranking) -> Table {
    let scale = phrase::median_scale(ranking);
    let speed = phrase::speed_scale(ranking);
    let speed_name = speed.map_or("", |speed| speed.name);
    let used = ranking.places.iter().flat_map(|place| [place.user_ns, place.system_ns]).flatten();
    let used = Scale::of_ns(largest(used).unwrap_or(0.0)).finer(2);
    let mut table = Table::new([
        ("#".to_owned(), Align::Right),
        ("technique".to_owned(), Align::Fold),
        (format!("median {}", scale.name).trim_end().to_owned(), Align::Right),
        (speed_name.to_owned(), Align::Right),
        ("times the best".to_owned(), Align::Left),
        (format!("user+sys {}", used.name), Align::Right),
        ("verdict".to_owned(), Align::Left),
    ])
    .spare(&[5, 3]);
    for (line, place) in ranking.places.iter().enumerate() {
        let cells = vec![
            phrase::rank(line, place),
            phrase::technique(&place.technique, &place.aliases, place.kind),
            median(place, &scale),
            speed.zip(place.bytes_per_s).map_or(String::new(), |(speed, value)| speed.number(value)),
            phrase::ratio_of(line, place),
            user_and_system(place, &used),
            phrase::standing(place, ranking).to_owned(),
        ];
        table.row(cells, paint_of(place, ranking), below(place, ranking));
    }
    table
}

/// The remarks on a line. Why somebody failed, and who left early, stands below the table already.
fn below(place: &Place, ranking: &Ranking) -> Vec<String> {
    let told = ranking.failures.iter().any(|failure| failure.technique == place.technique);
    if place.place == Standing::Failed && told {
        return Vec::new();
    }
    let left = place.left_note();
    place.notes.iter().filter(|note| Some(*note) != left.as_ref()).cloned().collect()
}

/// Who failed has no median; for everybody else it would be strange not to know it.
fn median(place: &Place, scale: &Scale) -> String {
    match (place.median, place.place) {
        (Some(median), _) => scale.number(median),
        (None, Standing::Failed) => String::new(),
        (None, _) => "?".to_owned(),
    }
}

fn user_and_system(place: &Place, scale: &Scale) -> String {
    let word = |value: Option<f64>| value.map_or("?".to_owned(), |value| scale.number(value));
    match (place.user_ns, place.system_ns) {
        (None, None) => String::new(),
        (user, system) => format!("{}+{}", word(user), word(system)),
    }
}

fn paint_of(place: &Place, ranking: &Ranking) -> Paint {
    match place.place {
        Standing::Best if ranking.winner.is_some() => Paint::Good,
        Standing::Best | Standing::Tied | Standing::Slower => Paint::Plain,
        Standing::Undecided => Paint::Doubt,
        Standing::Limit => Paint::Faint,
        Standing::Failed => Paint::Bad,
    }
}

/// How the values spread, and what they cost beside time.
fn costs(ranking: &Ranking) -> Table {
    let mut table = Table::new([
        ("technique", Align::Fold),
        ("rounds", Align::Right),
        ("mean/best", Align::Right),
        ("spread", Align::Right),
        ("p95/med", Align::Right),
        ("max/med", Align::Right),
        ("far out", Align::Right),
        ("memory", Align::Right),
        ("faults", Align::Right),
        ("switches", Align::Right),
    ]);
    let number = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.0}"));
    let twice = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    for place in &ranking.places {
        let noise = place.noise.as_ref();
        let cells = vec![
            phrase::technique(&place.technique, &[], place.kind),
            place.rounds.to_string(),
            twice(place.mean_ratio),
            noise.map_or(String::new(), |noise| percent(noise.robust_spread)),
            twice(noise.map(|noise| noise.p95_over_median)),
            twice(noise.map(|noise| noise.max_over_median)),
            noise.map_or(String::new(), |noise| noise.far_out.to_string()),
            match ranking.metric {
                Metric::Memory => String::new(),
                _ => place.peak_memory_bytes.map_or(String::new(), bytes),
            },
            number(place.faults),
            number(place.switches),
        ];
        table.row(cells, Paint::Plain, Vec::new());
    }
    table
}

/// What the parts of the work cost, where techniques tell them apart. The median of the whole need not be the sum.
fn phases(ranking: &Ranking) -> Option<Table> {
    let names = phrase::phases(ranking);
    let all = ranking.places.iter().flat_map(|place| place.phases_ns.values().copied());
    let scale = Scale::of_ns(largest(all)?);
    let head = std::iter::once(("technique".to_owned(), Align::Fold));
    let columns = names.iter().map(|name| (format!("{name} {}", scale.name), Align::Right));
    let mut table = Table::new(head.chain(columns));
    for place in ranking.places.iter().filter(|place| !place.phases_ns.is_empty()) {
        let number = |name: &String| place.phases_ns.get(name).map_or(String::new(), |ns| scale.number(*ns));
        let cells = std::iter::once(phrase::technique(&place.technique, &[], place.kind));
        table.row(cells.chain(names.iter().map(number)).collect(), Paint::Plain, Vec::new());
    }
    Some(table)
}

fn remarks(ranking: &Ranking, style: &Style) -> String {
    let mut out = String::new();
    if let Some(names) = leavers(ranking) {
        out.push_str(&paragraph("left early, ", &format!("more than 1.25 times the leader: {names}"), style));
    }
    for best in &ranking.best_parameters {
        out.push_str(&paragraph("parameter: ", &phrase::parameter(best), style));
    }
    for failure in &ranking.failures {
        out.push_str(&style.painted(Paint::Bad, &paragraph("failed: ", &phrase::failed(failure), style)));
    }
    out.push_str(&flags(ranking, style));
    if let Some(text) = &ranking.would_take {
        out.push_str(&paragraph("to decide: ", text, style));
    }
    out.push_str(&style.painted(Paint::Faint, &paragraph("controls: ", &phrase::controls(ranking), style)));
    out
}

/// Who left early, all in one remark: the same would stand below most lines of a long table.
fn leavers(ranking: &Ranking) -> Option<String> {
    let mut by_round: BTreeMap<u32, Vec<&str>> = BTreeMap::new();
    for place in &ranking.places {
        if let Some(round) = place.left_after_round {
            by_round.entry(round).or_default().push(&place.technique);
        }
    }
    let of = |(round, names): (&u32, &Vec<&str>)| format!("{} (after round {round})", names.join(", "));
    let groups: Vec<String> = by_round.iter().map(of).collect();
    (!groups.is_empty()).then(|| groups.join("; "))
}

/// The flags. A noisy host raises the same one for many techniques: then the first ones stand for all, unless asked for.
fn flags(ranking: &Ranking, style: &Style) -> String {
    let mut out = String::new();
    for (place, flag) in ranking.flags.iter().enumerate() {
        let before = ranking.flags[..place].iter().filter(|other| other.name == flag.name).count();
        let after = ranking.flags[place + 1..].iter().filter(|other| other.name == flag.name).count();
        let head = format!("{}: ", plain(&flag.name));
        let mut say = |text: &str| out.push_str(&style.painted(Paint::Doubt, &paragraph(&head, text, style)));
        if style.verbose {
            say(&flag.text);
        } else if flag.name == TAIL && before == 0 {
            let more = if after > 0 { format!(" ({after} more with --verbose)") } else { String::new() };
            say(&format!("{}{more}", flag.text));
        } else if flag.name != TAIL && before < FLAGS_SHOWN {
            say(&flag.text);
            if before + 1 == FLAGS_SHOWN && after > 0 {
                say(&format!("and {after} more of this kind; --verbose shows all"));
            }
        }
    }
    out
}
