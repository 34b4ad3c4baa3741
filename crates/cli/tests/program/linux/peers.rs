//! Peers of every day in the families' contests: they do the same work and are proven alike.

use crate::sandbox::{Sandbox, place, trial};

fn takes_part(family: &[&str], external: &str) {
    let sandbox = Sandbox::new();
    let rounds = ["--size", "64K", "--rounds", "6", "--command", external];
    sandbox.run(family).args(rounds).assert().success();
    let run = sandbox.exported();
    let (name, _) = external.split_once('=').expect("a name");
    let trial = trial(&run, name);
    assert!(trial["failures"].as_array().is_none_or(Vec::is_empty), "{}", trial["failures"]);
    // One that takes more than twice as long leaves after the third round that is counted.
    assert!(trial["samples"].as_array().is_some_and(|samples| samples.len() >= 4));
    assert!(place(&run, name)["factor"].as_f64().is_some_and(|factor| factor > 0.0));
    sandbox.assert_clean();
}

#[test]
fn iconv_converts_as_the_techniques_do() {
    takes_part(&["convert/presized@64K"], "iconv=iconv -f ASCII -t UTF-16LE {input} -o {output}");
}

#[test]
fn grep_finds_the_lines_that_the_techniques_find() {
    takes_part(&["search/sequential"], "grep=grep -a -F -H -e {pattern} -- {files}");
    takes_part(&["search/sequential"], "grep=grep -r -a -F -H -e {pattern} -- {input}");
    // Nothing found is exit code 1, and the right answer.
    takes_part(
        &["search/sequential", "--set", "frequency=absent"],
        "grep=grep -a -F -H -e {pattern} -- {files}",
    );
}

#[test]
fn sort_of_the_core_utilities_sorts_records() {
    takes_part(&["sort/tag_sort"], "sort=sort -s -k1.1,1.8 -T {scratch} -o {output} {input}");
}
