//! From a folder to its files, one folder after the other, in byte order. Links are not followed.

use std::borrow::Cow;
use std::io;
use std::path::Path;

use super::system::folder::Folder;

/// Visits every file below a folder: the folder that holds it, and its place in there.
pub(super) fn visit_below(
    mut folder: Folder,
    visit: &mut dyn FnMut(&Folder, usize) -> io::Result<()>,
) -> io::Result<()> {
    folder.sort();
    for nth in 0..folder.len() {
        match folder.is_folder(nth) {
            true => visit_below(folder.inner(nth)?, visit)?,
            false => visit(&folder, nth)?,
        }
    }
    Ok(())
}

pub(super) fn list_below(path: &Path, files: &mut Vec<Cow<'_, Path>>) -> io::Result<()> {
    visit_below(Folder::open(path.to_owned())?, &mut |folder, nth| {
        files.push(Cow::Owned(folder.path_of(nth)));
        Ok(())
    })
}
