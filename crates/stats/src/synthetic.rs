//! Experiments whose truth is known: the times that a noisy host would show.
//!
//! The noise is harsher than independent noise: it is autocorrelated, drifts, steps, comes in bursts and has heavy
//! tails, and the first of a round pays for its place. `ln T = jitter + AR(1) + drift + step + burst + tail + place`.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The noise of a host. Spreads and sizes are fractions of the time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoisyHost {
    /// The name.
    pub name: &'static str,
    /// Standard deviation of what changes from sample to sample.
    pub jitter: f64,
    /// Stationary standard deviation and memory of the slow part.
    pub slow: (f64, f64),
    /// The most that it drifts over the experiment, either way.
    pub drift: f64,
    /// Chance and size of one step somewhere.
    pub step: (f64, f64),
    /// Chance to start, mean length in samples, mean size.
    pub burst: (f64, f64, f64),
    /// Chance and index of a Pareto tail.
    pub tail: (f64, f64),
    /// The price of the first place in a round.
    pub first: f64,
}

/// Makes a host: jitter, drift and the price of the first place; then slow part, step, burst and tail as above.
const fn host(
    name: &'static str, (jitter, drift, first): (f64, f64, f64), slow: (f64, f64), step: (f64, f64),
    burst: (f64, f64, f64), tail: (f64, f64),
) -> NoisyHost {
    NoisyHost { name, jitter, slow, drift, step, burst, tail, first }
}

/// A host that does nothing else.
pub const QUIET: NoisyHost =
    host("quiet", (0.005, 0.005, 0.002), (0.003, 0.90), (0.05, 0.005), (0.005, 3.0, 0.10), (0.01, 1.5));
/// A virtual machine among others.
pub const SHARED: NoisyHost =
    host("shared", (0.01, 0.02, 0.003), (0.015, 0.95), (0.2, 0.02), (0.02, 4.0, 0.15), (0.03, 1.5));
/// A machine on which others work hard.
pub const HOSTILE: NoisyHost =
    host("hostile", (0.02, 0.05, 0.005), (0.03, 0.97), (0.5, 0.05), (0.05, 6.0, 0.30), (0.08, 1.2));

/// The addition of a Pareto tail of 1 to the logarithm of the time.
const TAIL_SCALE: f64 = 0.05;

/// The noise of one experiment, sample after sample.
#[derive(Debug, Clone)]
pub struct SyntheticNoise {
    host: NoisyHost,
    samples: u32,
    seen: u32,
    slow: f64,
    drift: f64,
    /// The sample from which on the step counts, and its size.
    step: (u32, f64),
    burst: f64,
}

impl SyntheticNoise {
    /// Returns the noise of an experiment of this many samples, at least one.
    pub fn new(host: NoisyHost, samples: u32, random: &mut ChaCha8Rng) -> Self {
        let has_step = random.random_bool(host.step.0);
        let size = if random.random() { host.step.1 } else { -host.step.1 };
        let samples = samples.max(1);
        Self {
            host,
            samples,
            seen: 0,
            slow: host.slow.0 * normal(random),
            drift: host.drift * random.random_range(-1.0..1.0),
            step: (random.random_range(0..samples), if has_step { size } else { 0.0 }),
            burst: 0.0,
        }
    }

    /// By how much the next sample takes longer than it should, as a factor; `position` is its place in the round.
    pub fn next_factor(&mut self, position: u32, random: &mut ChaCha8Rng) -> f64 {
        let host = &self.host;
        let (spread, memory) = host.slow;
        self.slow = memory * self.slow + spread * (1.0 - memory * memory).sqrt() * normal(random);
        let (start, length, size) = host.burst;
        if self.burst > 0.0 && random.random_bool(1.0 / length) {
            self.burst = 0.0;
        } else if self.burst == 0.0 && random.random_bool(start) {
            self.burst = -size * uniform(random).ln();
        }
        let tail = if random.random_bool(host.tail.0) {
            TAIL_SCALE * (uniform(random).powf(-1.0 / host.tail.1) - 1.0)
        } else {
            0.0
        };
        let sample = self.seen;
        self.seen += 1;
        let log = host.jitter * normal(random)
            + self.slow
            + self.drift * f64::from(sample) / f64::from(self.samples)
            + if sample >= self.step.0 { self.step.1 } else { 0.0 }
            + self.burst
            + tail
            + if position == 0 { host.first } else { 0.0 };
        log.exp()
    }
}

/// Above 0, up to 1.
fn uniform(random: &mut ChaCha8Rng) -> f64 {
    1.0 - random.random::<f64>()
}

/// Returns a number from the normal distribution, by Box and Muller.
pub fn normal(random: &mut ChaCha8Rng) -> f64 {
    (-2.0 * uniform(random).ln()).sqrt() * (std::f64::consts::TAU * uniform(random)).cos()
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::*;

    fn spread(host: NoisyHost) -> f64 {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut logs = Vec::new();
        for _ in 0..200 {
            let mut noise = SyntheticNoise::new(host, 100, &mut random);
            logs.extend((0..100).map(|sample| noise.next_factor(sample % 2, &mut random).ln()));
        }
        let mean = logs.iter().sum::<f64>() / logs.len() as f64;
        (logs.iter().map(|log| (log - mean).powi(2)).sum::<f64>() / logs.len() as f64).sqrt()
    }

    #[test]
    fn a_busier_host_is_noisier() {
        let (quiet, shared, hostile) = (spread(QUIET), spread(SHARED), spread(HOSTILE));
        assert!(quiet > 0.005 && quiet < shared && shared < hostile, "{quiet} {shared} {hostile}");
    }
}
