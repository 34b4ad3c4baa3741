//! What a small copy costs beside a plain C program that makes the same calls.
//!
//! It times copies on this host, which must do nothing else meanwhile, and needs `cc`: like an ignored test it runs with
//! `--ignored` only, and with `--release` to tell anything.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod linux {
    pub(crate) fn a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls() {}
}

use std::io::{self, Write};

fn main() {
    const NAME: &str = "a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls";
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_asked_for = words.iter().any(|word| ["--ignored", "--include-ignored"].contains(&&**word));
    let mut filters = words.iter().filter(|word| !word.is_empty() && !word.starts_with('-')).peekable();
    let is_chosen = filters.peek().is_none() || filters.any(|filter| NAME.contains(&**filter));
    let said = match is_asked_for && is_chosen {
        true => {
            // A panic ends this program with another code than 0, and prints the table.
            linux::a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls();
            "ok"
        }
        false => "ignored, it times copies (--ignored, on a host that does nothing else)",
    };
    let _ = writeln!(io::stdout(), "{NAME} ... {said}");
}
