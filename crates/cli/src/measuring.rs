//! Measures a plan into the store, for every command that measures.

use std::io;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use measure::{
    Answers, Ending, Environment, MeasureError, Plan, Request, ScratchRegister, Sink, WorkerCommand,
};
use model::{Host, Increment, Record, RunId, Setting, Tool, TrialRecord, Volume, Workload};
use report::{PlanSummary, Scratch};
use store::{Sqlite, StoreError};

use crate::arguments::Common;
use crate::exit::InterruptedEarly;
use crate::paths::{open_store, read_store, report_command};
use crate::progress::Progress;
use crate::run_id::run_id;
use crate::run_page::{Shape, show};
use crate::scratch::{clean_register, not_tried_out};
use crate::terminal::{print, remark, style};
use crate::{interruption, role};

/// Plans, measures, keeps and shows; `None` where only the plan was asked for.
pub(crate) fn run_request(
    request: &Request, host: Host, volumes: Vec<Volume>, shape: &Shape, start_ns: u64, common: &Common,
) -> Result<Option<(Record, Ending)>> {
    let asked = Asked { request, further: &[], dry_run: shape.dry_run };
    let Some((store, id, ending)) = measured(&asked, None, host, volumes, start_ns, common)? else {
        return Ok(None);
    };
    let again = report_command(&id, common);
    let record = show(&store, &id, shape, common)
        .with_context(|| format!("the run is over and kept; '{again}' shows it"))?;
    if ending == Ending::Complete
        && let Some(reason) = all_failed(&record)
    {
        bail!(reason);
    }
    Ok(Some((record, ending)))
}

/// The requests of one run.
pub(crate) struct Asked<'a> {
    pub(crate) request: &'a Request,
    /// Requests that are measured in the same rounds.
    pub(crate) further: &'a [Request],
    pub(crate) dry_run: bool,
}

/// Plans, measures and keeps; `None` where only the plan was asked for. `answers` says which questions of the requests are answered.
pub(crate) fn measured(
    asked: &Asked<'_>, answers: Option<&mut dyn Answers>, host: Host, volumes: Vec<Volume>, start_ns: u64,
    common: &Common,
) -> Result<Option<(Sqlite, RunId, Ending)>> {
    let Asked { request, further, dry_run } = *asked;
    // The plan of a dry run must not fail because nothing was ever kept, nor make a store.
    let kept = match read_store(common) {
        // It will not be written either: one wait is enough.
        Err(error) if is_locked(&error) && !dry_run => return Err(error),
        kept => kept.ok(),
    };
    let earlier = |family: &str, workload: &Workload, setting: &Setting| {
        let known = kept.as_ref().zip(host.fingerprint.as_ref());
        let times = known.map(|(store, host)| store.earlier_times(host, family, workload, setting));
        times.and_then(Result::ok).unwrap_or_default()
    };
    // Nor because no scratch folder can be registered.
    let register = clean_register(common);
    let plan = measure::plan_together(request, further, &host, &volumes, &earlier, register.as_ref().ok())?;
    let (plan_page, style) = (summary(&plan, &volumes), style(common, false));
    if dry_run {
        if let Err(error) = &register {
            remark(common, &not_tried_out(&format!("{error:#}")));
        }
        print(&report::text::plan(&plan_page, &style))?;
        return Ok(None);
    }
    let register = register?;
    // A store that is open cannot be given the journal that it shall have.
    drop(kept);
    let record = record(&plan, host, volumes);
    let mut store = open_store(common)?;
    // Of commands most end before their time: as soon as they are told apart.
    if plan_page.families != [Workload::TYPED_COMMANDS] {
        remark(common, report::text::short_plan(&plan_page, &style).trim_end());
    }
    remark_commands_elsewhere(request, common);
    let again = report_command(&record.id, common);
    let way = Way { register: &register, answers: answers.map(|one| one as &mut dyn Answers), start_ns };
    let ending = carry_out(plan, &record, &mut store, way, Some(&again), common)?;
    Ok(Some((store, record.id, ending)))
}

fn is_locked(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref::<StoreError>(), Some(StoreError::Locked { .. }))
}

/// A file of commands may serve many runs; what this one leaves out is said.
fn remark_commands_elsewhere(request: &Request, common: &Common) {
    let families: Vec<&str> = request.selections.iter().map(|one| one.family.name()).collect();
    for command in &request.commands {
        if let Some(family) = command.family.as_deref().filter(|family| !families.contains(family)) {
            let name = &command.name;
            let said = format!("command '{name}' is for the family {family}, which this run leaves out");
            remark(common, &format!("bakeoff: {said}"));
        }
    }
}

/// A sentence when there is no sample because every technique failed.
fn all_failed(record: &Record) -> Option<String> {
    if record.trials.iter().any(|trial| !trial.samples.is_empty()) {
        return None;
    }
    record.trials.iter().find_map(|TrialRecord { technique, failures, .. }| {
        let reason = &failures.iter().find(|failure| !failure.kind.is_by_plan())?.reason;
        Some(match &record.trials[..] {
            [_] => format!("nothing was measured: {technique}: {reason}"),
            _ => format!("nothing was measured: every technique failed; the first was {technique}: {reason}"),
        })
    })
}

/// Circumstances in which a plan is carried out.
pub(crate) struct Way<'a> {
    pub(crate) register: &'a ScratchRegister,
    /// Says which questions of the plan are answered.
    pub(crate) answers: Option<&'a mut dyn Answers>,
    pub(crate) start_ns: u64,
}

/// Measures a plan into the store. What was found before an error or an interruption is kept and marked. `again` is what a
/// user types to see it then; `None` where nothing outlasts the program.
pub(crate) fn carry_out(
    plan: Plan, record: &Record, store: &mut Sqlite, way: Way<'_>, again: Option<&str>, common: &Common,
) -> Result<Ending> {
    let Way { register, answers, start_ns } = way;
    sys::limits::raise_open_files();
    let interrupted = interruption::watch(Some(register.clone()))?;
    let (program, mut supervisor) = role::supervisor()?;
    let mut progress = Progress::new(common.quiet);
    let mut ledger = Ledger { store, id: record.id.clone(), begun: false };
    let environment = Environment {
        worker: WorkerCommand { program, arguments: vec![role::WORKER.into()] },
        register,
        launcher: &mut supervisor,
        sink: &mut ledger,
        observer: &mut progress,
        answers: answers.map(|one| one as &mut dyn Answers),
        interrupted: &interrupted,
        now_ns: sys::clock::now_ns,
        start_ns,
    };
    let ending = measure::run(plan, record.clone(), environment);
    let Ledger { store, begun, .. } = ledger;
    progress.finish();
    match ending {
        Ok(Ending::Interrupted) if !begun => return Err(InterruptedEarly.into()),
        Ok(Ending::Interrupted) => {}
        Ok(Ending::Complete) => store.finish(&record.id).with_context(|| match again {
            Some(again) => {
                format!("all rounds are kept and '{again}' shows them, but the run is marked as incomplete")
            }
            None => "the run cannot be marked as complete".to_owned(),
        })?,
        // It was begun as incomplete, and so it stays.
        Err(error) => return Err(ended_early(error, &record.id, begun, again, common)),
    }
    Ok(ending?)
}

/// Returns what ended a run, and what is kept of it. `begun` says whether its first rounds are.
fn ended_early(
    error: MeasureError, id: &RunId, begun: bool, again: Option<&str>, common: &Common,
) -> anyhow::Error {
    let is_of_store = matches!(error, MeasureError::Sink(_));
    let error = anyhow::Error::new(error);
    let Some(again) = again else { return error };
    if !begun && is_of_store {
        return error.context(format!("the run {id} ended early, and nothing of it is kept"));
    }
    // Nothing was measured yet that could be kept.
    if !begun {
        return error;
    }
    // Another program may have moved, removed or overwritten the store: what is promised is tried.
    let kept = match read_store(common).and_then(|store| Ok(store.load(id)?)) {
        Ok(_) => true,
        Err(error) => is_locked(&error),
    };
    error.context(if kept {
        format!("the run ended early; its whole rounds are kept and '{again}' shows them")
    } else {
        format!("the run {id} ended early, and its rounds cannot be read from the store any more")
    })
}

/// The record before anything is measured. Of the volumes it keeps those that the run works on.
pub(crate) fn record(plan: &Plan, host: Host, mut volumes: Vec<Volume>) -> Record {
    volumes.retain(|volume| {
        plan.tasks.iter().any(|task| task.setting.directory() == Some(volume.directory.as_path()))
    });
    let started = jiff::Zoned::now();
    Record {
        tool: Tool {
            name: "bakeoff".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("BAKEOFF_COMMIT").map(str::to_owned),
        },
        id: run_id(started.timestamp(), sys::random::draw()),
        started: started.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        seed: plan.request.seed,
        preset: plan.request.preset,
        complete: false,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        design: plan.design.clone(),
        host,
        volumes,
        facts: Vec::new(),
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

/// A sink that keeps every round in a store as soon as it is over.
struct Ledger<'a> {
    store: &'a mut Sqlite,
    id: RunId,
    /// A round is stored, so that there is something to report.
    begun: bool,
}

impl Sink for Ledger<'_> {
    fn begin(&mut self, record: &Record) -> io::Result<()> {
        self.store.begin(record).map_err(io::Error::other)
    }

    fn append(&mut self, increment: &Increment) -> io::Result<()> {
        self.store.append(&self.id, increment).map_err(io::Error::other)?;
        self.begun |= !increment.samples.is_empty();
        Ok(())
    }
}

/// The plan in a few numbers.
fn summary(plan: &Plan, volumes: &[Volume]) -> PlanSummary {
    let mut families: Vec<String> = plan.tasks.iter().map(|task| task.family.name().to_owned()).collect();
    families.dedup();
    let scratch = plan.disk_bytes.iter().map(|(directory, bytes)| Scratch {
        directory: directory.clone(),
        needed_bytes: *bytes,
        free_bytes: volumes.iter().find(|volume| volume.directory == *directory).and_then(|v| v.free_bytes),
    });
    let refused = plan.tasks.iter().flat_map(|task| &task.refused);
    let skipped = plan.tasks.iter().flat_map(|task| &task.skipped);
    let mut absent: Vec<(String, String)> = refused
        .map(|refused| (refused.entry.name.clone(), refused.reason.clone()))
        .chain(skipped.map(|one| (one.name.clone(), "the budget does not pay for it".to_owned())))
        .collect();
    absent.sort();
    absent.dedup();
    let outlook = plan.outlook();
    PlanSummary {
        families,
        tasks: plan.tasks.len() as u64,
        trials: outlook.trials as u64,
        // Who leaves decides how many rounds the time pays for.
        rounds: Some(plan.request.rounds).filter(|&rounds| outlook.rounds == (rounds, rounds)),
        estimated_ns: outlook.is_known.then_some(outlook.elapsed_ns as u64),
        budget_ns: outlook.budget_ns as u64,
        budget_is_kept: !plan.request.budget_stretches,
        scratch: scratch.collect(),
        refused: absent,
        seed: plan.request.seed,
    }
}

pub(crate) fn directories(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let here = [PathBuf::from(".")];
    let named = if named.is_empty() { &here[..] } else { named };
    let mut directories: Vec<PathBuf> = Vec::new();
    for directory in named {
        let shown = directory.display();
        let whole = dunce::canonicalize(directory)
            .with_context(|| format!("--dir {shown}: this directory cannot be opened"))?;
        if !whole.is_dir() {
            bail!("--dir {shown} is not a directory");
        }
        if whole.to_str().is_none() {
            bail!(
                "--dir {shown}: the name is not UTF-8, and reports could not hold it; choose another directory"
            );
        }
        if directories.contains(&whole) {
            bail!("--dir {shown} is named twice");
        }
        // A file without a name: refused here, before a store is begun, and gone whatever happens.
        if let Err(error) = tempfile::tempfile_in(&whole) {
            let reason = io::Error::from(error.kind());
            bail!("--dir {shown} cannot be written ({reason}); allow it, or choose another directory");
        }
        directories.push(whole);
    }
    Ok(directories)
}
