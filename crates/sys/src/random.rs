//! Numbers that cannot be foreseen.

use std::hash::{BuildHasher, Hasher, RandomState};

/// Returns a random number, drawn each time, for seeds and names, not for secrets. The keys of the standard library's hash maps need
/// no `/dev`, which other sources open where a program is linked statically.
pub fn draw() -> u64 {
    RandomState::new().build_hasher().finish()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    #[test]
    fn no_number_comes_twice() {
        let drawn: HashSet<u64> = (0..1000).map(|_| super::draw()).collect();
        assert_eq!(drawn.len(), 1000);
    }
}
