//! Programs of the system in the families' contests: they do the same work and are proven alike.

use crate::families::processes_find_what_others_find;
use crate::sandbox::{is_well, list, measured, place, samples, trial};

fn takes_part(family: &str, external: &str) {
    let run = measured(&format!("{family} --size 64K --rounds 6 --command '{external}'"));
    let (name, _) = external.split_once('=').expect("a name");
    assert!(is_well(trial(&run, name)), "{}", trial(&run, name)["failures"]);
    // One that takes more than twice as long leaves after the third round that is counted.
    assert!(samples(&run, name) >= 4);
    assert!(place(&run, name)["factor"].as_f64().is_some_and(|factor| factor > 0.0));
}

#[test]
fn programs_of_the_system_do_what_the_techniques_do() {
    takes_part("convert/presized@64K", "iconv=iconv -f ASCII -t UTF-16LE {input} -o {output}");
    takes_part("sort/tag_sort", "sort=sort -s -k1.1,1.8 -T {scratch} -o {output} {input}");
    takes_part("search/sequential", "grep=grep -a -F -H -e {pattern} -- {files}");
    // Nothing found is exit code 1, and the right answer.
    let absent = "search/sequential --set frequency=absent";
    takes_part(absent, "grep=grep -a -F -H -e {pattern} -- {files}");
}

/// The output of a command is its answer, and an exit code of 1 says that nothing was found.
#[test]
fn grep_is_a_command_whatever_it_finds() {
    for kind in ["kind=files", "kind=tree"] {
        let grep = "--command 'grep=grep -r -a -F -H -e {pattern} -- {input}'";
        let both = "--set frequency=common --set frequency=absent";
        let run = measured(&format!("search/sequential --size 100K --rounds 6 --set {kind} {grep} {both}"));
        let trials = list(&run["trials"]);
        assert_eq!(trials.iter().filter(|trial| trial["technique"] == "grep").count(), 2);
        for trial in trials {
            assert_eq!(list(&trial["samples"]).len(), 7, "{}: {}", trial["technique"], trial["failures"]);
        }
        assert!(trial(&run, "grep")["samples"][0]["proof"]["bytes"].is_u64());
    }
}

#[test]
fn processes_are_started_for_each_of_twenty_files() {
    processes_find_what_others_find("");
}
