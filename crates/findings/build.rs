//! Lists the findings of the folder of that name, so that each file is built into the program.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../findings");
    println!("cargo:rerun-if-changed={}", folder.display());
    let mut texts = String::from("&[");
    for path in files(&folder)?.iter().map(|family| files(family)).collect::<io::Result<Vec<_>>>()?.concat() {
        let name = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().replace('\\', "/");
        texts += &format!("({name:?}, include_str!({path:?})),\n");
    }
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("findings.rs"), texts + "]")
}

/// Returns what is in a folder.
fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect()
}
