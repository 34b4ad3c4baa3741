//! Techniques with all values of their parameters: the parts of an answer.

use std::collections::{BTreeSet, HashMap};

use model::parse_bytes;

use crate::field::Field;
use crate::ranking::{BestParameter, Group};
use crate::wording::{either, names};

/// A technique with its entries.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Technique {
    pub(crate) name: String,
    /// Its entries in the order of the values.
    pub(crate) members: Vec<Member>,
    /// Where its best entry stands in the order of the rows.
    rank: usize,
}

/// One entry of a technique.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) entry: usize,
    /// The value of the parameter, where there is one.
    pub(crate) value: Option<String>,
    pub(crate) candidate: bool,
    /// Ends of the factor as logarithms; above 0 and finite where they say something.
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Technique {
    pub(crate) fn is_candidate(&self) -> bool {
        self.members.iter().any(|member| member.candidate)
    }

    /// The smallest lower end of its entries, as a logarithm; 0 while nothing is known.
    pub(crate) fn low(&self) -> f64 {
        self.members.iter().map(|member| member.low).fold(f64::INFINITY, f64::min).max(0.0)
    }

    /// The smallest upper end of its entries.
    pub(crate) fn high(&self) -> f64 {
        self.members.iter().map(|member| member.high).fold(f64::INFINITY, f64::min)
    }

    pub(crate) fn holds(&self, entry: usize) -> bool {
        self.members.iter().any(|member| member.entry == entry)
    }

    /// The name with those of its values that are meant: `splice`, `read_write@256K`, `read_write (64K to 1M)`.
    pub(crate) fn label(&self, meant: impl Fn(&Member) -> bool) -> String {
        let places: Vec<usize> = (0..self.members.len()).filter(|&at| meant(&self.members[at])).collect();
        match places.as_slice() {
            [one] => match &self.members[*one].value {
                Some(value) => format!("{}@{value}", self.name),
                None => self.name.clone(),
            },
            _ if places.len() == self.members.len() || places.is_empty() => self.name.clone(),
            _ => format!("{} ({})", self.name, self.values(&places, names)),
        }
    }

    /// The values of the candidates behind a technique's name, with what they are: `any buffer from 128K to 1M`.
    /// `None` where it has one entry only.
    pub(crate) fn choice(&self, parameter: Option<&str>) -> Option<String> {
        let places: Vec<usize> = (0..self.members.len()).filter(|&at| self.members[at].candidate).collect();
        if self.members.len() < 2 || places.is_empty() {
            return None;
        }
        let values = self.values(&places, either);
        let parameter = parameter.unwrap_or("value");
        // What is counted stands behind its number; what has a unit of its own stands in front.
        let counted = ["threads", "buffers", "blocks"].contains(&parameter);
        let what = parameter.trim_end_matches("_bytes").trim_end_matches("_ns").replace('_', " ");
        Some(match (counted, places.len()) {
            (true, _) => format!("{values} {what}"),
            (false, 1) => format!("a {what} of {values}"),
            (false, _) if values.contains(" to ") => format!("any {what} from {values}"),
            (false, _) => format!("a {what} of {values}"),
        })
    }

    /// Values as a range where they are neighbours among those that took part, else as a list.
    fn values(&self, places: &[usize], list: fn(&[&str]) -> String) -> String {
        let value = |at: usize| self.members[at].value.as_deref().unwrap_or("?");
        let neighbours = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match (places.first(), places.last()) {
            (Some(&first), Some(&last)) if neighbours && places.len() > 1 => {
                format!("{} to {}", value(first), value(last))
            }
            _ => list(&places.iter().map(|&at| value(at)).collect::<Vec<_>>()),
        }
    }
}

/// The techniques of a contest: the leader's, those that may be fastest, the others, each by its best entry.
pub(crate) fn techniques(field: &Field<'_>) -> Vec<Technique> {
    let candidates: BTreeSet<usize> = field.candidates().into_iter().collect();
    let standing: BTreeSet<usize> = field.standing_entries().into_iter().collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut techniques: Vec<Technique> = Vec::new();
    let rows = field.assessment.rows.iter().filter(|row| standing.contains(&row.entry));
    for (rank, row) in rows.enumerate() {
        let (name, value) = field.contest.series[row.entry].technique_and_value();
        let candidate = candidates.contains(&row.entry);
        let member = Member {
            entry: row.entry,
            value: value.map(str::to_owned),
            candidate,
            low: if candidate { 0.0 } else { row.low },
            high: row.high,
        };
        let place = *places.entry(name).or_insert(techniques.len());
        match techniques.get_mut(place) {
            Some(known) => known.members.push(member),
            None => techniques.push(Technique { name: name.to_owned(), members: vec![member], rank }),
        }
    }
    for technique in &mut techniques {
        technique.members.sort_by(|a, b| order(a).cmp(&order(b)).then(a.entry.cmp(&b.entry)));
    }
    let leader = field.assessment.leader;
    techniques.sort_by_cached_key(|technique| {
        let leads = leader.is_some_and(|leader| technique.holds(leader));
        (!leads, !technique.is_candidate(), technique.rank)
    });
    techniques
}

/// Numbers in their order; what is no number stands behind them, as it was entered.
fn order(member: &Member) -> u64 {
    member.value.as_deref().and_then(|value| parse_bytes(value).ok()).unwrap_or(u64::MAX)
}

/// The techniques as a report shows them.
pub(crate) fn groups(techniques: &[Technique]) -> Vec<Group> {
    let values = |members: &[Member], meant: fn(&Member) -> bool| -> Vec<String> {
        members.iter().filter(|member| meant(member)).filter_map(|member| member.value.clone()).collect()
    };
    let of = |technique: &Technique| Group {
        technique: technique.name.clone(),
        values: values(&technique.members, |_| true),
        fastest_values: values(&technique.members, |member| member.candidate),
        may_be_fastest: technique.is_candidate(),
        factor_low: Some(technique.low()).filter(|low| *low > 0.0 && low.is_finite()).map(f64::exp),
        factor_high: Some(technique.high()).filter(|high| high.is_finite()).map(f64::exp),
    };
    techniques.iter().map(of).collect()
}

/// The best value of each technique that took part with several.
pub(crate) fn best_parameters(field: &Field<'_>, techniques: &[Technique]) -> Vec<BestParameter> {
    techniques.iter().filter(|one| one.members.len() > 1).filter_map(|one| best_of(field, one)).collect()
}

fn best_of(field: &Field<'_>, technique: &Technique) -> Option<BestParameter> {
    let leader = field.assessment.leader?;
    let factor = |entry: usize| {
        if entry == leader { Some(0.0) } else { field.row(entry).and_then(|row| row.estimate) }
    };
    let scored = technique.members.iter().filter_map(|member| Some((factor(member.entry)?, member)));
    let (_, best) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))))?;
    let as_good = |member: &&Member| {
        member.entry == best.entry || {
            let pair = field.pair(best.entry, member.entry);
            pair.look.is_some() && pair.candidates.contains(&1)
        }
    };
    let as_good = technique.members.iter().filter(as_good);
    Some(BestParameter {
        technique: technique.name.clone(),
        value: best.value.clone()?,
        as_good: as_good.filter_map(|member| member.value.clone()).collect(),
    })
}
