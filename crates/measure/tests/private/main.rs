//! Scratch folders and their register beside what others have put there.

#[cfg(target_os = "linux")]
mod linux;
