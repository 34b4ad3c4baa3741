//! A profile, which other programs load at their start.

use std::path::Path;

use profile::{HostKey, Profile, Task, Value, Wanted};

use crate::assert_says_why;

pub(crate) fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let host = HostKey {
        fingerprint: "0123456789abcdef".to_owned(),
        kernel: "6.1.0".to_owned(),
        setup: [("microcode".to_owned(), "0x1".to_owned())].into(),
    };
    let read = |text: &str| Profile::parse(text, Path::new("FILE"), host.clone());
    match read(text) {
        Ok(profile) => {
            let written = profile.to_toml().expect("what was read can be written");
            assert_eq!(read(&written).expect("what was written can be read"), profile, "{written}");
            profile.tasks.iter().for_each(|task| look_up(&profile, task));
        }
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}

/// Every value on an axis has a pick of its task, or a refusal that says why.
fn look_up(profile: &Profile, task: &Task) {
    for at in [0, 1, 4096, u64::MAX] {
        let mut wanted = Wanted::new(&task.family);
        for (axis, value) in &task.workload {
            wanted = match value {
                Value::Number(number) => wanted.at(axis, *number),
                Value::Word(word) => wanted.with(axis, word),
            };
        }
        if let Some(axis) = &task.axis {
            wanted = wanted.at(axis, at);
        }
        if let Some(name) = &task.file_system {
            wanted = wanted.on_file_system(name);
        }
        match profile.best(&wanted) {
            Ok(pick) => {
                assert!((pick.range.from..=pick.range.to).contains(&at));
                assert!(!pick.technique().is_empty());
            }
            Err(refused) => assert!(!refused.to_string().is_empty()),
        }
    }
}
