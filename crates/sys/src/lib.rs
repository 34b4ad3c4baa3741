#![allow(unsafe_code, reason = "it calls the operating system")]
//! Questions to the operating system about itself and about the processes that we start. A larger module is a folder with a file for
//! each system. What a system cannot say is `None` or a sentence, never a zero.

pub mod affinity;
pub mod clock;
pub mod command_line;
pub mod extents;
pub mod failure;
pub mod file_lock;
pub mod file_state;
pub mod free_memory;
pub mod host;
pub mod kernel_entry;
pub mod limits;
pub mod memory_group;
pub mod nameless_file;
pub mod page_cache;
pub mod private_folder;
pub mod process;
pub mod process_group;
pub mod random;
pub mod signals;
pub mod thread_limits;
pub mod thread_scope;
pub mod trace;
pub mod usage;
pub mod user_folders;
pub mod write_back;

#[cfg(windows)]
pub mod windows;
