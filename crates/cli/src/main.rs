#![forbid(unsafe_code)]
//! bakeoff
fn main() {}
