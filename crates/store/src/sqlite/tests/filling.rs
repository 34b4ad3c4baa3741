//! Many runs at once.

use super::*;

#[test]
fn many_runs_at_once_are_stored_as_one_after_the_other_and_the_store_is_as_safe_as_before() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let runs: Vec<(Record, Increment)> =
        (0..3).map(|nth| (record(&format!("2026112{nth}T100000-aa")), round(nth))).collect();
    let mut store = Sqlite::open(&path).expect("a new store");
    store.fill(runs.clone()).expect("filled");
    let number = |name: &str| -> i64 {
        store.connection.pragma_query_value(None, name, |row| row.get(0)).expect("a setting")
    };
    assert_eq!((number("synchronous"), number("foreign_keys")), (2, 1));
    let journal: String =
        store.connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).expect("a journal");
    assert_eq!(journal, "delete");
    drop(store);
    // It is looked at as a whole: its indexes too.
    let again = Sqlite::open(&path).expect("a whole store");
    for (mut expected, rounds) in runs {
        expected.apply(&rounds);
        assert_eq!(again.load(&expected.id).expect("stored"), expected);
    }
}

#[test]
fn where_one_of_many_runs_is_stored_already_none_joins() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let known = closed_store(&path);
    let mut store = Sqlite::open(&path).expect("open");
    let other = record("20261122T100000-bb");
    let runs = [(other.clone(), round(0)), (known.clone(), round(0))];
    assert!(matches!(store.fill(runs), Err(StoreError::AlreadyStored { .. })));
    drop(store);
    let again = Sqlite::open(&path).expect("a whole store");
    let ids: Vec<RunId> = again.runs().expect("runs").into_iter().map(|run| run.id).collect();
    assert_eq!(ids, std::slice::from_ref(&known.id));
    assert_eq!(again.load(&known.id).expect("as it was"), known);
}

#[test]
fn a_run_is_read_whole_whatever_number_of_samples_it_says_to_have() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let run = closed_store(&path);
    for samples in [i64::MAX, i64::MIN, -1, 0, 1] {
        let store = Sqlite::open(&path).expect("open");
        store.connection.execute("UPDATE run SET samples = ?1", [samples]).expect("changed");
        assert_eq!(store.load(&run.id).expect("a run"), run, "{samples}");
    }
}

#[test]
fn a_further_reader_sees_what_the_first_one_sees() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let run = closed_store(&path);
    let first = Sqlite::open_read_only(&path).expect("open");
    let further = first.open_again().expect("again");
    assert_eq!(further.load(&run.id).expect("a run"), run);
    drop(first);
    assert_eq!(further.load(&run.id).expect("still a run"), run);
}
