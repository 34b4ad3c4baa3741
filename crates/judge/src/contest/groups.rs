//! Techniques with all values of their parameters and all their variants: the parts of an answer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::parse_bytes;

use crate::contest::field::Field;
use crate::contest::ranking::{BestParameter, Group};
use crate::words::wording::{either, names};

/// A technique with its entries, and with those that were declared as variants of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Technique {
    pub(crate) name: String,
    /// Its own entries in the order of the values, then those of its variants.
    pub(crate) members: Vec<Member>,
    /// Where its best entry stands in the order of the rows.
    rank: usize,
}

/// One entry of a technique.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) entry: usize,
    /// The technique itself, or its variant.
    pub(crate) technique: String,
    /// The value of the parameter, where there is one.
    pub(crate) value: Option<String>,
    pub(crate) candidate: bool,
    /// Ends of the factor as logarithms; above 0 and finite where they say something.
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// Which entries behind a technique's name may be fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Of its values: `any buffer from 128K to 1M`.
    values: Option<String>,
    /// Of its variants: `with splice or keep_size`, `as no_access_time`.
    variants: Option<String>,
}

impl Choice {
    /// Behind a verb: `with any buffer from 128K to 1M, also with splice`.
    pub(crate) fn behind_a_verb(&self) -> String {
        match (&self.values, &self.variants) {
            (Some(values), Some(variants)) => format!("with {values}, also {variants}"),
            (Some(values), None) => format!("with {values}"),
            (None, Some(variants)) => variants.clone(),
            (None, None) => "in its plain form".to_owned(),
        }
    }

    /// Behind the name: `any buffer from 128K to 1M, also with splice`.
    pub(crate) fn behind_the_name(&self) -> String {
        let text = self.behind_a_verb();
        if self.values.is_some() { text.replacen("with ", "", 1) } else { text }
    }
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

    /// Whether one of its own entries may be fastest, and not of its variants only.
    pub(crate) fn leads_with_its_own(&self) -> bool {
        self.members.iter().any(|member| member.candidate && self.is_own(member))
    }

    /// The technique or variant of one of its entries.
    pub(crate) fn technique_of(&self, entry: usize) -> &str {
        let member = self.members.iter().find(|member| member.entry == entry);
        member.map_or(&self.name, |member| &member.technique)
    }

    /// Whether an entry is one of its own, and not of a variant.
    fn is_own(&self, member: &Member) -> bool {
        member.technique == self.name
    }

    fn variants(&self) -> impl Iterator<Item = &Member> {
        self.members.iter().filter(|member| !self.is_own(member))
    }

    /// What tells its entries apart: `value`, `variant`, `value or variant`.
    pub(crate) fn what_differs(&self, plural: bool) -> String {
        let words = [
            ("value", self.members.iter().any(|member| member.value.is_some())),
            ("variant", self.variants().next().is_some()),
        ];
        let s = if plural { "s" } else { "" };
        let words = words.into_iter().filter(|(_, is_so)| *is_so).map(|(word, _)| format!("{word}{s}"));
        words.collect::<Vec<_>>().join(" or ")
    }

    /// The name with those of its entries that are meant: `splice`, `read_write@256K`, `read_write (64K to 1M)`,
    /// `presized (128K, 256K and splice)`.
    pub(crate) fn label(&self, meant: impl Fn(&Member) -> bool) -> String {
        let all: Vec<&Member> = self.members.iter().filter(|member| meant(member)).collect();
        match all.as_slice() {
            [one] => one.name(),
            _ if all.len() == self.members.len() || all.is_empty() => self.name.clone(),
            _ => {
                let own = Some(self.values(&meant, names)).filter(|values| !values.is_empty());
                let variants = all.iter().filter(|member| !self.is_own(member));
                let parts: Vec<String> =
                    own.into_iter().chain(variants.map(|member| self.variant(member).1)).collect();
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                format!("{} ({})", self.name, names(&parts))
            }
        }
    }

    /// Which of its entries may be fastest; `None` where it has one entry only.
    pub(crate) fn choice(&self, parameters: &[String]) -> Option<Choice> {
        if self.members.len() < 2 || !self.is_candidate() {
            return None;
        }
        let values = self.values_to_choose(parameters);
        let is_plain = values.is_none() && self.leads_with_its_own();
        let variants =
            self.variants_to_choose().map(|text| if is_plain { format!("also {text}") } else { text });
        Some(Choice { values, variants })
    }

    /// The variants that may be fastest: `with splice or keep_size`, `with populate or as no_access_time`.
    fn variants_to_choose(&self) -> Option<String> {
        let of = |kind: &str| {
            let candidates = self.variants().filter(|member| member.candidate).map(|one| self.variant(one));
            let named: Vec<String> =
                candidates.filter(|(word, _)| *word == kind).map(|(_, name)| name).collect();
            let named: Vec<&str> = named.iter().map(String::as_str).collect();
            Some(format!("{kind} {}", either(&named))).filter(|_| !named.is_empty())
        };
        let parts: Vec<String> = [of("with"), of("as")].into_iter().flatten().collect();
        Some(parts.join(" or ")).filter(|text| !text.is_empty())
    }

    /// How a variant is named behind the technique: `with splice` is presized_splice, `as no_access_time` is what has
    /// a name of its own.
    fn variant(&self, member: &Member) -> (&'static str, String) {
        let name = member.name();
        match name.strip_prefix(&self.name).and_then(|rest| rest.strip_prefix('_')) {
            Some(rest) => ("with", rest.to_owned()),
            None => ("as", name),
        }
    }

    /// The values of the candidates with what they are: `any buffer from 128K to 1M`, `depth=100,timeout=25ms`.
    fn values_to_choose(&self, parameters: &[String]) -> Option<String> {
        let values = self.values(&|member: &Member| member.candidate, either);
        if values.is_empty() {
            return None;
        }
        // A value of several parameters says what each of them is.
        if values.contains('=') {
            return Some(values);
        }
        let parameter = parameters.first().map_or("value", String::as_str);
        // What is counted stands behind its number; what has a unit of its own stands in front.
        let counted = ["threads", "buffers", "blocks"].contains(&parameter);
        let what = parameter.trim_end_matches("_bytes").trim_end_matches("_ns").replace('_', " ");
        Some(match counted {
            true => format!("{values} {what}"),
            false if values.contains(" to ") => format!("any {what} from {values}"),
            false => format!("a {what} of {values}"),
        })
    }

    /// Its own values as a range where they are neighbours among those that took part, else as a list.
    fn values(&self, meant: &impl Fn(&Member) -> bool, list: fn(&[&str]) -> String) -> String {
        let own: Vec<(&Member, &str)> = self
            .members
            .iter()
            .filter(|member| self.is_own(member))
            .filter_map(|member| Some((member, member.value.as_deref()?)))
            .collect();
        let places: Vec<usize> = (0..own.len()).filter(|&at| meant(own[at].0)).collect();
        let neighbours = places.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        match (places.first(), places.last()) {
            // Points of several parameters have no order.
            (Some(&first), Some(&last)) if neighbours && places.len() > 1 && !own[first].1.contains('=') => {
                format!("{} to {}", own[first].1, own[last].1)
            }
            _ => list(&places.iter().map(|&at| own[at].1).collect::<Vec<_>>()),
        }
    }
}

impl Member {
    fn name(&self) -> String {
        match &self.value {
            Some(value) => format!("{}@{value}", self.technique),
            None => self.technique.clone(),
        }
    }
}

/// The techniques of a contest: the leader's, those that may be fastest, the others, each by its best entry.
pub(crate) fn techniques(field: &Field<'_>) -> Vec<Technique> {
    let candidates: BTreeSet<usize> = field.candidates().into_iter().collect();
    let standing: BTreeSet<usize> = field.standing_entries().into_iter().collect();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let bases = bases(field, &standing);
    let mut techniques: Vec<Technique> = Vec::new();
    let rows = field.assessment.rows.iter().filter(|row| standing.contains(&row.entry));
    for (rank, row) in rows.enumerate() {
        let (own, value) = field.contest.series[row.entry].technique_and_value();
        let name = bases.get(declared(field, row.entry)).copied().unwrap_or(own);
        let candidate = candidates.contains(&row.entry);
        let member = Member {
            entry: row.entry,
            technique: own.to_owned(),
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
        let name = technique.name.clone();
        let place = |one: &Member| (one.technique != name, one.technique.clone(), order(one), one.entry);
        technique.members.sort_by_key(place);
    }
    let leader = field.assessment.leader;
    techniques.sort_by_cached_key(|technique| {
        let leads = leader.is_some_and(|leader| technique.holds(leader));
        (!leads, !technique.is_candidate(), technique.rank)
    });
    techniques
}

/// The techniques that stand for their variants too, because several of them take part. Where nothing else does, the
/// answer is about the variants themselves: then each stands for itself.
fn bases<'a>(field: &'a Field<'_>, entries: &BTreeSet<usize>) -> BTreeSet<&'a str> {
    let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for &entry in entries {
        let own = field.contest.series[entry].technique_and_value().0;
        members.entry(declared(field, entry)).or_default().insert(own);
    }
    let alone = members.len() == 1;
    members
        .into_iter()
        .filter(|(_, techniques)| techniques.len() > 1 && !alone)
        .map(|(base, _)| base)
        .collect()
}

/// The technique of which an entry was declared a variant, else its own.
fn declared<'a>(field: &'a Field<'_>, entry: usize) -> &'a str {
    let series = &field.contest.series[entry];
    series.variant_of.as_deref().unwrap_or_else(|| series.technique_and_value().0)
}

/// Numbers in their order; what is no number stands behind them, as it was entered.
fn order(member: &Member) -> u64 {
    member.value.as_deref().and_then(|value| parse_bytes(value).ok()).unwrap_or(u64::MAX)
}

/// The techniques as a report shows them.
pub(crate) fn groups(techniques: &[Technique]) -> Vec<Group> {
    techniques.iter().map(group).collect()
}

fn group(technique: &Technique) -> Group {
    let own = || technique.members.iter().filter(|member| technique.is_own(member));
    let values = |meant: fn(&Member) -> bool| {
        own().filter(|member| meant(member)).filter_map(|member| member.value.clone()).collect()
    };
    let variants = |meant: fn(&Member) -> bool| {
        technique.variants().filter(|member| meant(member)).map(Member::name).collect()
    };
    Group {
        technique: technique.name.clone(),
        values: values(|_| true),
        fastest_values: values(|member| member.candidate),
        variants: variants(|_| true),
        fastest_variants: variants(|member| member.candidate),
        may_be_fastest: technique.is_candidate(),
        factor_low: Some(technique.low()).filter(|low| *low > 0.0 && low.is_finite()).map(f64::exp),
        factor_high: Some(technique.high()).filter(|high| high.is_finite()).map(f64::exp),
    }
}

/// The best value of each technique that took part with several.
pub(crate) fn best_parameters(field: &Field<'_>, techniques: &[Technique]) -> Vec<BestParameter> {
    // Members of one technique stand together.
    let runs = techniques.iter().flat_map(|one| one.members.chunk_by(|a, b| a.technique == b.technique));
    runs.filter(|members| members.len() > 1).filter_map(|members| best_of(field, members)).collect()
}

fn best_of(field: &Field<'_>, members: &[Member]) -> Option<BestParameter> {
    let leader = field.assessment.leader?;
    let factor = |entry: usize| {
        if entry == leader { Some(f64::NEG_INFINITY) } else { field.row(entry).and_then(|row| row.estimate) }
    };
    // The answer names the leader, whatever estimate another value has.
    let scored = members.iter().filter_map(|member| Some((factor(member.entry)?, member)));
    let (_, best) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))))?;
    let as_good = |member: &&Member| {
        member.entry == best.entry || {
            let pair = field.pair(best.entry, member.entry);
            pair.look.is_some() && pair.candidates.contains(&1)
        }
    };
    let as_good = members.iter().filter(as_good);
    Some(BestParameter {
        technique: best.technique.clone(),
        value: best.value.clone()?,
        as_good: as_good.filter_map(|member| member.value.clone()).collect(),
    })
}
