//! From the words of a claim to the values that they compare.

use stats::{Matrix, slopes};

use crate::effect::{Bounds, Seen};
use crate::evidence::{Evidence, Lack, Task};
use crate::finding::{Claim, Part};
use crate::levels::{Levels, smallest};
use crate::vocabulary::{
    Cost, FileSystems, FoundPlace, Gain, Gap, Names, Overhead, Place, Plateau, Share, Slope, Spread,
};

/// One comparison, and what was seen of it.
pub(crate) struct Comparison {
    /// What is compared, in a few words: `cpC over cpW, user`.
    pub(crate) what: String,
    pub(crate) bounds: Bounds,
    /// What its numbers are counted in; `None` where they are ratios.
    pub(crate) unit: Option<&'static str>,
    pub(crate) seen: Result<Seen, Lack>,
}

impl Comparison {
    /// One of ratios.
    fn of(what: String, bounds: Bounds, seen: Result<Seen, Lack>) -> Self {
        Self { what, bounds, unit: None, seen }
    }
}

/// The comparisons of a part in one place; `alpha` is the chance of error of the part. Parts about several hosts, about facts
/// and about what is not to be had are none.
pub(crate) fn compare(part: &Part, claim: &Claim, evidence: &Evidence<'_>, alpha: f64) -> Vec<Comparison> {
    let ratios = |of: &Names, over: &Names, metrics: &Names, over_metric: Option<&str>, bounds: Bounds| {
        let mut all = Vec::new();
        for metric in &metrics.0 {
            for one in &of.0 {
                for other in &over.0 {
                    all.push(ratio(evidence, claim, (one, metric), (other, over_metric), bounds));
                }
            }
        }
        all
    };
    match part {
        // `than` takes more than `technique`.
        Part::Faster(part) => {
            ratios(&part.than, &part.technique, &part.metric, None, Bounds::ratio(Some(1.0), None))
        }
        Part::Ratio(part) => {
            let bounds = Bounds::ratio(part.at_least, part.at_most);
            ratios(&part.of, &part.over, &part.metric, part.over_metric.as_deref(), bounds)
        }
        Part::Share(part) => each(&part.technique, |name| share(evidence, claim, part, name)),
        Part::Cost(part) => each(&part.technique, |name| cost(evidence, claim, part, name)),
        Part::Slope(part) => each(&part.technique, |name| slope(evidence, claim, part, name)),
        Part::Overhead(part) => each(&part.technique, |name| overhead(evidence, claim, part, name, alpha)),
        Part::Plateau(part) => each(&part.technique, |name| plateau(evidence, claim, part, name, alpha)),
        Part::Gain(part) => each(&part.technique, |name| gain(evidence, claim, part, name)),
        Part::Gap(part) => vec![gap(evidence, claim, part)],
        Part::Spread(part) => each(&part.technique, |name| spread(evidence, claim, part, name)),
        Part::FileSystems(part) => each(&part.technique, |name| file_systems(evidence, claim, part, name)),
        Part::Hosts(_) | Part::Fact(_) | Part::Needs(_) => Vec::new(),
    }
}

fn each(names: &Names, compare: impl Fn(&str) -> Comparison) -> Vec<Comparison> {
    names.0.iter().map(|name| compare(name)).collect()
}

/// The task that a claim is about: of those in which all take part the largest, and the first of equal ones. That choice does
/// not depend on what was found.
fn task<'e, 'a>(evidence: &'e Evidence<'a>, claim: &Claim, names: &[&str]) -> Result<&'e Task<'a>, Lack> {
    let fitting = evidence.fitting(claim);
    let whole = fitting.iter().filter(|task| names.iter().all(|name| task.has(name)));
    let largest = whole.rev().max_by_key(|task| task.workload.bytes());
    match largest {
        Some(task) => match &task.refused {
            // Measured once more it may be told.
            Some(refused) => Err(Lack::NotMeasured(refused.clone())),
            None => Ok(task),
        },
        None => Err(match fitting.first() {
            None => Lack::NotMeasured(evidence.unfit(claim)),
            Some(task) => {
                let absent = names.iter().find(|name| !task.has(name));
                absent.map_or_else(
                    || Lack::NotMeasured("they took part in different contests".to_owned()),
                    |name| task.lack(name),
                )
            }
        }),
    }
}

/// Differences of logarithms round by round.
fn paired(task: &Task<'_>, of: (&str, &str), over: (&str, &str)) -> Result<Seen, Lack> {
    let mut matrix = Matrix::new(2);
    for (column, (name, metric)) in [of, over].into_iter().enumerate() {
        task.fill(&mut matrix, column, name, metric)?;
    }
    Ok(Seen::Rounds { values: task.differences(&matrix, 0, 1), is_log: true, looks: task.looks.clone() })
}

fn ratio(
    evidence: &Evidence<'_>,
    claim: &Claim,
    (of, metric): (&str, &str),
    (over, over_metric): (&str, Option<&str>),
    bounds: Bounds,
) -> Comparison {
    let over_metric = over_metric.unwrap_or(metric);
    let seen =
        task(evidence, claim, &[of, over]).and_then(|task| paired(task, (of, metric), (over, over_metric)));
    let what = match (over == of, metric) {
        (true, _) => format!("{metric} over {over_metric} of {of}"),
        (false, "work") => format!("{of} over {over}"),
        (false, _) => format!("{of} over {over}, {metric}"),
    };
    Comparison::of(what, bounds, seen)
}

fn share(evidence: &Evidence<'_>, claim: &Claim, part: &Share, name: &str) -> Comparison {
    let seen =
        task(evidence, claim, &[name]).and_then(|task| paired(task, (name, &part.of), (name, &part.whole)));
    Comparison::of(
        format!("{} over {} of {name}", part.of, part.whole),
        Bounds::number(part.at_least, part.at_most),
        seen,
    )
}

fn cost(evidence: &Evidence<'_>, claim: &Claim, part: &Cost, name: &str) -> Comparison {
    let seen = task(evidence, claim, &[name]).and_then(|task| {
        let Some(units) = task.workload.number(&part.per).filter(|units| *units > 0) else {
            return Err(Lack::NotMeasured(format!("its workload has no number of {}", part.per)));
        };
        let values = task.times(name)?.into_iter().map(|value| (value / units as f64).ln()).collect();
        Ok(Seen::Rounds { values, is_log: true, looks: task.looks.clone() })
    });
    let unit = part.per.strip_suffix('s').unwrap_or(&part.per);
    let bounds = Bounds::number(None, Some(part.at_most_ns));
    Comparison { unit: Some("ns"), ..Comparison::of(format!("time of one {unit} of {name}"), bounds, seen) }
}

fn slope(evidence: &Evidence<'_>, claim: &Claim, part: &Slope, name: &str) -> Comparison {
    let seen = Levels::of(evidence, claim, &part.axis, &[name], None).and_then(|levels| {
        let levels = levels.between(part.from, part.to);
        let ends = levels.at.first() == Some(&part.from) && levels.at.last() == Some(&part.to);
        if !ends || levels.at.len() < 3 {
            let (from, to, axis) = (part.from, part.to, &part.axis);
            return Err(Lack::NotMeasured(format!("it needs levels of {axis} from {from} to {to}")));
        }
        let sizes: Vec<f64> = levels.at.iter().map(|&at| at as f64).collect();
        let found = slopes(&sizes, &levels.rows(name, &part.metric)?);
        let values = found.into_iter().map_while(|slope| slope).collect();
        Ok(Seen::Rounds { values, is_log: false, looks: levels.looks() })
    });
    let what = format!("exponent of {name} over {}", part.axis);
    Comparison::of(what, Bounds::number(part.at_least, part.at_most), seen)
}

fn overhead(evidence: &Evidence<'_>, claim: &Claim, part: &Overhead, name: &str, alpha: f64) -> Comparison {
    let seen = Levels::of(evidence, claim, &part.axis, &[name], None).and_then(|levels| {
        let lack = |place: &Place| {
            let place = shown(place);
            Lack::NotMeasured(format!("it needs the level {place} of {}", part.axis))
        };
        let at = *levels.places(&part.at).first().ok_or_else(|| lack(&part.at))?;
        if part.base == Place::Found(FoundPlace::Best) {
            let (factors, rounds) = levels.factors(name, &part.metric, alpha)?;
            return smallest(&factors, &[at], rounds).ok_or_else(|| lack(&part.at));
        }
        let base = *levels.places(&part.base).first().ok_or_else(|| lack(&part.base))?;
        let rows = levels.rows(name, &part.metric)?;
        let values = rows.iter().map(|row| stats::log_difference(row[at].ln(), row[base].ln())).collect();
        Ok(Seen::Rounds { values, is_log: true, looks: levels.looks() })
    });
    let (at, base) = (shown(&part.at), shown(&part.base));
    Comparison::of(
        format!("{name} at {at} over {}", counted(&base, &part.axis)),
        Bounds::ratio(part.at_least, part.at_most),
        seen,
    )
}

/// A level with the name of its axis: `1 thread`, `32 threads`.
fn counted(level: &str, axis: &str) -> String {
    match (level, axis) {
        ("1", "threads") => "1 thread".to_owned(),
        _ => format!("{level} {axis}"),
    }
}

/// A level in a few words.
fn shown(place: &Place) -> String {
    match place {
        Place::At(value) => value.to_string(),
        Place::Found(found) => match found {
            FoundPlace::Processors => "one a processor",
            FoundPlace::InCache => "in the cache",
            FoundPlace::Smallest => "smallest",
            FoundPlace::Largest => "largest",
            FoundPlace::Best => "the best",
            FoundPlace::Any => "any",
        }
        .to_owned(),
    }
}

fn plateau(evidence: &Evidence<'_>, claim: &Claim, part: &Plateau, name: &str, alpha: f64) -> Comparison {
    let seen = match &part.across {
        None => Levels::of(evidence, claim, &part.axis, &[name], None).and_then(|levels| {
            let (factors, rounds) = levels.factors(name, &part.metric, alpha)?;
            let none =
                || Lack::NotMeasured(format!("it needs the level {} of {}", shown(&part.at), part.axis));
            smallest(&factors, &levels.places(&part.at), rounds).ok_or_else(none)
        }),
        Some(across) => plateau_across(evidence, claim, part, name, across, alpha),
    };
    let place = shown(&part.at);
    Comparison::of(
        match &part.across {
            None => format!("{name} at {place} over the best {}", part.axis),
            Some(across) => format!("{name} at one {} over the best of each {across}", part.axis),
        },
        Bounds::number(None, Some(1.0 + part.within)),
        seen,
    )
}

/// One level for all values of a further axis: the worst of them counts.
fn plateau_across(
    evidence: &Evidence<'_>,
    claim: &Claim,
    part: &Plateau,
    name: &str,
    across: &str,
    alpha: f64,
) -> Result<Seen, Lack> {
    let mut values: Vec<String> = Vec::new();
    for task in evidence.fitting(claim) {
        let value = task.workload.point.0.get(across).map(ToString::to_string);
        values.extend(value.filter(|value| !values.contains(value)));
    }
    let mut worst: Vec<(u64, (f64, f64, f64))> = Vec::new();
    let (mut least, mut curves) = (u32::MAX, 0);
    for value in &values {
        let levels = Levels::of(evidence, claim, &part.axis, &[name], Some((across, value)))?;
        let (factors, rounds) = levels.factors(name, &part.metric, alpha / values.len() as f64)?;
        least = least.min(rounds);
        let here = levels.at.iter().copied().zip(factors);
        worst = match curves {
            0 => here.collect(),
            // Only levels that all of them have.
            _ => here
                .filter_map(|(at, new)| {
                    let known = worst.iter().find(|(known, _)| *known == at)?.1;
                    Some((at, (known.0.max(new.0), known.1.max(new.1), known.2.max(new.2))))
                })
                .collect(),
        };
        curves += 1;
    }
    let factors = worst.into_iter().map(|(_, factor)| factor).collect::<Vec<_>>();
    let places: Vec<usize> = (0..factors.len()).collect();
    let none = || Lack::NotMeasured(format!("it needs {} at several values of {across}", part.axis));
    if curves < 2 {
        return Err(none());
    }
    smallest(&factors, &places, least).ok_or_else(none)
}

fn gain(evidence: &Evidence<'_>, claim: &Claim, part: &Gain, name: &str) -> Comparison {
    let levels = |value: &str| {
        let levels = Levels::of(evidence, claim, &part.axis, &[name], Some((&part.of, value)))?;
        Ok::<_, Lack>(levels.between(part.least, u64::MAX))
    };
    let seen = levels(&part.from).and_then(|from| {
        let to = levels(&part.to)?;
        if from.at != to.at || from.at.is_empty() {
            return Err(Lack::NotMeasured(format!("it needs the same levels of {} for both", part.axis)));
        }
        let (slow, fast) = (from.rows(name, "work")?, to.rows(name, "work")?);
        let mean = |(slow, fast): (&Vec<f64>, &Vec<f64>)| {
            let logs = slow.iter().zip(fast).map(|(a, b)| stats::log_difference(a.ln(), b.ln()));
            logs.sum::<f64>() / slow.len() as f64
        };
        let looks = to.looks();
        let looks = from.looks().into_iter().filter(|look| looks.contains(look)).collect();
        Ok(Seen::Rounds { values: slow.iter().zip(&fast).map(mean).collect(), is_log: true, looks })
    });
    Comparison::of(
        format!("{name} with {} = {} over {}", part.of, part.from, part.to),
        Bounds::ratio(part.at_least, part.at_most),
        seen,
    )
}

fn gap(evidence: &Evidence<'_>, claim: &Claim, part: &Gap) -> Comparison {
    let names: Vec<&str> = part.technique.0.iter().map(String::as_str).collect();
    let seen = Levels::of(evidence, claim, &part.axis, &names, None).and_then(|levels| {
        let place = |value: u64| {
            let lack = || Lack::NotMeasured(format!("it needs the level {value} of {}", part.axis));
            levels.places(&Place::At(value)).first().copied().ok_or_else(lack)
        };
        let (at, over) = (place(part.at)?, place(part.over)?);
        let rows = names.iter().map(|name| levels.rows(name, "work")).collect::<Result<Vec<_>, _>>()?;
        let rounds = rows.iter().map(Vec::len).min().unwrap_or(0);
        let apart = |round: usize, level: usize| {
            let values = || rows.iter().map(|rows| rows[round][level]);
            values().fold(0.0, f64::max) - values().fold(f64::INFINITY, f64::min)
        };
        let values = (0..rounds).map(|round| (apart(round, at) / apart(round, over)).ln()).collect();
        Ok(Seen::Rounds { values, is_log: true, looks: levels.looks() })
    });
    Comparison::of(
        format!("slowest minus fastest at {} over {} {}", part.at, part.over, part.axis),
        Bounds::number(None, Some(part.at_most)),
        seen,
    )
}

fn spread(evidence: &Evidence<'_>, claim: &Claim, part: &Spread, name: &str) -> Comparison {
    let runs = part.runs.max(2) as usize;
    let seen = task(evidence, claim, &[name]).and_then(|task| {
        let values = task.times(name)?;
        let apart = |runs: &[f64]| {
            let largest = runs.iter().copied().fold(0.0, f64::max);
            (largest / runs.iter().copied().fold(f64::INFINITY, f64::min)).ln()
        };
        // This many runs in a row are one value; a look counts those that are whole.
        let mut looks: Vec<u32> = task.looks.iter().map(|look| look / runs as u32).collect();
        looks.dedup();
        looks.retain(|&look| look > 0);
        Ok(Seen::Rounds { values: values.chunks_exact(runs).map(apart).collect(), is_log: true, looks })
    });
    Comparison::of(
        format!("slowest over fastest of {runs} runs of {name}"),
        Bounds::number(Some(part.at_least), None),
        seen,
    )
}

fn file_systems(evidence: &Evidence<'_>, claim: &Claim, part: &FileSystems, name: &str) -> Comparison {
    let fitting = evidence.fitting(claim);
    let on = |names: &Names| {
        fitting.iter().copied().find(|task| {
            let own = task.setting.conditions.file_system.as_deref().unwrap_or_default().to_lowercase();
            task.has(name) && names.0.contains(&own)
        })
    };
    let seen = match (on(&part.of), on(&part.over)) {
        (Some(one), Some(other)) if one.workload == other.workload => {
            let mut matrix = Matrix::new(2);
            let filled = one.fill(&mut matrix, 0, name, "work").and(other.fill(&mut matrix, 1, name, "work"));
            let looks = one.looks.iter().copied().filter(|look| other.looks.contains(look)).collect();
            filled.map(|()| Seen::Rounds { values: one.differences(&matrix, 0, 1), is_log: true, looks })
        }
        _ => Err(Lack::NotMeasured(format!(
            "it needs one run in two directories (--dir A --dir B): one on {}, one on {}",
            part.of.0.join(", "),
            part.over.0.join(", ")
        ))),
    };
    Comparison::of(
        format!("{name} on the journaled file system over the other"),
        Bounds::ratio(part.at_least, part.at_most),
        seen,
    )
}
