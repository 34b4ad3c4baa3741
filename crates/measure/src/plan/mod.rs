//! [`plan`] turns requests into a [`Plan`] and measures nothing. `planned.rs` is the vocabulary, `requests.rs` reads one request,
//! `workloads.rs`, `settings.rs` and `entries.rs` say at which sizes, where and who, `compared.rs` by which metric, `probing.rs`
//! where probes write, `estimate.rs` how long it takes, and what the budget leaves out.

pub(crate) mod compared;
pub(crate) mod entries;
pub(crate) mod estimate;
pub(crate) mod planned;
pub(crate) mod probing;
pub(crate) mod requests;
pub(crate) mod settings;
pub(crate) mod workloads;

use model::{Design, Host, Volume};

use crate::request::{Refusal, Request};
use crate::scratch::ScratchRegister;
use planned::{Earlier, Plan};
use probing::ProbeFolders;
use requests::Asking;

/// Turns a request into a plan. Probes what can run here, in folders of `register`; measures nothing.
pub fn plan(
    request: &Request, host: &Host, volumes: &[Volume], earlier: Earlier<'_>,
    register: Option<&ScratchRegister>,
) -> Result<Plan, Refusal> {
    plan_together(request, &[], host, volumes, earlier, register)
}

/// Turns requests into one plan, measured in the same rounds. They may ask for different families, workloads, processors
/// and states of the file cache. The rules and the budget are those of the first. Questions share the samples that they need.
pub fn plan_together(
    request: &Request, further: &[Request], host: &Host, volumes: &[Volume], earlier: Earlier<'_>,
    register: Option<&ScratchRegister>,
) -> Result<Plan, Refusal> {
    let mut directories = request.directories.clone();
    for directory in further.iter().flat_map(|one| &one.directories) {
        if !directories.contains(directory) {
            directories.push(directory.clone());
        }
    }
    let probes = ProbeFolders::new(register, &directories);
    let mut whole = Asking::default();
    for one in std::iter::once(request).chain(further) {
        whole.add(one, host, volumes, earlier, &probes)?;
    }
    let Asking { mut tasks, compared, curves, baselines, job_questions, memory, mut notes, asked } = whole;
    if tasks.is_empty() && request.question.is_some() {
        return Err(Refusal(
            "none of the selected techniques is available here; 'bakeoff list' shows what is".to_owned(),
        ));
    }
    notes.extend(memory.notes.into_inner());
    let disk_bytes = estimate::needed_bytes(&tasks, volumes)?;
    let mut design = Design {
        metric: compared.metric,
        metrics: compared.metrics,
        alpha: request.alpha,
        delta: request.delta,
        baselines,
        curves,
        questions: job_questions,
        ..Design::usual(Vec::new())
    };
    // Questions are left out whole, after round 0.
    if !request.budget_stretches && asked.is_empty() {
        estimate::thin(&mut tasks, &design, request.budget_ns, request.is_timed_from_outside());
    }
    if request.alpha_is_shared {
        design.shared_by = tasks.iter().map(|task| task.contests() as u32).sum::<u32>().max(1);
    }
    let mut budget_ns = request.budget_ns;
    if request.budget_stretches {
        budget_ns = estimate::usual_budget_ns(&tasks, &design.curves, budget_ns);
    }
    for task in &tasks {
        if let Some(count) = task.family.threads(&task.workload) {
            let of_family = design.threads.entry(task.family.name().to_owned()).or_default();
            of_family.insert(task.workload.name.clone(), count);
        }
    }
    Ok(Plan {
        design,
        tasks,
        disk_bytes,
        request: Request { least_rounds: request.least_rounds.min(request.rounds), ..request.clone() },
        budget_ns,
        notes,
        questions: asked,
    })
}
