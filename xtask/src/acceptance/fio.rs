//! Whether `disk` tells the same rates as fio (T23). On request, for a host that does nothing else.
//!
//! Both enter one interleaved run, under the same limit of memory and with the file outside the cache. Compared is what each tells of
//! the transfer alone: the phase's own time of the technique, and the `runtime` of fio's JSON, which contains the flush at the end.

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::entered::{self, Entered};
use super::line::Line;
use super::seen::Run;
use super::session::{Amount, Session};

/// Counted rounds.
const ROUNDS: Amount = Amount::new(24, 24, 600);
/// The technique may take this much longer than fio.
const SLOWER: f64 = 0.05;
/// fio may take this much longer than the technique. A plain loop in C is up to a tenth faster than fio; more would say that one of them
/// measures something else.
const FASTER: f64 = 0.25;
const BYTES: u64 = 512 << 20;
/// As the techniques past the cache: from ordinary pages, eight transfers of 1 MiB take 2.5 times as long.
const HUGE_BUFFERS: &str = "--mem=mmaphuge";
/// Of 2 MiB, for eight buffers of 1 MiB.
const HUGE_PAGES: u64 = 8;
/// By their names in `--set`, in both programs.
const PIECES: [&str; 2] = ["64K", "1M"];
/// The phase of `disk`, and the direction of fio.
const PHASES: [(&str, &str); 2] = [("read", "read"), ("rewrite", "write")];

/// A technique, and the same with fio.
struct Engine {
    technique: &'static str,
    peer: &'static str,
    words: &'static [&'static str],
}

const ENGINES: [Engine; 3] = [
    Engine { technique: "read_write", peer: "fio_psync", words: &["--ioengine=psync", "--direct=0"] },
    Engine {
        technique: "direct",
        peer: "fio_psync_direct",
        words: &["--ioengine=psync", "--direct=1", HUGE_BUFFERS],
    },
    Engine {
        technique: "io_uring_direct@8",
        peer: "fio_io_uring_direct_8",
        words: &[
            "--ioengine=io_uring",
            "--direct=1",
            "--iodepth=8",
            "--fixedbufs=1",
            "--registerfiles=1",
            HUGE_BUFFERS,
        ],
    },
];

/// T23: sequential reading and writing, with the matching engine, block size and depth.
pub(super) fn same_rates(session: &mut Session) -> Result<Vec<Line>> {
    if let Some(line) = entered::missing("sequential transfers against fio", "fio", "fio") {
        return Ok(vec![line]);
    }
    if let Some(line) = huge_pages_missing()? {
        return Ok(vec![line]);
    }
    let mut lines = Vec::new();
    for phase in PHASES {
        for piece in PIECES {
            let run = measured(session, phase, piece)?;
            for engine in &ENGINES {
                lines.push(compared(session, &run, engine, phase, piece));
            }
        }
    }
    Ok(lines)
}

/// A line that fails where fio would find too few huge pages for its buffers.
fn huge_pages_missing() -> Result<Option<Line>> {
    let text = std::fs::read_to_string("/proc/meminfo").context("/proc/meminfo cannot be read")?;
    let free: u64 = text
        .lines()
        .find_map(|line| line.strip_prefix("HugePages_Free:"))
        .and_then(|pages| pages.trim().parse().ok())
        .unwrap_or(0);
    let limit = format!("at least {HUGE_PAGES} for the buffers of fio");
    let seen = format!("{free} free huge pages: sysctl vm.nr_hugepages={HUGE_PAGES}");
    Ok((free < HUGE_PAGES).then(|| Line::new("sequential transfers against fio", seen, limit, false)))
}

/// One run of all techniques with their counterparts. Its number of rounds is fixed: by the time of whole processes, which
/// this run compares, fio would soon leave it.
fn measured(session: &mut Session, (phase, direction): (&str, &str), piece: &str) -> Result<Run> {
    let peers: Vec<Entered> = ENGINES
        .iter()
        .map(|engine| Entered { name: engine.peer.to_owned(), words: command(engine, direction) })
        .collect();
    let file = entered::commands_file(&session.instrument, "disk", &peers)?.display().to_string();
    let rounds = session.wanted(ROUNDS).max(3).to_string();
    let (size, phases) = (BYTES.to_string(), format!("phases={phase}"));
    let piece = format!("piece_bytes={piece}");
    let techniques: Vec<String> = ENGINES.iter().map(|engine| format!("disk/{}", engine.technique)).collect();
    let mut words: Vec<&str> = techniques.iter().map(String::as_str).collect();
    words.extend(["--commands-file", &file, "--size", &size, "--set", &phases, "--set", &piece]);
    words.extend(["--rounds", &rounds, "--min-rounds", &rounds]);
    Ok(session.instrument.measure(&words)?.0)
}

/// What fio does by default and the techniques do not is switched off: evicting the file, telling the system that it will be read
/// from its first byte to its last (which doubles what is read ahead), making a file that is not there, and changing some bytes of
/// each sector before it is written (of 64 KiB in flight eight times, that is a third of the time; the techniques write a stamp).
fn command(engine: &Engine, direction: &str) -> Vec<String> {
    let flush: &[&str] = match direction {
        "write" => &["--end_fsync=1", "--overwrite=1", "--scramble_buffers=0"],
        _ => &[],
    };
    let rw = format!("--rw={direction}");
    let common = [
        "fio",
        "--name=sequential",
        "--filename={file}",
        "--size={bytes}",
        "--bs={piece_bytes}",
        &rw,
        "--invalidate=0",
        "--fadvise_hint=0",
        "--allow_file_create=0",
        "--output-format=json",
    ];
    let words = common.iter().chain(flush).chain(engine.words);
    words.map(|word| (*word).to_owned()).collect()
}

fn compared(
    session: &Session,
    run: &Run,
    engine: &Engine,
    (phase, direction): (&str, &str),
    piece: &str,
) -> Line {
    let Engine { technique, peer, .. } = engine;
    let apart = || {
        let ours = entered::own_ns(run, technique)?;
        let theirs =
            entered::told(&session.instrument, run, peer, |text| runtime_ns(text, direction, BYTES))?;
        entered::apart(&session.instrument, (technique, &ours), (peer, &theirs))
    };
    let asked = format!("disk, {phase} in pieces of {piece}: {technique} against fio");
    let limit = format!("at most {} times as long as fio; fio at most {} times", 1.0 + SLOWER, 1.0 + FASTER);
    match apart() {
        Ok(apart) => Line::new(asked, apart.to_string(), limit, apart.is_as_fast(technique, SLOWER, FASTER)),
        Err(error) => Line::new(asked, format!("{error:#}"), limit, false),
    }
}

/// The time of the transfer in nanoseconds, which fio tells in milliseconds.
fn runtime_ns(printed: &str, direction: &str, bytes: u64) -> Result<f64> {
    // Remarks may stand before the JSON.
    let json = printed.find('{').and_then(|start| printed.get(start..)).unwrap_or_default();
    let told: Value = serde_json::from_str(json).context("fio's JSON cannot be read")?;
    let job = &told["jobs"][0];
    ensure!(job["error"] == 0, "fio tells the error {}", job["error"]);
    let moved = job[direction]["io_bytes"].as_u64().unwrap_or(0);
    ensure!(moved == bytes, "fio moved {moved} bytes instead of {bytes}");
    let runtime_ms = job[direction]["runtime"].as_u64().filter(|&ms| ms > 0);
    Ok(runtime_ms.context("fio tells no runtime")? as f64 * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What fio 3.33 printed, without the keys that nothing reads here.
    const PRINTED: &str = r#"note: a remark
{
  "fio version" : "fio-3.33",
  "timestamp" : 1795457581,
  "jobs" : [
    {
      "jobname" : "sequential",
      "groupid" : 0,
      "error" : 0,
      "eta" : 0,
      "elapsed" : 1,
      "read" : {
        "io_bytes" : 0, "io_kbytes" : 0, "bw_bytes" : 0, "bw" : 0, "iops" : 0.000000, "runtime" : 0, "total_ios" : 0
      },
      "write" : {
        "io_bytes" : 1048576, "io_kbytes" : 1024, "bw_bytes" : 87381333, "bw" : 85333, "iops" : 1333.333333, "runtime" : 12,
        "total_ios" : 16
      },
      "job_runtime" : 11
    }
  ]
}
"#;

    #[test]
    fn the_runtime_of_a_direction_is_read_in_nanoseconds() {
        assert_eq!(runtime_ns(PRINTED, "write", 1 << 20).expect("told"), 12e6);
    }

    #[test]
    fn a_transfer_of_other_bytes_an_error_and_no_json_are_refused() {
        let refused =
            |text: &str, direction: &str| runtime_ns(text, direction, 1 << 20).expect_err("refused");
        assert_eq!(refused(PRINTED, "read").to_string(), "fio moved 0 bytes instead of 1048576");
        let failed = PRINTED.replace("\"error\" : 0", "\"error\" : 5");
        assert_eq!(refused(&failed, "write").to_string(), "fio tells the error 5");
        assert_eq!(refused("fio: nothing", "write").to_string(), "fio's JSON cannot be read");
        let too_short = PRINTED.replace("\"runtime\" : 12", "\"runtime\" : 0");
        assert_eq!(refused(&too_short, "write").to_string(), "fio tells no runtime");
    }

    #[test]
    fn only_writing_is_flushed_and_every_command_names_the_file_and_the_piece() {
        for engine in &ENGINES {
            let (read, write) = (command(engine, "read"), command(engine, "write"));
            for word in ["--filename={file}", "--bs={piece_bytes}", "--size={bytes}"] {
                assert!([&read, &write].iter().all(|words| words.iter().any(|one| one == word)), "{word}");
            }
            let flushes = |words: &[String]| words.iter().any(|word| word == "--end_fsync=1");
            assert!(flushes(&write) && !flushes(&read));
        }
    }
}
