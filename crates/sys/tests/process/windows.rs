//! What holds on Windows only, and how to look at processes there.

use std::ffi::c_void;
use std::io::Error;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::Command;

use sys::process::{Ended, Launch, Status, Survivors};
use windows_sys::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows_sys::Win32::Foundation::WAIT_OBJECT_0;
use windows_sys::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows_sys::Win32::System::ProcessStatus::K32EnumProcesses;
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS, OpenProcess, PROCESS_BASIC_INFORMATION,
    PROCESS_QUERY_INFORMATION, PROCESS_SYNCHRONIZE, PROCESS_TERMINATE, PROCESS_VM_READ, TerminateProcess,
    WaitForSingleObject,
};

use crate::{GO, Mark, PATIENCE, Sentence, launcher, part, run, run_by, sentences, token};

pub(crate) const SENTENCES: &[Sentence] = sentences![
    the_code_of_an_exception_is_a_negative_number,
    a_command_file_of_the_shell_is_run,
    nothing_outlives_a_launcher_that_is_killed,
    what_a_launch_has_left_goes_with_a_launcher_that_is_killed,
];

const KILLED: u32 = 77;

/// A process that does nothing has less at its peak: 15 to 18 MiB under Wine, most of them Wine's.
pub(crate) const IDLE_PEAK_BYTES: u64 = 24 << 20;

pub(crate) fn escape(command: &mut Command) {
    command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
}

/// Returns how many processes have `token` among their arguments, this one not included.
pub(crate) fn running(token: &str) -> usize {
    those_with(token).len()
}

/// Returns the processes that have `token` among their arguments, this one not included.
fn those_with(token: &str) -> Vec<u32> {
    let mut ids = vec![0_u32; 65_536];
    let mut bytes = 0;
    // SAFETY: the buffer is as large as said.
    let answer = unsafe { K32EnumProcesses(ids.as_mut_ptr(), size_of_val(&ids[..]) as u32, &raw mut bytes) };
    assert_ne!(answer, 0, "the processes cannot be listed");
    ids.truncate(bytes as usize / size_of::<u32>());
    let others = ids.into_iter().filter(|&id| id != std::process::id());
    others.filter(|&id| command_line(id).is_some_and(|line| line.contains(token))).collect()
}

/// Opens a process; `None` when it is gone or not ours.
fn open(id: u32, rights: u32) -> Option<OwnedHandle> {
    // SAFETY: the call takes numbers only.
    let process = unsafe { OpenProcess(rights, 0, id) };
    // SAFETY: the call has just opened it, for this value alone.
    (!process.is_null()).then(|| unsafe { OwnedHandle::from_raw_handle(process) })
}

fn basic(process: &OwnedHandle) -> Option<PROCESS_BASIC_INFORMATION> {
    let mut basic = PROCESS_BASIC_INFORMATION::default();
    // SAFETY: the buffer is the structure that this question is answered with, and as large as said.
    let status = unsafe {
        NtQueryInformationProcess(
            process.as_raw_handle(),
            ProcessBasicInformation,
            (&raw mut basic).cast(),
            size_of::<PROCESS_BASIC_INFORMATION>() as u32,
            std::ptr::null_mut(),
        )
    };
    (status >= 0).then_some(basic)
}

/// Returns the command line of a process, out of its own memory. `None` when it is gone or not ours.
fn command_line(id: u32) -> Option<String> {
    // Offsets in the 64-bit structures, which have not changed since Windows 7.
    const PARAMETERS: usize = 0x20;
    const COMMAND_LINE: usize = 0x70;
    let process = open(id, PROCESS_QUERY_INFORMATION | PROCESS_VM_READ)?;
    let [parameters] = read::<1>(&process, basic(&process)?.PebBaseAddress.addr() + PARAMETERS)?;
    let [length, address] = read::<2>(&process, parameters as usize + COMMAND_LINE)?;
    let mut units = vec![0_u64; (length as u16 as usize).div_ceil(8)];
    read_into(&process, address as usize, &mut units)?;
    let units: Vec<u16> =
        units.iter().flat_map(|word| [0, 16, 32, 48].map(|shift| (word >> shift) as u16)).collect();
    Some(String::from_utf16_lossy(&units))
}

fn read<const WORDS: usize>(process: &OwnedHandle, address: usize) -> Option<[u64; WORDS]> {
    let mut words = [0; WORDS];
    read_into(process, address, &mut words).map(|()| words)
}

fn read_into(process: &OwnedHandle, address: usize, words: &mut [u64]) -> Option<()> {
    let from = std::ptr::without_provenance::<c_void>(address);
    // SAFETY: the buffer is as large as said; an address that is none in the other process makes the call fail.
    let answer = unsafe {
        ReadProcessMemory(
            process.as_raw_handle(),
            from,
            words.as_mut_ptr().cast(),
            size_of_val(words),
            std::ptr::null_mut(),
        )
    };
    (answer != 0).then_some(())
}

/// Returns whether the answer says that nothing was counted, as by the jobs of Wine.
pub(crate) fn counts_nothing(ended: &Ended) -> bool {
    ended.counted_by.contains("Wine")
}

/// Returns whether the refusal says that nothing is limited, as by the jobs of Wine.
pub(crate) fn limits_no_memory(error: &Error) -> bool {
    error.to_string().contains("Wine")
}

fn the_code_of_an_exception_is_a_negative_number() {
    // STATUS_ACCESS_VIOLATION, as a program that touched a wrong address ends with.
    let ended = run(&part(&["exit-with", "3221225477"]));
    assert_eq!(ended.status, Status::Exit(0xC000_0005_u32 as i32), "{ended:?}");
}

fn a_command_file_of_the_shell_is_run() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("words.cmd");
    std::fs::write(&path, "@echo some words\r\n@exit 3\r\n").expect("written");
    let ended = run(&Launch::new(&path));
    assert_eq!(ended.status, Status::Exit(3), "{ended:?}");
    assert_eq!(String::from_utf8_lossy(&ended.stdout).trim(), "some words");
}

fn kill_launcher() {
    let rights = PROCESS_QUERY_INFORMATION | PROCESS_TERMINATE;
    let children: Vec<OwnedHandle> = those_with("launcher")
        .into_iter()
        .filter_map(|id| open(id, rights))
        .filter(|process| {
            let basic = basic(process).expect("its own child");
            basic.InheritedFromUniqueProcessId == std::process::id() as usize
        })
        .collect();
    let [launcher] = &children[..] else { panic!("{} launchers", children.len()) };
    // SAFETY: the handle is open.
    let answer = unsafe { TerminateProcess(launcher.as_raw_handle(), KILLED) };
    assert_ne!(answer, 0, "{}", Error::last_os_error());
}

/// Handles of the processes that have `token` among their arguments, by which their ends can be waited for.
fn handles(token: &str) -> Vec<OwnedHandle> {
    those_with(token).into_iter().map(|id| open(id, PROCESS_SYNCHRONIZE).expect("it runs")).collect()
}

fn assert_they_end(processes: &[OwnedHandle]) {
    for process in processes {
        // SAFETY: the handle is open.
        let answer = unsafe { WaitForSingleObject(process.as_raw_handle(), PATIENCE.as_millis() as u32 / 2) };
        assert_eq!(answer, WAIT_OBJECT_0, "a process goes on");
    }
}

fn nothing_outlives_a_launcher_that_is_killed() {
    let (token, mark) = (token(), Mark::new());
    let launch = part(&["family", &token, &mark.path()]);
    let mut launcher = launcher();
    let (error, ended) = std::thread::scope(|scope| {
        let killer = scope.spawn(|| {
            mark.wait();
            let family = handles(&token);
            kill_launcher();
            // Here, not later: what goes on holds the launcher's pipe, and with it the one who asked.
            assert_they_end(&family);
            family.len()
        });
        let error = launcher.run(&launch, &GO).expect_err("the launcher is gone");
        (error, killer.join().expect("all ends"))
    });
    assert!(error.to_string().contains(&format!("the launcher is gone (exit code: {KILLED})")), "{error}");
    assert_eq!(ended, 3, "the command, its child and its grandchild");
    assert_eq!(running(&token), 0);
}

/// The job of a launch lets go of what it leaves. What holds it then is the job around the launcher, which also holds a
/// command between its birth and its entry into the job of its launch.
fn what_a_launch_has_left_goes_with_a_launcher_that_is_killed() {
    let token = token();
    let mut launcher = launcher();
    let launch = Launch { survivors: Survivors::Leave, ..part(&["orphan", "sleep", &token]) };
    let left = run_by(&mut launcher, &launch);
    assert_eq!((&left.status, left.survivors), (&Status::Exit(0), 1), "{left:?}");
    let orphan = handles(&token);
    assert_eq!(orphan.len(), 1, "it goes on");
    kill_launcher();
    assert_they_end(&orphan);
    launcher.run(&launch, &GO).expect_err("the launcher is gone");
}

pub(crate) fn play(part: &str, _: &[String]) -> u8 {
    panic!("no part is called {part}")
}

/// Windows has no groups that limit memory.
pub(crate) fn await_end_of_memory_groups() {
    assert!(sys::memory_group::available().is_err());
}
