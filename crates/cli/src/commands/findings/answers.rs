//! Which findings are decided while they are measured.

use ::findings::{Compared, Finding, KeptRun, Known, Outcome, judge};
use measure::{Answers, Heard};
use model::Record;

/// Judges findings by what a run has found so far.
pub(super) struct Judging<'a> {
    pub(super) all: &'a [Finding],
    pub(super) known: &'a Known,
}

impl Answers for Judging<'_> {
    fn ask(&mut self, record: &Record, questions: &[&str]) -> Vec<Heard> {
        let decided = ::judge::decide(record);
        let runs = [KeptRun { record: record.clone(), decided }];
        let findings = questions.iter().map(|name| self.all.iter().find(|one| one.claim.id == **name));
        findings
            .map(|finding| finding.map_or(Heard::Answered, |finding| heard(finding, &runs, self.known)))
            .collect()
    }
}

fn heard(finding: &Finding, runs: &[KeptRun], known: &Known) -> Heard {
    // The other host is not here: this one has done its part.
    if finding.is_of_hosts() {
        return Heard::Answered;
    }
    let judged = judge(finding, runs, known, None);
    let open: Vec<&Compared> =
        judged.comparisons.iter().filter(|one| one.outcome == Outcome::Undecided).collect();
    match judged.outcome {
        Outcome::Undecided => Heard::Open(judged.further_rounds.or(judged.least_rounds)),
        // Some of its comparisons are yet to be begun: those that were go on.
        Outcome::NotMeasured if !open.is_empty() => {
            Heard::Open(open.iter().filter_map(|one| one.further_rounds.or(one.least_rounds)).max())
        }
        _ => Heard::Answered,
    }
}
