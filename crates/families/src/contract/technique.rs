//! One answer to a family's question.

use std::io;

use model::{Availability, Axis, Class, Host, Point, Setting, Value, Workload};

use super::Repeat;

/// One answer to a family's question.
pub struct Technique<Job: 'static> {
    /// A standard term in snake case.
    pub name: &'static str,
    /// Published programs that worked like this.
    pub alias: &'static [&'static str],
    /// The idea in one line.
    pub idea: &'static str,
    /// The program, page or paper that it comes from.
    pub source: &'static str,
    /// The kind of result that it leaves.
    pub class: Class,
    /// True where it is not a competitor but the limit.
    pub ceiling: bool,
    /// The axes that it can be tuned by. Every combination of their values takes part by default.
    pub parameters: &'static [Axis],
    /// The technique from which it differs in a detail that users would call a setting: answers name both as one.
    pub variant_of: Option<&'static str>,
    /// The system calls of its idea, as Linux names them, for `bakeoff explain` ([`model::Expectation`]).
    pub calls: &'static [&'static str],
    /// Those that depend on the workload: as many threads as it has shares, writes only where it writes.
    pub calls_at: fn(&Workload) -> Vec<String>,
    /// Leaves it out of workloads, with one sentence.
    pub suits: fn(&Workload) -> Availability,
    /// Refuses workloads in a setting with these values of its parameters, for instance for want of memory.
    pub fits: fn(&Point, &Workload, &Setting) -> Availability,
    /// Requirements on a host, where [`Technique::probe`] asks: `Linux 5.1 or later`. Empty where there are none.
    pub needs: &'static str,
    /// Finds out whether it can run on this host in this setting, perhaps by trying in the setting's directory.
    pub probe: fn(&Host, &Setting) -> Availability,
    /// Builds the technique for a job, outside the clock. Only what the family gives to all (paths, sizes) may happen here.
    pub prepare: for<'job> fn(&'job Job) -> io::Result<Box<dyn Repeat + 'job>>,
}

impl<Job: 'static> Technique<Job> {
    /// Returns what most techniques are. A declaration also names its name, idea and source.
    pub const fn usual(prepare: for<'job> fn(&'job Job) -> io::Result<Box<dyn Repeat + 'job>>) -> Self {
        Self {
            name: "",
            alias: &[],
            idea: "",
            source: "",
            class: Class::MovesBytes,
            ceiling: false,
            parameters: &[],
            variant_of: None,
            calls: &[],
            calls_at: |_workload| Vec::new(),
            suits: |_workload| Availability::Ready,
            fits: |_point, _workload, _setting| Availability::Ready,
            needs: "",
            probe: |_host, _setting| Availability::Ready,
            prepare,
        }
    }

    pub(crate) fn expected_calls(&self, workload: &Workload) -> Vec<String> {
        let always = self.calls.iter().map(|&call| call.to_owned());
        always.chain((self.calls_at)(workload)).collect()
    }

    pub(crate) fn points(&self) -> Vec<Point> {
        self.parameters.iter().fold(vec![Point::default()], |points, axis| {
            let values = axis.defaults();
            let pairs = points.iter().flat_map(|point| values.iter().map(move |value| (point, value)));
            pairs.map(|(point, value)| point.clone().with(axis.name, value.clone())).collect()
        })
    }

    /// `name`, `name@256K` where it has one parameter, `name@depth=100,timeout=25ms` where it has more.
    pub(crate) fn entry_name(&self, point: &Point) -> String {
        let shown = |axis: &Axis| point.0.get(axis.name).map(|value| axis.show(value)).unwrap_or_default();
        let values = match self.parameters {
            [] => return self.name.to_owned(),
            [axis] => shown(axis),
            axes => {
                let labelled = axes.iter().map(|axis| format!("{}={}", axis.label(), shown(axis)));
                labelled.collect::<Vec<_>>().join(",")
            }
        };
        format!("{}@{values}", self.name)
    }

    fn example(&self) -> String {
        self.points().first().map(|point| self.entry_name(point)).unwrap_or_default()
    }

    /// Returns the sentence for a published program typed with values: these belong to the technique.
    pub(crate) fn named_by_a_program(&self, family: &str, program: &str, values: Option<&str>) -> String {
        let name = self.name;
        let (Some(values), [_, ..]) = (values, self.parameters) else {
            return format!("'{program}' is the technique {name}: write '{family}/{name}'");
        };
        let is_one = self.point_of(Some(values)).is_ok();
        let typed = if is_one { format!("{name}@{values}") } else { self.example() };
        format!(
            "'{program}' is the technique {name}, and takes its parameter by that name: write '{family}/{typed}'"
        )
    }

    /// 0 is a value only where it takes part by default: no buffer has 0 bytes.
    fn value_on(&self, axis: &Axis, text: &str) -> Result<Value, String> {
        match axis.parse(text)? {
            Value::Number(0) if !axis.defaults().contains(&Value::Number(0)) => {
                Err(format!("0 is no value of {}; for example {}", axis.name, axis.example()))
            }
            value => Ok(value),
        }
    }

    /// Reads the text behind the `@` of an entry.
    pub(crate) fn point_of(&self, values: Option<&str>) -> Result<Point, String> {
        let name = self.name;
        let Some(values) = values else {
            if self.parameters.is_empty() {
                return Ok(Point::default());
            }
            let names: Vec<&str> = self.parameters.iter().map(|axis| axis.name).collect();
            let (names, example) = (names.join(" and of "), self.example());
            return Err(format!("{name} needs a value of {names}; for example {example}"));
        };
        if let ([axis], false) = (self.parameters, values.contains('=')) {
            return Ok(Point::default().with(axis.name, self.value_on(axis, values)?));
        }
        let mut point = Point::default();
        for part in values.split(',') {
            let found = part.split_once('=').and_then(|(name, value)| {
                let axis = self.parameters.iter().find(|axis| axis.name == name || axis.label() == name);
                axis.map(|axis| (axis, value))
            });
            let Some((axis, value)) = found else {
                return Err(match self.parameters {
                    [] => format!("{name} has no parameter: '{values}' must not stand behind it"),
                    _ => format!("'{part}' is no parameter of {name}; for example {}", self.example()),
                });
            };
            if point.0.contains_key(axis.name) {
                return Err(format!("{} is given twice in '{values}'", axis.label()));
            }
            point.set(axis.name, self.value_on(axis, value)?);
        }
        match self.parameters.iter().find(|axis| !point.0.contains_key(axis.name)) {
            None => Ok(point),
            Some(Axis { name: axis, .. }) => {
                Err(format!("{name}@{values} lacks a value of {axis}; for example {}", self.example()))
            }
        }
    }
}

impl<Job> Clone for Technique<Job> {
    fn clone(&self) -> Self {
        *self
    }
}

// Derived, it would ask the same of the job.
impl<Job> Copy for Technique<Job> {}

/// A technique at one point of its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `name`, `name@value` where the technique has one parameter, `name@depth=100,timeout=25ms` where it has more.
    pub name: String,
    /// Published programs that worked like this.
    pub aliases: Vec<String>,
    /// The idea in one line.
    pub idea: String,
    /// The program, page or paper that it comes from.
    pub source: String,
    /// Requirements on a host.
    pub needs: Option<String>,
    /// The kind of result that it leaves.
    pub class: Class,
    /// True where it is not a competitor but the limit.
    pub ceiling: bool,
    /// Names of its parameters with their units, in the order of the name.
    pub parameters: Vec<&'static str>,
    /// The chosen values.
    pub point: Point,
    /// The technique that it is a variant of.
    pub variant_of: Option<&'static str>,
}

impl Entry {
    pub(crate) fn new<Job>(technique: &Technique<Job>, point: Point) -> Self {
        Self {
            name: technique.entry_name(&point),
            aliases: technique.alias.iter().map(|&alias| alias.to_owned()).collect(),
            idea: technique.idea.to_owned(),
            source: technique.source.to_owned(),
            needs: (!technique.needs.is_empty()).then(|| technique.needs.to_owned()),
            class: technique.class,
            ceiling: technique.ceiling,
            parameters: technique.parameters.iter().map(|axis| axis.name).collect(),
            point,
            variant_of: technique.variant_of,
        }
    }

    /// Returns the name of the technique alone.
    pub fn technique(&self) -> &str {
        technique_in(&self.name)
    }
}

/// Returns the technique that an entry names, without the values of its parameters.
pub fn technique_in(entry: &str) -> &str {
    entry.split_once('@').map_or(entry, |(technique, _)| technique)
}

pub(crate) const fn joined<Job, const LENGTH: usize>(
    first: &[Technique<Job>], second: &[Technique<Job>],
) -> [Technique<Job>; LENGTH] {
    assert!(LENGTH == first.len() + second.len(), "the length is that of both");
    let mut all = [first[0]; LENGTH];
    let mut nth = 1;
    while nth < LENGTH {
        all[nth] = if nth < first.len() { first[nth] } else { second[nth - first.len()] };
        nth += 1;
    }
    all
}

#[cfg(test)]
mod tests {
    use model::Values;

    use super::*;

    const QUEUE: Technique<()> = Technique {
        name: "queue",
        parameters: &[
            Axis { name: "depth", meaning: "", values: Values::Counts(&[10, 100]) },
            Axis { name: "timeout_ns", meaning: "", values: Values::DurationsNs(&[25_000_000]) },
            Axis { name: "wake", meaning: "", values: Values::Words(&["one", "all"]) },
        ],
        ..Technique::usual(|()| Err(io::ErrorKind::Unsupported.into()))
    };

    #[test]
    fn several_parameters_make_one_entry_for_each_combination() {
        let names: Vec<String> = QUEUE.points().iter().map(|point| QUEUE.entry_name(point)).collect();
        assert_eq!(names.len(), 4);
        assert_eq!(names[1], "queue@depth=10,timeout=25ms,wake=all");
        for name in names {
            let (_, values) = name.split_once('@').expect("values");
            assert_eq!(QUEUE.entry_name(&QUEUE.point_of(Some(values)).expect("its own name")), name);
        }
    }

    #[test]
    fn values_are_read_in_any_order_under_either_name() {
        let point = QUEUE.point_of(Some("wake=all,timeout_ns=5us,depth=7")).expect("three values");
        let read = (point.number("depth"), point.number("timeout_ns"), point.word("wake"));
        assert_eq!(read, (Some(7), Some(5_000), Some("all")));
    }

    #[test]
    fn what_is_wrong_with_the_values_of_an_entry_is_one_sentence() {
        for (values, said) in [
            (None, "needs a value of depth and of timeout_ns and of wake"),
            (Some("100"), "'100' is no parameter of queue"),
            (Some("depth=1,depth=2"), "depth is given twice"),
            (Some("depth=1,wake=one"), "lacks a value of timeout_ns"),
            (Some("depth=0,timeout=1ms,wake=one"), "0 is no value of depth"),
            (Some("depth=1,timeout=soon,wake=one"), "'soon' is not a duration"),
            (Some("depth=1,colour=red"), "'colour=red' is no parameter"),
        ] {
            let refused = QUEUE.point_of(values).expect_err(said);
            assert!(refused.contains(said), "{refused}");
        }
    }
}
