//! The job: read a clock so often, and keep the readings.

use std::cell::RefCell;
use std::hint::black_box;
use std::io;

use model::Proof;

use super::time_source::{AnyClock, TimeSource, advance};
use crate::contract::Repeat;
use crate::files::proof_of_number;

/// Readings that are kept: few enough to stay in a first cache of 32 KiB, at 144 bytes each (getrusage).
const KEPT: usize = 128;

#[derive(Default)]
pub(super) struct ClockJob {
    pub(super) calls: u64,
    /// Steps of the chain between two readings; 0 when they follow each other at once.
    pub(super) chain_steps: u64,
    /// The place of the clock of a prepared technique, for the facts that are found out about it.
    pub(super) shown: Option<RefCell<Option<Box<dyn AnyClock>>>>,
}

pub(super) fn proof_of_calls(calls: u64) -> Proof {
    proof_of_number(calls, calls)
}

/// A row of a table: the fields of a technique, and behind the semicolon its [`TimeSource`]. `open` may refuse it; what it `keeps`
/// is at hand in `read` and `number`.
macro_rules! clock {
    (
        $($field:ident: $value:expr),+;
        measures: $measures:ident,
        $(open: $open:expr,)?
        $(keeps: $kept:ident: $kept_type:ty = $opened:expr,)?
        reading: $reading:ty = $empty:expr,
        read: |$place:ident| $read:expr,
        number: |$read_before:ident| $number:expr,
        $(unit_ns: $unit_ns:expr,)?
        $(resolution_ns: $resolution_ns:expr,)?
    ) => {{
        struct Clock {
            $($kept: $kept_type,)?
        }

        #[allow(unused_variables, reason = "of what is kept, a row uses some in one place")]
        impl $crate::clock::time_source::TimeSource for Clock {
            type Reading = $reading;
            const EMPTY: $reading = $empty;
            const MEASURES: $crate::clock::time_source::Measures = $crate::clock::time_source::Measures::$measures;

            fn open() -> std::io::Result<Self> {
                $($open?;)?
                Ok(Self { $($kept: $opened,)? })
            }

            #[inline(always)]
            fn read(&self, $place: &mut $reading) {
                $(let $kept = self.$kept;)?
                $read;
            }

            #[inline(always)]
            fn number(&self, $read_before: &$reading) -> u64 {
                $(let $kept = self.$kept;)?
                $number
            }

            $(fn unit_ns(&self) -> Option<f64> {
                $unit_ns
            })?

            $(fn stated_resolution_ns(&self) -> Option<f64> {
                $resolution_ns
            })?
        }

        Technique { $($field: $value,)+ ..Technique::usual(ClockJob::prepared::<Clock>) }
    }};
}
pub(super) use clock;

impl ClockJob {
    pub(super) fn prepared<C: TimeSource>(&self) -> io::Result<Box<dyn Repeat + '_>> {
        if let Some(place) = &self.shown {
            *place.borrow_mut() = Some(Box::new(C::open()?));
        }
        const { assert!(size_of::<[C::Reading; KEPT]>() <= 24 << 10, "they leave room in the first cache") };
        Ok(Box::new(Reader::<C> {
            clock: C::open()?,
            job: self,
            kept: [C::EMPTY; KEPT],
            end: 0,
            calls: 0,
            backwards: None,
        }))
    }
}

struct Reader<'job, C: TimeSource> {
    clock: C,
    job: &'job ClockJob,
    kept: [C::Reading; KEPT],
    end: usize,
    calls: u64,
    /// The first reading that was smaller than one before it: that one and itself.
    backwards: Option<(u64, u64)>,
}

impl<C: TimeSource> Reader<'_, C> {
    /// Repeats once, in portions of what is kept. Only the ends of a portion are looked at inside the clock.
    fn read_all(&mut self, mut between: impl FnMut()) {
        let (mut left, mut last) = (self.job.calls, None);
        self.calls = 0;
        while left > 0 {
            self.end = left.min(KEPT as u64) as usize;
            let mut made = 0;
            for place in &mut self.kept[..self.end] {
                between();
                self.clock.read(place);
                made += 1;
            }
            self.calls += made;
            black_box(&mut self.kept);
            let (first, end) = (self.number(0), self.number(self.end - 1));
            self.compare(last.unwrap_or(first), first);
            self.compare(first, end);
            last = Some(end);
            left -= self.end as u64;
        }
    }

    fn number(&self, place: usize) -> u64 {
        self.clock.number(&self.kept[place])
    }

    fn compare(&mut self, before: u64, after: u64) {
        use super::time_source::Measures::{ElapsedTime, ProcessTime, ThreadTime};
        if after < before && matches!(C::MEASURES, ElapsedTime | ProcessTime | ThreadTime) {
            self.backwards.get_or_insert((before, after));
        }
    }
}

impl<C: TimeSource> Repeat for Reader<'_, C> {
    fn repeat(&mut self, times: u64) -> io::Result<()> {
        let steps = self.job.chain_steps;
        let mut state = black_box(0x9e37_79b9_7f4a_7c15_u64);
        for _ in 0..times {
            match steps {
                0 => self.read_all(|| ()),
                _ => self.read_all(|| state = advance(state, steps)),
            }
        }
        black_box(state);
        Ok(())
    }

    fn proof(&mut self) -> io::Result<Proof> {
        for place in 1..self.end {
            self.compare(self.number(place - 1), self.number(place));
        }
        match self.backwards {
            None => Ok(proof_of_calls(self.calls)),
            Some((before, after)) => {
                let sentence = format!("the clock went backwards, from {before} to {after}");
                Err(io::Error::new(io::ErrorKind::InvalidData, sentence))
            }
        }
    }
}
