//! What was refused, in the words that were typed.

use anyhow::{Error, anyhow};

/// `--threads N` is short for `--set threads=N`, and the library knows the long form only.
pub(crate) fn as_typed(refused: Error, threads: Option<&str>) -> Error {
    let told = refused.to_string();
    match (threads, told.strip_prefix("--set threads=")) {
        (Some(_), Some(rest)) => anyhow!("--threads {rest}"),
        _ => refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_form_that_was_typed_is_named_and_no_other() {
        let refused = || anyhow!("--set threads=0: a whole number from 1 on is expected");
        assert_eq!(
            as_typed(refused(), Some("0")).to_string(),
            "--threads 0: a whole number from 1 on is expected"
        );
        assert_eq!(as_typed(refused(), None).to_string(), refused().to_string());
        let other = || anyhow!("--set depth=0: a whole number from 1 on is expected");
        assert_eq!(as_typed(other(), Some("4")).to_string(), other().to_string());
    }
}
