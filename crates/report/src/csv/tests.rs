//! The rows as another program reads them.

use super::*;
use crate::fixture::{ODD, record};

fn read(text: &str) -> Vec<std::collections::HashMap<String, String>> {
    ::csv::Reader::from_reader(text.as_bytes()).deserialize().map(|row| row.expect("a row")).collect()
}

#[test]
fn every_sample_is_a_row_whatever_its_names_hold() {
    let rows = read(&samples(&record()));
    assert_eq!(rows.len(), 6);
    assert_eq!(rows[4]["technique"], ODD);
    assert_eq!(rows[4]["notes"], "fell back: \"EXDEV\", then\nread");
    assert_eq!(rows[4]["phases_ns"], "open=17");
    assert_eq!((rows[3]["kind"].as_str(), rows[3]["twin_of"].as_str()), ("twin", "read_write@256K"));
    assert!(rows.iter().all(|row| row["setting"] == "warm cache, ext4 in ., returned"));
}

#[test]
fn the_first_columns_are_those_that_judge_reads() {
    let text = samples(&record());
    assert!(text.starts_with("family,workload,setting,round,inner,position,technique,value,"), "{text}");
    let rows = read(&text);
    let row = &rows[1];
    assert_eq!(
        (row["round"].as_str(), row["position"].as_str(), row["value"].as_str()),
        ("1", "0", "7000000")
    );
    assert_eq!((row["metric"].as_str(), row["work_ns"].as_str()), ("process_ns", "6000000"));
}

#[test]
fn what_is_not_known_is_an_empty_cell() {
    let rows = read(&samples(&record()));
    for column in ["value", "process_ns", "user_ns", "peak_memory_bytes"] {
        assert_eq!(rows[5][column], "", "{column}");
    }
    assert_eq!(rows[3]["user_ns"], "0", "a zero that was measured stays one");
}

#[test]
fn contests_that_share_a_workload_are_told_apart_in_its_column() {
    let mut record = record();
    // Who has no samples has no contest: the failed technique shares extents, and no row needs to say so.
    record.trials[3].class = Class::SharesExtents;
    assert!(read(&samples(&record)).iter().all(|row| row["workload"] == "25.6MB"));
    let mut cold = record.trials[0].clone();
    cold.setting.cache = model::Cache::Cold;
    let mut again = record.trials[0].clone();
    again.attempt = 1;
    record.trials.extend([cold, again]);
    let workloads: std::collections::BTreeSet<String> =
        read(&samples(&record)).into_iter().map(|row| row["workload"].clone()).collect();
    let expected = [
        "25.6 MB, cold cache, ext4 in ., returned, moves-bytes",
        "25.6 MB, warm cache, ext4 in ., returned, moves-bytes",
        "25.6 MB, warm cache, ext4 in ., returned, moves-bytes, attempt 1",
    ];
    assert_eq!(workloads.into_iter().collect::<Vec<_>>(), expected);
}
