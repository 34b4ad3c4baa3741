//! The command line of `bakeoff advise`.

use std::path::PathBuf;

use clap::Args;
use model::{parse_assignment, parse_bytes};

use super::{CacheKnown, Format};

#[derive(Debug, Args)]
pub(crate) struct AdviseArguments {
    /// The family: copy, blocks, pipeline
    #[arg(required_unless_present = "forget")]
    pub(crate) family: Option<String>,
    /// Values of the workload, e.g. threads=16; 'bakeoff list FAMILY' names them [default: those of the preset 'quick']
    #[arg(value_name = "AXIS=VALUE", value_parser = parse_assignment)]
    pub(crate) axes: Vec<(String, String)>,
    /// Size of the input [default: all sizes that were measured]
    #[arg(long, value_name = "SIZE", value_parser = parse_bytes)]
    pub(crate) size: Option<u64>,
    /// The same as threads=N
    #[arg(long, value_name = "N")]
    pub(crate) threads: Option<String>,
    /// State of the file cache at the start [default: warm]
    #[arg(long, value_enum)]
    pub(crate) cache: Option<CacheKnown>,
    /// The work ends when data and directory are on the device
    #[arg(long)]
    pub(crate) durable: bool,
    /// Directory whose file system is meant
    #[arg(long = "dir", value_name = "DIR", default_value = ".")]
    pub(crate) directory: PathBuf,
    /// The techniques that can be chosen from, e.g. read_write,std_copy [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) among: Vec<String>,
    /// What is compared: anything that was measured of the samples [default: what the family says, mostly work]
    #[arg(long, value_name = "NAME")]
    pub(crate) metric: Option<String>,
    /// Also write the advice into this profile, a TOML file that other programs load; what it says of other tasks stays, and of this one
    /// what is better founded
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Remove what the profile says of the family, or of everything where none is named, and advise nothing
    #[arg(long, requires = "profile", conflicts_with_all = ["axes", "size", "threads", "cache", "durable", "among", "metric", "format"])]
    pub(crate) forget: bool,
    /// How it is printed
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
    /// What to use at other sizes, and which kept runs were set aside
    #[arg(long, short)]
    pub(crate) verbose: bool,
}
