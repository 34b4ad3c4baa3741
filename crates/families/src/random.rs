//! Sebastiano Vigna's splitmix64. Own code, since files made with it must stay the same when a crate changes its stream.

pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// Returns a number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }

    pub(crate) fn pick<'list, T>(&mut self, list: &'list [T]) -> &'list T {
        &list[self.below(list.len() as u64) as usize]
    }

    pub(crate) fn shuffle<T>(&mut self, list: &mut [T]) {
        for nth in (1..list.len()).rev() {
            list.swap(nth, self.below(nth as u64 + 1) as usize);
        }
    }
}

/// The generator of Microsoft's C library, from which the published programs drew: 32 bits of state a thread, and numbers of 15 bits.
pub(crate) struct PublishedRand(pub(crate) u32);

impl PublishedRand {
    #[inline]
    pub(crate) fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(214_013).wrapping_add(2_531_011);
        (self.0 >> 16) & 0x7fff
    }
}

/// Returns a number that looks drawn, and follows from another.
pub(crate) fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
