//! From the cells of a row to values.

use rusqlite::types::{FromSql, Type};
use rusqlite::{Row, RowIndex};
use serde::de::DeserializeOwned;

pub(super) type Outcome<T> = rusqlite::Result<T>;

/// The cells of a row from left to right. A store holds millions of rows, and finding each cell by its name would take most of the time.
pub(super) struct Cells<'row, 'statement> {
    row: &'row Row<'statement>,
    next: usize,
}

impl<'row, 'statement> Cells<'row, 'statement> {
    pub(super) fn of(row: &'row Row<'statement>) -> Self {
        Self { row, next: 0 }
    }

    fn step(&mut self) -> usize {
        self.next += 1;
        self.next - 1
    }

    pub(super) fn get<T: FromSql>(&mut self) -> Outcome<T> {
        self.row.get(self.step())
    }

    pub(super) fn count(&mut self) -> Outcome<u64> {
        count(self.row, self.step())
    }

    pub(super) fn maybe(&mut self) -> Outcome<Option<u64>> {
        maybe(self.row, self.step())
    }

    pub(super) fn json<T: DeserializeOwned + Default>(&mut self) -> Outcome<T> {
        maybe_json(self.row, self.step())
    }

    pub(super) fn word<T: DeserializeOwned>(&mut self) -> Outcome<T> {
        word(self.row, self.step())
    }

    pub(super) fn maybe_word<T: DeserializeOwned>(&mut self) -> Outcome<Option<T>> {
        let word = self.get::<Option<String>>()?.map(serde_json::Value::String);
        word.map(serde_json::from_value).transpose().map_err(wrong)
    }
}

/// The unsigned value whose bits are kept in a signed column.
pub(super) fn count(row: &Row, column: impl RowIndex) -> Outcome<u64> {
    row.get::<_, i64>(column).map(i64::cast_unsigned)
}

pub(super) fn maybe(row: &Row, column: impl RowIndex) -> Outcome<Option<u64>> {
    Ok(row.get::<_, Option<i64>>(column)?.map(i64::cast_unsigned))
}

pub(super) fn json<T: DeserializeOwned>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    serde_json::from_str(&row.get::<_, String>(column)?).map_err(wrong)
}

pub(super) fn maybe_json<T: DeserializeOwned + Default>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    match row.get::<_, Option<String>>(column)? {
        None => Ok(T::default()),
        Some(text) => serde_json::from_str(&text).map_err(wrong),
    }
}

pub(super) fn word<T: DeserializeOwned>(row: &Row, column: impl RowIndex) -> Outcome<T> {
    serde_json::from_value(serde_json::Value::String(row.get(column)?)).map_err(wrong)
}

pub(super) fn wrong(error: impl std::error::Error + Send + Sync + 'static) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(0, Type::Text, Box::new(error))
}
