//! Folders are listed and files searched by the same threads, which take from one heap of work.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use model::Class;

use super::job::{Notes, SearchJob, always, prefix_of};
use super::kernel::{Best, Kernel};
use super::output::Answer;
use super::rolling::{PIECE_BYTES, Rolling};
use super::sequential::search_into;
use super::system::folder::Folder;
use super::system::names::push_order_key;
use super::system::source::Source;
use super::threads::{Stop, on_threads};
use crate::contract::Technique;
use crate::files::at;

pub(super) const PARALLEL_WALK: Technique<SearchJob> = Technique {
    name: "parallel_walk",
    alias: &[],
    idea: "one thread a processor; each lists folders and searches the files in them, opened by name below their folder",
    source: "ripgrep, crates/ignore/src/walk.rs; openat(2), getdents64(2)",
    class: Class::MovesBytes,
    ceiling: false,
    parameter: None,
    probe: always,
    prepare: |job| job.done_by(search),
};

/// Files of one folder that are taken at once: with more, the others would have nothing to do at the end.
const BATCH: usize = 32;

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let heap = Heap::of(job);
    let mut all = on_threads(job.processors(), |stop| work(&kernel, &heap, stop))?;
    all.iter_mut().for_each(Found::sort);
    write_in_order(&all, &mut answer)?;
    answer.finish(job.durable)
}

/// Something to be done, with the number of the root that it belongs to.
enum Item {
    File(usize, PathBuf),
    Folder(usize, PathBuf),
    Files(usize, Arc<Folder>, Range<usize>),
}

/// What is still to be done. The newest is taken first: its folder is still in the caches, and few stay open.
struct Heap {
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    items: Vec<Item>,
    /// Threads that may still add something.
    busy: usize,
}

impl Heap {
    fn of(job: &SearchJob) -> Self {
        let item = |(nth, root): (usize, &super::inputs::Root)| match root.is_folder {
            true => Item::Folder(nth, root.path.clone()),
            false => Item::File(nth, root.path.clone()),
        };
        let items = job.place.roots.iter().enumerate().rev().map(item).collect();
        Self { state: Mutex::new(State { items, busy: 0 }), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next item; `None` when there will never be another. Who takes one must call [`Heap::done`].
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

fn work(kernel: &impl Kernel, heap: &Heap, stop: &Stop) -> io::Result<Found> {
    let mut searcher =
        Searcher { kernel, rolling: Rolling::new(PIECE_BYTES)?, prefix: Vec::new(), found: Found::default() };
    while let Some(item) = heap.take(stop) {
        let taken = Taken(heap);
        let done = match item {
            Item::File(root, path) => searcher.file(root, &path),
            Item::Folder(root, path) => {
                Folder::open(path).and_then(|folder| searcher.folder(root, folder, heap))
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

struct Searcher<'kernel, K> {
    kernel: &'kernel K,
    rolling: Rolling,
    prefix: Vec<u8>,
    found: Found,
}

impl<K: Kernel> Searcher<'_, K> {
    fn file(&mut self, root: usize, path: &Path) -> io::Result<()> {
        self.prefix = prefix_of(path);
        let source = Source::open(path)?;
        self.search(root, &source).map_err(at("read", path))
    }

    /// Searches the files of a folder, and leaves to others what they may do meanwhile.
    fn folder(&mut self, root: usize, folder: Folder, heap: &Heap) -> io::Result<()> {
        let inner = (0..folder.len()).filter(|&nth| folder.is_folder(nth));
        let mut items: Vec<Item> = inner.map(|nth| Item::Folder(root, folder.path_of(nth))).collect();
        let folder = Arc::new(folder);
        let own = folder.len().min(BATCH);
        let others = (own..folder.len()).step_by(BATCH);
        items.extend(
            others.map(|from| Item::Files(root, Arc::clone(&folder), from..folder.len().min(from + BATCH))),
        );
        heap.add(items);
        self.files(root, &folder, 0..own)
    }

    fn files(&mut self, root: usize, folder: &Folder, range: Range<usize>) -> io::Result<()> {
        for nth in range.filter(|&nth| !folder.is_folder(nth)) {
            folder.prefix_into(nth, &mut self.prefix);
            let source = Source::open_in(folder, nth)?;
            self.search(root, &source).map_err(|error| at("read", &folder.path_of(nth))(error))?;
        }
        Ok(())
    }

    fn search(&mut self, root: usize, source: &Source) -> io::Result<()> {
        let start = self.found.text.len();
        search_into(self.kernel, source, &self.prefix, &mut self.rolling, &mut self.found.text)?;
        if self.found.text.len() > start {
            let name = self.found.keys.len();
            push_order_key(&self.prefix[..self.prefix.len() - 1], &mut self.found.keys);
            let (key, text) = (name..self.found.keys.len(), start..self.found.text.len());
            self.found.files.push(Matching { root, key, text });
        }
        Ok(())
    }
}

/// What one thread has found, file by file: in a tree, most files have nothing.
#[derive(Default)]
struct Found {
    files: Vec<Matching>,
    /// The names of the files, by which they are put in order.
    keys: Vec<u8>,
    text: Vec<u8>,
}

struct Matching {
    root: usize,
    key: Range<usize>,
    text: Range<usize>,
}

impl Found {
    fn sort(&mut self) {
        let keys = &self.keys;
        self.files.sort_by(|a, b| (a.root, &keys[a.key.clone()]).cmp(&(b.root, &keys[b.key.clone()])));
    }

    fn place(&self, nth: usize) -> Option<(usize, &[u8])> {
        self.files.get(nth).map(|file| (file.root, &self.keys[file.key.clone()]))
    }
}

/// Merges what the threads have found, each of them in order by itself.
fn write_in_order(all: &[Found], answer: &mut Answer<'_>) -> io::Result<()> {
    let mut next = vec![0; all.len()];
    loop {
        let waiting = all.iter().zip(&next).enumerate();
        let first = waiting.filter_map(|(who, (found, &nth))| Some((found.place(nth)?, who))).min();
        let Some((_, who)) = first else { return Ok(()) };
        answer.add(&all[who].text[all[who].files[next[who]].text.clone()])?;
        next[who] += 1;
    }
}
