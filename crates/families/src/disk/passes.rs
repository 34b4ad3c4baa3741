//! Goes through the phases, each timed by itself, and sees to it that what was read and written was right.

use std::collections::HashSet;
use std::io;

use model::{Proof, format_bytes, format_ns};
use sys::clock::now_ns;
use sys::trace::{self, Edge};
use sys::{memory_group, usage};

use super::content::{Mask, NewData, Place, look_at, memory_of};
use super::files::Kept;
use super::in_turn;
use super::job::{DiskJob, Notes, Prepared, ReadPieces, RewritePieces};
use super::pieces::{PART_BYTES, Pieces};
use super::workload::Phase;
use super::{buffer_room, system};
use crate::contract::{OwnTime, Repeat};
use crate::files::{digest_of, invalid};
use crate::values::Values;

/// The rate of rewriting at its first end point, whichever of them the clock stops at.
pub(super) const RETURNED: &str = "rewrite_returned_bytes_per_second";

/// The memory of a technique, which is there before the clock starts.
#[derive(Clone, Copy)]
struct Memory {
    slots: usize,
    /// Pieces that there is memory to read to; none where they lie in the file's own pages, which are mapped.
    read_slots: usize,
    /// For how many bytes of each piece there is new data at once.
    new_bytes: usize,
    /// True where pieces lie in huge pages, if the host has them: the system looks up every page of what it moves past the cache, or
    /// has it registered beforehand.
    is_huge: bool,
}

impl DiskJob {
    /// The job done by a technique that works on one piece after the other.
    pub(super) fn done_by(&self, read: ReadPieces, rewrite: RewritePieces) -> Prepared<'_> {
        self.done_into(1, 0, false, read, rewrite)
    }

    /// The same past the file cache.
    pub(super) fn done_past_cache(&self, read: ReadPieces, rewrite: RewritePieces) -> Prepared<'_> {
        self.done_into(1, 0, true, read, rewrite)
    }

    /// The job done by a technique whose pieces lie in the mapped file: it needs no memory for a whole one, and is given the new
    /// data in parts.
    pub(super) fn done_by_mapping(&self, read: ReadPieces, rewrite: RewritePieces) -> Prepared<'_> {
        let new_bytes = self.piece_bytes.min(PART_BYTES);
        self.done_with(Memory { slots: 1, read_slots: 0, new_bytes, is_huge: false }, read, rewrite)
    }

    /// The job done by a technique with several pieces in flight. There is memory to read one more to, where the process may have it.
    pub(super) fn done_in_flight(&self, read: ReadPieces, rewrite: RewritePieces) -> Prepared<'_> {
        let slots = self.slots()?;
        buffer_room::of(slots as u64, self.piece_bytes as u64, 0, self.memory_bytes).map_err(invalid)?;
        let has_room =
            buffer_room::of(slots as u64 + 1, self.piece_bytes as u64, 0, self.memory_bytes).is_ok();
        self.done_into(slots, usize::from(has_room), true, read, rewrite)
    }

    fn done_into(
        &self, slots: usize, spare_slots: usize, is_huge: bool, read: ReadPieces, rewrite: RewritePieces,
    ) -> Prepared<'_> {
        let memory = Memory { slots, read_slots: slots + spare_slots, new_bytes: self.piece_bytes, is_huge };
        self.done_with(memory, read, rewrite)
    }

    fn done_with(&self, memory: Memory, read: ReadPieces, rewrite: RewritePieces) -> Prepared<'_> {
        Ok(Box::new(Passes {
            job: self,
            memory,
            read,
            rewrite,
            mask: self.mask,
            is_used: false,
            adds_up: true,
            took: Vec::new(),
            own_ns: 0,
            is_extrapolated: false,
            notes: Notes::new(),
        }))
    }
}

struct Passes<'job> {
    job: &'job DiskJob,
    memory: Memory,
    read: ReadPieces,
    rewrite: RewritePieces,
    mask: Mask,
    /// Whether the file was worked on since it was brought into its state.
    is_used: bool,
    /// Whether all that was read added up right.
    adds_up: bool,
    took: Vec<Took>,
    /// The time of all repetitions of the last call.
    own_ns: u64,
    is_extrapolated: bool,
    notes: Notes,
}

struct Took {
    phase: Phase,
    /// Extrapolated, where it was cut short.
    ns: u64,
    /// The same until its calls had returned.
    returned_ns: u64,
    /// Bytes that came from the device; `None` where the system does not say.
    fetched_bytes: Option<u64>,
    /// Pages of it that the cache had held before.
    refaults: Option<u64>,
}

impl<'job> Passes<'job> {
    fn pass(&mut self) -> io::Result<()> {
        self.took.clear();
        for (nth, &phase) in self.job.phases.iter().enumerate() {
            if nth > 0 && !self.job.is_ceilinged {
                self.evict()?;
            }
            let before = (usage::of_this_process(), memory_group::refaults());
            let (ns, returned_ns) = match phase {
                Phase::Read | Phase::Reread => self.reading(phase)?,
                Phase::Rewrite => self.rewriting(phase)?,
            };
            let fetched_bytes = usage::difference(&before.0, &usage::of_this_process()).read_bytes;
            let refaults =
                memory_group::refaults().zip(before.1).and_then(|(now, then)| now.checked_sub(then));
            self.took.push(Took { phase, ns, returned_ns, fetched_bytes, refaults });
            self.own_ns += ns;
        }
        // What no phase has waited for must not be paid by whatever is measured next.
        if !self.job.is_durable && self.job.phases.contains(&Phase::Rewrite) {
            system::open_to_write(&self.job.path)?.finish_one_of_many(true)?;
        }
        Ok(())
    }

    /// Returns where its buffers lie: a single one that is larger than the memory in a file, which is said.
    fn place(&mut self) -> Place<'job> {
        let Memory { slots, read_slots, is_huge, .. } = self.memory;
        let job = self.job;
        let beyond = job.memory_bytes.filter(|_| slots.min(read_slots) == 1 && job.is_ceilinged);
        match beyond.filter(|bytes| buffer_room::of(1, job.piece_bytes as u64, 0, Some(*bytes)).is_err()) {
            Some(bytes) => {
                let [piece, memory] = [job.piece_bytes as u64, bytes].map(format_bytes);
                self.notes.push(format!(
                    "fell back: a buffer of {piece} in a file, since the memory is limited to {memory}"
                ));
                Place::FileNextTo(&job.path)
            }
            None if is_huge => Place::HugePages,
            None => Place::Pages,
        }
    }

    fn evict(&self) -> io::Result<()> {
        sys::page_cache::evict(std::slice::from_ref(&self.job.path)).map(drop)
    }

    fn reading(&mut self, phase: Phase) -> io::Result<(u64, u64)> {
        let mut memory = memory_of(self.job.piece_bytes * self.memory.read_slots, self.place())?;
        let (read, job, notes) = (self.read, self.job, &mut self.notes);
        let (ns, pieces, sum) = timed(job, |pieces| read(job, pieces, &mut memory, notes))?;
        let mut expected = sum.emptied();
        pieces.given().for_each(|piece| expected.expect(piece, self.mask));
        self.adds_up &= sum == expected;
        Ok(self.whole_ns(phase, ns, &pieces))
    }

    fn rewriting(&mut self, phase: Phase) -> io::Result<(u64, u64)> {
        let mask = self.mask.next();
        let (place, Memory { slots, new_bytes, .. }) = (self.place(), self.memory);
        let mut data = NewData::new(self.job.seed, new_bytes, slots, place, mask)?;
        let (rewrite, job, notes) = (self.rewrite, self.job, &mut self.notes);
        let (ns, pieces, ()) = timed(job, |pieces| rewrite(job, pieces, &mut data, notes))?;
        // The next phase and the proof want a whole file.
        let mut rest = pieces.rest().peekable();
        if rest.peek().is_some() {
            in_turn::rewrite_rest(self.job, rest, &mut data)?;
        }
        self.mask = mask;
        Ok(self.whole_ns(phase, ns, &pieces))
    }

    /// The time of a whole phase, from that of the part that was done; and the same until its calls had returned.
    fn whole_ns(&mut self, phase: Phase, ns: u64, pieces: &Pieces<'_>) -> (u64, u64) {
        let (given, of) = pieces.given_bytes();
        let returned_ns = pieces.returned_ns.unwrap_or(ns);
        if given >= of {
            return (ns, returned_ns);
        }
        self.is_extrapolated = true;
        // The same words for all samples: how far each came follows from its rate.
        let limit = format_ns(self.job.phase_limit_ns as f64);
        self.notes.push(format!("extrapolated: {} from what was done in {limit}", phase.name()));
        let whole = |ns: u64| (ns as f64 * of as f64 / given as f64) as u64;
        (whole(ns), whole(returned_ns))
    }
}

/// The part of a phase that is the technique's: what it took, the pieces that were given, and what it made.
fn timed<'job, Made>(
    job: &'job DiskJob, work: impl FnOnce(&mut Pieces<'job>) -> io::Result<Made>,
) -> io::Result<(u64, Pieces<'job>, Made)> {
    trace::resumed(|| {
        let start_ns = now_ns();
        let mut pieces = Pieces::within(&job.order, job.phase_limit_ns);
        let made = work(&mut pieces)?;
        Ok((now_ns() - start_ns, pieces, made))
    })
}

impl Repeat for Passes<'_> {
    /// Another repetition begins outside the file cache, as the first did.
    fn refresh(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.is_used) { self.evict() } else { Ok(()) }
    }

    fn repeat(&mut self, times: u64) -> io::Result<()> {
        trace::mark(Edge::Pause);
        self.notes.clear();
        (self.own_ns, self.is_extrapolated, self.is_used) = (0, false, true);
        (0..times).try_for_each(|_| self.pass())
    }

    fn own_time(&self) -> Option<OwnTime> {
        Some(OwnTime { ns: self.own_ns, is_extrapolated: self.is_extrapolated })
    }

    fn proof(&mut self) -> io::Result<Proof> {
        let seen = look_at(&self.job.path, self.mask)?;
        if seen.mask != Some(self.mask) || !self.adds_up {
            // Any other digest than that of a file which was read and rewritten as it should be.
            let digest = digest_of(format!("{} {} {:?}", seen.digest, self.adds_up, seen.mask).as_bytes());
            return Ok(Proof { bytes: seen.bytes, digest });
        }
        Kept::read(&self.job.kept)?.now(&self.job.path, self.mask)?.write(&self.job.kept)?;
        Ok(Proof { bytes: seen.bytes, digest: seen.digest })
    }

    fn values(&self, out: &mut Values) {
        let bytes = self.job.order.bytes as f64;
        let rate = |ns: u64| bytes / ns.max(1) as f64 * 1e9;
        for Took { phase, ns, returned_ns, fetched_bytes, .. } in &self.took {
            out.number(&format!("{}_bytes_per_second", phase.name()), rate(*ns));
            out.number(&format!("{}_kib_ns", phase.name()), *ns as f64 / (bytes / 1024.0));
            if *phase == Phase::Rewrite {
                out.number(RETURNED, rate(*returned_ns));
            }
            // A part of the phase says little of what the whole would have fetched.
            if let (Phase::Reread, Some(bytes), false) = (phase, *fetched_bytes, self.is_extrapolated) {
                out.number("reread_device_bytes", bytes as f64);
            }
        }
        // Of a group of its own alone: in any other, others fetch as well.
        let refaults: Option<u64> = self.took.iter().map(|took| took.refaults).sum();
        if let (Some(refaults), true, false) = (refaults, self.job.is_ceilinged, self.is_extrapolated) {
            out.number("refaults", refaults as f64);
        }
    }

    fn notes(&self) -> Vec<String> {
        let mut known = HashSet::new();
        let mut notes: Notes = self.notes.iter().filter(|note| known.insert(*note)).cloned().collect();
        if let (Some(bytes), false) = (self.job.memory_bytes, self.job.is_ceilinged) {
            let limit = format_bytes(bytes);
            notes.push(format!(
                "fell back: a file evicted before each phase, since no limit of {limit} is in force"
            ));
        }
        notes
    }
}
