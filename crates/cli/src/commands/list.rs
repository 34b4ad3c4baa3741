//! `bakeoff list`: families and techniques, and why one is not available here.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use families::AnyFamily;
use model::{Availability, Axis, Host, Preset, Setting, Value, Values, Workload};
use report::{Listing, ListingAxis, ListingRow};

use crate::arguments::{Common, Format};
use crate::exit::Done;
use crate::scratch::tried_in;
use crate::selection;
use crate::terminal::print_page;

/// Families and techniques, and why one is not available here
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// A family; all when none is named
    family: Option<String>,
    /// Directory whose file system is asked
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    directory: PathBuf,
    /// Also the control families, which test bakeoff itself
    #[arg(long)]
    controls: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments, common: &Common) -> Result<Done> {
    let host = sys::host::describe();
    let families: Vec<&dyn AnyFamily> = match &arguments.family {
        Some(name) => vec![selection::family(name)?],
        None if arguments.controls => families::all().to_vec(),
        None => selection::shown().collect(),
    };
    let (probes, setting) = tried_in(&arguments.directory, common)?;
    let listings: Vec<Listing> =
        families.into_iter().map(|family| listing(family, &host, &setting)).collect();
    drop(probes);
    print_page(&listings[..], arguments.format, true, common)?;
    Ok(Done::Well)
}

fn listing(family: &dyn AnyFamily, host: &Host, setting: &Setting) -> Listing {
    let rows = family.entries().into_iter().map(|entry| ListingRow {
        available: match family.probe(&entry.name, host, setting) {
            Availability::Ready => Ok(()),
            Availability::Missing(reason) => Err(reason),
        },
        name: entry.name,
        aliases: entry.aliases,
        idea: entry.idea,
        source: entry.source,
        variant_of: entry.variant_of.map(str::to_owned),
    });
    Listing {
        family: family.name().to_owned(),
        question: family.question().to_owned(),
        rows: rows.collect(),
        size: usual_size(family),
        axes: family.axes().iter().map(|axis| listed(family, axis)).collect(),
        metrics: family
            .metrics()
            .iter()
            .map(|metric| (metric.name().into(), metric.what.to_string()))
            .collect(),
    }
}

/// Returns the size of the first workload of the default preset as it is typed; `None` where a user cannot choose another.
fn usual_size(family: &dyn AnyFamily) -> Option<String> {
    let usual = family.workloads(Preset::Quick).into_iter().next()?;
    let bytes = usual.bytes().filter(|bytes| family.workload_of_bytes(*bytes).is_some())?;
    Some(Workload::of_size(bytes).name)
}

/// Returns an axis with the value that it has in the first workload of the default preset.
fn listed(family: &dyn AnyFamily, axis: &Axis) -> ListingAxis {
    let usual = family.workloads(Preset::Quick).into_iter().next();
    let default = usual.and_then(|workload| workload.point.0.get(axis.name).cloned());
    let range = family.range(axis.name).map(|range| [*range.start(), *range.end()].map(Value::Number));
    ListingAxis {
        name: axis.name.to_owned(),
        meaning: meaning(axis),
        example: axis.example(),
        default: default.map(|value| axis.show(&value)),
        range: range.map(|[from, to]| (axis.show(&from), axis.show(&to))),
    }
}

/// Returns what an axis means, with its words where it has only some.
fn meaning(axis: &Axis) -> String {
    match axis.values {
        Values::Words(words) => format!("{}: {}", axis.meaning, words.join(", ")),
        _ => axis.meaning.to_owned(),
    }
}
