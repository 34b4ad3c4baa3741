//! Machines, each kept once: lasting facts in a row of its own, those of a run with the run.

use std::mem::swap;

use model::{Host, RunId};
use rusqlite::{OptionalExtension, Row, Transaction};

use super::read::json;
use super::{Outcome, write};

/// Finds or makes the row of a machine, and returns its number with the part of `host` that stays with the run, as JSON.
pub(super) fn write(transaction: &Transaction, id: &RunId, host: &Host) -> Outcome<(i64, String)> {
    let (lasting, of_the_run) = parted(host);
    let fingerprint = host.fingerprint.as_ref().map(|fingerprint| fingerprint.0.as_str());
    let facts = write::json(id, &lasting)?;
    let of_the_run = write::json(id, &of_the_run)?;
    let sql = "SELECT host FROM host WHERE fingerprint IS ?1 AND facts = ?2";
    if let Some(row) = transaction.query_row(sql, (fingerprint, &facts), |row| row.get(0)).optional()? {
        return Ok((row, of_the_run));
    }
    transaction.execute("INSERT INTO host (fingerprint, facts) VALUES (?1, ?2)", (fingerprint, &facts))?;
    Ok((transaction.last_insert_rowid(), of_the_run))
}

pub(super) fn read(row: &Row) -> rusqlite::Result<Host> {
    let fingerprint = row.get::<_, Option<String>>("fingerprint")?.map(model::Fingerprint);
    Ok(Host { fingerprint, ..joined(json(row, "facts")?, json(row, "host_state")?) })
}

/// Parts the lasting facts, without the fingerprint, which has a column, from what was true during the run.
fn parted(host: &Host) -> (Host, Host) {
    let (mut lasting, mut of_the_run) = (Host::default(), Host { fingerprint: None, ..host.clone() });
    swap_lasting(&mut lasting, &mut of_the_run);
    (lasting, of_the_run)
}

fn joined(mut lasting: Host, mut of_the_run: Host) -> Host {
    swap_lasting(&mut lasting, &mut of_the_run);
    of_the_run
}

/// Swaps the lasting facts. The memory that the system reports is none of them: it differs from kernel to kernel.
fn swap_lasting(one: &mut Host, other: &mut Host) {
    swap(&mut one.os.family, &mut other.os.family);
    swap(&mut one.memory.page_bytes, &mut other.memory.page_bytes);
    swap(&mut one.processor, &mut other.processor);
    let (one, other) = (&mut one.processor, &mut other.processor);
    swap(&mut one.microcode, &mut other.microcode);
    swap(&mut one.allowed, &mut other.allowed);
    swap(&mut one.governor, &mut other.governor);
    swap(&mut one.turbo, &mut other.turbo);
    swap(&mut one.mitigations, &mut other.mitigations);
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::Sqlite;
    use crate::contract::{host, record};

    #[test]
    fn a_parted_machine_is_joined_without_loss() {
        let (lasting, of_the_run) = parted(&host());
        assert_eq!(Host { fingerprint: host().fingerprint, ..joined(lasting, of_the_run) }, host());
    }

    #[test]
    fn runs_of_one_machine_share_its_row() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.sqlite");
        let mut store = Sqlite::open(&path).expect("a store");
        let mut later = Host { name: Some("renamed".into()), load: None, ..host() };
        later.os.kernel = Some("6.12".into());
        let other = Host { fingerprint: Some(model::Fingerprint("f".into())), ..host() };
        let unknown = Host { fingerprint: None, ..host() };
        let hosts = [host(), later, other, unknown.clone(), unknown];
        for (host, name) in hosts.iter().zip(["a", "b", "c", "d", "e"]) {
            store.begin(&model::Record { host: host.clone(), ..record(name) }).expect("begin");
        }
        for (host, name) in hosts.iter().zip(["a", "b", "c", "d", "e"]) {
            assert_eq!(store.load(&RunId(name.into())).expect("load").host, *host, "{name}");
        }
        let other = Connection::open(&path).expect("open");
        assert_eq!(other.query_row("SELECT count(*) FROM host", [], |row| row.get::<_, i64>(0)), Ok(3));
    }
}
