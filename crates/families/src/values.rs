//! What a technique hands over next to its result: numbers by their metric, and latencies as histograms.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hdrhistogram::Histogram;
use hdrhistogram::serialization::{Serializer as _, V2DeflateSerializer};

/// Significant digits of a latency that are kept.
const DIGITS: u8 = 3;

/// The quantiles of latencies that can be compared, each with its part of the key.
const QUANTILES: [(&str, f64); 4] = [("p50", 0.5), ("p99", 0.99), ("p999", 0.999), ("max", 1.0)];

/// The numbers that a technique counted or timed itself.
#[derive(Debug, Default)]
pub struct Values {
    is_numbers_only: bool,
    numbers: BTreeMap<String, f64>,
    latencies_ns: BTreeMap<String, Histogram<u64>>,
}

/// The numbers as they are kept with a sample.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct HandedOver {
    /// Numbers by the key of their metric, quantiles of the latencies among them.
    pub values: BTreeMap<String, f64>,
    /// Latencies by their name: the second serialisation of HdrHistograms, deflated, as base64.
    pub histograms: BTreeMap<String, String>,
}

impl Values {
    /// Returns values that take no latencies, at no cost: for a process that is timed from outside.
    pub fn numbers_only() -> Self {
        Self { is_numbers_only: true, ..Self::default() }
    }

    /// The value of a metric under its key, whose unit stands last. What is no finite number is not known, and left out.
    pub fn number(&mut self, key: &str, value: f64) {
        if value.is_finite() {
            self.numbers.insert(key.to_owned(), value);
        }
    }

    /// The time of a part of the work: `read` is kept as `read_ns`.
    pub fn phase_ns(&mut self, name: &str, ns: u64) {
        self.number(&format!("{name}_ns"), ns as f64);
    }

    /// Takes latencies in nanoseconds: `handover` can be compared as `handover_p50_ns`, `_p99_ns`, `_p999_ns` and `_max_ns`.
    pub fn latencies_ns(&mut self, name: &str, latencies_ns: impl IntoIterator<Item = u64>) {
        if self.is_numbers_only {
            return;
        }
        // The digits are allowed ones, and a histogram that grows by itself takes any number.
        let Ok(mut latencies) = Histogram::new(DIGITS) else { return };
        if latencies_ns.into_iter().all(|ns| latencies.record(ns).is_ok()) {
            self.latencies_ns.insert(name.to_owned(), latencies);
        }
    }

    /// Returns all that is kept with the sample. Done after the clock: deflating takes a while.
    pub fn hand_over(self) -> HandedOver {
        let mut out = HandedOver { values: self.numbers, histograms: BTreeMap::new() };
        let mut serializer = V2DeflateSerializer::new();
        for (name, latencies) in self.latencies_ns.into_iter().filter(|(_, latencies)| !latencies.is_empty())
        {
            for (quantile, share) in QUANTILES {
                let ns = latencies.value_at_quantile(share);
                out.values.insert(format!("{name}_{quantile}_ns"), ns as f64);
            }
            let mut bytes = Vec::new();
            // Writing to memory does not fail.
            if serializer.serialize(&latencies, &mut bytes).is_ok() {
                out.histograms.insert(name, STANDARD.encode(bytes));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use hdrhistogram::serialization::Deserializer;

    use super::*;

    #[test]
    fn numbers_alone_come_without_a_look_at_the_latencies() {
        let mut values = Values::numbers_only();
        values.number("units_per_second", 2.5);
        values.latencies_ns("handover", std::iter::repeat_with(|| panic!("a latency was looked at")));
        let numbers = BTreeMap::from([("units_per_second".to_owned(), 2.5)]);
        assert_eq!(values.hand_over(), HandedOver { values: numbers, histograms: BTreeMap::new() });
    }

    #[test]
    fn latencies_are_kept_whole_and_their_quantiles_can_be_compared() {
        let mut values = Values::default();
        values.phase_ns("read", 12);
        values.number("units_per_second", 2.5);
        values.number("columns", f64::NAN);
        values.latencies_ns("handover", 1..=1000);
        values.latencies_ns("nothing", []);
        let said = values.hand_over();
        let latencies = [("max", 1000.0), ("p50", 500.0), ("p999", 999.0), ("p99", 990.0)]
            .map(|(name, ns)| (format!("handover_{name}_ns"), ns));
        let others = [("read_ns".to_owned(), 12.0), ("units_per_second".to_owned(), 2.5)];
        assert_eq!(said.values, latencies.into_iter().chain(others).collect());
        let kept = STANDARD.decode(&said.histograms["handover"]).expect("base64");
        let read: Histogram<u64> = Deserializer::new().deserialize(&mut kept.as_slice()).expect("our own");
        assert_eq!((read.len(), read.min(), read.max()), (1000, 1, 1000));
        assert_eq!(said.histograms.len(), 1, "what was never recorded has no latencies");
    }
}
