#![forbid(unsafe_code)]
//! stats
