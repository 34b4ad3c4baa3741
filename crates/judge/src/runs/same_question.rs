//! Contests of two runs that asked for the same, and what distinguishes those that did not.

use std::collections::BTreeSet;

use model::Workload;

use crate::contest::ranking::Ranking;
use crate::runs::side::Side;

pub(crate) fn is_alike(one: &Ranking, other: &Ranking) -> bool {
    let (a, b) = (&one.setting.conditions, &other.setting.conditions);
    one.family == other.family
        && one.class == other.class
        && one.metric.key == other.metric.key
        && is_same_work(&one.workload, &other.workload)
        && a.cache.zip(b.cache).is_none_or(|(one, other)| one == other)
        && a.durability.zip(b.durability).is_none_or(|(one, other)| one == other)
        && a.processors.len() == b.processors.len()
        && a.memory_limit_bytes == b.memory_limit_bytes
}

/// Returns whether the work is the same on every axis. Lacking one is another work: a folder is not one file of its size.
fn is_same_work(one: &Workload, other: &Workload) -> bool {
    one.files == other.files && one.point == other.point
}

/// Returns the contest of another run for one of this run: on the same file system, else one that no other contest of this run has
/// on the same file system.
pub(crate) fn partner(one: &Ranking, own: &[&Ranking], others: &[(usize, &Ranking)]) -> Option<usize> {
    let on_same = |a: &Ranking, b: &Ranking| {
        is_alike(a, b) && a.setting.conditions.file_system == b.setting.conditions.file_system
    };
    let same = others.iter().find(|(_, other)| on_same(one, other));
    let mut free = others.iter().filter(|(_, other)| !own.iter().any(|rival| on_same(rival, other)));
    same.or_else(|| free.find(|(_, other)| is_alike(one, other))).map(|(index, _)| *index)
}

/// Explains how this contest differs from the most similar contest of another run; `None` where no other run has its family.
pub(crate) fn nearest(alone: &Ranking, own: &Side<'_>, sides: &[Side<'_>]) -> Option<String> {
    let others = sides.iter().filter(|side| !std::ptr::eq(*side, own));
    let of_family = others.flat_map(|side| {
        let all = side.decided.rankings.iter().filter(|other| other.family == alone.family);
        all.map(move |other| (side, other))
    });
    let apart = of_family.map(|(side, other)| differences(alone, &own.name, other, &side.name));
    let nearest = apart.filter(|apart| !apart.is_empty()).min_by_key(Vec::len)?;
    Some(nearest.join("; "))
}

fn differences(one: &Ranking, name: &str, other: &Ranking, other_name: &str) -> Vec<String> {
    let both = [one, other];
    let conditions = both.map(|it| &it.setting.conditions);
    let mut asked = vec![
        ("the file cache", conditions.map(|it| it.cache.map(|cache| cache.to_string()))),
        ("the end point", conditions.map(|it| it.durability.map(|durability| durability.to_string()))),
    ];
    if one.workload.name != other.workload.name {
        let is_other_work = !is_same_work(&one.workload, &other.workload);
        asked.push(("the workload", both.map(|it| is_other_work.then(|| it.workload.name.clone()))));
    } else {
        // Their names do not show what differs.
        let axes: BTreeSet<&String> = both.iter().flat_map(|it| it.workload.point.0.keys()).collect();
        asked.extend(axes.into_iter().map(|axis| {
            let values = both.map(|it| it.workload.point.0.get(axis).map(ToString::to_string));
            (axis.as_str(), values.map(|value| value.or_else(|| Some("unknown".to_owned()))))
        }));
    }
    asked.push(("the file system", conditions.map(|it| it.file_system.clone())));
    asked.push((
        "the number of processors",
        conditions.map(|it| {
            let count = it.processors.len();
            Some(if count == 0 { "all".to_owned() } else { count.to_string() })
        }),
    ));
    let limits = conditions.map(|it| it.memory_limit_bytes.map_or("none".to_owned(), model::format_bytes));
    asked.push(("the limit of memory", limits.map(Some)));
    asked.push(("what is compared", both.map(|it| Some(it.metric.what.to_string()))));
    let apart = asked.into_iter().filter_map(|(what, [ours, theirs])| {
        let (ours, theirs) = (ours?, theirs?);
        (ours != theirs).then(|| format!("{what} is {ours} in {name} and {theirs} in {other_name}"))
    });
    let mut found: Vec<String> = apart.collect();
    if one.class != other.class {
        found.push(format!(
            "the techniques of {name} leave another kind of result than those of {other_name}"
        ));
    }
    found
}
