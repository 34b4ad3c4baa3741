//! The best value of each technique's own parameter.

use std::collections::BTreeSet;

use model::parse_bytes;

use crate::contest::field::Field;
use crate::contest::ranking::BestParameter;

/// An entry of a technique at a value of its parameter.
struct Member<'a> {
    entry: usize,
    value: &'a str,
    candidate: bool,
}

/// Returns the best value of each technique that took part with several: the leader's, those that may be fastest, and the others, each
/// by its best entry.
pub(crate) fn best_parameters(field: &Field<'_>) -> Vec<BestParameter> {
    let candidates: BTreeSet<usize> = field.candidates().into_iter().collect();
    let standing: BTreeSet<usize> = field.standing_entries().into_iter().collect();
    let mut techniques: Vec<(&str, Vec<Member<'_>>)> = Vec::new();
    for entry in field.assessment.rows.iter().map(|row| row.entry).filter(|entry| standing.contains(entry)) {
        let (own, Some(value)) = field.contest.series[entry].technique_and_value() else { continue };
        let member = Member { entry, value, candidate: candidates.contains(&entry) };
        match techniques.iter_mut().find(|(known, _)| *known == own) {
            Some((_, members)) => members.push(member),
            None => techniques.push((own, vec![member])),
        }
    }
    techniques.retain(|(_, members)| members.len() > 1);
    techniques.iter_mut().for_each(|(_, members)| members.sort_by_key(|one| (order(one), one.entry)));
    techniques.sort_by_key(|(_, members)| {
        let leads = members.iter().any(|member| Some(member.entry) == field.assessment.leader);
        (!leads, !members.iter().any(|member| member.candidate))
    });
    techniques.iter().filter_map(|(technique, members)| best_of(field, technique, members)).collect()
}

/// Numbers in their order; what is no number stands behind them, as it was entered.
fn order(member: &Member<'_>) -> u64 {
    parse_bytes(member.value).unwrap_or(u64::MAX)
}

fn best_of(field: &Field<'_>, technique: &str, members: &[Member<'_>]) -> Option<BestParameter> {
    let leader = field.assessment.leader?;
    // One that is shown not to be the fastest is no value to name next to one that may be.
    let may_be = members.iter().any(|member| member.candidate);
    let scored = members.iter().filter(|member| member.candidate || !may_be).filter_map(|member| {
        // The answer names the leader, whatever estimate another value has.
        let leads = member.entry == leader;
        Some((if leads { f64::NEG_INFINITY } else { field.row(member.entry)?.estimate? }, member))
    });
    let (_, best) = scored.min_by(|a, b| a.0.total_cmp(&b.0).then(order(a.1).cmp(&order(b.1))))?;
    let values = |members: Vec<&Member<'_>>| members.into_iter().map(|one| one.value.to_owned()).collect();
    let as_good = members.iter().filter(|member| {
        member.entry == best.entry || {
            let pair = field.pair(best.entry, member.entry);
            let within = field.contest.delta.ln_1p();
            pair.look.is_some() && pair.rows.iter().any(|row| row.entry == 1 && row.high <= within)
        }
    });
    Some(BestParameter {
        technique: technique.to_owned(),
        value: best.value.to_owned(),
        as_good: values(as_good.collect()),
        tied: values(members.iter().filter(|member| member.candidate).collect()),
    })
}
