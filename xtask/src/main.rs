#![forbid(unsafe_code)]
//! Checks of the tree that no compiler makes.
fn main() {}
