//! How processes are spent on a family.

/// How the coordinator spends processes on a family.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Isolation {
    /// One process a sample.
    Sample,
    /// One process a session: the child runs the whole family for some inner rounds.
    Session,
}
