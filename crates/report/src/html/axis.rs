//! Axes of plots, in percent of the plot's size: text and dots keep their size whatever the page's width.

use maud::{Markup, html};
use model::Unit;

use crate::words::units::{Scale, three_digits};

#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Axis {
    low: f64,
    high: f64,
    /// Percent that are left free at either end.
    margin: f64,
    is_linear: bool,
}

impl Axis {
    /// An axis from `low` to `high`, both above 0, with this many percent left free at either end.
    pub(super) fn new(low: f64, high: f64, margin: f64) -> Self {
        let low = if low.is_finite() && low > 0.0 { low } else { 1.0 };
        let high = if high.is_finite() && high > low { high } else { low * 1.2 };
        Self { low, high, margin, is_linear: false }
    }

    /// An axis with room for these values and a ratio beyond both ends of them.
    pub(super) fn around(values: impl IntoIterator<Item = f64>, beyond: f64, margin: f64) -> Self {
        let (low, high) = ends(values);
        Self::new(low / beyond, high * beyond, margin)
    }

    pub(super) fn linear(self) -> Self {
        Self { is_linear: true, ..self }
    }

    /// Returns the place of a value in percent; a value beyond an end stands at that end.
    pub(super) fn at(&self, value: f64) -> f64 {
        let value = if value.is_nan() { self.low } else { value.clamp(self.low, self.high) };
        let share = if self.is_linear {
            (value - self.low) / (self.high - self.low)
        } else {
            (value / self.low).ln() / (self.high / self.low).ln()
        };
        self.margin + share * (100.0 - 2.0 * self.margin)
    }

    /// Returns the place of a value as an attribute: `12.5%`.
    pub(super) fn x(&self, value: f64) -> String {
        percent_of(self.at(value))
    }

    pub(super) fn is_beyond(&self, value: f64) -> bool {
        value > self.high * (1.0 + 1e-9)
    }

    pub(super) fn is_below(&self, value: f64) -> bool {
        value < self.low * (1.0 - 1e-9)
    }

    pub(super) fn holds(&self, value: f64) -> bool {
        !self.is_below(value) && !self.is_beyond(value)
    }

    /// Of these values, ascending, those on the axis that do not touch: their names take this many percent.
    pub(super) fn ticks(&self, values: impl IntoIterator<Item = f64>, least_gap: f64) -> Vec<f64> {
        let mut ticks: Vec<f64> = Vec::new();
        for value in values.into_iter().filter(|value| self.holds(*value)) {
            if ticks.last().is_none_or(|last| self.at(value) - self.at(*last) >= least_gap) {
                ticks.push(value);
            }
        }
        ticks
    }

    /// Round values from end to end, 1, 2 and 5 times a power of ten, or of fewer where they would stand too close.
    pub(super) fn round_values(&self, most: usize) -> Vec<f64> {
        let powers = self.low.log10().floor() as i32 - 1..=self.high.log10().ceil() as i32;
        for steps in [&[1.0, 1.5, 2.0, 3.0, 5.0, 7.0][..], &[1.0, 2.0, 5.0], &[1.0, 3.0], &[1.0]] {
            let all = powers.clone().flat_map(|power| steps.iter().map(move |step| step * 10f64.powi(power)));
            let values: Vec<f64> = all.filter(|value| self.holds(*value)).collect();
            if values.len() <= most {
                return values;
            }
        }
        let decades = powers.map(|power| 10f64.powi(power)).filter(|value| self.holds(*value));
        let step = decades.clone().count().div_ceil(most.max(1)).max(1);
        decades.step_by(step).collect()
    }
}

/// The smallest and the largest of these; the former is infinite and the latter 0 where there is none.
pub(super) fn ends(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    values.into_iter().fold((f64::INFINITY, 0.0), |(low, high), value| (low.min(value), high.max(value)))
}

/// A number without the zeros that end its decimals.
pub(super) fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

/// A round value with its unit and no more digits than it has.
pub(super) fn short(unit: Unit, value: f64) -> String {
    match Scale::of(unit, value) {
        Some(scale) => format!("{} {}", trimmed(&scale.number(value)), scale.name),
        None => trimmed(&three_digits(value)).to_owned(),
    }
}

/// The axes of a plot whose values grow from its bottom to its top, in percent from the left and from the top.
pub(super) struct Plane {
    pub(super) x: Axis,
    pub(super) y: Axis,
}

impl Plane {
    pub(super) fn left(&self, at: u64) -> f64 {
        self.x.at(at as f64)
    }

    pub(super) fn top(&self, value: f64) -> f64 {
        100.0 - self.y.at(value)
    }

    /// Returns the points of a line as an attribute.
    pub(super) fn path(&self, points: impl IntoIterator<Item = (u64, f64)>) -> String {
        let places = points.into_iter().map(|(at, value)| (self.left(at), self.top(value)));
        places.map(|(x, y)| format!("{x:.2},{y:.2} ")).collect()
    }

    /// Writes the names of values next to the plot.
    pub(super) fn names(&self, ticks: &[f64], name: impl Fn(f64) -> String) -> Markup {
        html! {
            div.yl aria-hidden="true" {
                @for &tick in ticks { span style={ "top:" (percent_of(self.top(tick))) } { (name(tick)) } }
            }
        }
    }

    /// Writes a line across the plot for each of these values.
    pub(super) fn grid(&self, ticks: &[f64]) -> Markup {
        html! {
            @for &tick in ticks {
                @let y = percent_of(self.top(tick));
                line.g x1="0" x2="100%" y1=(y) y2=(y) {}
            }
        }
    }
}

pub(super) fn percent_of(place: f64) -> String {
    format!("{}%", trimmed(&format!("{place:.2}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_ratios_are_equal_distances() {
        let axis = Axis::new(1.0, 4.0, 10.0);
        assert_eq!([axis.at(1.0), axis.at(2.0), axis.at(4.0)], [10.0, 50.0, 90.0]);
        assert_eq!(axis.at(100.0), 90.0);
        assert!(axis.is_beyond(4.1) && !axis.is_beyond(4.0));
    }

    #[test]
    fn an_axis_without_room_has_some() {
        for (low, high) in [(1.0, 1.0), (0.0, 0.0), (f64::INFINITY, 2.0), (3.0, f64::NAN)] {
            let axis = Axis::new(low, high, 0.0);
            assert!((0.0..=100.0).contains(&axis.at(1.0)), "{low} {high}");
        }
    }

    #[test]
    fn ticks_keep_their_distance() {
        let axis = Axis::new(1.0, 100.0, 0.0);
        assert_eq!(axis.ticks([1.0, 1.1, 2.0, 10.0, 200.0], 10.0), [1.0, 2.0, 10.0]);
        assert_eq!(axis.round_values(9), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
        assert_eq!(Axis::new(1.0, 1e9, 0.0).round_values(4), [1.0, 1e3, 1e6, 1e9]);
    }

    #[test]
    fn a_number_has_no_more_digits_than_it_needs() {
        assert_eq!(["100", "0.300", "2.00", "1.05"].map(trimmed), ["100", "0.3", "2", "1.05"]);
        assert_eq!([percent_of(10.0), percent_of(12.345), percent_of(0.5)], ["10%", "12.35%", "0.5%"]);
    }
}
