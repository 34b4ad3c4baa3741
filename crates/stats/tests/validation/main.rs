//! The decisions on contests whose truth is known. Every seed is fixed, and every limit is about the 99.9 % point of
//! the binomial at the rate that is allowed, so a correct program passes with practically every seed.
//!
//! The short forms run with all other tests. The long forms say how good it is, and print their figures:
//! `cargo test -p stats --release --test validation -- --ignored --nocapture --test-threads=2`.

/// The tests of a simulation: the short form and the long one, each with its number of cases.
macro_rules! simulations {
    ($($short:ident, $long:ident = $name:literal: $simulate:ident($few:literal, $many:literal);)*) => {$(
        #[test]
        fn $short() {
            $crate::simulate::judged($name, false, |figures| $simulate($few, figures));
        }

        #[test]
        #[ignore = "long"]
        fn $long() {
            $crate::simulate::judged($name, true, |figures| $simulate($many, figures));
        }
    )*};
}

mod candidates;
mod departures;
mod limits;
mod properties;
mod remarks;
mod simulate;
