#![forbid(unsafe_code)]
//! judge
