//! The pieces of a file, in the order in which they are worked on, as long as there is time.

use std::ops::Range;

use sys::clock::now_ns;

use crate::random::Random;

/// Every piece has whole ones, and a stamp stands at the start of each. No device has smaller ones.
pub(super) const SECTOR_BYTES: usize = 512;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub(super) offset: u64,
    pub(super) bytes: usize,
}

impl Piece {
    pub(super) fn sectors(self) -> Range<u64> {
        let first = self.offset / SECTOR_BYTES as u64;
        first..first + (self.bytes / SECTOR_BYTES) as u64
    }

    /// Returns the parts that get new data at once, of which there is for `most` bytes: the piece itself where that is less than
    /// [`PART_BYTES`], since no piece is longer then, else what lies between their multiples.
    pub(super) fn parts(self, most: usize) -> impl Iterator<Item = Self> {
        let end = self.offset + self.bytes as u64;
        let mut offset = self.offset;
        std::iter::from_fn(move || {
            let left = end.checked_sub(offset).filter(|left| *left > 0)?;
            let to_next = PART_BYTES as u64 - offset % PART_BYTES as u64;
            let bytes = if most < PART_BYTES { left } else { left.min(to_next) };
            let part = Self { offset, bytes: bytes as usize };
            offset += bytes;
            Some(part)
        })
    }
}

/// Size of the parts of a long piece: enough that nothing is lost by it.
pub(super) const PART_BYTES: usize = 1 << 20;

pub(super) struct Order {
    pub(super) bytes: u64,
    piece_bytes: usize,
    /// The number of each piece in its turn; `None` is from the first to the last.
    drawn: Option<Vec<u32>>,
}

impl Order {
    pub(super) fn sequential(bytes: u64, piece_bytes: usize) -> Self {
        Self { bytes, piece_bytes, drawn: None }
    }

    pub(super) fn random(bytes: u64, piece_bytes: usize, seed: u64) -> Self {
        let mut order = Self::sequential(bytes, piece_bytes);
        let mut drawn: Vec<u32> = (0..order.count() as u32).collect();
        Random(seed).shuffle(&mut drawn);
        order.drawn = Some(drawn);
        order
    }

    pub(super) fn count(&self) -> u64 {
        self.bytes.div_ceil(self.piece_bytes as u64)
    }

    fn piece(&self, turn: u64) -> Option<Piece> {
        let number = match &self.drawn {
            None => turn,
            Some(drawn) => u64::from(*drawn.get(usize::try_from(turn).ok()?)?),
        };
        let offset = number * self.piece_bytes as u64;
        let left = self.bytes.checked_sub(offset).filter(|left| *left > 0)?;
        Some(Piece { offset, bytes: left.min(self.piece_bytes as u64) as usize })
    }
}

/// The pieces that a technique is given in one phase. They come to an end early when the time is up.
pub(super) struct Pieces<'order> {
    order: &'order Order,
    turn: u64,
    pace: Pace,
    began_ns: u64,
    /// When the calls of a technique had returned that does something behind them, since it began; `None` where nothing came behind.
    pub(super) returned_ns: Option<u64>,
}

impl<'order> Pieces<'order> {
    /// All pieces, as far as they begin within `limit_ns` from now.
    pub(super) fn within(order: &'order Order, limit_ns: u64) -> Self {
        let pace = Pace::within(limit_ns);
        Self { order, turn: 0, began_ns: pace.seen_ns, pace, returned_ns: None }
    }

    /// The pieces behind those that were given, whatever they take.
    pub(super) fn rest(&self) -> Self {
        Self { turn: self.turn, ..Self::within(self.order, u64::MAX) }
    }

    /// Notes that the calls of the technique have returned: what comes behind them only waits for the device.
    pub(super) fn calls_have_returned(&mut self) {
        self.returned_ns = Some(now_ns() - self.began_ns);
    }

    pub(super) fn given(&self) -> impl Iterator<Item = Piece> + use<'_> {
        (0..self.turn).filter_map(|turn| self.order.piece(turn))
    }

    /// Returns the number of bytes that were given, and that of all.
    pub(super) fn given_bytes(&self) -> (u64, u64) {
        let of = self.order.bytes;
        if self.turn >= self.order.count() {
            return (of, of);
        }
        (self.given().map(|piece| piece.bytes as u64).sum(), of)
    }
}

impl Iterator for Pieces<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let piece = self.order.piece(self.turn)?;
        // The first one always comes: where nothing was done, nothing can be said.
        if self.turn > 0 && self.pace.is_over() {
            return None;
        }
        self.turn += 1;
        Some(piece)
    }
}

/// Looks at the clock seldom enough to cost nothing, and often enough to end in time.
struct Pace {
    end_ns: u64,
    seen_ns: u64,
    /// Pieces between two looks.
    stride: u32,
    left: u32,
    is_over: bool,
}

/// The time between two looks.
const LOOK_NS: u64 = 1_000_000;
const STRIDE_MOST: u32 = 1 << 16;

impl Pace {
    fn within(limit_ns: u64) -> Self {
        let seen_ns = now_ns();
        Self { end_ns: seen_ns.saturating_add(limit_ns), seen_ns, stride: 1, left: 1, is_over: false }
    }

    fn is_over(&mut self) -> bool {
        self.left -= 1;
        if self.left > 0 {
            return false;
        }
        let now_ns = now_ns();
        let is_early = now_ns - self.seen_ns < LOOK_NS;
        self.stride = if is_early { (self.stride * 2).min(STRIDE_MOST) } else { (self.stride / 2).max(1) };
        (self.left, self.seen_ns) = (self.stride, now_ns);
        self.is_over |= now_ns >= self.end_ns;
        // An order that has ended stays at its end.
        if self.is_over {
            self.left = 1;
        }
        self.is_over
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOR_EVER: u64 = u64::MAX;

    fn offsets(pieces: impl Iterator<Item = Piece>) -> Vec<u64> {
        pieces.map(|piece| piece.offset).collect()
    }

    #[test]
    fn every_piece_comes_once_and_the_last_one_is_what_is_left() {
        for order in [Order::sequential(10 << 10, 3 << 10), Order::random(10 << 10, 3 << 10, 5)] {
            let mut pieces = Pieces::within(&order, FOR_EVER);
            let mut given: Vec<Piece> = pieces.by_ref().collect();
            given.sort_by_key(|piece| piece.offset);
            assert_eq!(offsets(given.iter().copied()), [0, 3 << 10, 6 << 10, 9 << 10]);
            assert_eq!(given.iter().map(|piece| piece.bytes).sum::<usize>(), 10 << 10);
            assert_eq!(pieces.given_bytes(), (10 << 10, 10 << 10));
            assert_eq!(pieces.rest().count(), 0);
        }
    }

    #[test]
    fn the_parts_of_a_piece_end_at_multiples_of_their_size() {
        const MIB: u64 = PART_BYTES as u64;
        let parts =
            |offset, bytes, most| Piece { offset, bytes }.parts(most).map(|part| (part.offset, part.bytes));
        assert!(parts(MIB / 2, 2 * PART_BYTES, PART_BYTES).eq([
            (MIB / 2, PART_BYTES / 2),
            (MIB, PART_BYTES),
            (2 * MIB, PART_BYTES / 2)
        ]));
        assert!(parts(MIB - 512, 1024, 1024).eq([(MIB - 512, 1024)]));
    }

    #[test]
    fn a_drawn_order_follows_from_the_seed() {
        let of = |seed| offsets(Pieces::within(&Order::random(1 << 20, 1 << 10, seed), FOR_EVER));
        assert_eq!(of(1), of(1));
        assert_ne!(of(1), of(2));
        assert!(!of(1).is_sorted());
    }

    #[test]
    fn one_piece_is_given_where_the_time_is_up_at_once() {
        let order = Order::sequential(4 << 10, 1 << 10);
        let mut pieces = Pieces::within(&order, 0);
        assert_eq!(pieces.by_ref().count(), 1);
        assert_eq!(pieces.next(), None, "it stays at its end");
        assert_eq!(pieces.given_bytes(), (1 << 10, 4 << 10));
        assert_eq!(offsets(pieces.rest()), [1 << 10, 2 << 10, 3 << 10]);
    }
}
