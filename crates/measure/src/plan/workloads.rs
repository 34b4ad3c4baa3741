//! The workloads of a run, and the curves whose levels they are.

use std::collections::{BTreeMap, BTreeSet};

use families::AnyFamily;
use model::{Along, Axis, MOST_LEVELS, Preset, Setting, Value, Workload, axis_of};

use crate::plan::planned::PlannedTask;
use crate::request::job_file::MOST_POINTS;
use crate::request::{Refusal, Request, Selection};

pub(crate) struct Asked {
    pub(crate) selection: Selection,
    pub(crate) workload: Workload,
    /// It is a level of the curve that the family asks for unless the user chose something else.
    pub(crate) is_extra: bool,
}

pub(crate) fn asked(selection: &Selection, request: &Request) -> Result<Vec<Asked>, Refusal> {
    let own = workloads(selection.family, request)?;
    let mut extra = levels(selection, request)?;
    // A preset may hold levels of the curve with all entries.
    extra.retain(|extra| own.iter().all(|workload| workload.point != extra.workload.point));
    let own =
        own.into_iter().map(|workload| Asked { selection: selection.clone(), workload, is_extra: false });
    Ok(own.chain(extra).collect())
}

/// Returns the workloads of the preset, the sizes or the files, each at every value of every axis that was set.
fn workloads(family: &dyn AnyFamily, request: &Request) -> Result<Vec<Workload>, Refusal> {
    if request.question.is_some() || !request.workloads.is_empty() {
        return Ok(request.workloads.clone());
    }
    let mut workloads = if !request.files.is_empty() {
        vec![family.workload_of_input(&request.files).map_err(|why| Refusal(format!("--input: {why}")))?]
    } else if request.sizes_bytes.is_empty() {
        of_preset(family, request)
    } else {
        let sized = request.sizes_bytes.iter().map(|&bytes| family.workload_of_size(bytes));
        sized.collect::<Result<_, _>>().map_err(Refusal)?
    };
    let valued = family.axes().iter().map(|axis| Ok((axis, values_on(axis, request)?)));
    let mut valued = valued.collect::<Result<Vec<_>, Refusal>>()?;
    valued.retain(|(_, values)| !values.is_empty());
    // Seen before they are made: three long axes make more than the memory holds.
    let points =
        valued.iter().fold(workloads.len(), |points, (_, values)| points.saturating_mul(values.len()));
    if points > MOST_POINTS {
        return Err(Refusal(format!(
            "{}: these are {points} points, and a run takes at most {MOST_POINTS}; leave values out",
            family.name()
        )));
    }
    for (axis, values) in valued {
        let crossed = workloads.iter().flat_map(|workload| values.iter().map(move |value| (workload, value)));
        let set = crossed.map(|(workload, value)| set(family, workload, axis.name, value));
        workloads = set.collect::<Result<_, _>>()?;
        // Workloads of a preset that differed in this axis alone are one now.
        let mut known = BTreeSet::new();
        workloads.retain(|one| known.insert(Workload { name: String::new(), ..one.clone() }));
    }
    workloads.iter().try_for_each(|workload| family.check(workload)).map_err(Refusal)?;
    Ok(workloads)
}

fn of_preset(family: &dyn AnyFamily, request: &Request) -> Vec<Workload> {
    let own = family.workloads(request.preset);
    let each_ns = if request.budget_stretches { 0 } else { request.budget_ns / own.len().max(1) as u64 };
    family.paid(own, each_ns)
}

/// Returns the values that the user asked for on an axis, each once, as they are typed one by one.
fn values_on(axis: &Axis, request: &Request) -> Result<Vec<String>, Refusal> {
    let mut values: Vec<String> = Vec::new();
    for (_, text) in request.axes.iter().filter(|(name, _)| name == axis.name) {
        for value in axis.parse_several(text).map_err(|reason| Refusal::of_axis(axis.name, text, reason))? {
            let shown = axis.show(&value);
            if !values.contains(&shown) {
                values.push(shown);
            }
        }
    }
    let many = values.len();
    if many <= MOST_LEVELS {
        return Ok(values);
    }
    let typed = request.axes.iter().filter(|(name, _)| name == axis.name);
    let typed: Vec<&str> = typed.map(|(_, text)| text.as_str()).collect();
    let reason = format!("these are {many} values, and a run takes at most {MOST_LEVELS}; leave some out");
    Err(Refusal::of_axis(axis.name, &typed.join(","), reason))
}

/// Returns a workload with another value on an axis. Errors: it is none.
pub fn set(
    family: &dyn AnyFamily, workload: &Workload, axis: &str, value: &str,
) -> Result<Workload, Refusal> {
    let mut workload = workload.clone();
    family.set(&mut workload, axis, value).map_err(|reason| Refusal::of_axis(axis, value, reason))?;
    // A family may give it a name that says so: `1000 records`.
    if !workload.name.ends_with(&format!("{value} {axis}")) {
        workload.name = format!("{} {axis}={value}", workload.name);
    }
    Ok(workload)
}

/// Returns the levels of the curve that a family asks for by itself: where the user chose neither workloads nor entries nor those of the
/// publications, and brought no command, whom the family's question is not about.
fn levels(selection: &Selection, request: &Request) -> Result<Vec<Asked>, Refusal> {
    let family = selection.family;
    let Some(curve) = family.curve() else { return Ok(Vec::new()) };
    let chosen = request.is_as_published()
        || selection.entries.is_some()
        || !request.workloads.is_empty()
        || !request.files.is_empty()
        || !request.sizes_bytes.is_empty()
        || !request.commands.is_empty()
        || request.axes.iter().any(|(name, _)| family.axes().iter().any(|axis| axis.name == name));
    let Some(base) = of_preset(family, request).into_iter().next().filter(|_| !chosen) else {
        return Ok(Vec::new());
    };
    let entries = family.entries().into_iter().map(|entry| entry.name);
    let entries: Vec<String> = entries.filter(|entry| curve.asks_for(entry)).collect();
    let mut workloads: Vec<Workload> =
        curve.levels.iter().map(|level| set(family, &base, curve.along, level)).collect::<Result<_, _>>()?;
    for level in levels_of_this_host(family, curve.along, request) {
        let workload = set(family, &base, curve.along, &level)?;
        // A piece as large as a cache may be larger than the whole.
        if family.check(&workload).is_ok() && !workloads.iter().any(|known| known.point == workload.point) {
            workloads.push(workload);
        }
    }
    workloads.sort_by_key(|workload| workload.number(curve.along));
    let asked = workloads.into_iter().map(|workload| Asked {
        selection: Selection { family, entries: Some(entries.clone()) },
        workload,
        is_extra: true,
    });
    Ok(asked.collect())
}

/// Returns further levels that depend on the host, for the default run only: a published curve stays what it was.
fn levels_of_this_host(family: &dyn AnyFamily, along: &str, request: &Request) -> Vec<String> {
    let is_default = request.preset == Preset::Quick;
    let Some(axis) = family.axes().iter().find(|axis| axis.name == along).filter(|_| is_default) else {
        return Vec::new();
    };
    family.further_levels().into_iter().map(|level| axis.show(&Value::Number(level))).collect()
}

pub(crate) fn refuse_unknown_axes(request: &Request) -> Result<(), Refusal> {
    let known: Vec<&Axis> = request.selections.iter().flat_map(|selection| selection.family.axes()).collect();
    let mut axes = request.axes.iter();
    let Some((axis, value)) = axes.find(|(name, _)| !known.iter().any(|axis| axis.name == name)) else {
        return Ok(());
    };
    let examples: Vec<String> =
        known.iter().map(|axis| format!("--set {}={}", axis.name, axis.example())).collect();
    let reason = if examples.is_empty() {
        "the families of this run have nothing to set".to_owned()
    } else {
        format!("no family of this run knows it; there are {}", examples.join(", "))
    };
    Err(Refusal::of_axis(axis, value, reason))
}

/// Finds the curves of a run: reports each task of which one it is a level, and returns the axes by family. Workloads of a preset
/// that happen to differ in one number are no curve: only values that the user asked for are, and what the family declares.
pub(crate) fn find_curves(tasks: &mut [PlannedTask], request: &Request) -> BTreeMap<String, Along> {
    let mut curves: BTreeMap<String, Along> = BTreeMap::new();
    let families: Vec<&'static dyn AnyFamily> = tasks.iter().map(|task| task.family).collect();
    for family in families {
        if curves.contains_key(family.name()) {
            continue;
        }
        let own = tasks.iter().filter(|task| task.family.name() == family.name());
        let own: Vec<&Workload> = own.map(|task| &task.workload).collect();
        let declared = family.curve().filter(|curve| {
            let levels = own.iter().filter_map(|workload| workload.number(curve.along));
            levels.collect::<BTreeSet<u64>>().len() > 1
        });
        let axis = match &declared {
            Some(curve) => Some(curve.along.to_owned()),
            None if is_asked_for(family, request) => axis_of(&own),
            None => None,
        };
        let along = axis.map(|axis| {
            let is_spread = family.spread_over() == Some(axis.as_str());
            let is_same_work = family.same_work_over() == Some(axis.as_str());
            let is_usual = family.curve().is_some_and(|curve| curve.along == axis);
            let marks = if is_usual { family.marks() } else { Vec::new() };
            Along { axis, named: named(family, request), is_spread, is_same_work, marks }
        });
        curves.extend(along.map(|along| (family.name().to_owned(), along)));
    }
    let mut known: Vec<(&str, Setting, Workload)> = Vec::new();
    let mut levels: Vec<u32> = Vec::new();
    for task in tasks.iter_mut() {
        let Some(along) = curves.get(task.family.name()) else { continue };
        if task.workload.number(&along.axis).is_none() {
            continue;
        }
        let curve = (task.family.name(), task.setting.clone(), task.workload.without_axis(&along.axis));
        let place = known.iter().position(|other| *other == curve).unwrap_or_else(|| {
            known.push(curve);
            levels.push(0);
            known.len() - 1
        });
        levels[place] += 1;
        task.curve = Some(place);
    }
    // A single level is no curve.
    for task in tasks {
        task.curve = task.curve.filter(|&place| levels[place] > 1);
    }
    curves
}

/// Returns the entries of a family that the user named, and the commands that enter it.
fn named(family: &dyn AnyFamily, request: &Request) -> Vec<String> {
    let own = request.selections.iter().filter(|selection| selection.family.name() == family.name());
    let entries = own.flat_map(|selection| selection.entries.iter().flatten()).cloned();
    let commands = request.commands.iter().filter(|command| command.enters(family.name()));
    let names: BTreeSet<String> = entries.chain(commands.map(|command| command.name.clone())).collect();
    names.into_iter().collect()
}

fn is_asked_for(family: &dyn AnyFamily, request: &Request) -> bool {
    // Values that are none were refused before.
    let mut valued = family.axes().iter().filter_map(|axis| values_on(axis, request).ok());
    family.job().is_some() || request.sizes_bytes.len() > 1 || valued.any(|values| values.len() > 1)
}
