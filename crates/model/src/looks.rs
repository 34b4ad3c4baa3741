//! What a list of looks may be, wherever it comes from: the command line, a file or a store.

/// No plan has more looks.
const MOST: usize = 1000;
/// No plan goes on for longer.
const LAST: u32 = 10_000_000;

/// What a list of looks must be, in words that follow its name.
pub const LOOKS_RULE: &str = "must ascend from 1, each once, at most 1000 of them and none above 10000000";

/// Whether these numbers of counted rounds can be looks. An empty list names none, which is no mistake.
pub fn are_looks(looks: &[u32]) -> bool {
    let ascend = looks.first() != Some(&0) && looks.windows(2).all(|pair| pair[0] < pair[1]);
    ascend && looks.len() <= MOST && looks.last().is_none_or(|&last| last <= LAST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_ascend_are_not_many_and_end_within_reason() {
        assert!(are_looks(&[]) && are_looks(&[1]) && are_looks(&[8, 10, 10_000_000]));
        assert!(are_looks(&(1..=1000).collect::<Vec<_>>()));
        let refused: [&[u32]; 5] = [&[0, 1], &[10, 5], &[5, 5], &[8, 4_000_000_000], &[10_000_001]];
        assert!(refused.iter().all(|looks| !are_looks(looks)));
        assert!(!are_looks(&(1..=1001).collect::<Vec<_>>()));
        assert!(LOOKS_RULE.contains(&MOST.to_string()) && LOOKS_RULE.contains(&LAST.to_string()));
    }
}
