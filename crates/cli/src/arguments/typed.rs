//! What was refused, in the words that were typed.

use anyhow::{Error, anyhow};
use model::parse_duration_ns;

/// Reads how long something may take. In no time at all nothing is measured, and a run without a sample answers nothing.
pub(crate) fn parse_budget_ns(text: &str) -> Result<u64, String> {
    match parse_duration_ns(text).map_err(|refused| refused.to_string())? {
        0 => Err("nothing can be measured in no time; for example 90s".to_owned()),
        ns => Ok(ns),
    }
}

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
    fn a_budget_is_a_duration_and_not_none_at_all() {
        assert_eq!(parse_budget_ns("90s"), Ok(90_000_000_000));
        for none in ["0s", "0ms", "0.1ns"] {
            assert!(
                parse_budget_ns(none).is_err_and(|refused| refused.contains("for example 90s")),
                "{none}"
            );
        }
        assert!(parse_budget_ns("soon").is_err_and(|refused| refused.contains("'soon'")));
    }

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
