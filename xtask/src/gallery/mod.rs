//! A folder of reports as HTML: `cargo xtask gallery` measures every family with the release binary, and lays out made-up runs.
//! With `--look`, headless Chromium opens every page at two widths, light and dark: nothing may overlap, be cut, fetched or fail.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use clap::Parser;

mod browser;
mod look;
mod made;

/// Make a folder of HTML reports
#[derive(Debug, Parser)]
#[command(after_help = "Exit code: 0 done; 1 a page is not as it should be; 2 could not be carried out.")]
pub(crate) struct Options {
    /// Folder of the pages [default: target/gallery]
    folder: Option<PathBuf>,
    /// The program that measures [default: the release build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// Budget of each family's run
    #[arg(long, value_name = "DURATION", default_value = "25s")]
    budget: String,
    /// Leave out the families: only the made-up runs
    #[arg(long)]
    made: bool,
    /// A page to look at, too; repeatable
    #[arg(long = "page", value_name = "FILE")]
    pages: Vec<PathBuf>,
    /// Open every page in headless Chromium, check it, and take pictures
    #[arg(long)]
    look: bool,
    /// Write the top of the first page as a picture: `--picture docs/report.png` is that of the README
    #[arg(long, value_name = "FILE")]
    picture: Option<PathBuf>,
}

/// Makes the pages and returns whether they are as they should be.
pub(crate) fn carry_out(options: &Options, root: &Path) -> Result<bool> {
    let folder = options.folder.clone().unwrap_or_else(|| root.join("target").join("gallery"));
    fs::create_dir_all(&folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    let folder = folder.canonicalize()?;
    let made = made::all().into_iter().map(|made| (made.name, made.page()));
    let mut pages = Vec::new();
    for (name, page) in made.chain([("findings", made::findings_page())]) {
        let file = folder.join(format!("made-{name}.html"));
        fs::write(&file, page).with_context(|| format!("{} cannot be written", file.display()))?;
        pages.push(file);
    }
    for page in &options.pages {
        pages.push(page.canonicalize().with_context(|| format!("--page {}", page.display()))?);
    }
    if !options.made {
        pages.extend(families(options, &folder)?);
    }
    pages.iter().for_each(|page| println!("{}", page.display()));
    if let (Some(picture), Some(first)) = (&options.picture, pages.first()) {
        look::show(first, picture)?;
    }
    if !options.look {
        return Ok(true);
    }
    let wrong = look::look(&pages, &folder.join("pictures"))?;
    println!("gallery: {} pages, {wrong} things wrong", pages.len());
    Ok(wrong == 0)
}

/// Measures each family, and all together, and returns a page of each run.
fn families(options: &Options, folder: &Path) -> Result<Vec<PathBuf>> {
    let binary = crate::binary(options.binary.as_deref())?;
    let private = tempfile::Builder::new().prefix("bakeoff-gallery-").tempdir()?;
    let run = |words: &[&str]| -> Result<String> {
        let mut command = Command::new(&binary);
        command.args(words).arg("--store").arg(private.path().join("store.sqlite"));
        crate::printed(command.env("XDG_STATE_HOME", private.path()))
    };
    let listed: serde_json::Value = serde_json::from_str(&run(&["list", "--format", "json"])?)?;
    let listed = listed["families"].as_array().context("`bakeoff list --format json` names no family")?;
    let names: Vec<&str> = listed.iter().filter_map(|family| family["family"].as_str()).collect();
    let scratch = private.path().to_string_lossy();
    let common = ["--no-report", "--format", "html", "--quiet", "--dir", &scratch];
    let mut pages = Vec::new();
    for (name, families) in names.iter().map(|name| (*name, vec![*name])).chain([("all", names.clone())]) {
        let page = folder.join(format!("{name}.html"));
        let own_budget: &[&str] = if name == "all" { &[] } else { &["--budget", &options.budget] };
        fs::write(&page, run(&[&["run"], &families[..], &common, own_budget].concat())?)?;
        pages.push(page);
    }
    Ok(pages)
}
