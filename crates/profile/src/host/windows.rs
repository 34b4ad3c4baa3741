//! The registry, and two calls that have safe wrappers.

use std::fs;
use std::io;
use std::path::Path;
use std::thread;
use std::time::Duration;

use winsafe::{HKEY, RegistryValue, co};

use super::Facts;

const PROCESSORS: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor";
const FIRST_PROCESSOR: &str = r"HARDWARE\DESCRIPTION\System\CentralProcessor\0";

pub(super) fn read() -> Facts {
    Facts {
        // Made when the system was installed.
        identity: text(r"SOFTWARE\Microsoft\Cryptography", "MachineGuid"),
        name: text(r"SYSTEM\CurrentControlSet\Services\Tcpip\Parameters", "Hostname"),
        kernel: kernel(),
        processor: text(FIRST_PROCESSOR, "ProcessorNameString"),
        microcode: microcode(),
        logical: logical(),
        caches: Vec::new(),
        hypervisor: hypervisor(),
        memory_bytes: memory_bytes(),
        huge_pages: None,
    }
}

pub(super) fn file_system(directory: &Path) -> io::Result<Option<String>> {
    fs::metadata(directory)?;
    let failed = |error: co::ERROR| io::Error::from_raw_os_error(error.raw() as i32);
    let directory = directory.to_str().ok_or_else(|| io::Error::other("its name is not Unicode"))?;
    let mount_point = winsafe::GetVolumePathName(directory).map_err(failed)?;
    // A path that was made whole begins like this.
    let mount_point = mount_point.strip_prefix(r"\\?\").unwrap_or(&mount_point);
    let mut name = String::new();
    let told = winsafe::GetVolumeInformation(Some(mount_point), None, None, None, None, Some(&mut name));
    Ok(told.ok().map(|()| name).filter(|name| !name.is_empty()))
}

/// Returns a value below `HKEY_LOCAL_MACHINE`.
fn value(key: &str, name: &str) -> Option<RegistryValue> {
    HKEY::LOCAL_MACHINE.RegGetValue(Some(key), Some(name), co::RRF::RT_ANY).ok()
}

fn text(key: &str, name: &str) -> Option<String> {
    let RegistryValue::Sz(text) = value(key, name)? else { return None };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn number(key: &str, name: &str) -> Option<u32> {
    match value(key, name)? {
        RegistryValue::Dword(number) => Some(number),
        _ => None,
    }
}

fn eight_bytes(key: &str, name: &str) -> Option<[u8; 8]> {
    match value(key, name)? {
        RegistryValue::Binary(bytes) => bytes.try_into().ok(),
        _ => None,
    }
}

/// Major, minor and build number.
fn kernel() -> Option<String> {
    const VERSION: &str = r"SOFTWARE\Microsoft\Windows NT\CurrentVersion";
    let major = number(VERSION, "CurrentMajorVersionNumber")?;
    let minor = number(VERSION, "CurrentMinorVersionNumber")?;
    Some(format!("{major}.{minor}.{}", text(VERSION, "CurrentBuildNumber")?))
}

/// Each processor of every group has a key.
fn logical() -> Option<u32> {
    let key =
        HKEY::LOCAL_MACHINE.RegOpenKeyEx(Some(PROCESSORS), co::REG_OPTION::default(), co::KEY::READ).ok()?;
    let count = key.RegEnumKeyEx().ok()?.filter(Result::is_ok).count();
    u32::try_from(count).ok().filter(|count| *count > 0)
}

/// Wine fetches it again once a second, and hands an empty answer to a thread that asks meanwhile.
fn memory_bytes() -> Option<u64> {
    const TRIES: u32 = 100;
    const PAUSE: Duration = Duration::from_millis(1);
    for _ in 0..TRIES {
        let bytes = winsafe::GlobalMemoryStatusEx().ok()?.ullTotalPhys;
        if bytes > 0 {
            return Some(bytes);
        }
        thread::sleep(PAUSE);
    }
    None
}

/// Eight bytes: 0 on most processors, and the version.
fn microcode() -> Option<String> {
    let bytes = eight_bytes(FIRST_PROCESSOR, "Update Revision")?;
    let [.., a, b, c, d] = bytes;
    let version = u32::from_le_bytes([a, b, c, d]).max((u64::from_le_bytes(bytes) & 0xffff_ffff) as u32);
    (version != 0).then(|| format!("{version:#x}"))
}

/// What the maker of the machine says of it, where that is the maker of a hypervisor.
fn hypervisor() -> Option<String> {
    const MACHINE: &str = r"HARDWARE\DESCRIPTION\System\BIOS";
    let maker = text(MACHINE, "SystemManufacturer")?;
    let product = text(MACHINE, "SystemProductName").unwrap_or_default();
    let machine = format!("{maker} {product}").trim().to_owned();
    let lower = machine.to_lowercase();
    let makers = [
        "qemu",
        "kvm",
        "vmware",
        "virtualbox",
        "innotek",
        "xen",
        "parallels",
        "virtual machine",
        "google compute",
        "amazon ec2",
    ];
    makers.iter().any(|name| lower.contains(name)).then_some(machine)
}
