//! Machines, each kept once: what is true of a machine for long in a row of its own, what was true during a run with the run.

use model::{Host, Memory, OperatingSystem, Processor, RunId};
use rusqlite::{Connection, OptionalExtension, Row, Transaction};

use super::read::json;
use super::{Outcome, write};

/// Finds or makes the row of a machine, and gives its number with what of `host` stays with the run, as JSON.
pub(super) fn write(transaction: &Transaction, id: &RunId, host: &Host) -> Outcome<(i64, String)> {
    let (lasting, of_the_run) = parted(host);
    let fingerprint = host.fingerprint.as_ref().map(|fingerprint| fingerprint.0.as_str());
    let facts = write::json(id, &lasting)?;
    let known = transaction
        .query_row(
            "SELECT host FROM host WHERE fingerprint IS ?1 AND facts = ?2",
            (fingerprint, &facts),
            |row| row.get(0),
        )
        .optional()?;
    let row = match known {
        Some(row) => row,
        None => {
            transaction
                .execute("INSERT INTO host (fingerprint, facts) VALUES (?1, ?2)", (fingerprint, &facts))?;
            transaction.last_insert_rowid()
        }
    };
    Ok((row, write::json(id, &of_the_run)?))
}

/// The machine of a run, from a row with the columns `facts`, `fingerprint` and `host_state`.
pub(super) fn read(row: &Row) -> rusqlite::Result<Host> {
    let fingerprint = row.get::<_, Option<String>>("fingerprint")?.map(model::Fingerprint);
    Ok(Host { fingerprint, ..joined(json(row, "facts")?, json(row, "host_state")?) })
}

/// Removes the machines that have no run any more.
pub(super) fn forget_unused(connection: &Connection) -> rusqlite::Result<usize> {
    connection.execute("DELETE FROM host WHERE host NOT IN (SELECT host FROM run WHERE host IS NOT NULL)", [])
}

/// What lasts, without the fingerprint, which has a column; and what was true during the run.
fn parted(host: &Host) -> (Host, Host) {
    let (os, processor, memory) = (&host.os, &host.processor, &host.memory);
    let lasting = Host {
        os: OperatingSystem { family: os.family.clone(), ..OperatingSystem::default() },
        processor: Processor {
            microcode: None,
            allowed: Vec::new(),
            governor: None,
            turbo: None,
            ..processor.clone()
        },
        // The memory that the system reports differs from kernel to kernel.
        memory: Memory { page_bytes: memory.page_bytes, ..Memory::default() },
        ..Host::default()
    };
    let of_the_run = Host {
        fingerprint: None,
        os: OperatingSystem { family: String::new(), ..os.clone() },
        processor: Processor {
            microcode: processor.microcode.clone(),
            allowed: processor.allowed.clone(),
            governor: processor.governor.clone(),
            turbo: processor.turbo,
            ..Processor::default()
        },
        memory: Memory { page_bytes: None, ..memory.clone() },
        ..host.clone()
    };
    (lasting, of_the_run)
}

/// The opposite of [`parted`].
fn joined(lasting: Host, of_the_run: Host) -> Host {
    Host {
        os: OperatingSystem { family: lasting.os.family, ..of_the_run.os },
        processor: Processor {
            microcode: of_the_run.processor.microcode,
            allowed: of_the_run.processor.allowed,
            governor: of_the_run.processor.governor,
            turbo: of_the_run.processor.turbo,
            ..lasting.processor
        },
        memory: Memory { page_bytes: lasting.memory.page_bytes, ..of_the_run.memory },
        ..of_the_run
    }
}

#[cfg(test)]
mod tests {
    use rusqlite::Connection;

    use super::*;
    use crate::contract::{host, record};
    use crate::{Sqlite, Store};

    #[test]
    fn a_parted_machine_is_joined_without_loss() {
        let (lasting, of_the_run) = parted(&host());
        assert_eq!(Host { fingerprint: host().fingerprint, ..joined(lasting, of_the_run) }, host());
    }

    #[test]
    fn runs_of_one_machine_share_its_row_and_it_goes_with_the_last_of_them() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("runs.sqlite");
        let mut store = Sqlite::open(&path).expect("a store");
        let later = Host {
            name: Some("renamed".into()),
            load: None,
            os: OperatingSystem { kernel: Some("6.12".into()), ..host().os },
            ..host()
        };
        let other = Host { fingerprint: Some(model::Fingerprint("f".into())), ..host() };
        let unknown = Host { fingerprint: None, ..host() };
        let hosts = [host(), later, other, unknown.clone(), unknown];
        for (host, name) in hosts.iter().zip(["a", "b", "c", "d", "e"]) {
            store.begin(&model::Record { host: host.clone(), ..record(name) }).expect("begin");
        }
        for (host, name) in hosts.iter().zip(["a", "b", "c", "d", "e"]) {
            assert_eq!(store.load(&RunId(name.into())).expect("load").host, *host, "{name}");
        }
        let rows = || -> i64 {
            let other = Connection::open(&path).expect("open");
            other.query_row("SELECT count(*) FROM host", [], |row| row.get(0)).expect("a number")
        };
        assert_eq!(rows(), 3);
        for (name, left) in [("a", 3), ("c", 2), ("b", 1)] {
            store.delete(&RunId(name.into())).expect("delete");
            assert_eq!(rows(), left, "without {name}");
        }
    }
}
