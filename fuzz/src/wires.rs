//! Messages between the program's own processes.

use measure::{Answer, Assignment, work};
use sys::process::supervisor::Message;

use crate::assert_says_why;

/// The standard input of a worker.
pub(crate) fn check_assignment(input: &[u8]) {
    let read = serde_json::from_slice::<Assignment>(input);
    if let Ok(assignment) = &read {
        let written = serde_json::to_vec(assignment).expect("plain data");
        assert_eq!(&serde_json::from_slice::<Assignment>(&written).expect("our own"), assignment);
    }
    // Without a family there is no work to do.
    let mut said = Vec::new();
    if let Err(refused) = work(&[], input, &mut said) {
        assert_says_why(&refused.to_string(), input);
    }
    assert!(said.is_empty() || said.ends_with(b"\n"), "half a line was said");
}

/// The answers of a worker: the first byte is the number of its trials.
pub(crate) fn check_answers(input: &[u8]) {
    let Some((&trials, stdout)) = input.split_first() else { return };
    let answers = Answer::read_all(stdout, trials.into());
    let mut written = Vec::new();
    for answer in &answers {
        serde_json::to_writer(&mut written, answer).expect("plain data");
        written.push(b'\n');
    }
    assert_eq!(Answer::read_all(&written, trials.into()), answers);
    assert_eq!(Answer::read_all(stdout, 0), []);
    let torn = written.strip_suffix(b"}\n").unwrap_or(&written);
    let whole = answers.len().saturating_sub(1);
    assert_eq!(Answer::read_all(torn, trials.into()), answers[..whole]);
}

/// The messages between the coordinator and the supervisor, in either direction.
pub(crate) fn check_supervisor(input: &[u8]) {
    let Ok(line) = std::str::from_utf8(input) else { return };
    match Message::read(line) {
        Ok(message) => {
            let written = message.to_line().expect("plain data");
            assert!(!written.contains('\n'), "a message is one line: {written}");
            assert_eq!(Message::read(&written).expect("our own"), message, "{written}");
        }
        Err(refused) => assert_says_why(&refused.to_string(), input),
    }
}
