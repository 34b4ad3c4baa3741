//! Small cases in every order of events that two or three threads can take, tried out by loom:
//!
//! ```sh
//! RUSTFLAGS='--cfg loom' cargo test --release -p queue --lib --target-dir target/loom
//! ```
//!
//! A wake that is lost is a deadlock, which loom finds.

use loom::sync::Arc;
use loom::thread;

use crate::{Closed, Manner, Patience, Queue};

/// Puts 0, 1, ... as two digits, the first of which says by whom.
fn puts(queue: &Arc<Queue<u32>>, putter: u32, units: u32, manner: Manner) -> thread::JoinHandle<()> {
    let queue = queue.clone();
    thread::spawn(move || {
        for unit in 0..units {
            queue.put_as(10 * putter + unit, manner).unwrap();
        }
        if manner.quiet {
            queue.wake();
        }
    })
}

fn by(units: &[u32], putter: u32) -> Vec<u32> {
    units.iter().filter(|unit| *unit / 10 == putter).map(|unit| unit % 10).collect()
}

#[test]
fn two_putters_reach_one_taker_through_one_place() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(1));
        let putters = [1, 2].map(|putter| puts(&queue, putter, 1, Manner::USUAL));
        let units: Vec<u32> = (0..2).filter_map(|_| queue.take()).collect();
        assert_eq!([by(&units, 1), by(&units, 2)], [[0], [0]]);
        putters.into_iter().for_each(|putter| putter.join().unwrap());
    });
}

#[test]
fn a_putter_of_many_goes_on_whenever_there_is_room() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(1));
        let putter = puts(&queue, 1, 3, Manner { patience: Patience::Between, quiet: false });
        let units: Vec<u32> = (0..3).filter_map(|_| queue.take()).collect();
        assert_eq!(units, [10, 11, 12]);
        putter.join().unwrap();
    });
}

#[test]
fn two_putters_that_sleep_are_both_woken() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(1));
        queue.put(0).unwrap();
        let putters = [1, 2].map(|putter| puts(&queue, putter, 1, Manner::USUAL));
        let mut units = Vec::new();
        while units.len() < 3 {
            queue.take_up_to(2, &mut units);
        }
        putters.into_iter().for_each(|putter| putter.join().unwrap());
        assert_eq!(units[0], 0);
    });
}

#[test]
fn two_takers_that_sleep_are_both_woken() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(2));
        let takers = [1, 2].map(|_| {
            let queue = queue.clone();
            thread::spawn(move || queue.take())
        });
        queue.put_all(&mut vec![1, 2], Manner::USUAL).unwrap();
        let mut units = takers.map(|taker| taker.join().unwrap());
        units.sort_unstable();
        assert_eq!(units, [Some(1), Some(2)]);
    });
}

#[test]
fn batches_come_whole_and_in_order() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(2));
        let putter = {
            let queue = queue.clone();
            thread::spawn(move || queue.put_all(&mut vec![0, 1, 2], Manner::USUAL).unwrap())
        };
        let mut units = Vec::new();
        while units.len() < 3 {
            queue.take_up_to_after(2, &mut units, Patience::Between, || ());
        }
        putter.join().unwrap();
        assert_eq!(units, [0, 1, 2]);
    });
}

#[test]
fn a_quiet_unit_arrives_after_a_wake() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(2));
        let putter = puts(&queue, 1, 1, Manner::QUIETLY);
        assert_eq!(queue.take(), Some(10));
        putter.join().unwrap();
    });
}

#[test]
fn who_wakes_before_it_sleeps_leaves_no_thread_asleep() {
    loom::model(|| {
        let (there, back) = (Arc::new(Queue::new(2)), Arc::new(Queue::new(2)));
        let other = {
            let (there, back) = (there.clone(), back.clone());
            thread::spawn(move || back.put(there.take().unwrap()).unwrap())
        };
        there.put_as(1, Manner::QUIETLY).unwrap();
        let mut units = Vec::new();
        back.take_up_to_after(1, &mut units, Patience::Between, || there.wake());
        other.join().unwrap();
        assert_eq!(units, [1]);
    });
}

#[test]
fn the_end_wakes_a_taker_who_finds_all_units_before_it() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(2));
        let taker = {
            let queue = queue.clone();
            thread::spawn(move || std::iter::from_fn(|| queue.take()).collect::<Vec<u32>>())
        };
        queue.put(1).unwrap();
        queue.close();
        assert_eq!(queue.put(2), Err(Closed(2)));
        assert_eq!(taker.join().unwrap(), [1]);
    });
}

#[test]
fn the_end_wakes_a_putter_and_its_unit_is_kept_or_given_back() {
    loom::model(|| {
        let queue = Arc::new(Queue::new(1));
        queue.put(0).unwrap();
        let putter = {
            let queue = queue.clone();
            thread::spawn(move || queue.put(1).is_ok())
        };
        queue.close();
        let units: Vec<u32> = std::iter::from_fn(|| queue.take()).collect();
        let was_put = putter.join().unwrap();
        assert_eq!(units, if was_put { vec![0, 1] } else { vec![0] });
    });
}
