//! Pairs of threads that hand a unit to and fro, so that each of them waits for the other: what a hand-over costs where
//! nothing can be collected to batches. With a pipe it is what `perf bench sched pipe -T` does.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::roll::Arrived;
use super::stages::{Crew, System, joined};
use super::strategy::{Bounds, Put, Strategy, Take, Waits, hung_up};
use super::unit::{Received, Unit};

impl System {
    /// Opens two queues for each pair, starts all threads, and waits until every unit is back.
    ///
    /// # Errors
    /// As [`System::run`].
    pub(super) fn run_round_trips<S: Strategy>(self: &Arc<Self>, waits: &Waits) -> io::Result<Vec<Received>> {
        let pairs = self.order.threads as usize;
        let bounds = Bounds { depth: self.depths.to_transmitter, senders: 1, waits: waits.clone() };
        // The last place is that of a transmitter, which does not exist here.
        let arrived: Arc<[Arrived]> = (0..=pairs).map(|_| Arrived::default()).collect();
        let mut crew = Crew::of(self);
        let (mut there, mut back) = (Vec::new(), Vec::new());
        for pair in 0..pairs {
            let mut to = S::open::<Unit>(&bounds)?;
            let mut fro = S::open::<Unit>(&bounds)?;
            let puts = (to.puts.pop().ok_or_else(hung_up)?, fro.puts.pop().ok_or_else(hung_up)?);
            let (system, counted) = (Arc::clone(self), Arc::clone(&arrived));
            let (put, take) = (puts.0, fro.take);
            there.push(crew.start(move || system.send(pair as u32, put, take, &counted[pair]))?);
            let (system, put, take) = (Arc::clone(self), puts.1, to.take);
            back.push(crew.start(move || system.send_back(take, put))?);
        }
        crew.roll.wait(&arrived, self.order.total(), waits.timeout.unwrap_or(Duration::ZERO))?;
        back.into_iter().try_for_each(joined)?;
        there.into_iter().map(joined).collect()
    }

    fn send(
        &self,
        producer: u32,
        mut to: impl Put<Unit>,
        mut fro: impl Take<Unit>,
        arrived: &Arrived,
    ) -> io::Result<Received> {
        let mut received = Received::none(&self.order, self.order.units as usize);
        for number in 0..self.order.units {
            let mut unit = self.order.make(producer, number);
            unit.leave();
            to.put(unit)?;
            received.accept(&self.order, &fro.take()?);
            arrived.0.store(u64::from(number) + 1, Ordering::Relaxed);
        }
        Ok(received)
    }

    fn send_back(&self, mut to: impl Take<Unit>, mut fro: impl Put<Unit>) -> io::Result<()> {
        (0..self.order.units).try_for_each(|_| fro.put(to.take()?))
    }
}
