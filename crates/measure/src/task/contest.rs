//! One contest while it is measured: its entries, what the last look said, and who is measured in the next round.

use model::{Class, Design};
use stats::Matrix;
use stats::contest::{Assessment, Rules, assess_with_failed};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Twin {
    pub(crate) entrant: usize,
    pub(crate) original: usize,
    pub(crate) joined_after: u32,
}

pub(crate) struct Contest {
    /// Entrants of the entries, fixed after round 0.
    pub(crate) entries: Vec<usize>,
    rules: Rules,
    pub(crate) assessment: Assessment,
    pub(crate) twin: Option<Twin>,
    /// The candidates are no longer measured: it is decided, at its last look, or its time is over.
    pub(crate) closed: bool,
    /// Outsiders that are measured on because their factor is open and there is time for it.
    pub(crate) kept: Vec<usize>,
    /// A factor is open until both of its ends are within this fraction of it; `None`: until it is above 1.
    precision: Option<f64>,
}

impl Contest {
    pub(crate) fn new(
        entries: Vec<usize>, design: &Design, looks: &[u32], baseline: Option<usize>, precision: Option<f64>,
    ) -> Self {
        let rules = Rules {
            alpha: design.contest_alpha(),
            delta: design.delta,
            looks: looks.to_vec(),
            baseline: baseline.filter(|entrant| entries.contains(entrant)),
        };
        Self {
            entries,
            rules,
            assessment: Assessment::default(),
            twin: None,
            closed: false,
            kept: Vec::new(),
            precision,
        }
    }

    /// Looks at all rounds so far. `failed` are the entrants that are out for good.
    pub(crate) fn look(&mut self, matrix: &Matrix, failed: &[usize]) {
        self.assessment = assess_with_failed(matrix, &self.entries, failed, &self.rules);
        self.closed |= self.assessment.decided || self.assessment.look == self.rules.looks.last().copied();
        // One that is left alone is compared with nothing any more.
        let assessment = &self.assessment;
        let unsettled = assessment.candidates.iter().filter(|entrant| !assessment.settled.contains(entrant));
        let rows = unsettled.filter_map(|&entrant| assessment.row(entrant));
        self.closed |= assessment.look.is_some() && rows.filter(|row| row.left_after.is_none()).count() < 2;
        self.kept = match self.precision {
            None => self.assessment.open_outsiders(),
            Some(precision) => self.assessment.wide_outsiders(precision),
        };
    }

    pub(crate) fn is_over(&self) -> bool {
        self.closed && self.kept.is_empty()
    }

    pub(crate) fn end(&mut self) {
        self.closed = true;
        self.kept.clear();
    }

    /// Returns whether a limit is asked for that a few rounds may reach. A twin says nothing before eight rounds of its own.
    pub(crate) fn is_coarse(&self) -> bool {
        self.rules.is_coarse()
    }

    pub(crate) fn is_baseline(&self, entrant: usize) -> bool {
        self.rules.baseline == Some(entrant)
    }

    /// Returns the entrants that are measured as long as the candidates are.
    pub(crate) fn candidates(&self) -> Vec<usize> {
        if self.closed {
            return Vec::new();
        }
        let candidates = &self.assessment.candidates;
        let mut entrants = if candidates.is_empty() { self.entries.clone() } else { candidates.clone() };
        entrants.retain(|entrant| !self.assessment.settled.contains(entrant));
        if let Some(twin) = self.twin {
            entrants.extend([twin.entrant, twin.original]);
            entrants.sort_unstable();
            entrants.dedup();
        }
        entrants
    }

    /// Returns the outsiders that are meant, and the leader where they are measured with nobody else.
    pub(crate) fn outsiders(&self, is_meant: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut entrants: Vec<usize> = self.kept.iter().copied().filter(|&one| is_meant(one)).collect();
        if self.closed && !entrants.is_empty() {
            entrants.extend(self.assessment.leader);
        }
        entrants
    }

    pub(crate) fn drop_outsiders(&mut self, is_meant: fn(&Self, usize) -> bool) {
        let mut kept = std::mem::take(&mut self.kept);
        kept.retain(|&entrant| !is_meant(self, entrant));
        self.kept = kept;
    }
}

/// The class of an entry decides with which others it competes; fewer than two are no contest.
pub(crate) fn by_class(entries: &[usize], class_of: impl Fn(usize) -> Class) -> Vec<Vec<usize>> {
    Class::ALL
        .into_iter()
        .map(|class| entries.iter().copied().filter(|&one| class_of(one) == class).collect::<Vec<_>>())
        .filter(|group| group.len() >= 2)
        .collect()
}
