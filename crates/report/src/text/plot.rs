//! The factors of a contest on a logarithmic axis, in plain characters.

use crate::page::blocks::Bar;
use crate::text::layout::columns;

/// The narrowest plot that shows anything, and the widest that is worth its room.
pub(super) const LEAST_COLUMNS: usize = 16;
pub(super) const MOST_COLUMNS: usize = 40;
/// The axis ends here at the latest: what is slower has an arrow at its end.
const LAST_FACTOR: f64 = 3.0;
/// A ceiling may take less: it has an arrow at its start.
const FIRST_FACTOR: f64 = 0.99;
/// A shorter axis would show noise only.
const LEAST_LAST_FACTOR: f64 = 1.2;
const TICKS: [(f64, &str); 6] =
    [(1.0, "1"), (1.2, "1.2"), (1.5, "1.5"), (2.0, "2"), (2.5, "2.5"), (3.0, "3")];

pub(super) struct Plot {
    columns: usize,
    last: f64,
}

impl Plot {
    /// A plot of these rows that is this many columns wide. `None` where there is nothing to plot, or no room.
    pub(super) fn new<'a>(bars: impl Iterator<Item = &'a Bar>, columns: usize) -> Option<Self> {
        let ends: Vec<f64> = bars.map(|bar| bar.high.unwrap_or(bar.factor)).collect();
        let several = ends.len() > 1;
        let ends = ends.into_iter();
        let last = ends.filter(|end| end.is_finite()).fold(LEAST_LAST_FACTOR, f64::max).min(LAST_FACTOR);
        (several && columns >= LEAST_COLUMNS).then_some(Self { columns: columns.min(MOST_COLUMNS), last })
    }

    pub(super) fn axis(&self) -> String {
        let mut line = String::new();
        for (value, text) in TICKS.into_iter().filter(|(value, _)| *value <= self.last + 1e-9) {
            let at = self.column(value);
            let start = at.min(self.columns.saturating_sub(text.len()));
            put(&mut line, start, text, usize::MAX);
        }
        line
    }

    /// A bar: `#` the leader, `o` any other, `[]` the baseline, `=` the interval.
    pub(super) fn bar(&self, bar: &Bar) -> String {
        let Bar { factor, low, high, leads, is_baseline } = *bar;
        let mut cells = vec![' '; self.columns];
        let at = self.column(factor);
        let low = low.map_or(at, |low| self.column(low));
        let end = high.map_or(at, |high| self.column(high));
        for cell in &mut cells[low.min(at)..=end.max(at)] {
            *cell = '=';
        }
        let beyond = |value: f64| value > self.last * (1.0 + 1e-9);
        if high.is_some_and(beyond) {
            cells[self.columns - 1] = '>';
        }
        if beyond(factor) {
            cells[self.columns - 1] = '>';
        } else if factor < FIRST_FACTOR {
            cells[at] = '<';
        } else if leads {
            cells[at] = '#';
        } else if is_baseline {
            let start = at.min(self.columns - 2);
            (cells[start], cells[start + 1]) = ('[', ']');
        } else {
            cells[at] = 'o';
        }
        cells.into_iter().collect::<String>().trim_end().to_owned()
    }

    fn column(&self, factor: f64) -> usize {
        let share = factor.max(1.0).min(self.last).ln() / self.last.ln();
        (share * (self.columns - 1) as f64).round() as usize
    }
}

/// Puts `text` at a column, where it touches nothing in front of it and does not reach beyond `end`.
pub(super) fn put(line: &mut String, start: usize, text: &str, end: usize) {
    let used = columns(line);
    if (used == 0 || start > used) && start + columns(text) <= end {
        line.push_str(&" ".repeat(start - used));
        line.push_str(text);
    }
}
