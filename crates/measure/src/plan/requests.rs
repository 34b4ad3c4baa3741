//! Combines what one or several requests ask for, and says which families can do it.

use std::collections::{BTreeMap, BTreeSet};

use families::{AnyFamily, Isolation};
use model::{Along, Cache, Durability, Host, Metric, Note, Topic, Volume};

use crate::plan::entries::task;
use crate::plan::planned::{AskedOf, Earlier, Participant, PlannedTask};
use crate::plan::probing::ProbeFolders;
use crate::plan::settings::{MemoryGroups, settings};
use crate::plan::workloads::{asked, find_curves, refuse_unknown_axes};
use crate::plan::{compared, estimate};
use crate::request::command::{refuse_doubles, refuse_strangers};
use crate::request::{Refusal, Request};

#[derive(Default)]
pub(crate) struct Asking {
    pub(crate) tasks: Vec<PlannedTask>,
    pub(crate) compared: compared::Compared,
    pub(crate) curves: BTreeMap<String, Along>,
    pub(crate) baselines: BTreeMap<String, String>,
    pub(crate) job_questions: BTreeMap<String, String>,
    pub(crate) memory: MemoryGroups,
    pub(crate) notes: Vec<Note>,
    pub(crate) asked: Vec<AskedOf>,
}

impl Asking {
    pub(crate) fn add(
        &mut self, request: &Request, host: &Host, volumes: &[Volume], earlier: Earlier<'_>,
        probes: &ProbeFolders,
    ) -> Result<(), Refusal> {
        refuse_doubles(&request.commands)?;
        refuse_strangers(&request.commands, request.selections.iter().map(|one| one.family.name()))?;
        let compared = compared::metrics(request)?;
        request.selections.iter().try_for_each(|one| check_session(one.family, request))?;
        request.selections.iter().try_for_each(|one| refuse_what_files_need(one.family, request))?;
        refuse_unknown_axes(request)?;
        let is_alone = request.selections.len() == 1;
        let mut tasks = Vec::new();
        for selection in &request.selections {
            let first = tasks.len();
            for asked in asked(selection, request)? {
                for setting in settings(selection.family, &asked.workload, request, volumes) {
                    let setting = self.memory.limit(selection.family, &asked.workload, setting, is_alone)?;
                    let mut task = task(&asked, setting, request, host, probes)?;
                    let times = earlier(task.family.name(), &task.workload, &task.setting);
                    estimate::fill_in(&mut task, &times);
                    tasks.push(task);
                }
            }
            // A question may be answered without it.
            if request.question.is_none() {
                let (can_run, cannot): (Vec<_>, Vec<_>) =
                    tasks.split_off(first).into_iter().partition(PlannedTask::can_run);
                if can_run.is_empty() {
                    return Err(nothing(selection.family, &cannot));
                }
                tasks.extend(can_run);
                // A buffer of 256 MiB may have no room where one of 128 MiB has.
                self.notes.extend(cannot.iter().map(|task| {
                    let (family, reasons) = (task.family.name(), why_nothing_can_run(task).join("; "));
                    let text = format!("{family}, {}, is left out: {reasons}", task.workload.name);
                    Note { topic: Topic::NothingCanRun, text }
                }));
            }
        }
        // What is asked at some levels with some entries at each is no curve.
        if request.question.is_none() {
            self.curves.extend(find_curves(&mut tasks, request));
        }
        // Curves are numbered from 0 in each request.
        let known = self.tasks.iter().filter_map(|task| task.curve).max().map_or(0, |most| most + 1);
        tasks.iter_mut().for_each(|task| task.curve = task.curve.map(|curve| curve + known));
        self.baselines.extend(compared::baselines(request, &tasks)?);
        self.job_questions.extend(job_questions(request));
        self.compared.metrics.extend(compared.metrics);
        self.compared.metric = compared.metric;
        self.notes.extend(without_proof(request));
        match &request.question {
            None => self.tasks.extend(tasks),
            Some(name) => add_question(&mut self.tasks, &mut self.asked, name, tasks),
        }
        Ok(())
    }
}

fn nothing(family: &dyn AnyFamily, tasks: &[PlannedTask]) -> Refusal {
    let mut reasons: Vec<String> = Vec::new();
    for reason in tasks.iter().flat_map(why_nothing_can_run) {
        // Several levels may lack the same.
        if !reasons.contains(&reason) {
            reasons.push(reason);
        }
    }
    if reasons.is_empty() {
        reasons.push("only ceilings or nothing is named; name a technique, or add a --command".to_owned());
    }
    Refusal(format!("nothing to compare in {}: {}", family.name(), reasons.join("; ")))
}

fn why_nothing_can_run(task: &PlannedTask) -> Vec<String> {
    let refused = task.refused.iter().map(|one| format!("{}: {}", one.entry.name, one.reason));
    let limits =
        task.participants.iter().map(|one| format!("{} is a ceiling and does not compete", one.name));
    refused.chain(limits).collect()
}

fn without_proof(request: &Request) -> Option<Note> {
    let families = request.selections.iter().map(|selection| selection.family);
    let bare = families.filter(|family| family.job().is_none() && !family.works_on_files());
    let names: BTreeSet<&str> = bare.map(|family| family.name()).collect();
    if names.is_empty() || !request.is_timed_from_outside() {
        return None;
    }
    let text = format!(
        "{}: whole processes leave no output, so only their exit codes are checked; \
         without --metric process and commands, the result of each technique is checked",
        names.into_iter().collect::<Vec<_>>().join(" and ")
    );
    Some(Note { topic: Topic::ExitOnly, text })
}

fn job_questions(request: &Request) -> BTreeMap<String, String> {
    let families = request.selections.iter().map(|selection| selection.family);
    let jobs = families.filter(|family| family.job().is_some());
    jobs.map(|job| (job.name().to_owned(), job.question().to_owned())).collect()
}

/// Adds the tasks that a question needs to those of a plan. An entry that several questions need is measured once.
fn add_question(all: &mut Vec<PlannedTask>, asked: &mut Vec<AskedOf>, name: &str, tasks: Vec<PlannedTask>) {
    let place = asked.iter().position(|one| one.name == name).unwrap_or_else(|| {
        asked.push(AskedOf { name: name.to_owned(), compared: Vec::new() });
        asked.len() - 1
    });
    // Where nothing can take part there is nothing to measure.
    for new in tasks.into_iter().filter(PlannedTask::can_run) {
        let known = all.iter().position(|known| {
            let is_family = known.family.name() == new.family.name();
            is_family && known.workload.point == new.workload.point && known.setting == new.setting
        });
        let task = known.unwrap_or_else(|| {
            all.push(PlannedTask::new(new.family, new.workload.clone(), new.setting.clone()));
            all.len() - 1
        });
        for one in new.participants.into_iter().filter(Participant::competes) {
            let pair = (task, one.name.clone());
            if !asked[place].compared.contains(&pair) {
                asked[place].compared.push(pair);
            }
            if all[task].participants.iter().all(|known| known.name != one.name) {
                all[task].participants.push(one);
            }
        }
        for one in new.refused {
            if !all[task].refused.contains(&one) {
                all[task].refused.push(one);
            }
        }
    }
}

/// Looks at a request for a family of sessions: a command is no part of their process, techniques that share it have no
/// process time and no peak of memory of their own, and only the first inner round could find a cold cache.
fn check_session(family: &dyn AnyFamily, request: &Request) -> Result<(), Refusal> {
    if family.isolation() == Isolation::Sample {
        return Ok(());
    }
    let entering = request.commands.iter().find(|command| command.enters(family.name()));
    let of_a_process = [Metric::PROCESS, Metric::MEMORY];
    let metric = request.metric.as_ref().filter(|name| of_a_process.iter().any(|one| one.is_called(name)));
    let (reason, option) = match (entering, metric) {
        (Some(command), _) => ("in which no command can take part", command.subject()),
        (None, Some(metric)) => {
            ("which has one process time and one peak of memory for all", format!("--metric {metric}"))
        }
        (None, _) if request.caches.contains(&Cache::Cold) => {
            ("where only the first could find a cold cache", "--cache cold".to_owned())
        }
        _ => return Ok(()),
    };
    Err(Refusal(format!(
        "the family {} measures all its techniques in one process, {reason}; leave {option} out, or name other families",
        family.name()
    )))
}

/// Returns whether a family can do what is asked, by its isolation, sizes and files. A run that names none leaves the others out.
pub fn serves(family: &dyn AnyFamily, request: &Request) -> bool {
    let has_sizes = request.sizes_bytes.iter().all(|&bytes| family.workload_of_bytes(bytes).is_some());
    let takes_files = request.files.is_empty() || family.isolation() == Isolation::Sample;
    has_sizes
        && takes_files
        && check_session(family, request).is_ok()
        && refuse_what_files_need(family, request).is_ok()
}

/// Refuses what only means something for files, where a family has none: a figure must not claim to be cold or durable.
fn refuse_what_files_need(family: &dyn AnyFamily, request: &Request) -> Result<(), Refusal> {
    let option = match family.works_on_files() {
        false if request.caches.contains(&Cache::Cold) => "--cache cold",
        false if request.durabilities.contains(&Durability::Durable) => "--durable",
        _ => return Ok(()),
    };
    let name = family.name();
    Err(Refusal(format!("the family {name} works on no files: leave {option} out, or name other families")))
}
