//! Hands what a run finds to the store.

use std::io;

use measure::Sink;
use model::{Increment, Record, RunId};
use store::Store;

/// A sink that keeps every round in a store as soon as it is over.
pub(crate) struct Ledger<'a> {
    store: &'a mut dyn Store,
    id: RunId,
    /// Whether the run has begun, so that there is something to report.
    pub(crate) begun: bool,
}

impl<'a> Ledger<'a> {
    pub(crate) fn new(store: &'a mut dyn Store, id: RunId) -> Self {
        Self { store, id, begun: false }
    }
}

impl Sink for Ledger<'_> {
    fn begin(&mut self, record: &Record) -> io::Result<()> {
        self.store.begin(record).map_err(io::Error::other)?;
        self.begun = true;
        Ok(())
    }

    fn append(&mut self, increment: &Increment) -> io::Result<()> {
        self.store.append(&self.id, increment).map_err(io::Error::other)
    }
}
