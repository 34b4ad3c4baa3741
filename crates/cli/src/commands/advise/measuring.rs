//! The command that measures what advice needs.

use families::AnyFamily;
use judge::{Advice, Basis};
use model::{Cache, Durability, Workload};

use super::task::{Arguments, Task};
use crate::arguments::Common;
use crate::paths::{as_typed, typed};

/// The sizes of a curve where none was named.
const USUAL_SIZES: &str = "4K..256MiBx4";

/// Returns the command that measures what was asked about; `None` where it was measured.
pub(super) fn command(
    family: &dyn AnyFamily, task: &Task, advice: Option<&Advice>, arguments: &Arguments, common: &Common,
) -> Option<String> {
    if let Some(advice) = advice.filter(|advice| advice.is_answer()) {
        // A single level is no curve.
        if !matches!(advice.basis, Basis::AllLevels { from, to } if from == to) {
            return None;
        }
    }
    let mut words = vec!["run".to_owned(), family.name().to_owned()];
    let takes_sizes = family.workload_of_bytes(1).is_some();
    match (arguments.size, family.curve()) {
        (Some(bytes), _) => words.push(format!("--size {}", Workload::of_size(bytes).name)),
        // Without a choice of workloads it measures its curve by itself.
        (None, Some(_)) if task.axes.is_empty() => {}
        (None, Some(curve)) if !task.axes.iter().any(|(axis, _)| axis == curve.along) => {
            words.push(format!("--set {}={}", curve.along, curve.levels.join(",")));
        }
        (None, None) if takes_sizes && task.axes.is_empty() => words.push(format!("--sizes {USUAL_SIZES}")),
        _ => {}
    }
    words.extend(
        task.axes.iter().map(|(axis, value)| format!("--set {}", as_typed(&format!("{axis}={value}")))),
    );
    if task.conditions.cache == Some(Cache::Cold) && family.cache().is_none() {
        words.push("--cache cold".to_owned());
    }
    if task.conditions.durability == Some(Durability::Durable) && family.durability(&task.workload).is_none()
    {
        words.push("--durable".to_owned());
    }
    if family.works_on_files() && arguments.directory.as_os_str() != "." {
        words.push(format!("--dir {}", as_typed(&arguments.directory.display().to_string())));
    }
    words.extend(arguments.metric.iter().map(|name| format!("--metric {name}")));
    Some(typed(&words.join(" "), common))
}
