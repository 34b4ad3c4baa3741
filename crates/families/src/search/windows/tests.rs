//! What only Windows can be made to do: paths above its usual limit.

use std::fs;

use model::Durability;

use crate::search::SEARCH;
use crate::search::tests::every_technique_proves_itself;

#[test]
fn folders_deeper_than_the_usual_limit_of_a_path_are_searched() {
    let scratch = tempfile::tempdir().expect("scratch");
    let original = scratch.path().join("original");
    let mut deep = original.clone();
    while deep.as_os_str().len() < 300 {
        deep.push("a-folder-with-a-name-of-some-length");
    }
    fs::create_dir_all(&deep).expect("created");
    fs::write(deep.join("file"), "needle\n").expect("written");
    let workload = SEARCH.workload_of_input(&[original]).expect("a folder");
    SEARCH.generate(&workload, scratch.path(), 1).expect("copied");
    every_technique_proves_itself(&workload, scratch.path(), Durability::Returned);
    let answer = fs::read_to_string(scratch.path().join("search.output")).expect("an answer");
    assert!(answer.ends_with(":needle\n"), "{answer}");
}
