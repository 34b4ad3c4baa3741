//! Typed words: sizes, durations, shares, lists of processors, and the values of axes.

use families::AnyFamily;
use model::{Preset, Workload, format_bytes, parse_bytes, parse_duration_ns, parse_processors, parse_share};

use crate::assert_says_why;

pub(crate) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    metrics(text);
    match parse_share(text) {
        Ok(share) if share <= 1.0 => {
            let written = format!("{share}");
            assert_eq!(parse_share(&written), Ok(share), "{written}");
        }
        // More than the whole takes the sign, and a hundredth of a number is not always exact.
        Ok(share) => {
            let percent = format!("{}%", share * 100.0);
            let read = parse_share(&percent).unwrap_or(f64::NAN);
            let is_near = (read / share - 1.0).abs() < 1e-12;
            assert!(is_near || share > f64::MAX / 100.0, "{text}: {percent}: {read}");
        }
        Err(refused) => assert_says_why(&refused, input),
    }
    match parse_processors(text) {
        Ok(list) => {
            assert!(list.is_sorted_by(|a, b| a < b), "ascending, each once: {list:?}");
            let written = list.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            assert_eq!(parse_processors(&written), Ok(list), "{written}");
        }
        Err(refused) => assert_says_why(&refused, input),
    }
    for family in families::all() {
        axes(*family, text);
        entry(*family, text);
    }
}

/// The name of a technique with values of its parameters.
fn entry(family: &dyn AnyFamily, text: &str) {
    match family.entry(text) {
        Ok(entry) => assert_eq!(family.entry(&entry.name).as_ref(), Ok(&entry), "{text}"),
        Err(refused) => assert_says_why(&refused, text.as_bytes()),
    }
}

fn metrics(text: &str) {
    match parse_bytes(text) {
        Ok(bytes) => {
            assert_eq!(parse_bytes(&bytes.to_string()), Ok(bytes));
            let short = parse_bytes(&format_bytes(bytes)).expect("what is printed can be typed");
            let far = bytes.abs_diff(short) as f64 / (bytes.max(1) as f64);
            assert!(far <= 0.005, "{bytes} is printed as {}", format_bytes(bytes));
        }
        Err(refused) => assert_position(refused.position, &refused.to_string(), text),
    }
    match parse_duration_ns(text) {
        Ok(ns) => assert_eq!(parse_duration_ns(&format!("{ns}ns")), Ok(ns)),
        Err(refused) => assert_position(refused.position, &refused.to_string(), text),
    }
}

fn assert_position(position: usize, sentence: &str, text: &str) {
    assert_says_why(sentence, text.as_bytes());
    assert!((1..=text.chars().count() + 1).contains(&position), "character {position}: {sentence}");
}

/// Every line is one `--set NAME=VALUE`, in this order.
fn axes(family: &dyn AnyFamily, text: &str) {
    for mut workload in family.workloads(Preset::Quick) {
        for (axis, value) in text.lines().filter_map(|line| line.split_once('=')) {
            let before = workload.clone();
            match family.set(&mut workload, axis, value) {
                Ok(()) => assert_whole(family, &workload),
                Err(refused) => {
                    assert_says_why(&refused, text.as_bytes());
                    assert_eq!(workload, before, "a refused value changes nothing: {axis}={value}");
                }
            }
        }
    }
}

fn assert_whole(family: &dyn AnyFamily, workload: &Workload) {
    if let Err(refused) = family.check(workload) {
        assert!(!refused.is_empty());
        return;
    }
    family.scratch_bytes(workload);
    let written = serde_json::to_string(workload).expect("plain data");
    let read: Workload = serde_json::from_str(&written).expect("our own");
    assert_eq!(&read, workload, "{written}");
}
