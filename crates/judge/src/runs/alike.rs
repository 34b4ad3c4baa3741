//! Which contests of two runs asked for the same, and what reports apart those that did not.

use std::collections::BTreeSet;

use model::Workload;

use crate::contest::ranking::Ranking;
use crate::runs::side::Side;

/// Whether two contests asked for the same.
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

/// Whether the work is the same on every axis. An axis that one of them lacks is another work: it may be what distinguishes a folder of small files
/// from one file of the same size, and what a version without it did is not known.
fn is_same_work(one: &Workload, other: &Workload) -> bool {
    one.files == other.files && one.point == other.point
}

/// What distinguishes two workloads, axis by axis, each with its two values.
fn axes_apart(one: &Workload, other: &Workload) -> Vec<(String, Option<String>, Option<String>)> {
    let axes: BTreeSet<&String> = one.point.0.keys().chain(other.point.0.keys()).collect();
    let value = |of: &Workload, axis: &String| of.point.0.get(axis).map(ToString::to_string);
    let apart = axes.into_iter().map(|axis| (axis.clone(), value(one, axis), value(other, axis)));
    apart.filter(|(_, ours, theirs)| ours != theirs).collect()
}

/// The contest of another run that belongs to one of this run, among those that are still free: on the same file system where there
/// is one, else one that no other contest of this run has a better claim to.
pub(crate) fn partner(one: &Ranking, own: &[&Ranking], others: &[(usize, &Ranking)]) -> Option<usize> {
    let on_same = |a: &Ranking, b: &Ranking| {
        is_alike(a, b) && a.setting.conditions.file_system == b.setting.conditions.file_system
    };
    let same = others.iter().find(|(_, other)| on_same(one, other));
    let is_spoken_for = |other: &Ranking| own.iter().any(|rival| on_same(rival, other));
    let free = || others.iter().find(|(_, other)| is_alike(one, other) && !is_spoken_for(other));
    same.or_else(free).map(|(index, _)| *index)
}

/// What distinguishes a contest that one run alone has from the nearest one of the others, in a sentence; `None` where no other run has its
/// family.
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
    let (a, b) = (&one.setting.conditions, &other.setting.conditions);
    let mut found = Vec::new();
    let mut tell = |what: &str, ours: Option<String>, theirs: Option<String>| {
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && ours != theirs
        {
            found.push(format!("{what} is {ours} in {name} and {theirs} in {other_name}"));
        }
    };
    tell("the file cache", a.cache.map(|it| it.to_string()), b.cache.map(|it| it.to_string()));
    tell("the end point", a.durability.map(|it| it.to_string()), b.durability.map(|it| it.to_string()));
    if !is_same_work(&one.workload, &other.workload) {
        let names = [&one.workload, &other.workload].map(|workload| Some(workload.name.clone()));
        let are_called_alike = names[0] == names[1];
        let [ours, theirs] = names;
        tell("the workload", ours, theirs);
        // Their names do not show what differs.
        for (axis, ours, theirs) in
            axes_apart(&one.workload, &other.workload).into_iter().filter(|_| are_called_alike)
        {
            let or_none = |value: Option<String>| Some(value.unwrap_or_else(|| "not told".to_owned()));
            tell(&axis, or_none(ours), or_none(theirs));
        }
    }
    tell("the file system", a.file_system.clone(), b.file_system.clone());
    let processors = |count: usize| Some(if count == 0 { "all".to_owned() } else { count.to_string() });
    tell("the number of processors", processors(a.processors.len()), processors(b.processors.len()));
    let limit = |bytes: Option<u64>| Some(bytes.map_or("none".to_owned(), model::format_bytes));
    tell("the limit of memory", limit(a.memory_limit_bytes), limit(b.memory_limit_bytes));
    let metric = |ranking: &Ranking| Some(ranking.metric.what.to_string());
    tell("what is compared", metric(one), metric(other));
    if one.class != other.class {
        found.push(format!(
            "the techniques of {name} leave another kind of result than those of {other_name}"
        ));
    }
    found
}
