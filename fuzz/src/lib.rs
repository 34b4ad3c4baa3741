#![forbid(unsafe_code)]
//! Promises about every text and file that comes from outside the program. A target takes any bytes and panics when reading panics, when
//! what was accepted does not come back equal, or when a refusal does not say what is wrong and where. Every test run tries `corpus/`;
//! `cargo xtask fuzz` looks for more.

mod commands;
mod profiles;
mod register;
mod sample_run;
mod samples;
mod store_pages;
mod wires;
mod words;

/// A reader of what comes from outside, and what must hold of it.
#[derive(Debug)]
pub struct Target {
    /// Its name, and that of its folder in `corpus/`.
    pub name: &'static str,
    /// Panics when an input makes something untrue.
    pub check: fn(&[u8]),
}

/// All targets.
pub const TARGETS: &[Target] = &[
    target("commands", commands::check_commands),
    target("jobs", commands::check_job),
    target("csv", |input| samples::check(input, "samples.csv")),
    target("json", |input| samples::check(input, "samples.json")),
    target("words", words::check),
    target("register", register::check),
    target("store", store_pages::check),
    target("profile", profiles::check),
    target("assignment", wires::check_assignment),
    target("answers", wires::check_answers),
    target("supervisor", wires::check_supervisor),
];

const fn target(name: &'static str, check: fn(&[u8])) -> Target {
    Target { name, check }
}

/// Panics unless a refusal is something to print. Only what the input holds, as it is or escaped, may have brought a line break into it.
fn assert_says_why(refusal: &str, input: &[u8]) {
    assert!(!refusal.trim().is_empty(), "a refusal without a word");
    let quotes_a_break = input.iter().any(|byte| byte.is_ascii_control() || *byte == b'\\');
    assert!(quotes_a_break || !refusal.contains('\n'), "a refusal of several lines: {refusal}");
}
