//! Scratch folders and their register next to what others have put there.

#[cfg(target_os = "linux")]
mod linux;
