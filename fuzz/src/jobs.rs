//! The file of a job, and a scan on the command line.

use std::path::Path;

use families::Job;
use measure::{read_job, scan_of_list, scan_of_range};

use crate::assert_says_why;
use crate::commands::assert_place;

pub(crate) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    match read_job(text, "FILE", Path::new("/nowhere")) {
        Ok(read) => {
            let written = serde_json::to_vec(&read.job).expect("a job is text");
            assert_eq!(
                serde_json::from_slice::<Job>(&written).expect("what was written can be read"),
                read.job
            );
            assert!(!read.job.techniques.is_empty() && !read.job.workloads.is_empty());
        }
        Err(refused) => {
            assert_says_why(&refused.to_string(), input);
            assert_place(&refused.to_string(), text);
        }
    }
    for scan in [scan_of_list("n", text), scan_of_range("n", text)] {
        match scan {
            Ok((_, values)) => assert!((1..=1_000).contains(&values.len())),
            Err(refused) => assert_says_why(&refused.to_string(), input),
        }
    }
}
