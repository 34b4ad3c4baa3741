#![no_main]
//! libFuzzer, with the target that `BAKEOFF_FUZZ_TARGET` names. `cargo xtask fuzz` builds and runs it.

use std::sync::LazyLock;

use fuzz::{TARGETS, Target};
use libfuzzer_sys::{Corpus, fuzz_target};

static TARGET: LazyLock<&Target> = LazyLock::new(|| {
    let name = std::env::var("BAKEOFF_FUZZ_TARGET").unwrap_or_default();
    TARGETS.iter().find(|target| target.name == name).expect("BAKEOFF_FUZZ_TARGET names a target")
});

fuzz_target!(|input: &[u8]| -> Corpus {
    (TARGET.check)(input);
    Corpus::Keep
});
