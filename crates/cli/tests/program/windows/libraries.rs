//! What every process of the program loads before it does anything.

use std::fs;

/// With each of them come a dozen others: libraries of windows and fonts, which take longer to load than small work takes.
const LARGE: [&str; 4] = ["shell32.dll", "user32.dll", "ole32.dll", "combase.dll"];

#[test]
fn timed_processes_load_no_library_of_windows_and_shells() {
    let program = fs::read(crate::program()).expect("the program").to_ascii_lowercase();
    let wants = |library: &str| {
        let entry = format!("{library}\0");
        program.windows(entry.len()).any(|bytes| bytes == entry.as_bytes())
    };
    assert!(wants("kernel32.dll"), "a program names the libraries that are loaded with it");
    let wanted: Vec<&str> = LARGE.into_iter().filter(|library| wants(library)).collect();
    assert!(wanted.is_empty(), "{wanted:?}");
}
