//! Published figures along an axis: what stands next to a curve that was measured here.

use std::collections::BTreeSet;

use judge::Curve;

use super::remarks::faults_of;
use super::then_and_here::comparable;
use super::{Figure, machines};
use crate::catalog::all;
use crate::evidence::get_or_add;

/// The figures of a program on a machine along an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct PublishedLine {
    /// The machine: `xeon-4way-w2000-ntfs`.
    pub machine: String,
    /// The program, as it was published.
    pub program: String,
    /// Values on the axis, ascending, each with its figure in nanoseconds.
    pub points: Vec<(u64, f64)>,
    /// Faults of the source that bear on it.
    pub faults: Vec<String>,
}

impl PublishedLine {
    /// Returns program and machine: `signal-mutex, xeon-4way-w2000-ntfs`.
    pub fn name(&self) -> String {
        format!("{}, {}", self.program, self.machine)
    }

    /// Its figure at a value of the axis.
    pub fn at(&self, at: u64) -> Option<f64> {
        self.points.iter().find(|(own, _)| *own == at).map(|(_, ns)| *ns)
    }
}

/// Returns the published lines next to a curve: two figures or more between its ends, where findings accept its setting.
pub fn lines(curve: &Curve) -> Vec<PublishedLine> {
    let (Some(low), Some(high)) = (curve.levels.first(), curve.levels.last()) else { return Vec::new() };
    let mut lines: Vec<PublishedLine> = Vec::new();
    for machine in machines() {
        for figure in machine.figures.iter().filter(|figure| {
            figure.family == curve.family
                && curve.metric.is_called(figure.metric)
                && has_values(figure, curve)
                && comparable(&BTreeSet::from([figure.table]), all(), &curve.setting)
        }) {
            let at = figure.workload.number(&curve.axis);
            let Some(at) = at.filter(|at| (low.at..=high.at).contains(at)) else { continue };
            let known =
                lines.iter().position(|line| line.machine == machine.name && line.program == figure.program);
            let line = get_or_add(&mut lines, known, || PublishedLine {
                machine: machine.name.clone(),
                program: figure.program.clone(),
                points: Vec::new(),
                faults: faults_of(machine, |one| one.table == figure.table && one.program == figure.program),
            });
            line.points.push((at, figure.ns));
        }
    }
    for line in &mut lines {
        line.points.sort_by_key(|(at, _)| *at);
    }
    lines.retain(|line| line.points.len() > 1);
    lines
}

/// Returns whether a figure was taken with the values that all levels of a curve share, as far as both report them.
fn has_values(figure: &Figure, curve: &Curve) -> bool {
    let mut others = figure.workload.point.0.iter().filter(|(axis, _)| **axis != curve.axis);
    others.all(|(axis, value)| curve.workload.point.0.get(axis).is_none_or(|own| own == value))
}

#[cfg(test)]
mod tests {
    use judge::Level;
    use model::Metric;

    use super::*;

    fn curve(family: &str, axis: &str, metric: Metric, levels: &[u64]) -> Curve {
        let levels = levels.iter().map(|&at| Level { at, ..Level::default() }).collect();
        Curve { family: family.to_owned(), axis: axis.to_owned(), metric, levels, ..Curve::default() }
    }

    #[test]
    fn lines_are_found_between_the_ends_of_a_curve() {
        let all = lines(&curve("pipeline", "threads", Metric::WORK, &[2, 16]));
        assert_eq!(all.len(), 6);
        let one = all.iter().find(|line| line.program == "signal-critsec").expect("published");
        assert_eq!(one.machine, "xeon-4way-w2000-ntfs");
        let faults: Vec<&str> =
            all.iter().filter(|line| !line.faults.is_empty()).map(|line| line.program.as_str()).collect();
        assert_eq!(faults, ["broadcast-critsec-25ms"]);
        assert_eq!(one.points, [(2, 0.06e9), (4, 0.16e9), (8, 0.34e9), (16, 0.69e9)]);
        assert_eq!((one.at(4), one.at(32)), (Some(0.16e9), None));
        assert_eq!(lines(&curve("threads", "threads", Metric::WORK, &[1, 64])).len(), 5);
        let mut on_two = curve("threads", "threads", Metric::WORK, &[1, 64]);
        on_two.setting.conditions.processors = vec![0, 1];
        assert!(lines(&on_two).is_empty(), "published on all processors");
    }

    #[test]
    fn another_axis_metric_or_family_has_none() {
        assert!(lines(&curve("pipeline", "units", Metric::WORK, &[1, 64])).is_empty());
        assert!(lines(&curve("pipeline", "threads", Metric::MEMORY, &[1, 64])).is_empty());
        assert!(lines(&curve("copy", "threads", Metric::WORK, &[1, 64])).is_empty());
        assert!(lines(&curve("pipeline", "threads", Metric::WORK, &[])).is_empty());
        // One figure makes no line.
        assert!(lines(&curve("pipeline", "threads", Metric::WORK, &[64, 100])).is_empty());
        assert_eq!(lines(&curve("pipeline", "threads", Metric::SYSTEM, &[1, 64])).len(), 6);
    }
}
