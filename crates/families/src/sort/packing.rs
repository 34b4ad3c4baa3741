//! Keys packed into as few bits as they need, with their order kept.
//!
//! Where the keys hold only sixteen different values at a place, as hexadecimal digits do, that place needs four bits and
//! not eight: eight digits are a number of 32 bits, and with the record's position they fit into one number of 64.

use super::layout::Layout;

/// Places of the key that are looked at: the tables of more would not stay in the nearest cache.
const MOST_PLACES: usize = 16;

const UNSEEN: u64 = 1 << 63;

/// The values that stand at each place of the keys.
#[derive(Clone)]
pub(super) struct Presence {
    seen: Vec<[bool; 256]>,
}

impl Presence {
    pub(super) fn new(layout: Layout) -> Self {
        Self { seen: vec![[false; 256]; layout.key_bytes().min(MOST_PLACES)] }
    }

    pub(super) fn see(&mut self, record: &[u8]) {
        for (seen, &value) in self.seen.iter_mut().zip(record) {
            seen[usize::from(value)] = true;
        }
    }

    pub(super) fn join(&mut self, other: &Self) {
        for (seen, others) in self.seen.iter_mut().zip(&other.seen) {
            seen.iter_mut().zip(others).for_each(|(seen, other)| *seen |= other);
        }
    }
}

/// Turns keys into numbers: those of smaller keys are smaller, or equal where the key was too long to be packed whole.
pub(super) struct Packing {
    tables: Vec<[u64; 256]>,
    /// Bits of the largest number.
    pub(super) bits: u32,
    /// True where different keys have different numbers.
    pub(super) is_whole: bool,
}

impl Packing {
    /// Packs as many places of the key as fit into `most_bits` bits, at most 63.
    pub(super) fn of(presence: &Presence, layout: Layout, most_bits: u32) -> Self {
        let values: Vec<u64> = presence
            .seen
            .iter()
            .map(|seen| seen.iter().filter(|&&seen| seen).count().max(1) as u64)
            .collect();
        let mut count = 1_u64;
        let fitting = values.iter().take_while(|&&values| {
            let next = count.checked_mul(values).filter(|&next| next <= 1 << most_bits);
            count = next.unwrap_or(count);
            next.is_some()
        });
        let places = fitting.count();
        let mut weight = 1;
        let mut tables: Vec<[u64; 256]> = Vec::with_capacity(places);
        for (seen, values) in presence.seen[..places].iter().zip(&values).rev() {
            tables.push(table_of(seen, weight));
            weight *= values;
        }
        tables.reverse();
        Self { tables, bits: 64 - (count - 1).leading_zeros(), is_whole: places == layout.key_bytes() }
    }

    /// Returns the number of a record's key, and marks whose highest bit is set where a value was not seen.
    #[inline]
    pub(super) fn pack(&self, record: &[u8]) -> (u64, u64) {
        let (mut number, mut marks) = (0_u64, 0);
        for (table, &value) in self.tables.iter().zip(record) {
            let part = table[usize::from(value)];
            number = number.wrapping_add(part);
            marks |= part;
        }
        (number, marks)
    }

    /// Packs eight places, as in the published records, without a loop.
    #[inline]
    pub(super) fn pack_eight(tables: &[[u64; 256]; 8], key: [u8; 8]) -> (u64, u64) {
        let (mut number, mut marks) = (0_u64, 0);
        for (table, value) in tables.iter().zip(key) {
            let part = table[usize::from(value)];
            number = number.wrapping_add(part);
            marks |= part;
        }
        (number, marks)
    }

    pub(super) fn eight(&self) -> Option<&[[u64; 256]; 8]> {
        self.tables.as_slice().try_into().ok()
    }
}

pub(super) fn is_unseen(marks: u64) -> bool {
    marks & UNSEEN != 0
}

fn table_of(seen: &[bool; 256], weight: u64) -> [u64; 256] {
    let mut rank = 0;
    seen.map(|seen| {
        let value = if seen { rank * weight } else { UNSEEN };
        rank += u64::from(seen);
        value
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packing_of(records: &[Vec<u8>], layout: Layout, most_bits: u32) -> Packing {
        let mut presence = Presence::new(layout);
        records.iter().for_each(|record| presence.see(record));
        Packing::of(&presence, layout, most_bits)
    }

    #[test]
    fn eight_hexadecimal_digits_are_packed_into_32_bits() {
        let layout = Layout::new(8, 8).expect("possible");
        let records: Vec<Vec<u8>> =
            (0..16_u32).map(|digit| format!("{:08x}", digit * 0x1111_1111).into_bytes()).collect();
        let packing = packing_of(&records, layout, 45);
        assert_eq!((packing.bits, packing.is_whole), (32, true));
        assert_eq!(packing.pack(b"0123cdef"), (0x0123_cdef, 0x0123_cdef));
        let tables = packing.eight().expect("eight places");
        assert_eq!(Packing::pack_eight(tables, *b"89ab4567").0, 0x89ab_4567);
    }

    #[test]
    fn keys_that_do_not_fit_are_packed_in_part() {
        let layout = Layout::new(20, 20).expect("possible");
        let records: Vec<Vec<u8>> = (0..=255).map(|value| vec![value; 20]).collect();
        let packing = packing_of(&records, layout, 45);
        assert_eq!((packing.bits, packing.is_whole), (40, false));
        let constant = packing_of(&records[..1], layout, 45);
        // Nothing is known of the places behind the sixteenth.
        assert_eq!((constant.bits, constant.is_whole), (0, false));
    }
}
