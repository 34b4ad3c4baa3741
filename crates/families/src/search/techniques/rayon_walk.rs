use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rayon::Scope;

use crate::pool;
use crate::search::output::Answer;
use crate::search::prelude::*;
use crate::search::searcher::{BATCH, Found, Searcher, write_in_order};
use crate::search::system::folder::Folder;
use crate::search::threads::Stop;

pub(super) const RAYON_WALK: Technique<SearchJob> = Technique {
    name: "rayon_walk",
    idea: "as parallel_walk, with tasks of rayon: each thread has a queue of its own and steals from the others when that is empty",
    source: "crate rayon; Blumofe and Leiserson, Scheduling Multithreaded Computations by Work Stealing, 1999",
    calls: &["clone3|clone", "read"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    let kernel = Best::of(&job.pattern)?;
    let mut answer = Answer::create(&job.answer)?;
    let threads = job.processors();
    let walk = Walk {
        job,
        kernel: &kernel,
        searchers: (0..threads).map(|_| Mutex::new(None)).collect(),
        stop: Stop::default(),
        failed: Mutex::new(None),
    };
    pool::run(threads, || rayon::scope(|scope| walk.begin(scope)))?;
    write_in_order(&mut walk.ended()?, &mut answer)?;
    answer.finish(job.durable)
}

struct Walk<'job> {
    job: &'job SearchJob,
    kernel: &'job Best<'job>,
    /// One for each thread, made by the first task that runs on it.
    searchers: Vec<Mutex<Option<Searcher<'job>>>>,
    stop: Stop,
    failed: Mutex<Option<io::Error>>,
}

impl<'job> Walk<'job> {
    fn begin<'scope>(&'scope self, scope: &Scope<'scope>) {
        for (nth, root) in self.job.place.roots.iter().enumerate() {
            if root.is_folder {
                self.spawn_folder(scope, nth, root.path.clone())
            } else {
                scope.spawn(move |_| self.run(|searcher| searcher.file(nth, &root.path)))
            }
        }
    }

    /// Lists a folder and searches the files in it; leaves other folders to other threads.
    fn spawn_folder<'scope>(&'scope self, scope: &Scope<'scope>, root: usize, path: PathBuf) {
        scope.spawn(move |scope| {
            self.run(|searcher| {
                let folder = Arc::new(Folder::open(path)?);
                for nth in (0..folder.len()).filter(|&nth| folder.is_folder(nth)) {
                    self.spawn_folder(scope, root, folder.path_of(nth));
                }
                for from in (BATCH..folder.len()).step_by(BATCH) {
                    let (folder, to) = (Arc::clone(&folder), folder.len().min(from + BATCH));
                    scope.spawn(move |_| self.run(|searcher| searcher.files(root, &folder, from..to)));
                }
                searcher.files(root, &folder, 0..folder.len().min(BATCH))
            });
        });
    }

    /// Runs a task with the state of its thread. After a failure, further tasks do nothing.
    fn run(&self, task: impl FnOnce(&mut Searcher<'job>) -> io::Result<()>) {
        if self.stop.is_set() {
            return;
        }
        let thread = rayon::current_thread_index().expect("a task runs on a thread of the pool");
        let mut own = self.searchers[thread].lock().unwrap_or_else(PoisonError::into_inner);
        let done = match &mut *own {
            Some(searcher) => task(searcher),
            none => Searcher::new(self.job, self.kernel).and_then(|made| task(none.insert(made))),
        };
        if let Err(error) = done {
            self.stop.set();
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    fn ended(self) -> io::Result<Vec<Found>> {
        if let Some(error) = self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let searchers = self.searchers.into_iter();
        let searchers = searchers.filter_map(|own| own.into_inner().unwrap_or_else(PoisonError::into_inner));
        Ok(searchers.map(|searcher| searcher.found).collect())
    }
}
