//! What holds a directory.

use std::fs::OpenOptions;
use std::io;
use std::os::windows::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use model::Volume;
use windows_sys::Win32::Storage::FileSystem::{
    GetDiskFreeSpaceExW, GetDiskFreeSpaceW, GetVolumeInformationW, GetVolumeNameForVolumeMountPointW,
    GetVolumePathNameW,
};
use windows_sys::Win32::System::Ioctl::{
    DEVICE_SEEK_PENALTY_DESCRIPTOR, IOCTL_STORAGE_QUERY_PROPERTY, PropertyStandardQuery,
    STORAGE_PROPERTY_QUERY, StorageDeviceSeekPenaltyProperty,
};

use crate::failure::named;
use crate::windows::{asked, checked, text, text_of, wide};

const PATH_MAX: usize = 32_768;

/// Returns what holds `path`.
pub fn describe(path: &Path) -> io::Result<Volume> {
    std::fs::metadata(path).map_err(|error| named(path, error))?;
    let mount_point = mount_point(path).map_err(|error| named(path, error))?;
    let (total_bytes, free_bytes) = space(path).unzip();
    Ok(Volume {
        directory: path.to_owned(),
        file_system: file_system(&mount_point),
        device: device(&mount_point),
        rotational: rotational(&mount_point),
        total_bytes,
        free_bytes,
        block_bytes: cluster_bytes(&mount_point),
        mount_point: Some(PathBuf::from(mount_point)),
        mount_options: None,
        scheduler: None,
        read_ahead_bytes: None,
    })
}

pub(crate) fn mount_point(path: &Path) -> io::Result<String> {
    let path = wide(path);
    let mut buffer = vec![0_u16; PATH_MAX];
    // SAFETY: the path ends in a zero, and the buffer holds as many units as said.
    checked(unsafe { GetVolumePathNameW(path.as_ptr(), buffer.as_mut_ptr(), buffer.len() as u32) })?;
    let mount_point = text(&buffer).ok_or_else(|| io::Error::other("the system gives no mount point"))?;
    // A path that was made whole begins like this; devices are asked for without it.
    Ok(mount_point.strip_prefix(r"\\?\").map(str::to_owned).unwrap_or(mount_point))
}

fn file_system(mount_point: &str) -> Option<String> {
    let mount_point = wide(mount_point);
    let none = std::ptr::null_mut;
    // SAFETY: the path ends in a zero, the buffer holds as many units as said, and of the rest nothing is asked.
    text_of::<64>(|name| unsafe {
        GetVolumeInformationW(
            mount_point.as_ptr(),
            std::ptr::null_mut(),
            0,
            none(),
            none(),
            none(),
            name.as_mut_ptr(),
            64,
        )
    })
}

fn space(path: &Path) -> Option<(u64, u64)> {
    let path = wide(path);
    let (mut free, mut total) = (0, 0);
    // SAFETY: the path ends in a zero, and both places are valid for the answers.
    let answer =
        unsafe { GetDiskFreeSpaceExW(path.as_ptr(), &raw mut free, &raw mut total, std::ptr::null_mut()) };
    (answer != 0).then_some((total, free))
}

fn cluster_bytes(mount_point: &str) -> Option<u64> {
    let mount_point = wide(mount_point);
    let (mut sectors, mut sector_bytes, mut free, mut total) = (0, 0, 0, 0);
    // SAFETY: the path ends in a zero, and the four places are valid for the answers.
    let answer = unsafe {
        GetDiskFreeSpaceW(
            mount_point.as_ptr(),
            &raw mut sectors,
            &raw mut sector_bytes,
            &raw mut free,
            &raw mut total,
        )
    };
    (answer != 0 && sectors > 0).then(|| u64::from(sectors) * u64::from(sector_bytes))
}

fn device(mount_point: &str) -> Option<String> {
    let mount_point = wide(mount_point);
    // SAFETY: the path ends in a zero, and the buffer holds as many units as said.
    text_of::<64>(|name| unsafe {
        GetVolumeNameForVolumeMountPointW(mount_point.as_ptr(), name.as_mut_ptr(), 64)
    })
}

/// A device that loses time by seeking is one that turns.
fn rotational(mount_point: &str) -> Option<bool> {
    let drive = mount_point.strip_suffix('\\')?;
    // No right at all is asked for: this question needs none.
    let volume = OpenOptions::new().access_mode(0).open(format!(r"\\.\{drive}")).ok()?;
    let query = STORAGE_PROPERTY_QUERY {
        PropertyId: StorageDeviceSeekPenaltyProperty,
        QueryType: PropertyStandardQuery,
        AdditionalParameters: [0],
    };
    let mut answer = DEVICE_SEEK_PENALTY_DESCRIPTOR::default();
    let bytes = asked(&volume, IOCTL_STORAGE_QUERY_PROPERTY, &query, &mut answer).ok()?;
    (bytes as usize >= size_of::<DEVICE_SEEK_PENALTY_DESCRIPTOR>()).then_some(answer.IncursSeekPenalty)
}
