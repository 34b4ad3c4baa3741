//! The workloads of a family that a request asks for.

use families::AnyFamily;
use model::Workload;

use crate::plan::{PlanError, Request};

/// The workloads of the preset, the sizes or the files, each at every value of every axis that was set.
pub(crate) fn workloads(family: &dyn AnyFamily, request: &Request) -> Result<Vec<Workload>, PlanError> {
    let mut workloads = if !request.files.is_empty() {
        vec![family.workload_of_input(&request.files).map_err(PlanError::Files)?]
    } else if request.sizes_bytes.is_empty() {
        family.workloads(request.preset)
    } else {
        let sized = request.sizes_bytes.iter().map(|&bytes| family.workload_of_bytes(bytes));
        sized.collect::<Option<Vec<_>>>().ok_or_else(|| PlanError::NoSizes(family.name().to_owned()))?
    };
    for axis in family.axes() {
        let values: Vec<&String> =
            request.axes.iter().filter(|(name, _)| name == axis.name).map(|(_, value)| value).collect();
        if values.is_empty() {
            continue;
        }
        let set = |workload: &Workload, value: &String| {
            let mut workload = workload.clone();
            family.set(&mut workload, axis.name, value).map_err(|reason| PlanError::Axis {
                axis: axis.name.to_owned(),
                value: value.clone(),
                reason,
            })?;
            workload.name = format!("{} {}={value}", workload.name, axis.name);
            Ok::<_, PlanError>(workload)
        };
        let crossed = workloads.iter().flat_map(|workload| values.iter().map(|value| set(workload, value)));
        workloads = crossed.collect::<Result<_, _>>()?;
    }
    workloads.iter().try_for_each(|workload| family.check(workload)).map_err(PlanError::Workload)?;
    Ok(workloads)
}

pub(crate) fn refuse_unknown_axes(request: &Request) -> Result<(), PlanError> {
    let known = || request.selections.iter().flat_map(|selection| selection.family.axes());
    match request.axes.iter().find(|(name, _)| !known().any(|axis| axis.name == name)) {
        None => Ok(()),
        Some((axis, value)) => {
            let examples: Vec<String> =
                known().map(|axis| format!("--set {}={}", axis.name, axis.example())).collect();
            let reason = match examples.is_empty() {
                true => "the families of this run have nothing to set".to_owned(),
                false => format!("no family of this run knows it; there are {}", examples.join(", ")),
            };
            Err(PlanError::Axis { axis: axis.clone(), value: value.clone(), reason })
        }
    }
}
