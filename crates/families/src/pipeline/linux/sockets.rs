//! A pair of sockets with a small buffer.

use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixDatagram;

/// What the kernel counts for a datagram of 8 bytes.
const DATAGRAM_BYTES: usize = 768;

/// The sending and the receiving socket. The kernel doubles the size of the buffer, and takes no less than 4,608 bytes.
pub(in crate::pipeline) fn sockets_of(depth: usize) -> io::Result<(UnixDatagram, UnixDatagram)> {
    let (sender, receiver) = UnixDatagram::pair()?;
    let bytes = libc::c_int::try_from(depth * DATAGRAM_BYTES / 2).map_err(io::Error::other)?;
    // SAFETY: the socket is open, and the option is a number of the size that is said.
    let answer = unsafe {
        libc::setsockopt(
            sender.as_raw_fd(),
            libc::SOL_SOCKET,
            libc::SO_SNDBUF,
            (&raw const bytes).cast(),
            size_of::<libc::c_int>() as libc::socklen_t,
        )
    };
    match answer {
        0 => Ok((sender, receiver)),
        _ => Err(io::Error::last_os_error()),
    }
}
