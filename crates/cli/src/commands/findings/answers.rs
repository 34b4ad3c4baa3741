//! Which findings are decided while they are measured.

use ::findings::{Finding, KeptRun, Known, Outcome, Part, judge};
use measure::{Answers, Heard};
use model::Record;

use crate::catalogue::catalogue;

/// Judges findings by what a run has found so far.
pub(super) struct Judging<'a> {
    pub(super) all: &'a [Finding],
    pub(super) known: &'a Known,
}

impl Answers for Judging<'_> {
    fn ask(&mut self, record: &Record, questions: &[&str]) -> Vec<Heard> {
        let decided = ::judge::decide(record, &catalogue());
        let runs = [KeptRun { record: record.clone(), decided }];
        let heard = |name: &&str| {
            let finding = self.all.iter().find(|finding| finding.claim.id == **name);
            finding.map_or(Heard::Answered, |finding| heard(finding, &runs, self.known))
        };
        questions.iter().map(heard).collect()
    }
}

fn heard(finding: &Finding, runs: &[KeptRun], known: &Known) -> Heard {
    // The other host is not here: this one has done its part.
    if finding.parts.iter().any(|part| matches!(part, Part::Hosts(_))) {
        return Heard::Answered;
    }
    let judged = judge(finding, runs, known);
    match judged.outcome {
        Outcome::Undecided => Heard::Open(judged.further_rounds),
        _ => Heard::Answered,
    }
}
