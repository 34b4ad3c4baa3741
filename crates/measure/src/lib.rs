#![forbid(unsafe_code)]
//! measure
