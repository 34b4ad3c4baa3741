//! The part of a family that is about files.

use std::borrow::Cow;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use model::{Proof, Workload};

use crate::files::unsupported;

type OfInput = fn(&[PathBuf]) -> Result<Workload, String>;

/// The functions of a family with files. One without files has none of this.
#[derive(Clone, Copy)]
pub struct Files {
    /// A workload of a size in bytes that the user typed; `None` when the family has no sizes to choose.
    pub of_bytes: Option<fn(u64) -> Workload>,
    /// Makes a workload over the user's own files, of which `generate` makes private copies. The error is one sentence.
    pub of_input: Option<OfInput>,
    /// Scratch space that a trial needs in bytes, inputs and outputs together.
    pub scratch_bytes: fn(&Workload) -> u64,
    /// Memory in bytes that each trial takes again next to its inputs, mostly as the file cache of its output.
    pub taken_bytes: fn(&Workload) -> u64,
    /// Creates the inputs of a workload in a private folder; what is random in them comes from the seed.
    pub generate: fn(&Workload, &Path, u64) -> io::Result<()>,
    /// Returns whether two workloads have the same inputs, under the same names.
    pub have_same_inputs: fn(&Workload, &Workload) -> bool,
    /// The files whose cache state the conditions are about.
    pub inputs: fn(&Workload, &Path) -> Vec<PathBuf>,
    /// Removes the output of a trial. Must take only a moment and wait for nothing. After an error another process makes all
    /// files again.
    pub clear: fn(&Workload, &Path) -> io::Result<()>,
    /// The proof of what stands in the output now, whichever process wrote it.
    pub inspect: fn(&Workload, &Path) -> io::Result<Proof>,
    /// True where the output is a folder of files.
    pub output_is_folder: fn(&Workload) -> bool,
    /// The placeholders of a command line.
    pub placeholders: fn(&Workload, &Path) -> Vec<Placeholder>,
    /// Refuses commands that cannot do the work of a workload, in one sentence.
    pub takes_commands: fn(&Workload) -> Result<(), String>,
    /// The file that takes what a command prints, where its standard output is its result.
    pub answer_file: fn(&Path) -> Option<PathBuf>,
    /// True where a command that ends with this exit code has done its work. The result is proven all the same.
    pub accepts_exit: fn(i32) -> bool,
}

impl Files {
    /// No files of any kind. A declaration names what there is.
    pub const NONE: Self = Self {
        of_bytes: None,
        of_input: None,
        scratch_bytes: |_workload| 0,
        taken_bytes: |_workload| 0,
        generate: |_workload, _scratch, _seed| Ok(()),
        have_same_inputs: |one, other| one == other,
        inputs: |_workload, _scratch| Vec::new(),
        clear: |_workload, _scratch| Ok(()),
        inspect: |_workload, _scratch| Err(unsupported("the family leaves no output")),
        output_is_folder: |_workload| false,
        placeholders: |_workload, _scratch| Vec::new(),
        takes_commands: |_workload| Ok(()),
        answer_file: |_scratch| None,
        accepts_exit: |code| code == 0,
    };
}

/// A name that a command line may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placeholder {
    /// The name between the braces: `input`, `output`.
    pub name: Cow<'static, str>,
    /// Its values in the trial at hand. Several take the place of a whole word.
    pub values: Vec<OsString>,
    /// True where a command cannot do its work without it.
    pub required: bool,
}

impl Placeholder {
    /// A placeholder for one path, without which a command cannot do its work.
    pub fn required(name: impl Into<Cow<'static, str>>, path: PathBuf) -> Self {
        Self { name: name.into(), values: vec![path.into()], required: true }
    }

    /// A placeholder that a command may do without.
    pub fn optional(name: impl Into<Cow<'static, str>>, values: Vec<OsString>) -> Self {
        Self { name: name.into(), values, required: false }
    }
}
