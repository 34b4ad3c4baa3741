//! The files that are made: how many, how large, where, and with how many lines that match.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use model::Workload;

use super::inputs::Place;
use super::pattern::Pattern;
use super::text::Text;
use super::user_files::copy_in;
use super::workload::{FILE_BYTES, KIND_INPUT, KIND_TREE, files_of, frequency_of, kind_of};
use crate::files::at;
use crate::random::Random;

const FOLDER_FILES: u64 = 20;
const FOLDER_FOLDERS: u64 = 8;

pub(super) fn generate(workload: &Workload, place: &Place, seed: u64) -> io::Result<()> {
    remove_tree(&place.folder)?;
    fs::create_dir(&place.folder).map_err(at("create", &place.folder))?;
    if kind_of(workload) == KIND_INPUT {
        return copy_in(workload, place);
    }
    let total_bytes = workload.bytes().unwrap_or(0);
    let mut random = Random(seed);
    let sizes = sizes_of(workload, &mut random);
    let mut text = Text::new(&Pattern::of(workload)?, frequency_of(workload), total_bytes, random)?;
    for (path, bytes) in paths_of(workload, place).into_iter().zip(sizes) {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(at("create", folder))?;
        }
        let file = File::create_new(&path).map_err(at("create", &path))?;
        let mut writer = BufWriter::with_capacity(256 << 10, file);
        text.write(&mut writer, bytes).and_then(|()| writer.flush()).map_err(at("write", &path))?;
    }
    Ok(())
}

fn remove_tree(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at("remove", folder)(error)),
        _ => Ok(()),
    }
}

/// Where the files stand. In a tree they stand in folders of folders, up to three deep, some at every depth.
fn paths_of(workload: &Workload, place: &Place) -> Vec<PathBuf> {
    if kind_of(workload) != KIND_TREE {
        return place.roots.iter().map(|root| root.path.clone()).collect();
    }
    let in_tree = |nth: u64| {
        let leaf = nth / FOLDER_FILES;
        let mut path = place.folder.clone();
        // Every fourth group of files stands one folder higher, every sixteenth two.
        let depth = 3 - u64::from(leaf.is_multiple_of(4)) - u64::from(leaf.is_multiple_of(16));
        let mut rest = leaf;
        for _ in 0..depth {
            path.push(format!("folder-{}", rest % FOLDER_FOLDERS));
            rest /= FOLDER_FOLDERS;
        }
        path.push(format!("file-{nth:05}.txt"));
        path
    };
    (0..files_of(workload)).map(in_tree).collect()
}

/// How large the files are: together exactly what the workload says.
fn sizes_of(workload: &Workload, random: &mut Random) -> Vec<u64> {
    let files = files_of(workload);
    if let Some(each) = workload.number(FILE_BYTES) {
        return vec![each; files as usize];
    }
    let mut weights: Vec<u64> = match kind_of(workload) {
        // From 1 KB to 40 KB when the mean is 10 KB: many are small, few are large.
        KIND_TREE => {
            (0..files).map(|_| 1_000 + cube(random.below(1 << 20)) * 39_000 / cube(1 << 20)).collect()
        }
        // From 4 KB to over 1 MB in the published size: evenly spread over the square root of the size.
        _ => (0..files).map(|nth| 4_000 + 990_000 * nth * nth / (files - 1).pow(2).max(1)).collect(),
    };
    random.shuffle(&mut weights);
    apportioned(workload.bytes().unwrap_or(0), &weights)
}

fn cube(number: u64) -> u64 {
    (number >> 4).pow(3)
}

/// Shares of a total in proportion to weights that are not all 0; they add up to the total exactly.
fn apportioned(total: u64, weights: &[u64]) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    let (mut weight_before, mut bytes_before) = (0_u128, 0_u64);
    let share = |weight: &u64| {
        weight_before += u128::from(*weight);
        let bytes_until = (u128::from(total) * weight_before / sum) as u64;
        let share = bytes_until - bytes_before;
        bytes_before = bytes_until;
        share
    };
    weights.iter().map(share).collect()
}

#[cfg(test)]
mod tests {
    use model::Preset;

    use super::*;
    use crate::search::workload::{of_bytes, of_preset};

    fn sizes(workload: &Workload, seed: u64) -> Vec<u64> {
        sizes_of(workload, &mut Random(seed))
    }

    #[test]
    fn the_published_files_are_a_few_kilobytes_to_over_a_megabyte() {
        let workload = of_preset(Preset::Published).remove(0);
        let mut sizes = sizes(&workload, 7);
        assert_eq!((sizes.len(), sizes.iter().sum::<u64>()), (20, 7_500_000));
        sizes.sort_unstable();
        assert!((3_000..6_000).contains(&sizes[0]) && sizes[19] > 1_000_000, "{sizes:?}");
    }

    #[test]
    fn sizes_add_up_to_what_was_asked_for_and_depend_on_the_seed() {
        for bytes in [0, 1, 19, 20, 12_345, 30_000_000] {
            for kind in ["files", "one", "tree"] {
                let mut workload = of_bytes(bytes);
                crate::SEARCH.set(&mut workload, "kind", kind).expect("a kind");
                let sizes = sizes(&workload, 3);
                assert_eq!(sizes.iter().sum::<u64>(), workload.bytes().expect("a size"), "{bytes} {kind}");
                assert_eq!(sizes.len() as u64, files_of(&workload));
            }
        }
        let workload = of_preset(Preset::Quick).remove(0);
        assert_eq!(sizes(&workload, 1), sizes(&workload, 1));
        assert_ne!(sizes(&workload, 1), sizes(&workload, 2));
    }

    #[test]
    fn a_tree_has_small_files_at_several_depths() {
        let workload = of_preset(Preset::Large).remove(1);
        let mut sizes = sizes(&workload, 1);
        sizes.sort_unstable();
        assert!(sizes[0] >= 800 && sizes[9_999] < 50_000, "{} {}", sizes[0], sizes[9_999]);
        assert!((4_000..9_000).contains(&sizes[5_000]), "{}", sizes[5_000]);
        let place = Place::of(&workload, Path::new("/scratch"));
        let mut paths = paths_of(&workload, &place);
        for depth in 1..=3 {
            let at_depth = paths.iter().filter(|path| path.components().count() == 3 + depth + 1).count();
            assert!(at_depth >= 500, "{at_depth} files stand {depth} deep");
        }
        paths.sort();
        paths.dedup();
        assert_eq!(paths.len(), 10_000);
    }
}
