//! What a reading of a clock costs next to a plain loop in C.
//!
//! It times loops on this host, which must do nothing else meanwhile, and needs `cc`: like an ignored test it runs with
//! `--ignored` only, and with `--release` to tell anything.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
#[path = "../plain/mod.rs"]
mod plain;
#[cfg(not(target_os = "linux"))]
mod linux {
    pub(crate) fn a_reading_costs_within_5_percent_of_a_plain_loop_in_c() {}
}

use std::io::{self, Write};

fn main() {
    const NAME: &str = "a_reading_costs_within_5_percent_of_a_plain_loop_in_c";
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_asked_for = words.iter().any(|word| ["--ignored", "--include-ignored"].contains(&&**word));
    let mut filters = words.iter().filter(|word| !word.is_empty() && !word.starts_with('-')).peekable();
    let is_chosen = filters.peek().is_none() || filters.any(|filter| NAME.contains(&**filter));
    let said = match is_asked_for && is_chosen {
        true => {
            // A panic ends this program with another code than 0, and prints the table.
            linux::a_reading_costs_within_5_percent_of_a_plain_loop_in_c();
            "ok"
        }
        false => "ignored, it times clocks (--ignored, on a host that does nothing else)",
    };
    let _ = writeln!(io::stdout(), "{NAME} ... {said}");
}
