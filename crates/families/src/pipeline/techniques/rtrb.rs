use rtrb::{Consumer, Producer, PushError, RingBuffer};

use crate::pipeline::patience::Patience;
use crate::pipeline::prelude::*;

pub(super) const RTRB: Technique<PipelineJob> = Technique {
    name: "rtrb",
    idea: "a lock-free ring of its own for each two threads, which share the depth; a waiting thread spins, then yields its processor",
    source: "rtrb, RingBuffer",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Rtrb>)
};

struct Rtrb;

impl Strategy for Rtrb {
    type Put<T: Send + 'static> = Producer<T>;
    type Take<T: Send + 'static> = InTurn<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let depth = (bounds.depth / bounds.senders).max(1);
        let (puts, rings) = (0..bounds.senders).map(|_| RingBuffer::new(depth)).unzip();
        Ok(Ends { puts, take: InTurn { rings, next: 0 } })
    }
}

struct InTurn<T> {
    rings: Vec<Consumer<T>>,
    next: usize,
}

impl<T: Send + 'static> Put<T> for Producer<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        let (mut message, mut patience) = (message, Patience::default());
        while let Err(PushError::Full(refused)) = self.push(message) {
            message = refused;
            patience.wait();
        }
        Ok(())
    }
}

impl<T: Send + 'static> Take<T> for InTurn<T> {
    fn take(&mut self) -> io::Result<T> {
        let mut patience = Patience::default();
        loop {
            for _ in 0..self.rings.len() {
                let ring = self.next;
                self.next = (ring + 1) % self.rings.len();
                if let Ok(message) = self.rings[ring].pop() {
                    return Ok(message);
                }
            }
            patience.wait();
        }
    }
}
