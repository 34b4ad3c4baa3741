//! One contest while it is measured: its entries, what the last look said, and who is measured in the next round.

use model::{Class, Design};
use stats::Matrix;
use stats::contest::{Assessment, COARSE_DELTA, Rules, ahead, assess_with_failed};

/// A leader that was entered a second time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Twin {
    pub(crate) entrant: usize,
    pub(crate) original: usize,
    /// Counted rounds before it joined.
    pub(crate) joined_after: u32,
}

/// The entries of one class of a task.
pub(crate) struct Contest {
    /// Entrants of the entries, fixed after round 0.
    pub(crate) entries: Vec<usize>,
    rules: Rules,
    pub(crate) assessment: Assessment,
    pub(crate) twin: Option<Twin>,
    /// The candidates are no longer measured: it is decided, at its last look, or its time is over.
    pub(crate) closed: bool,
    /// Entrants that are measured all the same, because their factor is open, or because it is asked where they change
    /// places with another one, and there is time for it.
    pub(crate) kept: Vec<usize>,
    /// Pairs of which it is asked where they change places, as far as it is open here which of the two is ahead.
    open_pairs: Vec<(usize, usize)>,
    /// Whether there is time for these pairs and for the plain way, whatever becomes of other outsiders.
    pub(crate) asked_for_is_paid: bool,
}

/// The technique of an entry: that of which it is a value or a variant.
pub(crate) type Techniques<'a> = &'a dyn Fn(usize) -> &'a str;

impl Contest {
    pub(crate) fn new(entries: Vec<usize>, design: &Design, looks: &[u32], baseline: Option<usize>) -> Self {
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
            open_pairs: Vec::new(),
            asked_for_is_paid: false,
        }
    }

    /// Adds the pairs of which it is asked where they change places.
    pub(crate) fn with_pairs(mut self, pairs: &[(usize, usize)]) -> Self {
        let takes_part = |entrant| self.entries.contains(entrant);
        let pairs = pairs.iter().filter(|(one, other)| takes_part(one) && takes_part(other));
        self.open_pairs = pairs.copied().collect();
        self
    }

    /// Looks at all rounds so far. `failed` are the entrants that are out for good.
    pub(crate) fn look(&mut self, matrix: &Matrix, failed: &[usize]) {
        self.assessment = assess_with_failed(matrix, &self.entries, failed, &self.rules);
        self.closed |= self.assessment.decided || self.assessment.look == self.rules.looks.last().copied();
        // One that is left alone is compared with nothing any more.
        let assessment = &self.assessment;
        let has_left = |entrant: usize| assessment.row(entrant).is_none_or(|row| row.left_after.is_some());
        let goes_on = |&&entrant: &&usize| !assessment.settled.contains(&entrant) && !has_left(entrant);
        self.closed |= assessment.look.is_some() && assessment.candidates.iter().filter(goes_on).count() < 2;
        self.kept = self.assessment.open_outsiders();
        self.keep_open_pairs(matrix, failed);
    }

    /// Who is ahead in a pair may be open when both are known to be slower than a third.
    fn keep_open_pairs(&mut self, matrix: &Matrix, failed: &[usize]) {
        let (looks, alpha, assessment) = (&self.rules.looks, self.rules.alpha, &self.assessment);
        let is_in = |entrant: &usize| {
            assessment.row(*entrant).is_some_and(|row| row.left_after.is_none()) && !failed.contains(entrant)
        };
        self.open_pairs.retain(|(one, other)| {
            is_in(one) && is_in(other) && ahead(matrix, looks, *one, *other, alpha).is_none()
        });
        for entrant in self.open_pairs.iter().flat_map(|&(one, other)| [one, other]) {
            let is_candidate =
                assessment.candidates.contains(&entrant) && !assessment.settled.contains(&entrant);
            let is_measured = !self.closed && is_candidate;
            if !is_measured && !self.kept.contains(&entrant) {
                self.kept.push(entrant);
            }
        }
    }

    fn is_of_open_pair(&self, entrant: usize) -> bool {
        self.open_pairs.iter().any(|&(one, other)| one == entrant || other == entrant)
    }

    /// Whether it is asked how far this one is from another, though neither may be fastest: the plain way, and an entry of
    /// an open pair.
    pub(crate) fn is_asked_for(&self, entrant: usize) -> bool {
        self.is_baseline(entrant) || self.is_of_open_pair(entrant)
    }

    /// What is asked for and not measured as a candidate, and whom it is compared with where the contest is closed.
    pub(crate) fn asked_for(&self) -> Vec<usize> {
        let mut entrants: Vec<usize> =
            self.kept.iter().copied().filter(|&entrant| self.is_asked_for(entrant)).collect();
        let leader = self.assessment.leader.filter(|_| self.closed && !entrants.is_empty());
        entrants.extend(leader.filter(|leader| !entrants.contains(leader)));
        entrants
    }

    /// The time ends for outsiders but for what is asked for and was paid before.
    pub(crate) fn keep_what_is_paid(&mut self) {
        let paid = if self.asked_for_is_paid { self.asked_for() } else { Vec::new() };
        self.kept.retain(|entrant| paid.contains(entrant));
    }

    /// Whether it has an answer that is good enough for now: choosing its leader is known to cost little, and most entries
    /// are known not to be fastest.
    pub(crate) fn is_fine(&self) -> bool {
        let is_small = |at_most: f64| at_most <= COARSE_DELTA.ln_1p();
        let are_few = self.assessment.candidates.len() <= (self.entries.len() / 3).max(2);
        are_few && self.assessment.at_most.is_some_and(is_small)
    }

    /// Nothing of it is measured any more.
    pub(crate) fn is_over(&self) -> bool {
        self.closed && self.kept.is_empty()
    }

    /// Ends it: what it has is its answer.
    pub(crate) fn end(&mut self) {
        self.closed = true;
        self.kept.clear();
    }

    /// Ends what is asked about its candidates. What is asked for and paid goes on.
    pub(crate) fn close(&mut self) {
        self.closed = true;
        self.keep_what_is_paid();
        // Those that were measured as candidates so far.
        for entrant in self.open_pairs.iter().flat_map(|&(one, other)| [one, other]) {
            if self.asked_for_is_paid && !self.kept.contains(&entrant) {
                self.kept.push(entrant);
            }
        }
    }

    /// Whether a limit is asked for that a few rounds may reach. A twin tells nothing before eight rounds of its own.
    pub(crate) fn is_coarse(&self) -> bool {
        self.rules.delta >= COARSE_DELTA
    }

    fn is_baseline(&self, entrant: usize) -> bool {
        self.rules.baseline == Some(entrant)
    }

    /// The entrants that are measured as long as the candidates are.
    pub(crate) fn candidates(&self) -> Vec<usize> {
        if self.closed {
            return Vec::new();
        }
        let mut entrants = match self.assessment.candidates.is_empty() {
            true => self.entries.clone(),
            false => self.assessment.candidates.clone(),
        };
        entrants.retain(|entrant| !self.assessment.settled.contains(entrant));
        if let Some(twin) = self.twin {
            entrants.extend([twin.entrant, twin.original]);
            entrants.sort_unstable();
            entrants.dedup();
        }
        entrants
    }

    /// The outsiders that are measured, with the leader to compare them with where its contest is closed.
    pub(crate) fn outsiders(&self) -> Vec<usize> {
        let mut entrants = self.kept.clone();
        if self.closed && !entrants.is_empty() {
            entrants.extend(self.assessment.leader);
        }
        entrants
    }

    /// Whether all candidates are one technique with different values of its parameter, or variants of it.
    pub(crate) fn is_one_technique(&self, technique: Techniques<'_>) -> bool {
        let mut techniques = self.assessment.candidates.iter().map(|&entrant| technique(entrant));
        let first = techniques.next();
        first.is_some_and(|first| techniques.all(|other| other == first))
    }
}

/// The class of an entry decides with which others it competes; fewer than two are no contest.
pub(crate) fn by_class(entries: &[usize], class_of: impl Fn(usize) -> Class) -> Vec<Vec<usize>> {
    let of = |class: Class| entries.iter().copied().filter(|&entrant| class_of(entrant) == class).collect();
    Class::ALL.into_iter().map(of).filter(|group: &Vec<usize>| group.len() >= 2).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use model::Kind;

    use super::*;
    use crate::plan::planned::{Estimate, Participant};

    pub(crate) fn participant(name: &str, variant_of: Option<&str>) -> Participant {
        Participant {
            name: name.to_owned(),
            aliases: Vec::new(),
            kind: Kind::BuiltIn,
            twin_of: None,
            variant_of: variant_of.map(str::to_owned),
            class: Class::MovesBytes,
            contender: None,
            estimate: Estimate::default(),
            is_named: false,
        }
    }

    #[test]
    fn candidates_that_are_values_or_variants_of_one_technique_are_one_technique() {
        let all = [
            participant("presized@128K", None),
            participant("presized@1M", None),
            participant("presized_splice", Some("presized")),
            participant("read_write@1M", None),
            Participant { kind: Kind::Contender, ..participant("zstd@level=1", None) },
            Participant { kind: Kind::Contender, ..participant("zstd@level=3", None) },
            Participant { kind: Kind::Contender, ..participant("ssh me@host", None) },
            Participant { kind: Kind::Contender, ..participant("ssh me@other", None) },
        ];
        let is_one = |candidates: &[usize]| {
            let mut contest = Contest::new(vec![0, 1, 2, 3], &Design::usual(Vec::new()), &[8], None);
            contest.assessment.candidates = candidates.to_vec();
            contest.is_one_technique(&|entrant: usize| all[entrant].technique())
        };
        assert!(is_one(&[0, 1]) && is_one(&[0, 2]) && is_one(&[2]));
        assert!(!is_one(&[0, 3]) && !is_one(&[2, 3]));
        assert!(is_one(&[4, 5]) && !is_one(&[6, 7]));
    }
}
