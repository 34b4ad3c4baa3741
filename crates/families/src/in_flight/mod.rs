//! Several pieces of a file in flight at a time: what the techniques of copy and convert share that read ahead of what they write.

pub(crate) mod pieces;
pub(crate) mod whole_blocks;

#[cfg(target_os = "linux")]
pub(crate) mod linux {
    pub(crate) mod ahead;
    pub(crate) mod requests;
    pub(crate) mod routines;
}

#[cfg(windows)]
pub(crate) mod windows {
    pub(crate) mod calls;
    pub(crate) mod port;
    pub(crate) mod ring;
    pub(crate) mod routines;
}
