use std::io::{self, PipeReader, PipeWriter};
use std::marker::PhantomData;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::sync::Arc;

use crate::pipeline::prelude::*;
use crate::pipeline::system::{pipe_of, read_part, write_part};

pub(super) const PIPE: Technique<PipelineJob> = Technique {
    name: "pipe",
    idea: "the messages go through a pipe, whose places are rounded up (Linux: to a power of two)",
    source: "pipe(7)",
    calls: &["pipe2", "read", "write"],
    ..Technique::usual(PipelineJob::by::<Pipe>)
};

struct Pipe;

impl Strategy for Pipe {
    type Put<T: Send + 'static> = WriteEnd<T>;
    type Take<T: Send + 'static> = ReadEnd<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (take, put) = pipe_of(bounds.depth, size_of::<T>())?;
        let put = Arc::new(put);
        let puts = (0..bounds.senders).map(|_| WriteEnd(Arc::clone(&put), PhantomData)).collect();
        Ok(Ends { puts, take: ReadEnd(take, PhantomData) })
    }
}

struct WriteEnd<T>(Arc<PipeWriter>, PhantomData<fn(T)>);

struct ReadEnd<T>(PipeReader, PhantomData<fn() -> T>);

impl<T: Send + 'static> Put<T> for WriteEnd<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        // The thread that reads its bytes owns it, with the memory that belongs to it.
        let message = ManuallyDrop::new(message);
        let from = (&raw const message).cast::<u8>();
        whole(size_of::<T>(), io::ErrorKind::WriteZero, |done, left| {
            // SAFETY: these are bytes of the message, which is whole until the end of this function.
            unsafe { write_part(&self.0, from.add(done), left) }
        })
    }
}

impl<T: Send + 'static> Take<T> for ReadEnd<T> {
    fn take(&mut self) -> io::Result<T> {
        let mut message = MaybeUninit::<T>::uninit();
        let to = message.as_mut_ptr().cast::<u8>();
        whole(size_of::<T>(), io::ErrorKind::UnexpectedEof, |done, left| {
            // SAFETY: these are bytes of the place for the message.
            unsafe { read_part(&self.0, to.add(done), left) }
        })?;
        // SAFETY: only whole messages of this type are written to this pipe, and each is read once.
        Ok(unsafe { message.assume_init() })
    }
}

/// Repeats `part`, which gets the bytes done and left and returns how many it did; none is the error that is named.
fn whole(
    bytes: usize, none: io::ErrorKind, mut part: impl FnMut(usize, usize) -> io::Result<usize>,
) -> io::Result<()> {
    let mut done = 0;
    while done < bytes {
        match retried(|| part(done, bytes - done))? {
            0 => return Err(none.into()),
            more => done += more,
        }
    }
    Ok(())
}
