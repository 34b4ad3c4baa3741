//! The system calls that the phases of a workload call for.

use model::{Durability, Workload};

use super::workload::Phase;
use super::workload::{durability, phases};

/// What every reading and what every rewriting phase makes, or with a `!` does not make. A call that several phases make is
/// expected of each of them. Where rewriting ends when its calls have returned, nothing flushes behind them.
pub(super) fn in_phases(workload: &Workload, reading: &[&str], rewriting: &[&str]) -> Vec<String> {
    let mut expected: Vec<(&str, u64)> = Vec::new();
    for phase in phases(workload).unwrap_or_default() {
        let calls = match phase {
            Phase::Read | Phase::Reread => reading,
            Phase::Rewrite => rewriting,
        };
        let ends_without = durability(workload) == Durability::Returned;
        for &call in calls {
            let call = if ends_without && call == "fdatasync" { "!fdatasync" } else { call };
            match expected.iter_mut().find(|(known, _)| *known == call) {
                Some((_, times)) => *times += 1,
                None => expected.push((call, 1)),
            }
        }
    }
    let in_words =
        |(call, times): (&str, u64)| match times > 1 && !call.starts_with('!') && !call.contains('*') {
            true => format!("{call} *{times}"),
            false => call.to_owned(),
        };
    expected.into_iter().map(in_words).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_call_is_expected_of_each_phase_that_runs() {
        let of = |chosen: &str| {
            let workload = Workload::default().with("phases", chosen);
            in_phases(&workload, &["open", "pread64", "!read"], &["open", "msync *mmap"])
        };
        assert_eq!(of("all"), ["open *3", "pread64 *2", "!read", "msync *mmap"]);
        assert_eq!(of("read"), ["open", "pread64", "!read"]);
        assert_eq!(of("rewrite"), ["open", "msync *mmap"]);
    }

    #[test]
    fn no_flush_is_expected_behind_calls_whose_return_ends_the_work_but_those_of_each_piece_are() {
        let of = |end: &str| {
            let workload = Workload::default().with("phases", "rewrite").with("durability", end);
            in_phases(&workload, &[], &["pwrite64", "fdatasync", "fdatasync *pwrite64"])
        };
        assert_eq!(of("durable"), ["pwrite64", "fdatasync", "fdatasync *pwrite64"]);
        assert_eq!(of("returned"), ["pwrite64", "!fdatasync", "fdatasync *pwrite64"]);
    }
}
