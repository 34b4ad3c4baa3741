//! Bad input that only this system has: words that are no Unicode, which UTF-16 with half of a pair is.

use std::ffi::OsString;
use std::fs;
use std::os::windows::ffi::OsStringExt;

use crate::sandbox::{SMALL, Sandbox, assert_refused, stderr};

/// A word with half of a pair in it.
fn odd() -> OsString {
    OsString::from_wide(&[u16::from(b'a'), 0xd800, u16::from(b'b')])
}

#[test]
fn words_that_are_no_unicode_are_a_sentence() {
    let sandbox = Sandbox::new();
    for words in [&["run"][..], &["list"], &["report"], &["judge"], &["generate"], &["run", "--seed"], &[]] {
        let assert = sandbox.bakeoff(words).arg(odd()).assert().code(2);
        assert!(!stderr(&assert).contains("panicked"), "{words:?}: {}", stderr(&assert));
    }
    for command in ["run", "time", "report"] {
        assert_refused(sandbox.bakeoff(&[command]).arg(odd()), &[r#""a\u{d800}b""#, "is not UTF-8"]);
    }
    assert_refused(sandbox.bakeoff("time -n 2 --").arg(odd()), "is not UTF-8");
    assert_refused(sandbox.bakeoff("time --").arg(odd()), "program not found");
    sandbox.assert_untouched();
}

#[test]
fn a_directory_whose_name_is_no_unicode_is_refused() {
    let sandbox = Sandbox::new();
    let folder = sandbox.dir().join(odd());
    let words = match fs::create_dir(&folder) {
        Ok(()) => ["--dir", "is not UTF-8"],
        // Where the file system takes no such name, as those of Linux below Wine, there is no such directory either.
        Err(_) => ["--dir", "cannot be opened"],
    };
    assert_refused(sandbox.bakeoff("run").args(SMALL).arg("--dir").arg(&folder), &words);
    assert!(!sandbox.store().exists());
}
