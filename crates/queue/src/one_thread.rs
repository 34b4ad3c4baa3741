//! What one thread can see. What several do is tried by loom (`every_order`) and by `tests/stress.rs`.

use crate::{Closed, Manner, Queue};

#[test]
fn units_come_out_in_their_order() {
    let queue = Queue::new(4, 1);
    queue.put('a', Manner::USUAL).unwrap();
    queue.put_all(&mut vec!['b', 'c'], Manner::USUAL).unwrap();
    queue.put('d', Manner::QUIETLY).unwrap();
    assert_eq!([queue.taken(1), queue.taken(2), queue.taken(usize::MAX)].concat(), ['a', 'b', 'c', 'd']);
}

#[test]
fn a_closed_queue_gives_what_is_there_and_then_ends() {
    let queue = Queue::new(2, 1);
    queue.put(1, Manner::USUAL).unwrap();
    queue.close();
    let mut left = vec![2, 3];
    assert_eq!(queue.put(2, Manner::USUAL), Err(Closed(2)));
    assert_eq!(queue.put_all(&mut left, Manner::USUAL), Err(Closed(())));
    assert_eq!(left, [2, 3]);
    assert_eq!([queue.taken(9), queue.taken(9)], [vec![1], vec![]]);
}

#[test]
fn no_thread_waits_where_no_unit_is_wanted() {
    let queue = Queue::new(1, 1);
    queue.put(1, Manner::USUAL).unwrap();
    assert_eq!([queue.taken(0), queue.taken(1), queue.taken(0)], [vec![], vec![1], vec![]]);
}

#[test]
fn the_least_and_the_greatest_depth_take_a_unit() {
    for depth in [0, usize::MAX] {
        let queue = Queue::new(depth, 1);
        queue.put(1, Manner::USUAL).unwrap();
        assert_eq!(queue.taken(usize::MAX), [1]);
    }
}
