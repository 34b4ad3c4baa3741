//! Both copy in this process and in turn, so that the same disturbances meet them.

use std::ffi::{CStr, CString, c_char, c_int};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use families::{Copy, Exhibit};
use model::{Cache, Durability, Host, Setting, Trial};

const SIZES: [u64; 4] = [4 << 10, 10_000, 100_000, 1 << 20];
const ROUNDS: usize = 101;
const LIMIT: f64 = 1.2;

/// An entry, and the C function that does the same.
const PAIRS: [(&str, &CStr); 33] = [
    ("c_stdio", c"c_stdio"),
    ("c_stdio_large_buffer", c"c_stdio_large_buffer"),
    ("small_buffer", c"small_buffer"),
    ("posix_layer", c"posix_layer"),
    ("hinted_8k", c"hinted_8k"),
    ("one_call", c"one_call"),
    ("read_write@64K", c"read_write_64K"),
    ("read_write@256K", c"read_write_256K"),
    ("read_write@1M", c"read_write_1M"),
    ("hinted_large_buffer", c"hinted_large_buffer"),
    ("read_ahead", c"read_ahead"),
    ("no_access_time", c"no_access_time"),
    ("presized@128K", c"presized_128K"),
    ("presized@1M", c"presized_1M"),
    ("presized_truncate", c"presized_truncate"),
    ("presized_keep_size", c"presized_keep_size"),
    ("presized_mmap_write", c"presized_mmap_write"),
    ("presized_mmap_read_ahead", c"presized_mmap_read_ahead"),
    ("presized_mmap_populate_ahead", c"presized_mmap_populate_ahead"),
    ("presized_splice", c"presized_splice"),
    ("sendfile", c"sendfile_"),
    ("splice", c"splice_"),
    ("mmap_write", c"mmap_write"),
    ("mmap_write_populate", c"mmap_write_populate"),
    ("mmap_to_mmap", c"mmap_to_mmap"),
    ("mmap_to_mmap_split", c"mmap_to_mmap_split"),
    ("mmap_to_mmap_streaming", c"mmap_to_mmap_streaming"),
    ("direct", c"direct"),
    ("direct_write_through", c"direct_write_through"),
    ("write_through", c"write_through"),
    ("parallel_ranges", c"parallel_ranges"),
    ("uncached", c"uncached"),
    ("std_copy", c"one_call"),
];

type Plain = unsafe extern "C" fn(*const c_char, *const c_char) -> c_int;

#[test]
#[ignore = "times copies on this host, which must do nothing else; needs cc; --release"]
fn a_small_copy_takes_at_most_1_2_times_a_plain_c_program_of_the_same_calls() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("scratch");
    let library = built(folder.path());
    let mut rows = Vec::new();
    let mut slow = 0;
    for bytes in SIZES {
        for (entry, function) in PAIRS {
            let Some((own, plain)) = medians(entry, plain(library, function), bytes, folder.path()) else {
                continue;
            };
            let is_slow = own > LIMIT * plain;
            slow += usize::from(is_slow);
            let mark = if is_slow { "  <<" } else { "" };
            rows.push(format!(
                "{bytes:>8} {entry:<30} {own:>9.1} us {plain:>9.1} us {:.2}{mark}",
                own / plain
            ));
        }
    }
    let table = rows.join("\n");
    std::fs::write(Path::new(env!("CARGO_TARGET_TMPDIR")).join("small_copies.txt"), &table).expect("written");
    assert!(!rows.is_empty() && slow == 0, "own and plain, medians of {ROUNDS} rounds:\n{table}");
}

/// The C functions as a library; its handle stays open.
fn built(folder: &Path) -> *mut libc::c_void {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/small_copies/plain.c");
    let library = folder.join("plain.so");
    let compiler = Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).args([&library, &source]).status();
    assert!(compiler.expect("cc is installed").success());
    let name = CString::new(library.as_os_str().as_bytes()).expect("no zero");
    // SAFETY: the name ends in a zero, and the library has no code that runs when it is opened.
    let handle = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
    assert!(!handle.is_null());
    handle
}

fn plain(library: *mut libc::c_void, name: &CStr) -> Plain {
    // SAFETY: the library is open, and the name ends in a zero.
    let address = unsafe { libc::dlsym(library, name.as_ptr()) };
    assert!(!address.is_null(), "{name:?}");
    // SAFETY: all functions of the library that are asked for have this signature.
    unsafe { std::mem::transmute::<*mut libc::c_void, Plain>(address) }
}

/// The typical microseconds of both; nothing where this host lacks what the entry needs.
fn medians(entry: &str, plain: Plain, bytes: u64, folder: &Path) -> Option<(f64, f64)> {
    let setting = Setting {
        cache: Cache::Warm,
        durability: Durability::Returned,
        directory: folder.to_owned(),
        file_system: None,
        processors: vec![],
        memory_limit_bytes: None,
    };
    if !Copy.probe(entry, &Host::default(), &setting).is_ready() {
        return None;
    }
    let workload = Copy.workload_of_bytes(bytes).expect("the family has sizes");
    Copy.generate(&workload, folder, 1).expect("generated");
    let source = Copy.inputs(&workload, folder).remove(0);
    let destination = folder.join("plain.output");
    let names = [&source, &destination].map(|path| CString::new(path.as_os_str().as_bytes()).expect("no zero"));
    let trial = Trial {
        family: "copy".to_owned(),
        technique: entry.to_owned(),
        workload,
        setting,
        scratch: folder.to_owned(),
        seed: 1,
    };
    let (mut own, mut other) = (Vec::new(), Vec::new());
    Copy.perform(&trial, &mut |technique| {
        for round in 0..ROUNDS + 5 {
            for is_own in [round % 2 == 0, round % 2 != 0] {
                technique.refresh()?;
                let _ = std::fs::remove_file(&destination);
                let begin = Instant::now();
                if is_own {
                    technique.repeat(1)?;
                } else {
                    // SAFETY: both names end in a zero; the function copies one to the other.
                    assert_eq!(unsafe { plain(names[0].as_ptr(), names[1].as_ptr()) }, 0, "{entry} in C");
                }
                let times = if is_own { &mut own } else { &mut other };
                times.push(begin.elapsed().as_secs_f64() * 1e6);
            }
        }
        Ok(())
    })
    .expect(entry);
    Some((median(&mut own), median(&mut other)))
}

/// The first rounds find nothing prepared.
fn median(times: &mut Vec<f64>) -> f64 {
    times.drain(..5);
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
