//! What is said of findings in sentences.

use crate::effect::Outcome;
use crate::verdict::{Compared, Judged};

/// The answer over all findings.
pub fn answer(all: &[Judged]) -> String {
    let count = |outcome: Outcome| all.iter().filter(|judged| judged.outcome == outcome).count();
    let tested = all.iter().filter(|judged| judged.is_measured()).count();
    let total = all.len();
    let (not_measured, not_testable) = (count(Outcome::NotMeasured), count(Outcome::NotTestable));
    let mut parts = Vec::new();
    let mut add = |number: usize, one: &str, more: &str| match number {
        0 => {}
        1 => parts.push(format!("1 {one}")),
        _ => parts.push(format!("{number} {more}")),
    };
    add(count(Outcome::Holds), "holds", "hold");
    add(count(Outcome::Reversed), "is reversed", "are reversed");
    add(count(Outcome::NoDifference), "shows no difference", "show no difference");
    add(count(Outcome::Undecided), "is undecided", "are undecided");
    let found = if parts.is_empty() { String::new() } else { format!(": {}", listed(&parts)) };
    let mut sentence = format!("{tested} of {total} published findings were tested here{found}.");
    let were = |number: usize| if number == 1 { "was" } else { "were" };
    if not_testable > 0 {
        sentence += &format!(" {not_testable} cannot be tested here.");
    }
    if not_measured > 0 {
        // A run that has their family did not do: the reasons say why.
        let all_have_runs =
            all.iter().filter(|one| one.outcome == Outcome::NotMeasured).all(|one| one.has_run);
        let rest = match all_have_runs {
            true => "; the reasons stand below.",
            false => ": 'bakeoff findings --measure' does that.",
        };
        sentence += &format!(" {not_measured} {} not measured{rest}", were(not_measured));
    }
    sentence
}

fn listed(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

impl Judged {
    /// The comparison that decided: the first with the same outcome, else the first that was seen.
    pub fn deciding(&self) -> Option<&Compared> {
        let same = self.comparisons.iter().find(|one| one.outcome == self.outcome && one.effect.is_some());
        same.or_else(|| self.comparisons.iter().find(|one| one.effect.is_some())).or(self.comparisons.first())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::read_all;
    use crate::judged::{Known, judge};

    fn with(outcomes: &[Outcome]) -> Vec<Judged> {
        let findings = read_all().expect("findings");
        let one = judge(&findings[0], &[], &Known::new(), None);
        outcomes.iter().map(|&outcome| Judged { outcome, ..one.clone() }).collect()
    }

    #[test]
    fn the_answer_counts_what_was_found() {
        use Outcome::{Holds, NoDifference, NotMeasured, NotTestable, Reversed, Undecided};
        let all = [Holds, Holds, Reversed, NoDifference, Undecided, Undecided, NotTestable, NotMeasured];
        assert_eq!(
            answer(&with(&all)),
            "6 of 8 published findings were tested here: 2 hold, 1 is reversed, 1 shows no difference and 2 are \
             undecided. 1 cannot be tested here. 1 was not measured: 'bakeoff findings --measure' does that."
        );
        assert_eq!(
            answer(&with(&[NotTestable])),
            "0 of 1 published findings were tested here. 1 cannot be tested here."
        );
    }

    #[test]
    fn what_a_run_of_its_family_did_not_measure_is_not_to_be_measured_again_without_a_reason() {
        let mut all = with(&[Outcome::NotMeasured, Outcome::NotMeasured]);
        all[0].has_run = true;
        assert!(answer(&all).ends_with("2 were not measured: 'bakeoff findings --measure' does that."));
        all[1].has_run = true;
        assert!(answer(&all).ends_with("2 were not measured; the reasons stand below."));
    }

    #[test]
    fn a_family_that_is_not_in_this_version_is_told() {
        let judged = &with(&[Outcome::NotTestable])[0];
        assert_eq!(judged.reason.as_deref(), Some("the family copy is not in this version"));
    }
}
