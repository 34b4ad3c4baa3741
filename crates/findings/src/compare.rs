//! From the words of a claim to the values that they compare.

use model::axis_value;
use stats::{Matrix, log_difference, slopes};

use crate::effect::{Bounds, Seen};
use crate::evidence::{Evidence, Lack, Task};
use crate::finding::{Claim, Part};
use crate::levels::{Levels, smallest};
use crate::vocabulary::{
    Cost, FileSystems, FoundPlace, Gain, Gap, Names, Overhead, Place, Plateau, Ratio, Share, Slope, Spread,
};

pub(crate) struct Comparison {
    /// The comparison in a few words: `cpC over cpW, user`.
    pub(crate) what: String,
    pub(crate) bounds: Bounds,
    /// The unit of its numbers; `None` where they are ratios.
    pub(crate) unit: Option<&'static str>,
    pub(crate) seen: Result<Seen, Lack>,
}

/// An axis and a value on it.
type Level<'n> = (&'n str, u64);

/// The comparison in a few words, and what was seen of it.
type Sight = (String, Result<Seen, Lack>);

/// Makes the comparisons of a part in one place, at the chance of error `alpha`. Parts about hosts, facts and needs have none.
pub(crate) fn compare(part: &Part, claim: &Claim, evidence: &Evidence<'_>, alpha: f64) -> Vec<Comparison> {
    let here = Here { evidence, claim, alpha };
    let sights = match part {
        // `than` takes more than `technique`.
        Part::Faster(part) => here.ratios(&part.than, &part.technique, &part.metric, None, None),
        Part::Ratio(part) => {
            let Ratio { of, over, metric, over_metric, axis, .. } = part;
            here.at_levels(axis.as_deref(), |level| {
                here.ratios(of, over, metric, over_metric.as_deref(), level)
            })
        }
        Part::Share(part) => part.technique.each(|name| here.share(part, name)),
        Part::Cost(part) => part.technique.each(|name| here.cost(part, name)),
        Part::Slope(part) => part.technique.each(|name| here.slope(part, name)),
        Part::Overhead(part) => part.technique.each(|name| here.overhead(part, name)),
        Part::Plateau(part) => part.technique.each(|name| here.plateau(part, name)),
        Part::Gain(part) => part.technique.each(|name| here.gain(part, name)),
        Part::Gap(part) => vec![here.gap(part)],
        Part::Spread(part) => part.technique.each(|name| here.spread(part, name)),
        Part::FileSystems(part) => part.technique.each(|name| here.file_systems(part, name)),
        Part::Hosts(_) | Part::Fact(_) | Part::Needs(_) => Vec::new(),
    };
    let (bounds, unit) = (part.bounds(), matches!(part, Part::Cost(_)).then_some("ns"));
    sights.into_iter().map(|(what, seen)| Comparison { what, bounds, unit, seen }).collect()
}

impl Names {
    fn each(&self, look: impl Fn(&str) -> Sight) -> Vec<Sight> {
        self.0.iter().map(|name| look(name)).collect()
    }
}

/// Logarithms of ratios, a value a round.
fn logs(values: Vec<f64>, looks: Vec<u32>) -> Seen {
    Seen::Rounds { values, is_log: true, looks }
}

fn first_place(levels: &Levels<'_, '_>, place: &Place, axis: &str) -> Result<usize, Lack> {
    levels.places(place).first().copied().ok_or_else(|| levels.lack(place, axis))
}

struct Here<'e, 'a> {
    evidence: &'e Evidence<'a>,
    claim: &'e Claim,
    alpha: f64,
}

impl<'e, 'a> Here<'e, 'a> {
    /// Looks at each level of an axis that the claim names, or once without an axis.
    fn at_levels(&self, axis: Option<&str>, look: impl Fn(Option<Level<'_>>) -> Vec<Sight>) -> Vec<Sight> {
        let Some(axis) = axis else { return look(None) };
        let levels = self.claim.levels.get(axis).into_iter().flatten();
        let numbers = levels.filter_map(|level| level.to_string().parse().ok());
        numbers.flat_map(|number| look(Some((axis, number)))).collect()
    }

    /// Returns the largest task in which all names take part, the first of equal ones. The choice does not depend on what was found.
    fn task(&self, names: &[&str], level: Option<Level<'_>>) -> Result<&'e Task<'a>, Lack> {
        let mut fitting = self.evidence.fitting(self.claim);
        if let Some((axis, number)) = level.filter(|_| !fitting.is_empty()) {
            fitting.retain(|task| task.workload.number(axis) == Some(number));
            if fitting.is_empty() {
                return Err(Lack::NotMeasured(format!(
                    "it needs the level {} of {axis}",
                    axis_value(axis, number)
                )));
            }
        }
        let whole = fitting.iter().filter(|task| names.iter().all(|name| task.has(name)));
        match (whole.rev().max_by_key(|task| task.workload.bytes()), fitting.first()) {
            (Some(task), _) => task.not_refused(names).map(|()| *task),
            (None, None) => Err(Lack::NotMeasured(self.evidence.unfit(self.claim))),
            (None, Some(task)) => Err(names.iter().find(|name| !task.has(name)).map_or_else(
                || Lack::NotMeasured("they took part in different contests".to_owned()),
                |name| task.lack(name),
            )),
        }
    }

    fn levels(&self, axis: &str, names: &[&str]) -> Result<Levels<'e, 'a>, Lack> {
        Levels::of(self.evidence, self.claim, axis, names, None)
    }

    fn ratios(
        &self, of: &Names, over: &Names, metrics: &Names, over_metric: Option<&str>, level: Option<Level<'_>>,
    ) -> Vec<Sight> {
        let pairs =
            metrics.0.iter().flat_map(|metric| of.0.iter().map(move |one| (one.as_str(), metric.as_str())));
        pairs.flat_map(|one| over.each(|other| self.ratio(one, (other, over_metric), level))).collect()
    }

    fn ratio(
        &self, (of, metric): (&str, &str), (over, over_metric): (&str, Option<&str>),
        level: Option<Level<'_>>,
    ) -> Sight {
        let over_metric = over_metric.unwrap_or(metric);
        let task = self.task(&[of, over], level);
        let mut what = match metric {
            _ if over == of => format!("{metric} over {over_metric} of {of}"),
            "work" => format!("{of} over {over}"),
            _ => format!("{of} over {over}, {metric}"),
        };
        if let Some((axis, number)) = level {
            what += &format!(", {}", axis_value(axis, number));
        }
        (what, task.and_then(|task| paired(task, (of, metric), (over, over_metric))))
    }

    fn share(&self, part: &Share, name: &str) -> Sight {
        let seen =
            self.task(&[name], None).and_then(|task| paired(task, (name, &part.of), (name, &part.whole)));
        (format!("{} over {} of {name}", part.of, part.whole), seen)
    }

    fn cost(&self, part: &Cost, name: &str) -> Sight {
        let seen = self.task(&[name], None).and_then(|task| {
            let Some(units) = task.workload.number(&part.per).filter(|units| *units > 0) else {
                return Err(Lack::NotMeasured(format!("its workload has no number of {}", part.per)));
            };
            let values = task.times(name)?.into_iter().map(|value| (value / units as f64).ln()).collect();
            Ok(logs(values, task.looks.clone()))
        });
        let unit = part.per.strip_suffix('s').unwrap_or(&part.per);
        (format!("time of one {unit} of {name}"), seen)
    }

    fn slope(&self, part: &Slope, name: &str) -> Sight {
        let seen = self.levels(&part.axis, &[name]).and_then(|levels| {
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
        (format!("exponent of {name} over {}", part.axis), seen)
    }

    fn overhead(&self, part: &Overhead, name: &str) -> Sight {
        let seen = self.levels(&part.axis, &[name]).and_then(|levels| {
            let at = first_place(&levels, &part.at, &part.axis)?;
            if part.base == Place::Found(FoundPlace::Best) {
                let (factors, rounds) = levels.factors(name, &part.metric, self.alpha)?;
                return smallest(&factors, &[at], rounds).ok_or_else(|| levels.lack(&part.at, &part.axis));
            }
            let base = first_place(&levels, &part.base, &part.axis)?;
            let rows = levels.rows(name, &part.metric)?;
            let values = rows.iter().map(|row| log_difference(row[at].ln(), row[base].ln())).collect();
            Ok(logs(values, levels.looks()))
        });
        let base = format!("{} {}", part.base, part.axis);
        let base = if base == "1 threads" { "1 thread" } else { &base };
        (format!("{name} at {} over {base}", part.at), seen)
    }

    fn plateau(&self, part: &Plateau, name: &str) -> Sight {
        let Some(across) = &part.across else {
            let seen = self.levels(&part.axis, &[name]).and_then(|levels| {
                let (factors, rounds) = levels.factors(name, &part.metric, self.alpha)?;
                let places = levels.places(&part.at);
                smallest(&factors, &places, rounds).ok_or_else(|| levels.lack(&part.at, &part.axis))
            });
            return (format!("{name} at {} over the best {}", part.at, part.axis), seen);
        };
        let what = format!("{name} at one {} over the best of each {across}", part.axis);
        (what, self.plateau_across(part, name, across))
    }

    /// Returns the worst, over all values of a further axis, that one level costs.
    fn plateau_across(&self, part: &Plateau, name: &str, across: &str) -> Result<Seen, Lack> {
        let mut values: Vec<String> = Vec::new();
        for task in self.evidence.fitting(self.claim) {
            let value = task.workload.point.0.get(across).map(ToString::to_string);
            values.extend(value.filter(|value| !values.contains(value)));
        }
        let mut worst: Vec<(u64, (f64, f64, f64))> = Vec::new();
        let mut least = u32::MAX;
        for (nth, value) in values.iter().enumerate() {
            let further = Some((across, value.as_str()));
            let levels = Levels::of(self.evidence, self.claim, &part.axis, &[name], further)?;
            let (factors, rounds) = levels.factors(name, &part.metric, self.alpha / values.len() as f64)?;
            least = least.min(rounds);
            // Only levels that all of them have.
            let shared = levels.at.iter().copied().zip(factors).filter_map(|(at, new)| {
                let known = if nth == 0 { new } else { worst.iter().find(|(known, _)| *known == at)?.1 };
                Some((at, (known.0.max(new.0), known.1.max(new.1), known.2.max(new.2))))
            });
            worst = shared.collect();
        }
        let factors = worst.into_iter().map(|(_, factor)| factor).collect::<Vec<_>>();
        let places: Vec<usize> = (0..factors.len()).collect();
        let seen = smallest(&factors, &places, least).filter(|_| values.len() > 1);
        seen.ok_or_else(|| Lack::NotMeasured(format!("it needs {} at several values of {across}", part.axis)))
    }

    fn gain(&self, part: &Gain, name: &str) -> Sight {
        let [from, to] = [&part.from, &part.to].map(|value| {
            let further = Some((part.of.as_str(), value.as_str()));
            let levels = Levels::of(self.evidence, self.claim, &part.axis, &[name], further)?;
            Ok::<_, Lack>(levels.between(part.levels[0], part.levels[1]))
        });
        let seen = from.and_then(|from| {
            let to = to?;
            if from.at != to.at || from.at.is_empty() {
                return Err(Lack::NotMeasured(format!("it needs the same levels of {} for both", part.axis)));
            }
            let (slow, fast) = (from.rows(name, "work")?, to.rows(name, "work")?);
            let means = slow.iter().zip(&fast).map(|(slow, fast)| {
                let logs = slow.iter().zip(fast).map(|(a, b)| log_difference(a.ln(), b.ln()));
                logs.sum::<f64>() / slow.len() as f64
            });
            Ok(logs(means.collect(), shared(from.looks(), &to.looks())))
        });
        (format!("{name} with {} = {} over {}", part.of, part.from, part.to), seen)
    }

    fn gap(&self, part: &Gap) -> Sight {
        let names: Vec<&str> = part.technique.0.iter().map(String::as_str).collect();
        let seen = self.levels(&part.axis, &names).and_then(|levels| {
            let at = first_place(&levels, &Place::At(part.at), &part.axis)?;
            let over = first_place(&levels, &Place::At(part.over), &part.axis)?;
            let rows = names.iter().map(|name| levels.rows(name, "work")).collect::<Result<Vec<_>, _>>()?;
            let rounds = rows.iter().map(Vec::len).min().unwrap_or(0);
            let apart = |round: usize, level: usize| {
                let (least, most) = ends(rows.iter().map(|rows| rows[round][level]));
                most - least
            };
            let values = (0..rounds).map(|round| (apart(round, at) / apart(round, over)).ln()).collect();
            Ok(logs(values, levels.looks()))
        });
        (format!("slowest minus fastest at {} over {} {}", part.at, part.over, part.axis), seen)
    }

    fn spread(&self, part: &Spread, name: &str) -> Sight {
        let runs = part.runs.max(2) as usize;
        let seen = self.task(&[name], None).and_then(|task| {
            let values = task.times(name)?;
            // This many runs in a row are one value; a look counts those that are whole.
            let mut looks: Vec<u32> = task.looks.iter().map(|look| look / runs as u32).collect();
            looks.dedup();
            looks.retain(|&look| look > 0);
            let ends = values.chunks_exact(runs).map(|runs| ends(runs.iter().copied()));
            Ok(logs(ends.map(|(least, most)| (most / least).ln()).collect(), looks))
        });
        (format!("slowest over fastest of {runs} runs of {name}"), seen)
    }

    fn file_systems(&self, part: &FileSystems, name: &str) -> Sight {
        let fitting = self.evidence.fitting(self.claim);
        let [ones, others] = [&part.of, &part.over].map(|names| {
            let on = fitting.iter().copied().filter(|task| {
                let own = task.setting.conditions.file_system.as_deref().unwrap_or_default().to_lowercase();
                task.has(name) && names.0.contains(&own)
            });
            on.collect::<Vec<_>>()
        });
        let pair = ones
            .iter()
            .find_map(|one| Some((one, others.iter().find(|other| other.workload == one.workload)?)));
        let seen = match pair {
            Some((one, other)) => (|| {
                let mut matrix = Matrix::new(2);
                for (column, task) in [one, other].into_iter().enumerate() {
                    task.not_refused(&[name])?;
                    task.fill(&mut matrix, column, name, "work")?;
                }
                Ok(logs(one.differences(&matrix, 0, 1), shared(one.looks.clone(), &other.looks)))
            })(),
            None => Err(Lack::NotMeasured(format!(
                "it needs one run in two directories (--dir A --dir B): one on {}, one on {}",
                part.of.0.join(", "),
                part.over.0.join(", ")
            ))),
        };
        (format!("{name} on {} over {}", part.of.0.join("/"), part.over.0.join("/")), seen)
    }
}

/// Differences of logarithms round by round.
fn paired(task: &Task<'_>, of: (&str, &str), over: (&str, &str)) -> Result<Seen, Lack> {
    let mut matrix = Matrix::new(2);
    for (column, (name, metric)) in [of, over].into_iter().enumerate() {
        task.fill(&mut matrix, column, name, metric)?;
    }
    Ok(logs(task.differences(&matrix, 0, 1), task.looks.clone()))
}

fn shared(mut looks: Vec<u32>, others: &[u32]) -> Vec<u32> {
    looks.retain(|look| others.contains(look));
    looks
}

fn ends(values: impl Iterator<Item = f64>) -> (f64, f64) {
    values.fold((f64::INFINITY, 0.0), |(least, most), value| (f64::min(least, value), f64::max(most, value)))
}
