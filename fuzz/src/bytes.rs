//! An input taken apart into numbers and texts.

/// What is left of an input. Behind its end everything is 0 and empty.
pub(crate) struct Bytes<'input>(&'input [u8]);

impl<'input> Bytes<'input> {
    pub(crate) fn of(input: &'input [u8]) -> Self {
        Self(input)
    }

    /// The next byte; `None` at the end.
    pub(crate) fn byte(&mut self) -> Option<u8> {
        let (&first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(first)
    }

    /// A number of this many bytes, the lowest first.
    pub(crate) fn number(&mut self, bytes: u32) -> u64 {
        (0..bytes).fold(0, |number, place| number | u64::from(self.byte().unwrap_or(0)) << (8 * place))
    }

    /// A length of one byte, and this many bytes or as many as there are.
    pub(crate) fn text(&mut self) -> Vec<u8> {
        let length = usize::from(self.byte().unwrap_or(0)).min(self.0.len());
        let (text, rest) = self.0.split_at(length);
        self.0 = rest;
        text.to_vec()
    }
}
