//! Techniques with all values of their parameters and all their variants: the parts of an answer.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use model::parse_bytes;

use crate::contest::field::Field;
use crate::contest::ranking::{BestParameter, Entry, Group};

/// A technique with its entries, and with those that were declared as variants of it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Technique {
    pub(crate) name: String,
    /// Its own entries in the order of the values, then those of its variants.
    pub(crate) members: Vec<Member>,
    /// The place of its best entry in the order of the rows.
    rank: usize,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) entry: usize,
    /// The technique itself, or its variant.
    pub(crate) technique: String,
    /// The value of the parameter, where there is one.
    pub(crate) value: Option<String>,
    pub(crate) candidate: bool,
}

impl Technique {
    pub(crate) fn is_candidate(&self) -> bool {
        self.members.iter().any(|member| member.candidate)
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

/// Returns the techniques of a contest: the leader's, those that may be fastest, the others, each by its best entry.
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
        };
        let place = *places.entry(name).or_insert(techniques.len());
        match techniques.get_mut(place) {
            Some(known) => known.members.push(member),
            None => techniques.push(Technique { name: name.to_owned(), members: vec![member], rank }),
        }
    }
    for technique in &mut techniques {
        let name = technique.name.clone();
        let members = &mut technique.members;
        members.sort_by_key(|one| (one.technique != name, one.technique.clone(), order(one), one.entry));
    }
    let leader = field.assessment.leader;
    techniques.sort_by_cached_key(|technique| {
        let leads = technique.members.iter().any(|member| Some(member.entry) == leader);
        (!leads, !technique.is_candidate(), technique.rank)
    });
    techniques
}

/// Returns the techniques that stand for their variants too. Where nothing else takes part, each variant stands for itself.
fn bases<'a>(field: &'a Field<'_>, entries: &BTreeSet<usize>) -> BTreeSet<&'a str> {
    let mut members: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for &entry in entries {
        let own = field.contest.series[entry].technique_and_value().0;
        members.entry(declared(field, entry)).or_default().insert(own);
    }
    let alone = members.len() == 1;
    members.retain(|_, techniques| techniques.len() > 1 && !alone);
    members.into_keys().collect()
}

/// Returns the technique of which an entry was declared a variant, else its own.
fn declared<'a>(field: &'a Field<'_>, entry: usize) -> &'a str {
    let series = &field.contest.series[entry];
    series.variant_of.as_deref().unwrap_or_else(|| series.technique_and_value().0)
}

/// Numbers in their order; what is no number stands behind them, as it was entered.
fn order(member: &Member) -> u64 {
    member.value.as_deref().and_then(|value| parse_bytes(value).ok()).unwrap_or(u64::MAX)
}

/// Returns a technique as it is reported, with the ends of its entries' factors.
pub(crate) fn group(technique: &Technique, entries: &[Entry]) -> Group {
    let names: Vec<String> = technique.members.iter().map(Member::name).collect();
    let rows: Vec<&Entry> = entries.iter().filter(|entry| names.contains(&entry.technique)).collect();
    let lows: Option<Vec<f64>> = rows.iter().map(|row| row.factor_low).collect();
    let (own, variants): (Vec<&Member>, Vec<&Member>) =
        technique.members.iter().partition(|member| member.technique == technique.name);
    Group {
        technique: technique.name.clone(),
        values: own.iter().filter_map(|member| member.value.clone()).collect(),
        fastest_values: own.iter().filter(|one| one.candidate).filter_map(|one| one.value.clone()).collect(),
        variants: variants.iter().map(|member| member.name()).collect(),
        fastest_variants: variants.iter().filter(|one| one.candidate).map(|one| one.name()).collect(),
        may_be_fastest: technique.is_candidate(),
        factor_low: lows.and_then(|lows| lows.into_iter().reduce(f64::min)),
        factor_high: rows.iter().filter_map(|row| row.factor_high).reduce(f64::min),
    }
}

/// Returns the best value of each technique that took part with several.
pub(crate) fn best_parameters(field: &Field<'_>, techniques: &[Technique]) -> Vec<BestParameter> {
    // Members of one technique stand together.
    let runs = techniques.iter().flat_map(|one| one.members.chunk_by(|a, b| a.technique == b.technique));
    runs.filter(|members| members.len() > 1).filter_map(|members| best_of(field, members)).collect()
}

fn best_of(field: &Field<'_>, members: &[Member]) -> Option<BestParameter> {
    let leader = field.assessment.leader?;
    let scored = members.iter().filter_map(|member| {
        // The answer names the leader, whatever estimate another value has.
        let leads = member.entry == leader;
        Some((if leads { f64::NEG_INFINITY } else { field.row(member.entry)?.estimate? }, member))
    });
    let (_, best) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))))?;
    let values = |members: Vec<&Member>| members.into_iter().filter_map(|one| one.value.clone()).collect();
    let as_good = members.iter().filter(|member| {
        member.entry == best.entry || {
            let pair = field.pair(best.entry, member.entry);
            let within = field.contest.delta.ln_1p();
            pair.look.is_some() && pair.rows.iter().any(|row| row.entry == 1 && row.high <= within)
        }
    });
    Some(BestParameter {
        technique: best.technique.clone(),
        value: best.value.clone()?,
        as_good: values(as_good.collect()),
        tied: values(members.iter().filter(|member| member.candidate).collect()),
    })
}
