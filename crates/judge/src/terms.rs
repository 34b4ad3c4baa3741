//! The words for what is compared: times are short, amounts are low.

use model::Metric;

/// How a metric is spoken of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Terms {
    /// `is fastest`
    pub(crate) is_best: &'static str,
    /// `was fastest`
    pub(crate) was_best: &'static str,
    /// `the fastest`
    pub(crate) the_best: &'static str,
    /// `as fast`
    pub(crate) as_good: &'static str,
    /// `may be fastest`
    pub(crate) may_be_best: &'static str,
    /// `slower`
    pub(crate) worse: &'static str,
    /// `takes`
    pub(crate) takes: &'static str,
    /// `take`
    pub(crate) take: &'static str,
    /// `took`
    pub(crate) took: &'static str,
    /// `times as long`
    pub(crate) times: &'static str,
    /// `time`
    pub(crate) what: &'static str,
}

const TIME: Terms = Terms {
    is_best: "is fastest",
    was_best: "was fastest",
    the_best: "the fastest",
    as_good: "as fast",
    may_be_best: "may be fastest",
    worse: "slower",
    takes: "takes",
    take: "take",
    took: "took",
    times: "times as long",
    what: "time",
};

const PROCESSOR_TIME: Terms = Terms {
    is_best: "uses the least processor time",
    was_best: "used the least processor time",
    the_best: "the least",
    as_good: "as low",
    may_be_best: "may use the least",
    worse: "higher",
    takes: "uses",
    take: "use",
    took: "used",
    times: "times as much",
    what: "processor time",
};

const USER_TIME: Terms = Terms {
    is_best: "uses the least user time",
    was_best: "used the least user time",
    what: "user time",
    ..PROCESSOR_TIME
};

const SYSTEM_TIME: Terms = Terms {
    is_best: "uses the least system time",
    was_best: "used the least system time",
    what: "system time",
    ..PROCESSOR_TIME
};

const MEMORY: Terms = Terms {
    is_best: "uses the least memory",
    was_best: "used the least memory",
    what: "memory",
    ..PROCESSOR_TIME
};

impl Terms {
    pub(crate) fn of(metric: Metric) -> Self {
        match metric {
            Metric::Work | Metric::Process => TIME,
            Metric::Cpu => PROCESSOR_TIME,
            Metric::User => USER_TIME,
            Metric::System => SYSTEM_TIME,
            Metric::Memory => MEMORY,
        }
    }
}
