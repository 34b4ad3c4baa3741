//! The command lines of `bakeoff explain` and `bakeoff show`.

use std::path::PathBuf;

use clap::Args;
use model::{parse_assignment, parse_bytes, parse_duration_ns};

use super::{Format, PresetChoice};

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// Families and techniques: copy, copy/presized. Of a family that is named alone, the leader of the last run that is kept and
    /// the plain way; all techniques where no run is kept
    #[arg(value_name = "FAMILY[/TECHNIQUE]", required = true)]
    pub(crate) names: Vec<String>,
    /// All techniques of the families that are named
    #[arg(long)]
    pub(crate) all: bool,
    /// The preset whose first workload is taken
    #[arg(long, value_enum, default_value = "quick")]
    pub(crate) preset: PresetChoice,
    /// Another workload of the preset than its first, by its name: 'published'
    #[arg(long, value_name = "NAME", conflicts_with = "size")]
    pub(crate) workload: Option<String>,
    /// Size of the input in place of the preset's
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) size: Option<u64>,
    /// Another value of the workload, e.g. pattern=needle; repeatable. 'bakeoff list FAMILY' names them
    #[arg(long = "set", value_name = "NAME=VALUE", value_parser = parse_assignment)]
    pub(crate) axes: Vec<(String, String)>,
    /// Directory to work in
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// A process that runs longer counts as hanging; one whose system calls are traced takes a multiple of the usual time
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = parse_duration_ns)]
    pub(crate) time_limit: u64,
    /// Seed of everything random in the input
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// The idea of each technique, too
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArguments {
    /// The technique, by its name or that of a published program: copy/presized, copy/cpW
    #[arg(value_name = "FAMILY/TECHNIQUE")]
    pub(crate) technique: String,
    /// All of the code that it takes what it does from, and not only the beginning of each file
    #[arg(long)]
    pub(crate) all: bool,
    /// Directory to try it in
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}
