//! A tree of losers: the smallest of many heads, found with one comparison a level after each step.
//!
//! Source: Knuth, The Art of Computer Programming, volume 3, 5.4.1.

/// Every inner node holds the head that lost there; the winner stands apart.
pub(super) struct LoserTree<T> {
    losers: Vec<T>,
    winner: T,
}

impl<T: Copy> LoserTree<T> {
    /// Lets all heads play; there must be one at least. `before` must be a strict order: a head that is at its end is
    /// behind all others.
    pub(super) fn new(heads: &[T], before: impl Fn(&T, &T) -> bool) -> Self {
        let leaves = heads.len();
        // Node n has the children 2n and 2n + 1; the leaves stand behind the inner nodes.
        let mut winners: Vec<T> = heads.iter().chain(heads).copied().collect();
        let mut losers = heads.to_vec();
        for node in (1..leaves).rev() {
            let (left, right) = (winners[2 * node], winners[2 * node + 1]);
            let right_wins = before(&right, &left);
            winners[node] = if right_wins { right } else { left };
            losers[node] = if right_wins { left } else { right };
        }
        Self { losers, winner: winners[1] }
    }

    /// The smallest head.
    #[inline]
    pub(super) fn winner(&self) -> T {
        self.winner
    }

    /// Puts the next head of the winner's own leaf into its place, and plays again along its way.
    #[inline]
    pub(super) fn replace(&mut self, leaf: usize, next: T, before: impl Fn(&T, &T) -> bool) {
        let mut rising = next;
        let mut node = (leaf + self.losers.len()) / 2;
        while node > 0 {
            let waiting = self.losers[node];
            // Both are written in any case: which of them wins cannot be foreseen.
            let waiting_wins = before(&waiting, &rising);
            self.losers[node] = if waiting_wins { rising } else { waiting };
            rising = if waiting_wins { waiting } else { rising };
            node /= 2;
        }
        self.winner = rising;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Merges as the techniques do: heads are values with the number of their list, an ended list is last.
    fn merged(lists: &[Vec<u16>]) -> Vec<u32> {
        let head = |list: usize, at: usize| match lists[list].get(at) {
            Some(&value) => u64::from(value) << 32 | list as u64,
            None => u64::MAX,
        };
        let heads: Vec<u64> = (0..lists.len()).map(|list| head(list, 0)).collect();
        let mut tree = LoserTree::new(&heads, |a, b| a < b);
        let mut at = vec![0; lists.len()];
        let mut merged = Vec::new();
        while tree.winner() != u64::MAX {
            let list = (tree.winner() & 0xffff_ffff) as usize;
            merged.push((tree.winner() >> 16) as u32 | list as u32);
            at[list] += 1;
            tree.replace(list, head(list, at[list]), |a, b| a < b);
        }
        merged
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]
        #[test]
        fn any_sorted_lists_are_merged_and_equal_values_keep_the_order_of_their_lists(
            mut lists in prop::collection::vec(prop::collection::vec(0_u16..50, 0..40), 1..20),
        ) {
            lists.iter_mut().for_each(|list| list.sort_unstable());
            let named = lists.iter().enumerate().flat_map(|(list, values)| {
                values.iter().map(move |&value| u32::from(value) << 16 | list as u32)
            });
            let mut expected: Vec<u32> = named.collect();
            expected.sort_unstable();
            prop_assert_eq!(merged(&lists), expected);
        }
    }

    #[test]
    fn a_single_list_needs_no_game() {
        assert_eq!(merged(&[vec![1, 2, 2, 9]]), [1 << 16, 2 << 16, 2 << 16, 9 << 16]);
        assert!(merged(&[vec![]]).is_empty());
    }
}
