//! Whether reading a clock enters the kernel.

use super::Named;
use super::cost::Cost;

/// Techniques that enter the kernel for certain: the system call itself, and a counter that only the kernel keeps.
const ENTERING: [&str; 2] = ["syscall", "query_process_cycle_time"];
/// What costs less than this share of such a call did not enter the kernel.
const SHARE: f64 = 0.5;
/// So often a clock is read by a process that may make no system call.
const CALLS: u64 = 1_000;

/// What was found about each clock, in words.
pub(super) fn of(clocks: &[Named], costs: &[Cost]) -> Vec<String> {
    let certain = clocks.iter().zip(costs).find(|(one, _)| ENTERING.contains(&one.name));
    let certain = certain.map(|(one, cost)| (one.name, cost.median_ns));
    let found = |one: &Named| sys::kernel_entry::enters(&mut || one.clock.read_times(CALLS, 0));
    clocks
        .iter()
        .zip(costs)
        .map(|(one, cost)| match found(one) {
            Ok(true) => "enters it: the call ends a process that may make no system call".to_owned(),
            Ok(false) => {
                format!("stays outside: {CALLS} calls pass in a process that may make no system call")
            }
            Err(_) => by_cost(cost.median_ns, certain),
        })
        .collect()
}

fn by_cost(cost_ns: f64, certain: Option<(&str, f64)>) -> String {
    match certain {
        None => "not known: nothing here enters it for certain".to_owned(),
        Some((name, ns)) if cost_ns >= SHARE * ns => {
            format!("enters it, by its cost: {cost_ns:.0} ns, and {name}, which enters it, costs {ns:.0} ns")
        }
        Some((name, ns)) => {
            format!(
                "stays outside, by its cost: {cost_ns:.0} ns, and {name}, which enters it, costs {ns:.0} ns"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::by_cost;

    #[test]
    fn the_cost_of_a_call_that_enters_the_kernel_tells_the_others_apart() {
        assert!(by_cost(22.0, Some(("syscall", 150.0))).starts_with("stays outside, by its cost: 22 ns"));
        assert!(by_cost(140.0, Some(("syscall", 150.0))).starts_with("enters it, by its cost: 140 ns"));
        assert!(by_cost(140.0, None).starts_with("not known"));
    }
}
