//! The one scheduler, which decides where the time of a run goes, from what turns cost and what samples show.
//!
//! 1. A trial and round 0 show what a turn costs and how often a sample repeats the work (`turns.rs`). A technique that was far
//!    behind at a lower level of a curve is not tried at a level above it (`not_tried.rs`).
//! 2. After round 0 the plan is fixed (`schedule::fix`): each task, or curve, gets a share of the time in proportion to the square
//!    root of its cost. The share decides the looks; where it does not pay for three rounds of all, the slowest leave.
//! 3. After a look, the time that is left is dealt out (`time_left::deal`).
//! 4. Before a round, what cannot be paid for ends, the most expensive task first (`time_left::goes_on`, `budget.rs`).
//!
//! Where a run is asked questions instead, `questions.rs` does 2 to 4.

pub(crate) mod budget;
pub(crate) mod not_tried;
pub(crate) mod questions;
pub(crate) mod schedule;
pub(crate) mod time_left;
pub(crate) mod turns;

/// The last round may end this much later than the budget, as a share of it.
const OVERRUN: f64 = 0.05;

/// A run for which no budget was given gets at least this many rounds of its likely candidates.
const LAST_LOOK_OF_SHORT: u32 = 10;
/// A contest next to others that has time for fewer rounds of all is a short one: the time of what is clearly beaten is better
/// spent on who may be fastest than on how far behind each of the others is.
const PLENTY_OF_ROUNDS: u32 = 24;
/// The levels of a curve get this many: with fewer, no test is sure enough for a sentence over several levels.
const FIRST_LOOK_OF_CURVE: u32 = 8;
/// The share of the likely candidates that is measured in a round after the first look, on average.
const STAYING: f64 = 0.8;
/// Rounds that a field is thinned for.
const FEWEST_ROUNDS: u32 = 3;

/// An entry whose sample takes less costs little, however far behind it is.
const LONG_SAMPLE_NS: f64 = 50e6;
/// This many times as long as the fastest at a level.
const FAR_BEHIND: f64 = 10.0;

/// A trial repeats the work until it takes so long, and as often before that.
const TRIAL_NS: f64 = 2e6;
/// A block in a session is at least this long. No process has just started, and several inner rounds are taken: a longer
/// one would report no more, and the slowest techniques would take hundreds of times as long.
const SESSION_BLOCK_NS: f64 = 5e4;
/// Sessions from which the number of inner rounds is planned; before the first look.
const PILOT_SESSIONS: u32 = 9;
const MOST_INNER_ROUNDS: f64 = 20.0;

/// Counted rounds before the first look. With fewer, hardly any comparison can be decided.
const FIRST_LOOK_OF_QUESTION: u32 = 8;
/// The share of the time that the first looks may take: a turn may take longer than in round 0.
const FOR_FIRST_LOOKS: f64 = 0.9;
/// The share of the entries that is measured to the end. Until then it falls as rounds pass: half of them are left in round 16, a
/// quarter in round 32.
const QUESTION_STAYING: f64 = 0.2;
/// Looks beyond what a share is expected to pay for, in case more questions are answered than that.
const MORE_LOOKS: usize = 4;
