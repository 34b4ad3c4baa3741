//! The only place that reads the clock for a measurement.

use std::fs::{self, File};
use std::hint::black_box;
use std::io;
use std::path::Path;

use families::{OwnTime, Repeat};
use model::Usage;
use sys::usage::{self, Meter};
use sys::{affinity, clock, write_back};

/// A timed stretch: what stands between the two readings of the clock, and nothing else.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stretch {
    /// Time of all repetitions together. Not in it: preparing, refreshing, reading the usage, the proof.
    pub(crate) elapsed_ns: u64,
    /// Usage of the stretch and of children that were waited for; reading it costs a little system time that is in it.
    pub(crate) usage: Usage,
    /// Logical processors on which it began and ended, where they were looked at.
    pub(crate) processors: (Option<u32>, Option<u32>),
}

/// A process that did a part of the work cannot be compared with one that did all of it.
const CUT_SHORT: &str = "it took so long that its work was cut short, and the time of a whole process does not follow \
                         from that; 'bakeoff list FAMILY' shows whether a limit can be set";

pub(crate) fn time_together(repeat: &mut dyn Repeat, times: u64) -> io::Result<Stretch> {
    let mut meter = Meter::open();
    let mut stretch = time_metered(repeat, times, &mut meter)?;
    stretch.usage.peak_memory_bytes = meter.peak_memory_bytes();
    Ok(stretch)
}

fn time_metered(repeat: &mut dyn Repeat, times: u64, meter: &mut Meter) -> io::Result<Stretch> {
    repeat.refresh()?;
    let first = affinity::current();
    let before = meter.read();
    let start_ns = clock::now_ns();
    let done = black_box(&mut *repeat).repeat(black_box(times));
    let end_ns = clock::now_ns();
    let after = meter.read();
    done?;
    let processors = (first, affinity::current());
    let (elapsed_ns, usage) = match repeat.own_time() {
        None => (end_ns - start_ns, usage::difference(&before, &after)),
        Some(OwnTime { ns, is_extrapolated: false }) => (ns, usage::difference(&before, &after)),
        // What a part of the work used says little of the rest.
        Some(OwnTime { ns, is_extrapolated: true }) => (ns, Usage::default()),
    };
    Ok(Stretch { elapsed_ns, usage, processors })
}

/// Times one repetition and asks the system for nothing else: who times the process from outside sees it all.
pub(crate) fn time_bare(repeat: &mut dyn Repeat) -> io::Result<Stretch> {
    let start_ns = clock::now_ns();
    black_box(&mut *repeat).repeat(black_box(1))?;
    let elapsed_ns = clock::now_ns() - start_ns;
    let own = repeat.own_time();
    if own.is_some_and(|own| own.is_extrapolated) {
        return Err(io::Error::other(CUT_SHORT));
    }
    let elapsed_ns = own.map_or(elapsed_ns, |own| own.ns);
    Ok(Stretch { elapsed_ns, usage: Usage::default(), processors: (None, None) })
}

/// Times how long it takes until a file and its name are on the device; of a folder, all files in it.
pub(crate) fn time_flush(path: &Path) -> io::Result<u64> {
    let start_ns = clock::now_ns();
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                File::open(entry.path())?.sync_all()?;
            }
        }
        write_back::flush_directory(path)?;
    } else {
        File::open(path)?.sync_all()?;
    }
    if let Some(folder) = path.parent() {
        write_back::flush_directory(folder)?;
    }
    Ok(clock::now_ns() - start_ns)
}

/// Times `times` repetitions of work that consumes its input: the clock stands still while it is restored.
pub(crate) fn time_apart(repeat: &mut dyn Repeat, times: u64) -> io::Result<Stretch> {
    let mut meter = Meter::open();
    let mut total = time_metered(repeat, 1, &mut meter)?;
    for _ in 1..times {
        let next = time_metered(repeat, 1, &mut meter)?;
        total.elapsed_ns += next.elapsed_ns;
        total.usage = sum(&total.usage, &next.usage);
        total.processors.1 = next.processors.1;
    }
    total.usage.peak_memory_bytes = meter.peak_memory_bytes();
    Ok(total)
}

/// Takes this many stretches one after the other and keeps the one whose time is in the middle. A disturbance of one
/// stretch then leaves no trace; a mean would keep it. What the technique reported of each stretch goes with it.
pub(crate) fn time_middle<Noted>(
    stretches: u32, mut time: impl FnMut() -> io::Result<(Stretch, Noted)>,
) -> io::Result<(Stretch, Noted)> {
    let mut taken = vec![time()?];
    for _ in 1..stretches {
        taken.push(time()?);
    }
    taken.sort_by_key(|(stretch, _)| stretch.elapsed_ns);
    Ok(taken.swap_remove(taken.len() / 2))
}

fn sum(a: &Usage, b: &Usage) -> Usage {
    let both = a.combined_with(*b, |x, y| Some(x? + y?));
    // The peak is the same for all stretches of a process, and read once behind the last.
    Usage { peak_memory_bytes: None, ..both }
}

/// Grows the number of repetitions until the stretch is long enough for the clock; returns the time of one.
pub(crate) fn time_of_one_ns(repeat: &mut dyn Repeat, consumes: bool, enough_ns: u64) -> io::Result<f64> {
    const MOST: u64 = 1 << 32;
    let mut times = 1;
    loop {
        let stretch = if consumes { time_apart(repeat, times)? } else { time_together(repeat, times)? };
        // Restoring consumed input between more repetitions would cost more outside the clock than it reports.
        if stretch.elapsed_ns >= enough_ns || times >= MOST || consumes {
            return Ok(stretch.elapsed_ns as f64 / times as f64);
        }
        times *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_stretch_is_kept_with_all_that_it_used() {
        let mut times = [9, 5, 700, 6, 7].into_iter();
        let stretch = time_middle(5, || {
            let elapsed_ns = times.next().ok_or_else(|| io::Error::other("a sixth stretch"))?;
            let usage = Usage { minor_faults: Some(elapsed_ns), ..Usage::default() };
            Ok((Stretch { elapsed_ns, usage, processors: (None, None) }, elapsed_ns + 1))
        });
        let (stretch, said) = stretch.expect("five stretches");
        assert_eq!((stretch.elapsed_ns, stretch.usage.minor_faults, said), (7, Some(7), 8));
    }
}
