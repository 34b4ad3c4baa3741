//! What is said of a run as a whole, before its contests.

use judge::{ContestSeen, Decided, Ranking, Seen};
use model::{Host, Record, Topic};

use crate::words::conditions;
use crate::words::curves::{self, Part};
use crate::words::phrase::{by_key, counted, enumerated, once};
use crate::words::units::percent;

/// From this many runnable threads for each processor on, other work decides what is measured.
const OVERLOADED: f64 = 2.0;
/// A host whose fixed work spreads by more than this from round to round is not quiet.
const QUIET: f64 = 0.05;
/// Answers that are named; of more the number is said.
const MOST_NAMED: usize = 2;

/// Says how sure the answers are; of several, also what that means. `None` where nothing was tested.
pub(crate) fn confidence(decided: &Decided, has_several: bool) -> Option<String> {
    let mut all = decided.rankings.iter().filter_map(|ranking| ranking.confidence);
    let least = all.clone().reduce(f64::min)?;
    let at = if all.any(|other| other > least) { "At least " } else { "" };
    let mut rankings = decided.rankings.iter();
    let is_less = rankings.any(|one| one.confidence.is_some_and(|own| own < 1.0 - one.alpha - 1e-9));
    let few = if is_less { " (too few rounds for more)" } else { "" };
    let of = 1.0 / (1.0 - least).max(f64::EPSILON);
    let wrong = if has_several { format!(": about one answer of {of:.0} is wrong") } else { String::new() };
    Some(format!("{at}{}{few}{wrong}.", judge::confidence(least)))
}

/// Returns the host of a run in a few words, and where the files of its families lie.
pub(crate) fn host(record: &Record, parts: &[Part<'_>]) -> String {
    let Host { name, processor, os, .. } = &record.host;
    let facts = [
        processor.model.as_ref().map(|model| {
            model.replace("(R)", "").replace("(TM)", "").trim_end_matches(" Processor").to_owned()
        }),
        processor.logical.map(|count| counted(count.into(), "processor")),
        processor.virtual_by().map(|kind| format!("{kind} guest")),
        Some(system(os)),
    ];
    let name = name.as_ref().map_or(String::new(), |name| format!("{name}: "));
    let facts = facts.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let placed = parts.iter().map(Part::about);
    let placed = placed.map(|(family, setting, _)| (conditions::setting(setting, false), family));
    let placed = by_key(placed).into_iter().filter(|(setting, _)| !setting.is_empty());
    let files = placed.map(|(setting, families)| format!(" {}: {setting}.", once(families).join(", ")));
    format!("{name}{facts}.{}", files.collect::<String>())
}

/// `Linux 6.18`: what follows the second number says nothing to a reader.
fn system(os: &model::OperatingSystem) -> String {
    let kernel = os.kernel.as_deref().unwrap_or_default();
    let kernel = kernel.split(['.', '-']).take(2).collect::<Vec<_>>().join(".");
    let name = match os.family.as_str() {
        "linux" => "Linux",
        "windows" => "Windows",
        other => other,
    };
    format!("{name} {kernel}").trim_end().to_owned()
}

/// Returns how many threads were runnable for each processor that the run may use; `None` where that is unknown.
pub(crate) fn load_per_processor(host: &Host) -> Option<f64> {
    let processors = match host.processor.allowed.len() {
        0 => host.processor.logical?,
        some => u32::try_from(some).ok()?,
    };
    Some(host.load?[0] / f64::from(processors.max(1)))
}

/// Says that other work ran when the run began, and which answers it touches: those about time.
pub(crate) fn load(host: &Host, parts: &[Part<'_>]) -> Option<String> {
    let (load, each) = (host.load?[0], load_per_processor(host)?);
    if each < OVERLOADED {
        return None;
    }
    let mut touched = Vec::new();
    for (label, part) in curves::labels(parts).into_iter().zip(parts) {
        let (_, _, metric) = part.about();
        if judge::is_time(metric) || metric.key.ends_with("_per_second") {
            touched.push(label);
        }
    }
    let answers = match touched.len() {
        0 => return None,
        all if all == parts.len() => "every answer here".to_owned(),
        _ => format!("the answers by time ({})", enumerated(&touched)),
    };
    let processors = counted((load / each).round() as u64, "processor");
    Some(format!(
        "Other work ran when this run began: load {load:.0} on {processors}. It widens or shifts {answers}; repeat the \
         run on an idle machine."
    ))
}

/// Says first of a run that other work disturbed its answers: when it began, or in its course.
pub(crate) fn not_quiet(record: &Record, decided: &Decided, parts: &[Part<'_>]) -> Option<String> {
    load(&record.host, parts).or_else(|| {
        let seen = judge::seen(record, decided);
        let touched = touched(decided, parts, &seen);
        let cause =
            causes(record, decided, parts, &seen).into_iter().next().filter(|_| !touched.is_empty())?;
        let cause = cause.split("; ").next().unwrap_or_default();
        Some(format!("Not quiet: {cause}. Affected: {}.", named(&touched)))
    })
}

/// Returns what disturbed the host, a clause each.
pub(crate) fn causes(record: &Record, decided: &Decided, parts: &[Part<'_>], seen: &Seen) -> Vec<String> {
    use Topic::{FreeMemory, OutOfMemory, Steal, Swap, Throttle};
    let mut all: Vec<String> = load(&record.host, parts).into_iter().collect();
    for note in &record.notes {
        let is_cause = matches!(note.topic, FreeMemory | OutOfMemory | Steal | Swap | Throttle);
        all.extend(is_cause.then(|| note.text.clone()));
    }
    let flags = decided.rankings.iter().flat_map(|ranking| &ranking.flags);
    all.extend(flags.filter(|flag| flag.name == "drift").map(|flag| flag.text.clone()));
    for (what, drift) in ["arithmetic", "walk through memory"].into_iter().zip(&seen.canaries) {
        let said = || format!("the same {what} differed by ±{} between rounds", percent(drift.spread));
        all.extend((drift.spread > QUIET).then(said));
    }
    once(all.iter().map(|text| text.trim_end_matches('.').to_owned()))
}

/// Returns the answers whose rounds differ, or whose ratio moved, with the largest spread of their contests.
pub(crate) fn touched(decided: &Decided, parts: &[Part<'_>], seen: &Seen) -> Vec<String> {
    let mut touched = Vec::new();
    for (label, part) in curves::labels(parts).into_iter().zip(parts) {
        let contests = part.contests(&decided.rankings);
        let drifts = contests.iter().filter_map(|one| seen_of(one, decided, seen)?.drift.as_ref());
        let spread = drifts.map(|drift| drift.spread).fold(0.0, f64::max);
        if spread > QUIET {
            touched.push(format!("{label} (±{})", percent(spread)));
        } else if contests.iter().flat_map(|one| &one.flags).any(|flag| flag.name == "ratio_moved") {
            touched.push(format!("{label} (a ratio moved)"));
        }
    }
    touched
}

pub(crate) fn named(touched: &[String]) -> String {
    let more = touched.len().saturating_sub(MOST_NAMED);
    let mut names = touched[..touched.len() - more].to_vec();
    names.extend((more > 0).then(|| format!("{more} more")));
    enumerated(&names)
}

pub(crate) fn seen_of<'a>(ranking: &Ranking, decided: &Decided, seen: &'a Seen) -> Option<&'a ContestSeen> {
    let at = decided.rankings.iter().position(|one| std::ptr::eq(one, ranking))?;
    seen.contests.get(at)
}
