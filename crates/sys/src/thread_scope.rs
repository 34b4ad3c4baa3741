//! Threads that may borrow from the caller, as with `std::thread::scope`, and that begin at once. Linux may put a new thread on the
//! processor of its starter, where it waits for milliseconds, while another processor does nothing. Here it is moved at once, which the
//! standard library gives no access to in its own scopes.

use std::any::Any;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle};

/// Runs `body`, and waits for all threads that it started before it returns or its panic goes on.
pub fn scope<'env, R>(body: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> R) -> R {
    let scope = Scope { running: Arc::default(), scope: PhantomData, env: PhantomData };
    let all = scope.running.clone();
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    all.wait_for_none();
    outcome.unwrap_or_else(|panic| resume_unwind(panic))
}

/// Starts threads. Both lifetimes are invariant, so that no thread borrows what ends before the scope does.
#[derive(Debug)]
pub struct Scope<'scope, 'env: 'scope> {
    running: Arc<Running>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

impl<'scope> Scope<'scope, '_> {
    /// Starts a thread, which begins on another processor than the calling one where there is one that may be used.
    pub fn spawn<Made: Send + 'scope>(
        &'scope self, builder: Builder, work: impl FnOnce() -> Made + Send + 'scope,
    ) -> io::Result<Handle<'scope, Made>> {
        let made = Arc::new(Mutex::new(None));
        let (there, ended) = (Arc::clone(&made), Running::one_more(&self.running));
        let guarded = move || {
            let outcome = catch_unwind(AssertUnwindSafe(work));
            *there.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
            // Nothing that may borrow is left in the thread when the scope hears of its end.
            drop(there);
            drop(ended);
        };
        // SAFETY: `scope` does not return before the thread has said that it ended, when it holds nothing of the scope any more.
        let thread = unsafe { builder.spawn_unchecked(guarded) }?;
        leave_to_others(&thread);
        Ok(Handle { thread, made, scope: PhantomData })
    }
}

/// Moves a new thread to another processor than the caller's, where there is one, and lets it run wherever the caller may. A hint.
#[cfg(target_os = "linux")]
fn leave_to_others(thread: &JoinHandle<()>) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu};
    use std::os::unix::thread::JoinHandleExt;
    let restrict = |processors: &CpuSet| {
        // SAFETY: both types are the system's set of processors; the thread is not joined yet. An error changes nothing.
        unsafe {
            libc::pthread_setaffinity_np(
                thread.as_pthread_t() as libc::pthread_t,
                size_of::<CpuSet>(),
                std::ptr::from_ref(processors).cast(),
            );
        }
    };
    let Ok(allowed) = sched_getaffinity(None) else { return };
    let mut others = allowed;
    others.unset(sched_getcpu());
    if others.count() > 0 && others.count() < allowed.count() {
        restrict(&others);
        restrict(&allowed);
    }
}

/// Windows begins a new thread on an idle processor by itself.
#[cfg(windows)]
fn leave_to_others(_thread: &JoinHandle<()>) {}

type Outcome<Made> = Result<Made, Box<dyn Any + Send>>;

/// A thread of a scope.
#[derive(Debug)]
pub struct Handle<'scope, Made> {
    thread: JoinHandle<()>,
    made: Arc<Mutex<Option<Outcome<Made>>>>,
    scope: PhantomData<&'scope ()>,
}

impl<Made> Handle<'_, Made> {
    /// Waits for its end, and gives what it made. A panic of it goes on here.
    pub fn join(self) -> Made {
        if let Err(panic) = self.thread.join() {
            resume_unwind(panic);
        }
        let made = self.made.lock().unwrap_or_else(PoisonError::into_inner).take();
        match made.expect("a thread that has ended left its outcome") {
            Ok(made) => made,
            Err(panic) => resume_unwind(panic),
        }
    }
}

#[derive(Debug, Default)]
struct Running {
    count: Mutex<usize>,
    none: Condvar,
}

impl Running {
    /// Counts one more, until the guard is dropped.
    fn one_more(running: &Arc<Self>) -> OneOf {
        *running.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        OneOf(Arc::clone(running))
    }

    fn wait_for_none(&self) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.none.wait_while(count, |count| *count > 0));
    }
}

struct OneOf(Arc<Running>);

impl Drop for OneOf {
    fn drop(&mut self) {
        let mut count = self.0.count.lock().unwrap_or_else(PoisonError::into_inner);
        *count -= 1;
        if *count == 0 {
            self.0.none.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn threads_borrow_work_at_the_same_time_and_give_what_they_made() {
        let mut words = [String::from("one"), String::from("two"), String::from("three")];
        let met = Barrier::new(words.len());
        let lengths: Vec<usize> = scope(|scope| {
            let met = &met;
            let handles = words.each_mut().map(|word| {
                let thread = scope.spawn(Builder::new(), move || {
                    met.wait();
                    word.push('!');
                    word.len()
                });
                thread.expect("a thread")
            });
            handles.into_iter().map(Handle::join).collect()
        });
        assert_eq!((lengths, words.concat()), (vec![4, 4, 6], "one!two!three!".to_owned()));
    }

    #[test]
    fn a_scope_ends_after_its_threads_even_if_its_body_panics() {
        for panics in [false, true] {
            let ended = AtomicUsize::new(0);
            let (open, gate) = std::sync::mpsc::channel::<()>();
            let outcome = catch_unwind(AssertUnwindSafe(|| {
                scope(|scope| {
                    let ended = &ended;
                    let late = scope.spawn(Builder::new(), move || {
                        // Opened when the body has ended, and then for good.
                        let _ = gate.recv();
                        ended.fetch_add(1, Ordering::SeqCst);
                    });
                    late.expect("a thread");
                    let _open = open;
                    assert!(!panics, "the body panics");
                });
            }));
            assert_eq!((outcome.is_err(), ended.load(Ordering::SeqCst)), (panics, 1));
        }
    }

    #[test]
    fn a_panic_of_a_thread_goes_on_where_it_is_joined() {
        let outcome = catch_unwind(|| {
            scope(|scope| scope.spawn(Builder::new(), || panic!("in the thread")).map(Handle::join))
        });
        let panic = outcome.expect_err("it goes on");
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"in the thread"));
    }

    #[test]
    fn a_refused_thread_is_an_error_and_the_scope_ends() {
        let refused = scope(|scope| scope.spawn(Builder::new().stack_size(usize::MAX / 4), || ()).is_err());
        assert!(refused);
    }

    #[test]
    fn a_thread_that_was_moved_may_run_wherever_its_creator_may() {
        let allowed = crate::affinity::allowed();
        let wait = Barrier::new(2);
        let inside = scope(|scope| {
            let thread = scope.spawn(Builder::new(), || {
                // By then the creator has moved it.
                wait.wait();
                crate::affinity::allowed()
            });
            wait.wait();
            thread.expect("a thread").join()
        });
        assert_eq!(inside, allowed);
    }
}
