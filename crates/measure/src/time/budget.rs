//! The time of a run, from its start to its answer.

use model::{Failure, Shortfall, format_long_ns};

use crate::time::OVERRUN;

#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget {
    now_ns: fn() -> u64,
    start_ns: u64,
    total_ns: f64,
    pub(crate) stretches: bool,
    /// About the budget that all entries need; `None` before round 0 is over, or where nothing is known of a skipped one.
    pub(crate) needed_ns: Option<f64>,
}

impl Budget {
    pub(crate) fn new(now_ns: fn() -> u64, start_ns: u64, total_ns: u64, stretches: bool) -> Self {
        Self { now_ns, start_ns, total_ns: total_ns as f64, stretches, needed_ns: None }
    }

    pub(crate) fn now_ns(&self) -> u64 {
        (self.now_ns)()
    }

    pub(crate) fn total_ns(&self) -> f64 {
        self.total_ns
    }

    pub(crate) fn elapsed_ns(&self) -> f64 {
        self.now_ns().saturating_sub(self.start_ns) as f64
    }

    /// Returns what is left for rounds; judging, printing and tidying up come after them.
    pub(crate) fn left_ns(&self) -> f64 {
        let last_words_ns = (0.02 * self.total_ns).clamp(50e6, 1e9);
        self.total_ns - last_words_ns - self.elapsed_ns()
    }

    pub(crate) fn pays_for(&self, cost_ns: f64) -> bool {
        cost_ns <= self.left_ns() + OVERRUN * self.total_ns
    }

    /// Returns the row of an entry that is skipped for time. All rows of a run name the same budget.
    pub(crate) fn skipped(&self) -> Failure {
        let shortfall = Shortfall {
            budget_ns: Some(self.total_ns as u64),
            needed_ns: self.needed_ns.map(|needed_ns| needed_ns.max(1.1 * self.total_ns) as u64),
        };
        let more = match shortfall.advised_budget() {
            Some(advised) => format!("--budget {advised} measures all"),
            None => "give a larger --budget".to_owned(),
        };
        let budget = format_long_ns(self.total_ns as u64);
        Failure::skipped(format!("beyond the {budget} of the budget; {more}"), shortfall)
    }

    pub(crate) fn stretch(&mut self, left_ns: f64) {
        self.total_ns += (left_ns - self.left_ns()).max(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skipped_entry_names_a_larger_budget() {
        let mut budget = Budget::new(|| 0, 0, 10_000_000_000, false);
        let cases = [
            (None, "give a larger --budget"),
            (Some(1e9), "--budget 11s measures all"),
            (Some(84.2e9), "--budget 85s measures all"),
        ];
        for (needed_ns, more) in cases {
            budget.needed_ns = needed_ns;
            assert_eq!(budget.skipped().reason, format!("beyond the 10 s of the budget; {more}"));
        }
    }

    #[test]
    fn a_round_may_end_a_twentieth_after_the_budget_and_not_later() {
        let budget = Budget::new(|| 0, 0, 10_000_000_000, false);
        assert!(budget.pays_for(10.2e9));
        assert!(!budget.pays_for(10.6e9));
    }
}
