//! Finds out whether a piece of work enters the kernel.

use std::io;

/// Returns whether `work` makes a system call. It is done once here, for what it does at first only, and then in a child that a filter
/// of seccomp ends at its first call. There it must neither allocate memory nor wait for a lock. Errors: there is no filter or child.
pub fn enters(work: &mut dyn FnMut()) -> io::Result<bool> {
    work();
    system::enters(work)
}

/// Windows ends no process at its first system call.
#[cfg(windows)]
mod system {
    use std::io;

    pub(super) fn enters(_work: &mut dyn FnMut()) -> io::Result<bool> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "Windows restricts no process to none of its calls"))
    }
}

#[cfg(target_os = "linux")]
mod system {
    use std::io;

    use libc::{c_ulong, sock_filter, sock_fprog};
    use rustix::io::retry_on_intr;
    use rustix::process::{Pid, WaitOptions, waitpid};

    /// The exit code of the child when no filter could be set.
    const REFUSED: i32 = 3;

    pub(super) fn enters(work: &mut dyn FnMut()) -> io::Result<bool> {
        // SAFETY: the child makes system calls only until the filter stands, does the work, which takes no lock and no memory
        // by the contract of the caller, and ends without running anything of ours.
        let child = unsafe { libc::fork() };
        match child {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                let code = if set_filter() { 0 } else { REFUSED };
                if code == 0 {
                    work();
                }
                // SAFETY: the call ends the process.
                unsafe { libc::_exit(code) }
            }
            child => outcome(child),
        }
    }

    fn outcome(child: libc::pid_t) -> io::Result<bool> {
        let child = Pid::from_raw(child);
        let ended = retry_on_intr(|| waitpid(child, WaitOptions::empty()))?;
        let status = ended.ok_or(io::ErrorKind::NotFound)?.1;
        match (status.exit_status(), status.terminating_signal()) {
            (Some(0), _) => Ok(false),
            (_, Some(libc::SIGSYS)) => Ok(true),
            (Some(REFUSED), _) => {
                Err(io::Error::new(io::ErrorKind::Unsupported, "filters of seccomp are refused here"))
            }
            _ => Err(io::Error::other(format!("the child ended with the status {:#x}", status.as_raw()))),
        }
    }

    /// Ends the process at any call but `exit_group`, without a core file. In seccomp's strict mode no time stamp could be read.
    fn set_filter() -> bool {
        const LOAD_NUMBER: u16 = (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16;
        const JUMP_IF_EQUAL: u16 = (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16;
        const RETURN: u16 = (libc::BPF_RET | libc::BPF_K) as u16;
        let mut lines = [
            (LOAD_NUMBER, 0, 0),
            (JUMP_IF_EQUAL, 1, libc::SYS_exit_group as u32),
            (RETURN, 0, libc::SECCOMP_RET_KILL_PROCESS),
            (RETURN, 0, libc::SECCOMP_RET_ALLOW),
        ]
        .map(|(code, jt, k)| sock_filter { code, jt, jf: 0, k });
        let program = sock_fprog { len: lines.len() as u16, filter: lines.as_mut_ptr() };
        let (none, on, filter): (c_ulong, c_ulong, _) = (0, 1, c_ulong::from(libc::SECCOMP_MODE_FILTER));
        // SAFETY: the calls take numbers, and the last one a program that stays valid until it returns.
        unsafe {
            libc::prctl(libc::PR_SET_DUMPABLE, none, none, none, none) == 0
                && libc::prctl(libc::PR_SET_NO_NEW_PRIVS, on, none, none, none) == 0
                && libc::prctl(libc::PR_SET_SECCOMP, filter, &raw const program, none, none) == 0
        }
    }

    #[cfg(test)]
    mod tests {
        use crate::kernel_entry::enters;

        /// A host that refuses filters says so, and that is no failure of the code.
        #[test]
        fn a_system_call_is_seen_and_arithmetic_is_none() {
            let call = enters(&mut || {
                // SAFETY: the call takes nothing and gives a number.
                unsafe { libc::syscall(libc::SYS_getppid) };
            });
            let mut sum = 0_u64;
            let arithmetic = enters(&mut || sum = std::hint::black_box(sum + 1));
            match (call, arithmetic) {
                (Err(error), Err(_)) => assert_eq!(error.kind(), std::io::ErrorKind::Unsupported),
                (call, arithmetic) => {
                    assert!(call.expect("a filter"));
                    assert!(!arithmetic.expect("a filter"));
                }
            }
        }
    }
}
