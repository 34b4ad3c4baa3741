//! The family as the coordinator and the worker see it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::Duration;

use model::{Availability, Host, Preset, Proof, Setting, Trial, Workload};
use sys::process::Growth;

use super::job::{Command, Generated, Job, JobInput, JobTechnique, Proving};
use super::run::{Bounds, Errand};
use super::text::write_text;
use crate::contract::{AnyFamily, Body, Entry, Placeholder};
use crate::files::{at, copy_in, digest_of, invalid, made_anew, proof_of, remove_if_there, single};
use crate::records::write_record_bytes;

/// A job of the user's own.
#[derive(Debug)]
pub struct Commands {
    job: Job,
    name: &'static str,
    question: &'static str,
    baseline: &'static str,
    /// The longest time of a command that competes, where it is asked for the first proof.
    time_limit: Duration,
}

impl Commands {
    /// The family of a job. It lives as long as the program, as all families do.
    pub fn leaked(job: Job) -> &'static Self {
        Self::leaked_with(job, Duration::MAX)
    }

    /// Returns the same; a competing command has this long for the first proof.
    pub fn leaked_with(job: Job, time_limit: Duration) -> &'static Self {
        let baseline = job.techniques.first().map_or("", |technique| &technique.name);
        let [name, question, baseline] =
            [&*job.name, &job.question, baseline].map(|text| &*Box::leak(text.to_owned().into_boxed_str()));
        Box::leak(Box::new(Self { job, name, question, baseline, time_limit }))
    }

    fn make_input(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
        let path = scratch.join("input");
        match &self.job.input {
            _ if !workload.files.is_empty() => {
                let copies = copies(workload, scratch);
                workload.files.iter().zip(copies).try_for_each(|(original, copy)| {
                    if let Some(folder) = copy.parent() {
                        fs::create_dir_all(folder).map_err(at("create", folder))?;
                    }
                    let bytes = fs::metadata(original).map_err(at("open", original))?.len();
                    copy_in(original, &copy, bytes)
                })
            }
            JobInput::None | JobInput::Files => Ok(()),
            JobInput::Generated(what) => {
                let mut file = made_anew(&path)?;
                let bytes = workload.bytes().unwrap_or(0);
                match what {
                    Generated::Records => write_record_bytes(&mut file, bytes, seed),
                    Generated::Text => write_text(&mut file, bytes, seed),
                }
                .map_err(at("write", &path))
            }
            JobInput::Made(command) => {
                let printed = (!command.has("input")).then_some(&*path);
                self.errand(command, workload, scratch, "the command of [input]", None)
                    .run(printed, ExitStatus::success)?;
                let missing = "the command of [input] ended well and left no {input}";
                if path.exists() { Ok(()) } else { Err(io::Error::other(missing)) }
            }
        }
    }

    fn errand<'a>(
        &'a self, command: &'a Command, workload: &Workload, scratch: &Path, role: impl Into<String>,
        bounds: Option<&'a Bounds>,
    ) -> Errand<'a> {
        let places = self.placeholders(workload, scratch);
        Errand { job: &self.job, command, places, role: role.into(), bounds }
    }

    /// Returns the proof of the first command that works. It runs twice: a proof that is another each time proves nothing. One
    /// that hangs, or leaves what cannot be looked at or removed, fails alone.
    fn first_proof(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        let mut refused = None;
        for technique in &self.job.techniques {
            let bounds = self.bounds(scratch);
            let once = || {
                self.do_once(technique, workload, scratch, &bounds)?;
                self.proven(workload, scratch, Some(&bounds))
            };
            let both = once().and_then(|first| Ok((first, once()?)));
            let cleared = self.clear(workload, scratch);
            if cleared.is_err() {
                leave_output(scratch)?;
            }
            match cleared.and(both) {
                Ok((first, second)) if first == second => return Ok(first),
                Ok((first, second)) => return Err(differing(technique, &first, &second)),
                Err(error) => refused = refused.or(Some(error)),
            }
        }
        Err(refused.unwrap_or_else(|| io::Error::other("the job has no technique")))
    }

    /// Nothing is known of what a command leaves, but that others need space too.
    fn bounds(&self, scratch: &Path) -> Bounds {
        let free_bytes = sys::host::volume(scratch).ok().and_then(|volume| volume.free_bytes);
        let most_bytes = free_bytes.map_or(u64::MAX, |bytes| bytes / 2);
        Bounds { time: self.time_limit, output: Growth { path: output_in(scratch), most_bytes } }
    }

    fn do_once(
        &self, technique: &JobTechnique, workload: &Workload, scratch: &Path, bounds: &Bounds,
    ) -> io::Result<()> {
        self.clear(workload, scratch)?;
        if let Some(prepare) = &technique.prepare {
            let role = format!("the preparation of {}", technique.name);
            self.errand(prepare, workload, scratch, role, Some(bounds)).run(None, ExitStatus::success)?;
        }
        let output = output_in(scratch);
        let printed = self.job.prints_its_output(&technique.command).then_some(&*output);
        let is_accepted =
            |ended: &ExitStatus| ended.code().is_some_and(|code| self.job.accepts_exit(technique, code));
        self.errand(&technique.command, workload, scratch, &*technique.name, Some(bounds))
            .run(printed, is_accepted)
    }

    /// Proves the output. What is no file is not opened: a FIFO would wait for ever.
    fn proven(&self, workload: &Workload, scratch: &Path, bounds: Option<&Bounds>) -> io::Result<Proof> {
        match &self.job.proof {
            Proving::Exit | Proving::None => Ok(proof_of_nothing()),
            Proving::Output => {
                let output = output_in(scratch);
                match output.symlink_metadata() {
                    Ok(seen) if !seen.is_file() => {
                        let sentence = "what was left there is no file";
                        Err(at("read", &output)(io::Error::new(io::ErrorKind::InvalidData, sentence)))
                    }
                    _ => proof_of(&output),
                }
            }
            Proving::Command(command) => {
                self.errand(command, workload, scratch, "the command of [proof]", bounds).proof_of_printed()
            }
        }
    }
}

/// Makes a folder again with all but the output, which cannot be removed: it goes with the folders around it, if it can.
fn leave_output(scratch: &Path) -> io::Result<()> {
    const MOST: u32 = 10_000;
    let output = output_in(scratch);
    let mut names = (0..MOST).map(|nth| scratch.with_file_name(format!("unproven-{nth}")));
    let aside = names.find(|path| !path.exists()).ok_or(io::ErrorKind::AlreadyExists)?;
    fs::rename(scratch, &aside).map_err(at("rename", scratch))?;
    fs::create_dir(scratch).map_err(at("create", scratch))?;
    for entry in fs::read_dir(&aside).map_err(at("list", &aside))? {
        let name = entry.map_err(at("list", &aside))?.file_name();
        if Some(&*name) != output.file_name() {
            fs::rename(aside.join(&name), scratch.join(&name)).map_err(at("rename", &aside))?;
        }
    }
    Ok(())
}

fn differing(technique: &JobTechnique, first: &Proof, second: &Proof) -> io::Error {
    let said = if first.bytes == second.bytes {
        format!("{} bytes each time, with digest {}, then {}", first.bytes, first.digest, second.digest)
    } else {
        format!("{} bytes, then {}", first.bytes, second.bytes)
    };
    let name = &technique.name;
    io::Error::other(format!(
        "two runs of {name} gave two different proofs ({said}): choose one that does not change, for example [proof] \
         command = \"...\" over what matters in {{output}}, or proof = \"exit\""
    ))
}

impl AnyFamily for Commands {
    fn name(&self) -> &'static str {
        self.name
    }

    fn question(&self) -> &'static str {
        self.question
    }

    fn entries(&self) -> Vec<Entry> {
        Vec::new()
    }

    fn job(&self) -> Option<&Job> {
        Some(&self.job)
    }

    fn baseline(&self) -> &'static str {
        self.baseline
    }

    fn workloads(&self, _preset: Preset) -> Vec<Workload> {
        self.job.workloads.clone()
    }

    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        let JobInput::Generated(_) = self.job.input else { return None };
        let workload = self.job.workloads.first()?.clone().with("bytes", bytes);
        Some(Workload { name: Workload::of_size(bytes).name, ..workload })
    }

    /// A command may work on whatever it names, wherever that lies.
    fn works_on_files(&self) -> bool {
        true
    }

    /// Twice the input; nothing is known of what a command leaves.
    fn scratch_bytes(&self, workload: &Workload) -> u64 {
        single::scratch_bytes(workload, 2)
    }

    fn taken_bytes(&self, workload: &Workload) -> u64 {
        workload.bytes().unwrap_or(0)
    }

    fn generate(&self, workload: &Workload, scratch: &Path, seed: u64) -> io::Result<()> {
        self.make_input(workload, scratch, seed)?;
        for technique in &self.job.techniques {
            if let Some(setup) = &technique.setup {
                let role = format!("the setup of {}", technique.name);
                self.errand(setup, workload, scratch, role, None).run(None, ExitStatus::success)?;
            }
        }
        Ok(())
    }

    fn inputs(&self, workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
        match &self.job.input {
            _ if !workload.files.is_empty() => copies(workload, scratch),
            JobInput::None | JobInput::Files => Vec::new(),
            JobInput::Generated(_) | JobInput::Made(_) => vec![scratch.join("input")],
        }
    }

    fn expected(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        let looks = self.job.looks_at_the_output();
        if looks { self.first_proof(workload, scratch) } else { Ok(proof_of_nothing()) }
    }

    fn clear(&self, _workload: &Workload, scratch: &Path) -> io::Result<()> {
        remove_if_there(&output_in(scratch))
    }

    fn inspect(&self, workload: &Workload, scratch: &Path) -> io::Result<Proof> {
        self.proven(workload, scratch, None)
    }

    fn placeholders(&self, workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        let inputs = self.inputs(workload, scratch);
        let mut places = Vec::new();
        if self.job.input != JobInput::None || !inputs.is_empty() {
            places.push(Placeholder::optional("input", inputs.into_iter().map(OsString::from).collect()));
        }
        let output: OsString = output_in(scratch).into();
        // What a command prints is its output where it has no other place for it.
        places.extend(["output", "stdout"].map(|name| Placeholder::optional(name, vec![output.clone()])));
        for (axis, value) in &workload.point.0 {
            places.push(Placeholder::optional(axis.clone(), vec![value.to_string().into()]));
        }
        places
    }

    fn probe(&self, entry: &str, _host: &Host, _setting: &Setting) -> Availability {
        Availability::Missing(format!("the job {} has no built-in technique '{entry}'", self.name))
    }

    fn perform(&self, trial: &Trial, _body: &mut Body<'_>) -> io::Result<()> {
        Err(invalid(format!("'{}' of the job {} is a command", trial.technique, self.name)))
    }
}

fn proof_of_nothing() -> Proof {
    Proof { bytes: 0, digest: digest_of(&[]) }
}

fn output_in(scratch: &Path) -> PathBuf {
    scratch.join("output")
}

/// Returns the private copies of a user's files, under their own names: what a command prints may hold them.
fn copies(workload: &Workload, scratch: &Path) -> Vec<PathBuf> {
    let names = workload.files.iter().map(|file| file.file_name().unwrap_or(file.as_os_str()));
    names.enumerate().map(|(nth, name)| scratch.join(format!("input-{nth}")).join(name)).collect()
}
