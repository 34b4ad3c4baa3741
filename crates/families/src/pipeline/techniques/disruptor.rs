use std::sync::{Mutex, PoisonError};

use disruptor::{
    BusySpin, EventGuard, EventPoller, MultiProducer, MultiProducerBarrier, Polling, Producer,
    SingleConsumerBarrier, SingleProducer, SingleProducerBarrier, build_multi_producer,
    build_single_producer,
};

use crate::pipeline::patience::Patience;
use crate::pipeline::prelude::*;

pub(super) const DISRUPTOR: Technique<PipelineJob> = Technique {
    name: "disruptor",
    idea: "a ring of a power of two places, at least 64 for several producers, taken in batches; a waiting thread spins, then yields; a Mutex of bakeoff's own around each message, which is always free, lets it out of its place",
    source: "Thompson et al., Disruptor; the crate disruptor",
    calls: &["clone3|clone"],
    ..Technique::usual(PipelineJob::by::<Disruptor>)
};

/// The library makes no smaller ring for several producers.
const PLACES_OF_SEVERAL: usize = 64;

struct Disruptor;

/// The library lends a place to its reader; to take the message out of it needs a lock, which is always free.
type Place<T> = Mutex<Option<T>>;

enum Producing<T> {
    Alone(SingleProducer<Place<T>, SingleConsumerBarrier>),
    OneOfSeveral(MultiProducer<Place<T>, SingleConsumerBarrier>),
}

/// What is polled, and a place for a message that is taken alone, empty between two calls.
struct Polled<T>(Poller<T>, Vec<T>);

enum Poller<T> {
    FromOne(EventPoller<Place<T>, SingleProducerBarrier>),
    FromSeveral(EventPoller<Place<T>, MultiProducerBarrier>),
}

impl Strategy for Disruptor {
    type Put<T: Send + 'static> = Producing<T>;
    type Take<T: Send + 'static> = Polled<T>;

    fn open<T: Send + 'static>(bounds: &Bounds) -> io::Result<Ends<Self::Put<T>, Self::Take<T>>> {
        let places = bounds.depth.next_power_of_two();
        if bounds.senders == 1 {
            let builder = build_single_producer(places, || Mutex::new(None), BusySpin);
            let (take, builder) = builder.new_event_poller();
            let puts = vec![Producing::Alone(builder.build())];
            return Ok(Ends { puts, take: Polled(Poller::FromOne(take), Vec::with_capacity(1)) });
        }
        let builder = build_multi_producer(places.max(PLACES_OF_SEVERAL), || Mutex::new(None), BusySpin);
        let (take, builder) = builder.new_event_poller();
        let put = builder.build();
        let puts = (0..bounds.senders).map(|_| Producing::OneOfSeveral(put.clone())).collect();
        Ok(Ends { puts, take: Polled(Poller::FromSeveral(take), Vec::with_capacity(1)) })
    }
}

fn publish<T>(producer: &mut impl Producer<Place<T>>, message: T) {
    let (mut message, mut patience) = (Some(message), Patience::default());
    let mut fill = |place: &mut Place<T>| {
        *place.get_mut().unwrap_or_else(PoisonError::into_inner) = message.take();
    };
    while producer.try_publish(&mut fill).is_err() {
        patience.wait();
    }
}

/// Takes what is there, and gives the places back.
fn emptied<T, B>(mut places: EventGuard<'_, Place<T>, B>, into: &mut Vec<T>) {
    into.extend(
        (&mut places).filter_map(|place| place.lock().unwrap_or_else(PoisonError::into_inner).take()),
    );
}

impl<T: Send + 'static> Put<T> for Producing<T> {
    fn put(&mut self, message: T) -> io::Result<()> {
        match self {
            Self::Alone(producer) => publish(producer, message),
            Self::OneOfSeveral(producer) => publish(producer, message),
        }
        Ok(())
    }
}

impl<T: Send + 'static> Take<T> for Polled<T> {
    fn take(&mut self) -> io::Result<T> {
        self.0.take_some(1, &mut self.1)?;
        self.1.pop().ok_or_else(hung_up)
    }

    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        self.0.take_some(most, into)
    }
}

impl<T: Send + 'static> Poller<T> {
    fn take_some(&mut self, most: usize, into: &mut Vec<T>) -> io::Result<()> {
        let mut patience = Patience::default();
        loop {
            let taken = match self {
                Self::FromOne(poller) => poller.take(most as u64).map(|places| emptied(places, into)),
                Self::FromSeveral(poller) => poller.take(most as u64).map(|places| emptied(places, into)),
            };
            match taken {
                Ok(()) => return Ok(()),
                Err(Polling::NoEvents) => patience.wait(),
                Err(Polling::Shutdown) => return Err(hung_up()),
            }
        }
    }
}
