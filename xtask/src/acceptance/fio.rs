//! The rates of `disk` against those of fio (T23), on request. Both enter one run, with one limit of memory and the file outside
//! the cache. Compared is the transfer alone: the phase's own time, and the `runtime` of fio's JSON, which contains the flush.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::entered::{Against, commands_file, missing};
use super::instrument::words;
use super::{Amount, Line, Session};

const ASKED: &str = "sequential transfers against fio";
const ROUNDS: Amount = Amount::new(24, 24, 600);
const SLOWER: f64 = 0.05;
/// fio may take this much longer: a plain loop in C is up to a tenth faster, and more would be another measurement.
const FASTER: f64 = 0.25;
const BYTES: u64 = 512 << 20;
/// For eight buffers of 1 MiB, as the techniques have them: from ordinary pages, transfers take 2.5 times as long.
const HUGE_PAGES: u64 = 8;
/// By their names in `--set`, in both programs.
const PIECES: [&str; 2] = ["64K", "1M"];
/// The phase of `disk`, and the direction of fio.
const PHASES: [(&str, &str); 2] = [("read", "read"), ("rewrite", "write")];
/// A technique, the same with fio, and its words.
const ENGINES: [(&str, &str, &str); 3] = [
    ("read_write", "fio_psync", "--ioengine=psync --direct=0"),
    ("direct", "fio_psync_direct", "--ioengine=psync --direct=1 --mem=mmaphuge"),
    (
        "io_uring_direct@8",
        "fio_io_uring_direct_8",
        "--ioengine=io_uring --direct=1 --iodepth=8 --fixedbufs=1 --registerfiles=1 --mem=mmaphuge",
    ),
];

/// T23: sequential reading and writing, with the matching engine, block size and depth.
pub(super) fn same_rates(session: &mut Session) -> Result<Vec<Line>> {
    if let Some(line) = missing(ASKED, "fio", "fio") {
        return Ok(vec![line]);
    }
    if let Some(line) = huge_pages_missing()? {
        return Ok(vec![line]);
    }
    let mut lines = Vec::new();
    for phase in PHASES {
        for piece in PIECES {
            lines.extend(compared(session, phase, piece)?);
        }
    }
    Ok(lines)
}

/// Returns a line that fails where fio would find too few huge pages for its buffers.
fn huge_pages_missing() -> Result<Option<Line>> {
    let text = std::fs::read_to_string("/proc/meminfo").context("/proc/meminfo cannot be read")?;
    let free = text.lines().find_map(|line| line.strip_prefix("HugePages_Free:")?.trim().parse().ok());
    let free: u64 = free.unwrap_or(0);
    let limit = format!("at least {HUGE_PAGES} for the buffers of fio");
    let seen = format!("{free} free huge pages: sysctl vm.nr_hugepages={HUGE_PAGES}");
    Ok((free < HUGE_PAGES).then(|| Line::new(ASKED, seen, limit, false)))
}

/// Compares all techniques with their counterparts in one run. Its rounds are fixed: by the time of processes fio would soon leave.
fn compared(session: &Session, (phase, direction): (&str, &str), piece: &str) -> Result<Vec<Line>> {
    let peers = ENGINES.map(|(_, peer, engine)| (peer.to_owned(), words(&command(engine, direction))));
    let file = commands_file(&session.instrument, "disk", peers.into())?;
    let rounds = session.wanted(ROUNDS).max(3);
    let techniques = ENGINES.map(|(technique, ..)| format!("disk/{technique}")).join(" ");
    let (run, _) = session.instrument.measure(&format!(
        "{techniques} --commands-file '{}' --size {BYTES} --set phases={phase} --set piece_bytes={piece} \
         --rounds {rounds} --min-rounds {rounds}",
        file.display()
    ))?;
    let lines = ENGINES.map(|(technique, peer, _)| {
        let asked = format!("disk, {phase} in pieces of {piece}: {technique} against fio");
        let against = Against { technique, peer, slower: SLOWER, faster: FASTER };
        against.line(&session.instrument, &run, asked, &|text| runtime_ns(text, direction, BYTES))
    });
    Ok(lines.into())
}

/// Returns the command of fio. Switched off is what only fio does: it evicts the file, announces sequential reading (which
/// doubles reading ahead), makes a missing file, and changes some bytes of each sector (a third of the time of 64 KiB in flight
/// eight times).
fn command(engine: &str, direction: &str) -> String {
    let is_write = direction == "write";
    let writing = if is_write { "--end_fsync=1 --overwrite=1 --scramble_buffers=0" } else { "" };
    format!(
        "fio --name=sequential --filename={{file}} --size={{bytes}} --bs={{piece_bytes}} --rw={direction} --invalidate=0 \
         --fadvise_hint=0 --allow_file_create=0 --output-format=json {writing} {engine}"
    )
}

/// Reads the time of the transfer in nanoseconds, which fio reports in milliseconds.
fn runtime_ns(printed: &str, direction: &str, bytes: u64) -> Result<f64> {
    // Remarks may stand before the JSON.
    let json = printed.find('{').and_then(|start| printed.get(start..)).unwrap_or_default();
    let report: Value = serde_json::from_str(json).context("fio's JSON cannot be read")?;
    let job = &report["jobs"][0];
    ensure!(job["error"] == 0, "fio reports the error {}", job["error"]);
    let moved = job[direction]["io_bytes"].as_u64().unwrap_or(0);
    ensure!(moved == bytes, "fio moved {moved} bytes instead of {bytes}");
    let runtime_ms = job[direction]["runtime"].as_u64().filter(|&ms| ms > 0);
    Ok(runtime_ms.context("fio reports no runtime")? as f64 * 1e6)
}

#[test]
fn the_runtime_of_a_direction_is_read_in_nanoseconds() {
    // What fio 3.33 printed, without the keys that nothing reads here.
    const PRINTED: &str = r#"note: a remark
{
  "fio version" : "fio-3.33",
  "jobs" : [
    {
      "error" : 0,
      "read" : { "io_bytes" : 0, "io_kbytes" : 0, "runtime" : 0, "total_ios" : 0 },
      "write" : { "io_bytes" : 1048576, "io_kbytes" : 1024, "runtime" : 12, "total_ios" : 16 }
    }
  ]
}
"#;
    assert_eq!(runtime_ns(PRINTED, "write", 1 << 20).expect("a time"), 12e6);
    for (text, direction, refusal) in [
        (PRINTED, "read", "fio moved 0 bytes instead of 1048576"),
        (&PRINTED.replace("\"error\" : 0", "\"error\" : 5"), "write", "fio reports the error 5"),
        ("fio: nothing", "write", "fio's JSON cannot be read"),
        (&PRINTED.replace(": 12,", ": 0,"), "write", "fio reports no runtime"),
    ] {
        assert_eq!(runtime_ns(text, direction, 1 << 20).expect_err(refusal).to_string(), refusal);
    }
}
