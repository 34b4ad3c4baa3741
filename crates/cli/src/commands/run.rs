//! `bakeoff run`: measure, keep, judge and print.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, Result, anyhow, bail};
use measure::{Conditions, Contender, Ending, MeasureError, Plan, Request, ScratchRegister, WorkerCommand};
use model::{Cache, Durability, Host, Preset, Record, RunId, Setting, Tool, TrialRecord, Volume, Workload};
use report::{PlanSummary, Scratch};
use stats::contest::{LAST_LOOK, LAST_LOOK_DEEP, LAST_LOOK_FAST};
use store::Store;
use sys::process::supervisor::Supervisor;

use crate::arguments::{CacheChoice, Common, RunArguments};
use crate::exit::{Done, InterruptedEarly};
use crate::ledger::Ledger;
use crate::paths::{open_store, read_store, scratch_register};
use crate::progress::Progress;
use crate::terminal::{print, remark, style};
use crate::{commands, role, selection};

/// Time that a run may take when the user names none: for one contest, and more for each further one.
const BUDGET_NS: u64 = 28_000_000_000;
const FURTHER_BUDGET_NS: u64 = 14_000_000_000;

pub(crate) fn run(arguments: &RunArguments, common: &Common) -> Result<Done> {
    let start_ns = sys::clock::now_ns();
    let host = sys::host::describe();
    let directories = directories(&arguments.directories)?;
    let volumes = directories.iter().map(|directory| Ok(sys::host::volume(directory)?));
    let volumes = volumes.collect::<Result<Vec<Volume>>>()?;
    let request = request(arguments, directories)?;
    // The plan of a dry run must not fail because nothing was ever kept, nor make a store.
    let kept = read_store(common).ok();
    let earlier = |family: &str, workload: &Workload, setting: &Setting| {
        let times =
            kept.as_ref().map(|store| store.earlier_times(host.name.as_deref(), family, workload, setting));
        times.and_then(Result::ok).unwrap_or_default()
    };
    let plan = measure::plan(&request, &host, &volumes, &earlier)?;
    let shown = report::text::plan(&summary(&plan, &volumes), &style(common, false));
    if arguments.dry_run {
        print(&shown)?;
        return Ok(Done::Well);
    }
    let record = record(&plan, host, volumes);
    let mut store = open_store(common)?;
    remark(common, shown.trim_end());
    let ending = carry_out(plan, &record, &mut store, start_ns, common)?;
    let record = commands::report::show(&store, &record.id, arguments.format, arguments.verbose, common)?;
    if ending == Ending::Complete
        && let Some(reason) = all_failed(&record)
    {
        bail!(reason);
    }
    Ok(match ending {
        Ending::Complete => Done::Well,
        Ending::Interrupted => Done::Interrupted,
    })
}

/// A sentence when there is no sample because every technique failed.
fn all_failed(record: &Record) -> Option<String> {
    if record.trials.iter().any(|trial| !trial.samples.is_empty()) {
        return None;
    }
    let failed = |trial: &TrialRecord| {
        let failure = trial.failures.iter().find(|failure| !failure.reason.starts_with("left out:"))?;
        Some((trial.technique.clone(), failure.reason.clone()))
    };
    let (technique, reason) = record.trials.iter().find_map(failed)?;
    Some(format!("nothing was measured: every technique failed; the first was {technique}: {reason}"))
}

fn remove_orphans(register: &ScratchRegister, common: &Common) {
    let orphans = register.remove_orphans().unwrap_or_default();
    for orphan in orphans.removed {
        let shown = orphan.display();
        remark(common, &format!("bakeoff: removed {shown}, which a killed run had left behind"));
    }
    for (orphan, reason) in orphans.kept {
        let shown = orphan.display();
        remark(
            common,
            &format!("bakeoff: {shown}, which a killed run had left behind, cannot be removed: {reason}"),
        );
    }
}

/// Measures a plan into the store. What was found before an error or an interruption is kept and marked.
pub(crate) fn carry_out(
    plan: Plan,
    record: &Record,
    store: &mut dyn Store,
    start_ns: u64,
    common: &Common,
) -> Result<Ending> {
    let register = scratch_register(common)?;
    remove_orphans(&register, common);
    sys::limits::raise_open_files();
    let interrupted = watch_for_interrupts()?;
    let program = std::env::current_exe().context("the program's own file is not known")?.into_os_string();
    let mut supervisor = Supervisor::start(&program, &[role::SUPERVISOR.into()])
        .context("the process that starts all others cannot be started")?;
    let mut progress = Progress::new(common.quiet);
    let mut ledger = Ledger::new(store, record.id.clone());
    let conditions = Conditions {
        worker: WorkerCommand { program, arguments: vec![role::WORKER.into()] },
        register: &register,
        launcher: &mut supervisor,
        sink: &mut ledger,
        observer: &mut progress,
        interrupted: &interrupted,
        start_ns,
    };
    let ending = measure::run(plan, record.clone(), conditions);
    let begun = ledger.begun;
    progress.finish();
    if begun {
        store.finish(&record.id, matches!(ending, Ok(Ending::Complete)))?;
    }
    match ending {
        Ok(Ending::Interrupted) if !begun => Err(InterruptedEarly.into()),
        Ok(ending) => Ok(ending),
        Err(error) => Err(ended_early(error, begun, &record.id)),
    }
}

fn ended_early(error: MeasureError, begun: bool, id: &RunId) -> anyhow::Error {
    let error = anyhow::Error::new(error);
    match begun {
        true => error.context(format!(
            "the run ended early; its whole rounds are kept and 'bakeoff report {id}' shows them"
        )),
        false => error,
    }
}

/// Becomes true at the first Ctrl-C; the second one ends the program at once.
pub(crate) fn watch_for_interrupts() -> Result<Arc<AtomicBool>> {
    let flag = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&flag);
    ctrlc::set_handler(move || {
        if seen.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .map_err(|error| match error {
        ctrlc::Error::System(error) if error.kind() == io::ErrorKind::WouldBlock => {
            anyhow!("no further thread can be started ({error}); 'ulimit -u' shows the limit")
        }
        error => anyhow::Error::new(error).context("Ctrl-C cannot be watched for"),
    })?;
    Ok(flag)
}

fn directories(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let here = [PathBuf::from(".")];
    let named = if named.is_empty() { &here[..] } else { named };
    let mut directories: Vec<PathBuf> = Vec::new();
    for directory in named {
        let shown = directory.display();
        let whole = dunce::canonicalize(directory)
            .with_context(|| format!("--dir {shown}: there is no such directory"))?;
        if !whole.is_dir() {
            bail!("--dir {shown} is no directory");
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

/// The whole paths of the user's files; what they are is the family's business.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let whole = |file: &PathBuf| {
        let shown = file.display();
        let whole = dunce::canonicalize(file).with_context(|| format!("--input {shown}"))?;
        match whole.to_str() {
            Some(_) => Ok(whole),
            None => bail!("--input {shown}: the name is not UTF-8, and reports could not hold it; rename it"),
        }
    };
    named.iter().map(whole).collect()
}

fn request(arguments: &RunArguments, directories: Vec<PathBuf>) -> Result<Request> {
    let selections = selection::select(&arguments.names)?;
    let caches = match arguments.cache {
        CacheChoice::Warm => vec![Cache::Warm],
        CacheChoice::Cold => vec![Cache::Cold],
        CacheChoice::Both => vec![Cache::Warm, Cache::Cold],
    };
    let preset = Preset::from(arguments.preset);
    let sizes = arguments.sizes.len().max(1);
    let cells = selections.len() * caches.len() * directories.len() * sizes;
    let budget_ns = BUDGET_NS + FURTHER_BUDGET_NS * cells.saturating_sub(1) as u64;
    let rounds = match (arguments.rounds, arguments.fast, arguments.deep) {
        (Some(rounds), _, _) => rounds,
        (None, true, _) => LAST_LOOK_FAST,
        (None, _, true) => LAST_LOOK_DEEP,
        (None, false, false) => LAST_LOOK,
    };
    Ok(Request {
        selections,
        preset,
        sizes_bytes: arguments.sizes.clone(),
        files: files(&arguments.inputs)?,
        axes: arguments.axes.clone(),
        caches,
        durabilities: vec![if arguments.durable { Durability::Durable } else { Durability::Returned }],
        directories,
        processors: arguments.processors.as_ref().map(|list| list.0.clone()).unwrap_or_default(),
        contenders: contenders(arguments)?,
        metric: arguments.metric.map(Into::into),
        alpha: arguments.rules.alpha,
        alpha_is_shared: arguments.rules.alpha_report,
        delta: arguments.rules.delta,
        rounds,
        reference: arguments.reference.clone(),
        budget_ns: arguments.budget.unwrap_or(budget_ns),
        budget_stretches: arguments.budget.is_none(),
        time_limit_ns: arguments.time_limit,
        memory_limit_bytes: arguments.memory_limit,
        seed: arguments.seed.unwrap_or_else(sys::random::draw),
    })
}

fn contenders(arguments: &RunArguments) -> Result<Vec<Contender>> {
    let mut contenders = Vec::new();
    if let Some(path) = &arguments.contenders_file {
        let shown = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("{shown} cannot be read"))?;
        contenders = measure::read_contenders(&text).with_context(|| format!("{shown}"))?;
    }
    for text in &arguments.contenders {
        contenders.push(measure::parse_contender(text)?);
    }
    Ok(contenders)
}

/// The record before anything is measured.
pub(crate) fn record(plan: &Plan, host: Host, volumes: Vec<Volume>) -> Record {
    let started = jiff::Zoned::now();
    let draw = sys::random::draw() as u16;
    Record {
        tool: Tool {
            name: "bakeoff".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: option_env!("BAKEOFF_COMMIT").map(str::to_owned),
        },
        id: RunId(format!("{}-{draw:04x}", started.strftime("%Y%m%dT%H%M%S"))),
        started: started.strftime("%Y-%m-%dT%H:%M:%S%:z").to_string(),
        seed: plan.seed,
        preset: plan.preset,
        complete: false,
        command: std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect(),
        design: plan.design.clone(),
        host,
        volumes,
        trials: Vec::new(),
        canaries: Vec::new(),
        notes: Vec::new(),
    }
}

/// The plan in a few numbers.
fn summary(plan: &Plan, volumes: &[Volume]) -> PlanSummary {
    let mut families: Vec<String> = plan.cells.iter().map(|cell| cell.exhibit.name().to_owned()).collect();
    families.dedup();
    let scratch = |(directory, bytes): &(PathBuf, u64)| Scratch {
        directory: directory.clone(),
        needed_bytes: *bytes,
        free_bytes: volumes.iter().find(|volume| volume.directory == *directory).and_then(|v| v.free_bytes),
    };
    let refused = plan.cells.iter().flat_map(|cell| &cell.refused);
    let left_out = plan.cells.iter().flat_map(|cell| &cell.left_out);
    let mut absent: Vec<(String, String)> = refused
        .map(|refused| (refused.entry.name.clone(), refused.reason.clone()))
        .chain(
            left_out
                .map(|(one, reason)| (one.name.clone(), reason.trim_start_matches("left out: ").to_owned())),
        )
        .collect();
    absent.sort();
    absent.dedup();
    let outlook = plan.outlook();
    PlanSummary {
        families,
        cells: plan.cells.len() as u64,
        trials: outlook.trials as u64,
        rounds: Some(outlook.rounds),
        estimated_ns: Some(outlook.elapsed_ns as u64),
        budget_ns: Some(outlook.budget_ns as u64),
        scratch: plan.disk_bytes.iter().map(scratch).collect(),
        refused: absent,
        seed: plan.seed,
        ..PlanSummary::default()
    }
}
