//! From a field to its answer: which state it is in, and the sentence that says so.

use stats::contest::Length;
use stats::median;

use crate::contest::Description;
use crate::contest::field::{Field, LEAST_ROUNDS};
use crate::contest::groups::{Choice, Technique};
use crate::contest::ranking::State;
use crate::contest::refusal::{only_one, refusal};
use crate::words::advice::{advice, reference_sentence};
use crate::words::further::further;
use crate::words::terms::{Number, Terms};
use crate::words::wording::{at_most, confidence, names, percent, range, rounds, value};

/// So many techniques are named one by one.
const FEW: usize = 4;
/// So many of a longer list are named.
const NAMED: usize = 2;

/// The answer of a contest.
pub(crate) struct Answer {
    pub(crate) state: State,
    pub(crate) sentence: String,
    pub(crate) advice: Option<String>,
    pub(crate) reference_sentence: Option<String>,
    pub(crate) further: Option<String>,
    /// The chance that all of it holds; `None` where nothing was tested.
    pub(crate) confidence: Option<f64>,
}

pub(crate) fn answer(field: &Field<'_>, all: &[Technique]) -> Answer {
    let plain = |state, sentence| Answer {
        state,
        sentence,
        advice: None,
        reference_sentence: None,
        further: None,
        confidence: None,
    };
    if let Some(reason) = refusal(field) {
        return plain(State::Refused, reason);
    }
    if let Some(sentence) = only_one(field) {
        return plain(State::OnlyOne, sentence);
    }
    let Some(view) = View::new(field, all) else {
        return plain(State::Refused, "Refused: no technique took part.".to_owned());
    };
    let state = view.state();
    Answer {
        state,
        sentence: view.sentence(state),
        advice: advice(&view, state),
        reference_sentence: reference_sentence(&view, state),
        further: further(&view, state),
        confidence: (state != State::TooFewRounds).then(|| field.rules.confidence()),
    }
}

/// What sentences are made of.
pub(crate) struct View<'a> {
    pub(crate) field: &'a Field<'a>,
    pub(crate) terms: Terms,
    /// The leading entry.
    pub(crate) leader: usize,
    /// Entries that may be fastest.
    pub(crate) candidates: Vec<usize>,
    /// All techniques, the leader's first.
    pub(crate) all: &'a [Technique],
    /// ` over this run` where a ratio moved.
    over_this_run: &'static str,
}

impl<'a> View<'a> {
    fn new(field: &'a Field<'a>, all: &'a [Technique]) -> Option<Self> {
        Some(Self {
            field,
            terms: Terms::of(&field.contest.quantity),
            leader: field.assessment.leader?,
            candidates: field.candidates(),
            all,
            over_this_run: if field.moved.is_empty() { "" } else { " over this run" },
        })
    }

    pub(crate) fn state(&self) -> State {
        let field = self.field;
        if field.assessment.look.is_none_or(|look| look < LEAST_ROUNDS) {
            State::TooFewRounds
        } else if field.rules.length() == Length::VeryShort {
            State::VeryShort
        } else if self.candidates.len() == 1 {
            // Other values of the leader's own technique are not what it is compared with.
            let open = self.outsiders().iter().any(|technique| technique.low() <= 0.0);
            if open { State::LeadOpen } else { State::Fastest }
        } else if self.are_alike() {
            State::Alike
        } else if self.rivals().is_empty() {
            State::OneTechnique
        } else if field.at_most().is_none() {
            State::NoLimit
        } else if self.rivals().len() < FEW {
            State::Few
        } else {
            State::Many
        }
    }

    /// Whether no entry is slower than the fastest by more than the margin.
    fn are_alike(&self) -> bool {
        let margin = self.field.contest.delta.ln_1p();
        let members = || self.all.iter().flat_map(|technique| &technique.members);
        members().all(|member| member.high <= margin) && self.field.moved.iter().all(|moved| !moved.withdrawn)
    }

    /// The technique of the leader.
    pub(crate) fn own(&self) -> &'a Technique {
        &self.all[0]
    }

    /// Other techniques that may be fastest.
    pub(crate) fn rivals(&self) -> Vec<&'a Technique> {
        self.all[1..].iter().filter(|technique| technique.is_candidate()).collect()
    }

    /// Techniques that are not the fastest; where there is one technique only, its other values.
    pub(crate) fn outsiders(&self) -> Vec<&'a Technique> {
        self.all[1..].iter().filter(|technique| !technique.is_candidate()).collect()
    }

    pub(crate) fn name(&self, entry: usize) -> &'a str {
        self.field.name(entry)
    }

    /// What the family says of a technique.
    pub(crate) fn description(&self, technique: &str) -> Option<&'a Description> {
        let key = (self.field.contest.family.clone(), technique.to_owned());
        self.field.contest.catalogue.get(&key)
    }

    pub(crate) fn choice(&self, technique: &Technique) -> Option<Choice> {
        technique.choice(self.description(&technique.name).map_or(&[], |known| &known.parameters))
    }

    /// The leader's technique with its entries that may be fastest: `read_write is fastest, with a buffer of 256K`.
    fn own_is_best(&self) -> String {
        let (own, best) = (self.own(), &self.terms.is_best);
        let run = self.over_this_run;
        match self.choice(own) {
            Some(choice) => format!("{} {best}{run}, {}", own.name, choice.behind_a_verb()),
            None => format!("{} {best}{run}", own.name),
        }
    }

    pub(crate) fn sure(&self) -> String {
        confidence(self.field.rules.confidence())
    }

    pub(crate) fn sentence(&self, state: State) -> String {
        let sentence = match state {
            State::Fastest => self.fastest(),
            State::LeadOpen => self.lead_open(),
            State::OneTechnique => self.one_technique(),
            State::Few => self.few(),
            State::Many => self.many(),
            State::Alike => self.alike(),
            State::NoLimit => self.no_limit(),
            State::VeryShort => self.very_short(),
            _ => self.too_few_rounds(),
        };
        sentence + &self.left_out()
    }

    fn fastest(&self) -> String {
        let (best, sure) = (self.own_is_best(), self.sure());
        match self.rest().or_else(|| self.other_values()) {
            Some(rest) => format!("{best}: {rest} ({sure})."),
            None => format!("{best} ({sure})."),
        }
    }

    /// What is known of the techniques that are not the fastest: `every other technique takes at least ...`.
    pub(crate) fn rest(&self) -> Option<String> {
        let outsiders = self.outsiders();
        let (clear, open): (Vec<&Technique>, Vec<&Technique>) =
            outsiders.iter().copied().partition(|technique| technique.low() > 0.0);
        let by = |who: &str, number: Number| self.clearly_worse(&clear, who, number);
        Some(match (clear.as_slice(), open.as_slice()) {
            ([], []) => return None,
            ([one], []) => by(&one.name, Number::One),
            (_, []) => by("every other technique", Number::One),
            ([], [one]) => format!("{} is behind", one.name),
            ([], _) => "every other technique is behind".to_owned(),
            (clear, open) => {
                let are = if open.len() == 1 { "is" } else { "are" };
                let some = format!("{} of the others", clear.len());
                format!("{}; {} more {are} behind", by(&some, Number::of(clear.len())), open.len())
            }
        })
    }

    /// What is known of techniques that are shown not to be the best.
    fn clearly_worse(&self, clear: &[&Technique], who: &str, number: Number) -> String {
        let least = clear.iter().map(|technique| technique.low()).fold(f64::INFINITY, f64::min).exp();
        let is = if number == Number::One { "is" } else { "are" };
        if least.is_infinite() {
            let typical = clear.iter().flat_map(|technique| &technique.members);
            let several = if clear.len() == 1 { Number::One } else { Number::Several };
            let typical = self.least_typical(typical.map(|member| member.entry));
            return Terms::none_against(who, several, &typical);
        }
        match Terms::least(least) {
            Some(bound) => self.terms.beside(who, number, &bound),
            None => format!("{who} {is} {}", self.terms.worse),
        }
    }

    /// The smallest of the typical values of some entries, with its unit.
    pub(crate) fn least_typical(&self, entries: impl Iterator<Item = usize>) -> String {
        let typical = entries.filter_map(|entry| median(&self.field.values(entry)));
        value(typical.fold(f64::INFINITY, f64::min), self.field.contest.unit)
    }

    /// Where one technique competes with itself: what is known of its other values.
    fn other_values(&self) -> Option<String> {
        let others: Vec<f64> =
            self.own().members.iter().filter(|member| !member.candidate).map(|member| member.low).collect();
        let least = others.iter().copied().fold(f64::INFINITY, f64::min);
        match (others.len(), Terms::least(least.exp()).filter(|_| least > 0.0 && least.is_finite())) {
            (0, _) => None,
            (_, Some(bound)) => Some(self.terms.beside("every other value", Number::One, &bound)),
            (_, None) => Some("every other value is behind".to_owned()),
        }
    }

    fn lead_open(&self) -> String {
        let (best, sure) = (self.own_is_best(), self.sure());
        let next = self.outsiders().into_iter().find(|technique| technique.low() <= 0.0);
        match next.map(|next| (next.name.as_str(), next.high())) {
            Some((next, high)) if high.is_finite() => {
                let bound = format!("up to {}", at_most(high.exp()));
                let next = self.terms.beside(&format!("the next, {next},"), Number::One, &bound);
                format!("{best}; by how much is open: {next} ({sure}).")
            }
            Some((next, _)) => format!("{best}; by how much is open: the next, {next}, is behind ({sure})."),
            None => format!("{best} ({sure})."),
        }
    }

    fn one_technique(&self) -> String {
        let (best, sure, leader) = (self.own_is_best(), self.sure(), self.name(self.leader));
        let rest =
            self.rest().or_else(|| self.other_values()).map_or(String::new(), |rest| format!(": {rest}"));
        let among = match self.field.at_most().map(f64::exp_m1) {
            Some(cost) => self.terms.costs_at_most(leader, cost),
            None => format!("{leader} leads, without a limit yet"),
        };
        format!("{best}{rest}. Among these, {among} ({sure}).")
    }

    /// `is fastest, or within 7 % of the fastest`.
    fn leads_within(&self, cost: f64) -> String {
        format!("{}{}, or {}", self.terms.is_best, self.over_this_run, self.terms.within(cost))
    }

    fn few(&self) -> String {
        let (leader, sure) = (self.name(self.leader), self.sure());
        let within = self.leads_within(self.field.at_most().map_or(0.0, f64::exp_m1));
        let mut like = Vec::new();
        let others =
            |member: &crate::contest::groups::Member| member.candidate && member.entry != self.leader;
        if self.own().members.iter().any(others) {
            like.push(self.own().label(others));
        }
        like.extend(self.rivals().iter().map(|rival| rival.label(|member| member.candidate)));
        let like = names(&like.iter().map(String::as_str).collect::<Vec<_>>());
        let first = format!("{leader} {within}; {like} cannot be told from it");
        match self.rest() {
            Some(rest) => format!("{first}. {} ({sure}).", sentence_case(&rest)),
            None => format!("{first} ({sure})."),
        }
    }

    fn many(&self) -> String {
        let (leader, sure) = (self.name(self.leader), self.sure());
        let within = self.leads_within(self.field.at_most().map_or(0.0, f64::exp_m1));
        let rivals = self.rivals();
        let named: Vec<&str> = rivals.iter().take(NAMED).map(|rival| rival.name.as_str()).collect();
        let (some, more) = (named.join(", "), rivals.len() - named.len());
        let (others, as_good, worse) = (self.all.len() - 1, self.terms.as_good, self.terms.worse);
        let clear = self.outsiders().iter().filter(|technique| technique.low() > 0.0).count();
        let behind = self.outsiders().len() - clear;
        let rest = match (clear, behind) {
            (0, 0) => String::new(),
            (1, 0) => format!(" The other is {worse}"),
            (0, 1) => " The other is behind".to_owned(),
            (_, 0) => format!(" The rest are {worse}"),
            (0, _) => " The rest are behind".to_owned(),
            _ => format!(" Of the rest, {clear} {} {worse} and {behind} behind", are(clear)),
        };
        let how_many = if rivals.len() == others {
            format!("all {others} others")
        } else {
            format!("{} of the {others} others", rivals.len())
        };
        let first = format!("{leader} {within}; {how_many} may be {as_good}: {some} and {more} more");
        if rest.is_empty() { format!("{first} ({sure}).") } else { format!("{first}.{rest} ({sure}).") }
    }

    fn alike(&self) -> String {
        let (margin, sure) = (percent(self.field.contest.delta), self.sure());
        let single = self.all.len() == 1;
        let count = if single { self.own().members.len() } else { self.all.len() };
        let what = if single { "values" } else { "techniques" };
        let all = if count == 2 { format!("both {what}") } else { format!("all {count} {what}") };
        let best = self.terms.the_best;
        format!("No difference above {margin}: {all} are within {margin} of {best} ({sure}).")
    }

    fn no_limit(&self) -> String {
        let (leader, sure) = (self.name(self.leader), self.sure());
        let Terms { worse, may_be_best, .. } = &self.terms;
        let (all, maybe) = (self.all.len(), self.rivals().len() + 1);
        let counted = rounds(self.field.judged_rounds());
        let standing = match all - maybe {
            0 => format!("all {all} techniques {may_be_best}"),
            out => format!("{out} of {all} techniques {} {worse} or behind, {maybe} {may_be_best}", are(out)),
        };
        let run = self.over_this_run;
        format!(
            "{leader} leads{run}; {standing}. No limit yet to what choosing {leader} can cost ({sure}, {counted})."
        )
    }

    fn very_short(&self) -> String {
        let (leader, sure) = (self.name(self.leader), self.sure());
        let counted = rounds(self.field.judged_rounds());
        let (maybe, out) = (self.rivals().len(), self.outsiders().len());
        let as_good = self.terms.as_good;
        let standing = match (maybe, out) {
            (0, 0) => self.values_that_may_be_best(),
            (0, 1) => "the other is behind".to_owned(),
            (0, out) => format!("all {out} others are behind"),
            (1, 0) => format!("the other may be {as_good}"),
            (maybe, 0) => format!("all {maybe} others may be {as_good}"),
            (1, out) => format!("1 other may be {as_good}, {out} {} behind", are(out)),
            (maybe, out) => format!("{maybe} others may be {as_good}, {out} {} behind", are(out)),
        };
        format!("{leader} leads after {counted}; {standing} ({sure}).")
    }

    /// Where one technique competes with itself.
    fn values_that_may_be_best(&self) -> String {
        let all = self.own().members.len() - 1;
        let maybe = self.candidates.len() - 1;
        format!("{maybe} of {all} other values may be {}", self.terms.as_good)
    }

    fn too_few_rounds(&self) -> String {
        let leader = self.name(self.leader);
        let (was, recorded) = (&self.terms.was_best, self.field.assessment.rounds + 1);
        let when = match recorded {
            1 => "in the only round".to_owned(),
            2 => "in both rounds together".to_owned(),
            more => format!("in {} together", rounds(more)),
        };
        format!("{leader} {was} {when}; measure longer to know.")
    }

    /// What is known of those that the budget did not pay for.
    fn left_out(&self) -> String {
        let out = &self.field.left_out;
        if out.is_empty() {
            return String::new();
        }
        let matrix = &self.field.matrix;
        let best = self.field.entries.iter().filter_map(|&entry| matrix.value(entry, 0));
        let best = best.fold(f64::INFINITY, f64::min);
        let mut factors: Vec<f64> =
            out.iter().filter_map(|&entry| Some(matrix.value(entry, 0)? / best)).collect();
        factors.retain(|factor| factor.is_finite());
        factors.sort_by(f64::total_cmp);
        let kept = self.field.standing_entries().len();
        let others = if out.len() == 1 { "1 other".to_owned() } else { format!("{} others", out.len()) };
        let far = match (factors.first(), factors.last()) {
            (Some(&low), Some(&high)) => {
                format!("{} in the only round", self.terms.was_beside(&others, &range(low, high)))
            }
            _ => format!("{others} did not take part"),
        };
        let mut shortfalls = out.iter().filter_map(|&entry| self.field.contest.series[entry].left_out());
        let budget = shortfalls.find_map(|shortfall| shortfall.advised_budget());
        let all = budget.map_or(String::new(), |budget| format!(" (`--budget {budget}` compares all)"));
        format!(" This compares the {kept} entries that the budget paid for; {far}{all}.")
    }
}

fn are(count: usize) -> &'static str {
    if count == 1 { "is" } else { "are" }
}

/// The same with a capital letter in front, unless it begins with a name.
fn sentence_case(text: &str) -> String {
    for (small, capital) in [("every ", "Every "), ("it ", "It "), ("none, ", "None, ")] {
        if let Some(rest) = text.strip_prefix(small) {
            return format!("{capital}{rest}");
        }
    }
    text.to_owned()
}
