#![forbid(unsafe_code)]
//! store
