//! The time of a run.

use crate::time::OVERRUN;

/// The time of a run, from its start to its answer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    now_ns: fn() -> u64,
    start_ns: u64,
    total_ns: f64,
    /// Whether it gives way to what a short contest of all entries needs.
    pub(crate) stretches: bool,
}

impl Budget {
    /// Counts from `start_ns` on the clock `now_ns`.
    pub(crate) fn new(now_ns: fn() -> u64, start_ns: u64, total_ns: u64, stretches: bool) -> Self {
        Self { now_ns, start_ns, total_ns: total_ns as f64, stretches }
    }

    /// What the clock of the budget shows.
    pub(crate) fn now_ns(&self) -> u64 {
        (self.now_ns)()
    }

    pub(crate) fn total_ns(&self) -> f64 {
        self.total_ns
    }

    pub(crate) fn elapsed_ns(&self) -> f64 {
        self.now_ns().saturating_sub(self.start_ns) as f64
    }

    /// What is left for rounds; judging, printing and tidying up come after them.
    pub(crate) fn left_ns(&self) -> f64 {
        let last_words_ns = (0.02 * self.total_ns).clamp(50e6, 1e9);
        self.total_ns - last_words_ns - self.elapsed_ns()
    }

    pub(crate) fn pays_for(&self, cost_ns: f64) -> bool {
        cost_ns <= self.left_ns() + OVERRUN * self.total_ns
    }

    pub(crate) fn stretch(&mut self, left_ns: f64) {
        self.total_ns += (left_ns - self.left_ns()).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_may_end_a_twentieth_after_the_budget_and_not_later() {
        let budget = Budget::new(|| 0, 0, 10_000_000_000, false);
        assert!(budget.pays_for(10.2e9));
        assert!(!budget.pays_for(10.6e9));
    }
}
