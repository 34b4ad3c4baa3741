//! Prints samples of made-up techniques as `bakeoff judge` reads them, to see how it copes with many:
//!
//! ```sh
//! cargo run --release -p judge --example samples -- 2 500000 1 | bakeoff judge -
//! ```
//!
//! The arguments are the techniques, the rounds and the contests, and a seed where another one is wanted. The same
//! arguments give the same samples.

use std::io::{self, BufWriter, Write};

use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

fn main() -> io::Result<()> {
    let numbers: Option<Vec<u64>> = std::env::args().skip(1).map(|word| word.parse().ok()).collect();
    let (techniques, rounds, contests, seed) = match numbers.as_deref() {
        Some(&[techniques, rounds, contests]) => (techniques, rounds, contests, 1),
        Some(&[techniques, rounds, contests, seed]) => (techniques, rounds, contests, seed),
        _ => return Err(io::Error::other("usage: samples TECHNIQUES ROUNDS CONTESTS [SEED]")),
    };
    let mut random = StdRng::seed_from_u64(seed);
    let mut out = BufWriter::new(io::stdout().lock());
    writeln!(out, "workload,round,position,technique,value")?;
    let mut order: Vec<u64> = (0..techniques).collect();
    for round in 0..rounds {
        for contest in 0..contests {
            order.shuffle(&mut random);
            for (position, technique) in order.iter().enumerate() {
                // Every second one is as fast as the first, the others are slower by 1 % each, up to twice.
                let slower = if technique % 2 == 0 { 0.0 } else { (*technique as f64 / 100.0).min(1.0) };
                let noise = random.random_range(0.0..0.1f64);
                let value = 1000.0 * (1.0 + slower) * (1.0 + noise * noise * 10.0);
                writeln!(out, "size {contest},{round},{position},technique_{technique},{value:.1}")?;
            }
        }
    }
    out.flush()
}
