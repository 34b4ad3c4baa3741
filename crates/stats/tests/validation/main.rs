//! The decisions on contests whose truth is known. Every seed is fixed, and every limit is about the 99.9 % point of
//! the binomial at the rate that is allowed, so a correct program passes with practically every seed.
//!
//! The short forms run with all other tests. The long forms say how good it is, and print their figures:
//! `cargo test -p stats --release --test validation -- --ignored --nocapture --test-threads=2`.

mod candidates;
mod curves;
mod departures;
mod limits;
mod properties;
mod remarks;
mod simulate;
