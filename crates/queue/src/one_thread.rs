//! What one thread can see. What several do is tried by loom (`every_order`) and by `tests/stress.rs`.

use crate::{Closed, Manner, Patience, Queue};

#[test]
fn units_come_out_in_their_order() {
    let queue = Queue::new(4);
    queue.put('a').unwrap();
    queue.put_all(&mut vec!['b', 'c'], Manner::USUAL).unwrap();
    queue.put_as('d', Manner::QUIETLY).unwrap();
    let mut units = Vec::new();
    assert_eq!(queue.take(), Some('a'));
    assert_eq!(queue.take_up_to(2, &mut units), 2);
    assert_eq!(queue.take_up_to(usize::MAX, &mut units), 1);
    assert_eq!(units, ['b', 'c', 'd']);
}

#[test]
fn a_closed_queue_gives_what_is_there_and_then_ends() {
    let queue = Queue::new(2);
    queue.put(1).unwrap();
    queue.close();
    let mut left = vec![2, 3];
    assert_eq!(queue.put(2), Err(Closed(2)));
    assert_eq!(queue.put_all(&mut left, Manner::USUAL), Err(Closed(())));
    assert_eq!(left, [2, 3]);
    assert_eq!([queue.take(), queue.take()], [Some(1), None]);
    assert_eq!(queue.take_up_to(9, &mut Vec::new()), 0);
}

#[test]
fn nothing_is_taken_and_no_thread_waits_where_no_unit_is_wanted() {
    let queue = Queue::new(1);
    queue.put(1).unwrap();
    assert_eq!(queue.take_up_to(0, &mut Vec::new()), 0);
    assert_eq!(queue.take(), Some(1));
    assert_eq!(queue.take_up_to(0, &mut Vec::new()), 0);
}

#[test]
fn a_depth_without_end_takes_no_memory_in_advance() {
    let queue = Queue::new(usize::MAX);
    queue.put(1).unwrap();
    let mut units = Vec::new();
    assert_eq!(queue.take_up_to(usize::MAX, &mut units), 1);
}

#[test]
fn a_depth_of_0_is_a_depth_of_1() {
    let queue = Queue::new(0);
    queue.put(1).unwrap();
    assert_eq!(queue.take(), Some(1));
}

#[test]
fn who_must_sleep_wakes_those_it_left_alone_before() {
    let (queue, answer) = (Queue::new(4), Queue::new(1));
    std::thread::scope(|scope| {
        scope.spawn(|| answer.put(queue.take().unwrap()).unwrap());
        queue.put_as(1, Manner::QUIETLY).unwrap();
        let mut units = Vec::new();
        answer.take_up_to_after(1, &mut units, Patience::Usual, || queue.wake());
        assert_eq!(units, [1]);
    });
}

#[test]
fn what_was_never_taken_is_dropped_with_the_queue() {
    let unit = std::sync::Arc::new(());
    let queue = Queue::new(2);
    queue.put(unit.clone()).unwrap();
    drop(queue);
    assert_eq!(std::sync::Arc::strong_count(&unit), 1);
}
