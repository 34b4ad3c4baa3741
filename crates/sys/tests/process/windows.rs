//! What holds on Windows only, and how to look at processes there.

use std::ffi::c_void;
use std::io::Error;
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::Command;

use sys::process::{Ended, Launch, Status};
use windows_sys::Wdk::System::Threading::{NtQueryInformationProcess, ProcessBasicInformation};
use windows_sys::Win32::System::Diagnostics::Debug::ReadProcessMemory;
use windows_sys::Win32::System::ProcessStatus::K32EnumProcesses;
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, DETACHED_PROCESS, OpenProcess, PROCESS_BASIC_INFORMATION,
    PROCESS_QUERY_INFORMATION, PROCESS_SYNCHRONIZE, PROCESS_VM_READ, WaitForSingleObject,
};

use crate::{PATIENCE, Sentence, part, run, sentences};

pub(crate) const SENTENCES: &[Sentence] =
    sentences![the_code_of_an_exception_is_a_negative_number, a_command_file_of_the_shell_is_run];

/// A process that does nothing has less at its peak: 15 to 18 MiB under Wine, most of them Wine's.
pub(crate) const IDLE_PEAK_BYTES: u64 = 24 << 20;

/// Puts the command into a group of its own, without the console of its parent.
pub(crate) fn escape(command: &mut Command) {
    command.creation_flags(DETACHED_PROCESS | CREATE_NEW_PROCESS_GROUP);
}

/// How many processes have `token` among their arguments, this one not included.
pub(crate) fn running(token: &str) -> usize {
    let mut ids = vec![0_u32; 65_536];
    let mut bytes = 0;
    // SAFETY: the buffer is as large as said.
    let answer = unsafe { K32EnumProcesses(ids.as_mut_ptr(), size_of_val(&ids[..]) as u32, &raw mut bytes) };
    assert_ne!(answer, 0, "the processes cannot be listed");
    let ids = &ids[..bytes as usize / size_of::<u32>()];
    let others = ids.iter().filter(|&&id| id != std::process::id());
    others.filter(|&&id| command_line(id).is_some_and(|line| line.contains(token))).count()
}

/// The command line of a process, out of its own memory. `None` when it is gone or not ours.
fn command_line(id: u32) -> Option<String> {
    // Offsets in the 64-bit structures, which have not changed since Windows 7.
    const PARAMETERS: usize = 0x20;
    const COMMAND_LINE: usize = 0x70;
    // SAFETY: the call takes numbers only.
    let process = unsafe { OpenProcess(PROCESS_QUERY_INFORMATION | PROCESS_VM_READ, 0, id) };
    if process.is_null() {
        return None;
    }
    // SAFETY: the call has just opened it, for this value alone.
    let process = unsafe { OwnedHandle::from_raw_handle(process) };
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
    if status < 0 {
        return None;
    }
    let [parameters] = read::<1>(&process, basic.PebBaseAddress.addr() + PARAMETERS)?;
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

/// The jobs of Wine count nothing, and the answer says that.
pub(crate) fn counts_nothing(ended: &Ended) -> bool {
    ended.counted_by.contains("Wine")
}

/// The jobs of Wine limit nothing, and the refusal says that.
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

/// The parts that only Windows has: none.
pub(crate) fn play(part: &str, _: &[String]) -> u8 {
    panic!("no part is called {part}")
}

/// Waits for the end of a process.
pub(crate) fn wait_for_end(id: u32) {
    // SAFETY: the call takes numbers only.
    let process = unsafe { OpenProcess(PROCESS_SYNCHRONIZE, 0, id) };
    if process.is_null() {
        return;
    }
    // SAFETY: the call has just opened it, for this value alone.
    let process = unsafe { OwnedHandle::from_raw_handle(process) };
    // SAFETY: the handle is open.
    unsafe { WaitForSingleObject(process.as_raw_handle(), PATIENCE.as_millis() as u32) };
    // Its launcher learns of it at the same moment.
    std::thread::sleep(std::time::Duration::from_millis(500));
}

/// Windows has no groups that limit memory.
pub(crate) fn await_end_of_memory_groups() {
    assert!(sys::memory_group::available().is_err());
}
