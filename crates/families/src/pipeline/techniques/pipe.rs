//! A pipe that carries the addresses of the messages.

use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::sync::Arc;

use crate::contract::Technique;
use crate::pipeline::job::PipelineJob;
use crate::pipeline::parcel::{packed, unpacked};
use crate::pipeline::strategy::{Bounds, Ends, Put, Strategy, Take};
use crate::pipeline::system::pipe_of;

pub(super) const PIPE: Technique<PipelineJob> = Technique {
    name: "pipe",
    idea: "the addresses of the messages go through a pipe, whose places are rounded up (Linux: to a power of two)",
    source: "pipe(7)",
    calls: &["pipe2", "read", "write"],
    ..Technique::usual(PipelineJob::by::<Pipe>)
};

struct Pipe;

impl Strategy for Pipe {
    type Put<T: Send + 'static> = WriteEnd;
    type Take<T: Send + 'static> = PipeReader;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let (take, put) = pipe_of(bounds.depth)?;
        Ok(Ends { puts: vec![WriteEnd(Arc::new(put)); bounds.senders], take })
    }
}

/// The end that all senders share.
#[derive(Clone)]
struct WriteEnd(Arc<PipeWriter>);

impl<T: Send + 'static> Put<T> for WriteEnd {
    fn put(&mut self, message: T) -> io::Result<()> {
        // So few bytes are written whole or not at all.
        (&*self.0).write_all(&packed(message).to_ne_bytes())
    }
}

impl<T: Send + 'static> Take<T> for PipeReader {
    fn take(&mut self) -> io::Result<T> {
        let mut address = [0; size_of::<usize>()];
        self.read_exact(&mut address)?;
        // SAFETY: only addresses of packed messages of this type are written to this pipe, and each is read once.
        Ok(unsafe { unpacked(usize::from_ne_bytes(address)) })
    }
}
