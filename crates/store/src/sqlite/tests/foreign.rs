//! What other programs have put into a store.

use super::*;

#[test]
fn a_foreign_table_is_left_alone_and_a_foreign_view_is_never_read() {
    let folder = folder();
    let path = folder.path().join("runs.sqlite");
    let mut expected = closed_store(&path);
    let foreign = "CREATE TABLE diary (text TEXT); INSERT INTO diary VALUES ('kept');\
                   CREATE VIEW broken AS SELECT * FROM what_is_not_there";
    Connection::open(&path).expect("open").execute_batch(foreign).expect("create");
    let mut store = Sqlite::open(&path).expect("still ours");
    store.append(&expected.id, &round(3)).expect("append");
    expected.apply(&round(3));
    drop(store);
    for open in [Sqlite::open, Sqlite::open_read_only] {
        let store = open(&path).expect("still ours");
        assert_eq!(store.load(&expected.id).expect("load"), expected);
    }
    Sqlite::open(&path).expect("still ours").delete(&expected.id).expect("delete");
    let connection = Connection::open(&path).expect("open");
    let text: String = connection.query_row("SELECT text FROM diary", [], |row| row.get(0)).expect("a row");
    assert_eq!(text, "kept");
    let views: u32 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'broken'", [], |row| row.get(0))
        .expect("a number");
    assert_eq!(views, 1);
}
