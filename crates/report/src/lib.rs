#![forbid(unsafe_code)]
//! report
