//! What a small copy costs beside a plain C program that makes the same calls.

#[cfg(target_os = "linux")]
mod linux;
