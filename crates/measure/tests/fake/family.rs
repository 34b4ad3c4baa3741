//! A family whose techniques are made up.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use families::{AnyFamily, Body, Curve, Entry, Isolation, Placeholder, Repeat};
use model::{Availability, Axis, Class, Host, Point, Preset, Proof, Setting, Trial, Values, Workload};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Behaviour {
    /// Takes this many nanoseconds, give or take a little.
    Steady(f64),
    /// Takes this many milliseconds, and the budget's clock moves on by as much.
    Lasts(u64),
    /// Takes this many nanoseconds at first and a thousandth more with every call.
    Drifts(f64),
    /// Takes this many nanoseconds at the smallest size, and at all others as many as `to`, give or take much.
    LevelsOff {
        from: f64,
        to: f64,
    },
    /// Takes this many nanoseconds for each KiB of the workload.
    Grows(f64),
    /// Takes this many nanoseconds, and a hundred times as many in its this many-th call.
    DisturbedOnce(f64, u32),
    /// Takes up to a fifth more or less than this many nanoseconds, at random.
    Restless(f64),
    Lies,
    Hangs,
    HangsAfter(u32),
    Crashes,
    Refused,
    /// Finds no space on the disk from its this many-th call on.
    FullDiskAfter(u32),
    CrashesAfter(u32),
    /// When it is entered twice, the second one is slower: the instrument is broken. The budget's clock moves on.
    TwinIsSlower(f64),
    /// As [`Self::TwinIsSlower`], until this many calls.
    TwinIsSlowerUntil(f64, u32),
}

type Behaviours<'a> = &'a [(&'static str, Behaviour)];

/// A technique of this name is a limit, and no entry.
pub(crate) const LIMIT: &str = "limit";

pub(crate) struct FakeFamily {
    pub(super) name: &'static str,
    pub(super) behaviours: Vec<(&'static str, Behaviour)>,
    isolation: Isolation,
    /// Its sizes are numbers of workers over which the same work is spread.
    is_spread: bool,
    /// It asks for two more sizes by itself, with the technique `asked`.
    has_levels: bool,
    pub(crate) probed_in: Mutex<Vec<PathBuf>>,
    /// Calls of its techniques, one line each: `a is prepared`, `a works`.
    pub(crate) performed: Mutex<Vec<String>>,
}

impl FakeFamily {
    pub(crate) fn leaked(name: &'static str, behaviours: Behaviours<'_>) -> &'static Self {
        Self::changed(name, behaviours, |_| ())
    }

    pub(crate) fn leaked_session(name: &'static str, behaviours: Behaviours<'_>) -> &'static Self {
        Self::changed(name, behaviours, |family| family.isolation = Isolation::Session)
    }

    pub(crate) fn leaked_spread(name: &'static str, behaviours: Behaviours<'_>) -> &'static Self {
        Self::changed(name, behaviours, |family| family.is_spread = true)
    }

    pub(crate) fn leaked_with_levels(name: &'static str, behaviours: Behaviours<'_>) -> &'static Self {
        Self::changed(name, behaviours, |family| family.has_levels = true)
    }

    fn changed(name: &'static str, behaviours: Behaviours<'_>, change: fn(&mut Self)) -> &'static Self {
        let mut family = Self {
            name,
            behaviours: behaviours.to_vec(),
            isolation: Isolation::Sample,
            is_spread: false,
            has_levels: false,
            probed_in: Mutex::default(),
            performed: Mutex::default(),
        };
        change(&mut family);
        Box::leak(Box::new(family))
    }

    fn note(&self, technique: &str, what: &str) {
        self.performed.lock().expect("no panic").push(format!("{technique} {what}"));
    }

    pub(super) fn proof() -> Proof {
        Proof { bytes: 3, digest: "abc".to_owned() }
    }
}

impl AnyFamily for FakeFamily {
    fn name(&self) -> &'static str {
        self.name
    }
    fn question(&self) -> &'static str {
        "Is this real?"
    }
    fn entries(&self) -> Vec<Entry> {
        let entries = self.behaviours.iter().map(|(name, _)| Entry {
            name: (*name).to_owned(),
            aliases: (*name == "published").then(|| "PUBLISHED".to_owned()).into_iter().collect(),
            idea: "fake".to_owned(),
            source: "none".to_owned(),
            class: Class::MovesBytes,
            needs: None,
            ceiling: *name == LIMIT,
            parameters: Vec::new(),
            point: Point::default(),
            variant_of: None,
        });
        entries.collect()
    }
    fn isolation(&self) -> Isolation {
        self.isolation
    }
    fn baseline(&self) -> &'static str {
        self.behaviours[0].0
    }
    fn workloads(&self, _preset: Preset) -> Vec<Workload> {
        let workload = Workload { name: "fake".to_owned(), ..Workload::default() };
        vec![if self.has_levels { Workload::of_bytes(workload.name, 8 << 10) } else { workload }]
    }
    fn works_on_files(&self) -> bool {
        true
    }
    fn workload_of_bytes(&self, bytes: u64) -> Option<Workload> {
        Some(Workload::of_bytes(bytes.to_string(), bytes))
    }
    fn curve(&self) -> Option<&Curve> {
        const LEVELS: Curve = Curve { along: "bytes", techniques: &["asked"], levels: &["4K", "64K"] };
        Some(if self.has_levels { &LEVELS } else { &Curve { techniques: &[], levels: &[], ..LEVELS } })
    }
    fn axes(&self) -> &'static [Axis] {
        const AXIS: Axis = Axis { name: "bytes", meaning: "size", values: Values::Bytes(&[8 << 10]) };
        if self.has_levels { &[AXIS] } else { &[] }
    }
    fn set(&self, workload: &mut Workload, _axis: &str, text: &str) -> Result<(), String> {
        let bytes = model::parse_bytes(text).map_err(|error| error.to_string())?;
        *workload = Workload::of_bytes(workload.name.clone(), bytes);
        Ok(())
    }
    fn spread_over(&self) -> Option<&'static str> {
        self.is_spread.then_some("bytes")
    }
    fn expected(&self, _workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(Self::proof())
    }
    fn inspect(&self, _workload: &Workload, _scratch: &Path) -> io::Result<Proof> {
        Ok(Self::proof())
    }
    fn scratch_bytes(&self, workload: &Workload) -> u64 {
        workload.bytes().unwrap_or(0)
    }
    fn placeholders(&self, _workload: &Workload, scratch: &Path) -> Vec<Placeholder> {
        vec![Placeholder::required("output", scratch.join("output"))]
    }
    fn probe(&self, _entry: &str, _host: &Host, setting: &Setting) -> Availability {
        self.probed_in.lock().expect("no panic").extend(setting.place.directory.clone());
        Availability::Ready
    }
    fn perform(&self, trial: &Trial, body: &mut Body<'_>) -> io::Result<()> {
        let technique = &trial.technique;
        let mut of_family = self.behaviours.iter().filter(|(name, _)| name == technique);
        let Some((_, behaviour)) = of_family.next() else { return Err(io::Error::other("unknown")) };
        if *behaviour == Behaviour::Lies {
            return Err(io::Error::other("refused while it was prepared"));
        }
        self.note(technique, "is prepared");
        let is_refused = *behaviour == Behaviour::Refused;
        body(&mut Noting { family: self, technique: technique.clone(), is_refused })
    }
}

struct Noting<'f> {
    family: &'f FakeFamily,
    technique: String,
    is_refused: bool,
}

impl Repeat for Noting<'_> {
    fn repeat(&mut self, _times: u64) -> io::Result<()> {
        self.family.note(&self.technique, "works");
        if self.is_refused { Err(io::Error::other("refused at work")) } else { Ok(()) }
    }
    fn proof(&mut self) -> io::Result<Proof> {
        Ok(FakeFamily::proof())
    }
}
