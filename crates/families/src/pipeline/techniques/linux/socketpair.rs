use std::marker::PhantomData;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixDatagram;
use std::sync::Arc;

use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::prelude::*;
use crate::pipeline::system::ensure_whole;

pub(in crate::pipeline::techniques) const SOCKETPAIR: Technique<PipelineJob> = Technique {
    name: "socketpair",
    idea: "the addresses of the messages go as datagrams through a pair of Unix sockets, whose buffer is limited in bytes",
    source: "socketpair(2), unix(7)",
    calls: &["socketpair", "recvfrom|read", "write|sendto"],
    ..Technique::usual(PipelineJob::by::<Socketpair>)
};

struct Socketpair;

impl Strategy for Socketpair {
    type Put<T: Send + 'static> = SendingSocket<T>;
    type Take<T: Send + 'static> = ReceivingSocket<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (put, take) = sockets_of(bounds.depth)?;
        let put = Arc::new(put);
        let puts = (0..bounds.senders).map(|_| SendingSocket(Arc::clone(&put), PhantomData)).collect();
        Ok(Ends { puts, take: ReceivingSocket(take, PhantomData) })
    }
}

/// The kernel's count of a datagram of 8 bytes.
const DATAGRAM_BYTES: usize = 768;

/// The sending and the receiving socket. The kernel doubles the size of the buffer, and takes no less than 4,608 bytes.
fn sockets_of(depth: usize) -> io::Result<(UnixDatagram, UnixDatagram)> {
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

struct SendingSocket<T>(Arc<UnixDatagram>, PhantomData<fn(T)>);

struct ReceivingSocket<T>(UnixDatagram, PhantomData<fn() -> T>);

impl<T: Send + 'static> Put<T> for SendingSocket<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        let address = packed(message).to_ne_bytes();
        ensure_whole(retried(|| self.0.send(&address))?, address.len(), io::ErrorKind::WriteZero)
    }
}

impl<T: Send + 'static> Take<T> for ReceivingSocket<T> {
    fn take(&mut self) -> io::Result<T> {
        let mut address = [0; size_of::<usize>()];
        let received = retried(|| self.0.recv(&mut address))?;
        ensure_whole(received, address.len(), io::ErrorKind::UnexpectedEof)?;
        // SAFETY: only addresses of packed messages of this type are sent to this socket, and each is received once.
        Ok(unsafe { unpacked(usize::from_ne_bytes(address)) })
    }
}
