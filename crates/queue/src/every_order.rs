//! Small cases in every order of events that two or three threads can take, tried out by loom:
//!
//! ```sh
//! RUSTFLAGS='--cfg loom' cargo test --release -p queue --lib --target-dir target/loom
//! ```
//!
//! A wake that is lost is a deadlock, which loom finds.

use loom::sync::Arc;
use loom::thread::{self, JoinHandle};

use crate::{Closed, Manner, Patience, Queue};

type Shared = Arc<Queue<u32>>;

fn queue(depth: usize) -> Shared {
    Arc::new(Queue::new(depth, 1))
}

fn apart<R: 'static>(queue: &Shared, work: impl FnOnce(&Queue<u32>) -> R + 'static) -> JoinHandle<R> {
    let queue = queue.clone();
    thread::spawn(move || work(&queue))
}

/// Puts 0, 1, ... as two digits, the first of which says by whom.
fn puts(queue: &Shared, putter: u32, units: u32, manner: Manner) -> JoinHandle<()> {
    apart(queue, move |queue| {
        for unit in 0..units {
            queue.put(10 * putter + unit, manner).unwrap();
        }
        if manner.quiet {
            queue.wake();
        }
    })
}

fn singly(queue: &Queue<u32>, units: u32) -> Vec<u32> {
    (0..units).flat_map(|_| queue.taken(1)).collect()
}

fn until_the_end(queue: &Queue<u32>) -> Vec<u32> {
    std::iter::from_fn(|| queue.taken(1).pop()).collect()
}

#[test]
fn two_putters_reach_one_taker_through_one_place() {
    loom::model(|| {
        let queue = queue(1);
        let putters = [1, 2].map(|putter| puts(&queue, putter, 1, Manner::USUAL));
        let mut units = singly(&queue, 2);
        units.sort_unstable();
        assert_eq!(units, [10, 20]);
        putters.into_iter().for_each(|putter| putter.join().unwrap());
    });
}

#[test]
fn a_putter_of_many_goes_on_whenever_there_is_room() {
    loom::model(|| {
        let queue = queue(1);
        let putter = puts(&queue, 1, 3, Manner { patience: Patience::Between, quiet: false });
        assert_eq!(singly(&queue, 3), [10, 11, 12]);
        putter.join().unwrap();
    });
}

#[test]
fn two_putters_that_sleep_are_both_woken() {
    loom::model(|| {
        let queue = queue(1);
        queue.put(0, Manner::USUAL).unwrap();
        let putters = [1, 2].map(|putter| puts(&queue, putter, 1, Manner::USUAL));
        let mut units = Vec::new();
        while units.len() < 3 {
            units.extend(queue.taken(2));
        }
        putters.into_iter().for_each(|putter| putter.join().unwrap());
        assert_eq!(units[0], 0);
    });
}

#[test]
fn two_takers_that_sleep_are_both_woken() {
    loom::model(|| {
        let queue = queue(2);
        let takers = [1, 2].map(|_| apart(&queue, |queue| queue.taken(1)));
        queue.put_all(&mut vec![1, 2], Manner::USUAL).unwrap();
        let mut units = takers.map(|taker| taker.join().unwrap());
        units.sort_unstable();
        assert_eq!(units, [[1], [2]]);
    });
}

#[test]
fn batches_come_whole_and_in_order() {
    loom::model(|| {
        let queue = queue(2);
        let putter = apart(&queue, |queue| queue.put_all(&mut vec![0, 1, 2], Manner::USUAL).unwrap());
        let mut units = Vec::new();
        while units.len() < 3 {
            queue.take(2, &mut units, Patience::Between, || ());
        }
        putter.join().unwrap();
        assert_eq!(units, [0, 1, 2]);
    });
}

#[test]
fn a_quiet_unit_arrives_after_a_wake() {
    loom::model(|| {
        let queue = queue(2);
        let putter = puts(&queue, 1, 1, Manner::QUIETLY);
        assert_eq!(queue.taken(1), [10]);
        putter.join().unwrap();
    });
}

#[test]
fn who_wakes_before_it_sleeps_leaves_no_thread_asleep() {
    loom::model(|| {
        let (there, back) = (queue(2), queue(2));
        let answers = back.clone();
        let other = apart(&there, move |there| answers.put(there.taken(1)[0], Manner::USUAL).unwrap());
        there.put(1, Manner::QUIETLY).unwrap();
        let mut units = Vec::new();
        back.take(1, &mut units, Patience::Between, || there.wake());
        other.join().unwrap();
        assert_eq!(units, [1]);
    });
}

#[test]
fn the_end_wakes_a_taker_who_finds_all_units_before_it() {
    loom::model(|| {
        let queue = queue(2);
        let taker = apart(&queue, until_the_end);
        queue.put(1, Manner::USUAL).unwrap();
        queue.close();
        assert_eq!(queue.put(2, Manner::USUAL), Err(Closed(2)));
        assert_eq!(taker.join().unwrap(), [1]);
    });
}

#[test]
fn the_end_wakes_a_putter_and_its_unit_is_kept_or_given_back() {
    loom::model(|| {
        let queue = queue(1);
        queue.put(0, Manner::USUAL).unwrap();
        let putter = apart(&queue, |queue| queue.put(1, Manner::USUAL).is_ok());
        queue.close();
        let units = until_the_end(&queue);
        let was_put = putter.join().unwrap();
        assert_eq!(units, if was_put { vec![0, 1] } else { vec![0] });
    });
}
