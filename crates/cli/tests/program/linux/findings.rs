//! Published programs of this system next to a run.

use crate::sandbox::Sandbox;

#[test]
fn the_published_time_of_one_call_stands_beside_a_run_of_many() {
    let sandbox = Sandbox::new();
    sandbox.run(&["clock/gettimeofday", "clock/std_instant", "--rounds", "3"]).assert().success();
    let compare = ["compare", "last", "published:linux-2.4.2-smp"];
    let compared = sandbox.json(&compare);
    let contest = &compared["contests"][0];
    assert_eq!(contest["techniques"][0]["showed"][1]["median"], 806_000.0, "1,000 calls: {compared}");
    assert!(compared["marks"].to_string().contains("the time of one call of gettimeofday"), "{compared}");
}
