//! The system calls that the shares of a workload call for.

use model::Workload;

use super::workload::{ITERATIONS, ITERATIONS_PER_YIELD, THREADS};

/// A thread of the system for each share.
pub(super) fn a_thread_each(workload: &Workload) -> Vec<String> {
    vec![format!("clone3|clone *{}", shares(workload))]
}

/// Fewer threads than shares, of which the calling one is one.
pub(super) fn fewer_threads(workload: &Workload) -> Vec<String> {
    vec![format!("!clone3|clone *{}", shares(workload))]
}

/// A stack of its own for each share, which is no thread.
pub(super) fn a_stack_each(workload: &Workload) -> Vec<String> {
    vec![format!("mmap *{}", shares(workload))]
}

/// A call of the system for each forced yield.
pub(super) fn system_yields(workload: &Workload) -> Vec<String> {
    forced_yields(workload).map(|yields| format!("sched_yield *{yields}")).into_iter().collect()
}

/// Forced yields that are no calls of the system. Crates may make a few for reasons of their own.
pub(super) fn own_yields(workload: &Workload) -> Vec<String> {
    forced_yields(workload).map(|yields| format!("!sched_yield *{yields}")).into_iter().collect()
}

fn shares(workload: &Workload) -> u64 {
    workload.number(THREADS).unwrap_or(1)
}

/// How often the shares give up their processor, all together; `None` where they never do.
fn forced_yields(workload: &Workload) -> Option<u64> {
    let (shares, iterations) = (shares(workload).max(1), workload.number(ITERATIONS)?);
    let per_yield = workload.number(ITERATIONS_PER_YIELD).filter(|number| *number > 0)?;
    let (each, rest) = (iterations / shares, iterations % shares);
    let yields = rest * ((each + 1) / per_yield) + (shares - rest) * (each / per_yield);
    Some(yields).filter(|yields| *yields > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(threads: u64, iterations: u64, per_yield: u64) -> Workload {
        let workload = Workload::default().with(THREADS, threads).with(ITERATIONS, iterations);
        workload.with(ITERATIONS_PER_YIELD, per_yield)
    }

    #[test]
    fn each_share_yields_after_as_many_of_its_own_iterations() {
        // Shares of 11, 11 and 10 iterations.
        assert_eq!(system_yields(&of(3, 32, 11)), ["sched_yield *2"]);
        assert_eq!(own_yields(&of(3, 32, 5)), ["!sched_yield *6"]);
        assert_eq!(a_thread_each(&of(3, 32, 5)), ["clone3|clone *3"]);
    }

    #[test]
    fn shares_that_never_yield_call_for_nothing() {
        for workload in [of(3, 32, 0), of(3, 32, 12)] {
            assert!(system_yields(&workload).is_empty() && own_yields(&workload).is_empty());
        }
    }
}
