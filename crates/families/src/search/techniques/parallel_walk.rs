use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::searcher::{BATCH, Found, Searcher, write_in_order};
use crate::search::system::folder::Folder;
use crate::search::threads::{Stop, on_threads};

pub(super) const PARALLEL_WALK: Technique<SearchJob> = Technique {
    name: "parallel_walk",
    idea: "one thread a processor; each lists folders and searches the files in them, opened by name below their folder",
    source: "ripgrep, crates/ignore/src/walk.rs; openat(2), getdents64(2)",
    calls: &["clone3|clone", "read"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let heap = Heap::of(job);
    let mut all = on_threads(job.processors(), |stop| work(job, &kernel, &heap, stop))?;
    write_in_order(&mut all, &mut answer)?;
    answer.finish(job.durable)
}

enum Item {
    File(usize, PathBuf),
    Folder(usize, PathBuf),
    Files(usize, Arc<Folder>, Range<usize>),
}

/// Work still to be done. The newest is taken first: its folder is still in the caches, and few stay open.
struct Heap {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    items: Vec<Item>,
    busy: usize,
}

impl Heap {
    fn of(job: &SearchJob) -> Self {
        let items = job.place.roots.iter().enumerate().rev().map(|(nth, root)| {
            let item = if root.is_folder { Item::Folder } else { Item::File };
            item(nth, root.path.clone())
        });
        Self { state: Mutex::new(State { items: items.collect(), busy: 0 }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next item; `None` when there will never be another. The caller must call [`Heap::done`].
    fn take(&self, stop: &Stop) -> Option<Item> {
        let mut state = self.state();
        loop {
            if stop.is_set() {
                return None;
            }
            if let Some(item) = state.items.pop() {
                state.busy += 1;
                return Some(item);
            }
            if state.busy == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn add(&self, items: Vec<Item>) {
        if !items.is_empty() {
            self.state().items.extend(items);
            self.changed.notify_all();
        }
    }

    fn done(&self) {
        let mut state = self.state();
        state.busy -= 1;
        if state.busy == 0 {
            self.changed.notify_all();
        }
    }
}

/// Says that an item is done, whatever came of it: the others wait for that.
struct Taken<'heap>(&'heap Heap);

impl Drop for Taken<'_> {
    fn drop(&mut self) {
        self.0.done();
    }
}

fn work(job: &SearchJob, kernel: &Best<'_>, heap: &Heap, stop: &Stop) -> io::Result<Found> {
    let mut searcher = Searcher::new(job, kernel)?;
    while let Some(item) = heap.take(stop) {
        let taken = Taken(heap);
        let done = match item {
            Item::File(root, path) => searcher.file(root, &path),
            Item::Folder(root, path) => {
                Folder::open(path).and_then(|folder| search_folder(&mut searcher, root, folder, heap))
            }
            Item::Files(root, folder, range) => searcher.files(root, &folder, range),
        };
        if let Err(error) = done {
            stop.set();
            return Err(error);
        }
        drop(taken);
    }
    Ok(searcher.found)
}

/// Searches the files of a folder, and leaves to others what they may do meanwhile.
fn search_folder(searcher: &mut Searcher<'_>, root: usize, folder: Folder, heap: &Heap) -> io::Result<()> {
    let inner = (0..folder.len()).filter(|&nth| folder.is_folder(nth));
    let mut items: Vec<Item> = inner.map(|nth| Item::Folder(root, folder.path_of(nth))).collect();
    let folder = Arc::new(folder);
    let own = folder.len().min(BATCH);
    let others = (own..folder.len()).step_by(BATCH);
    items.extend(
        others.map(|from| Item::Files(root, Arc::clone(&folder), from..folder.len().min(from + BATCH))),
    );
    heap.add(items);
    searcher.files(root, &folder, 0..own)
}
