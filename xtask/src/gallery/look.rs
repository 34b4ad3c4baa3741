//! Every page in a browser: at two widths, light and dark, folded and unfolded.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::browser::{Browser, View};

/// The script that a page runs; it answers with a list of sentences, one for each thing that is wrong.
const QUESTIONS: &str = include_str!("look.js");

const WIDE: View = View { width: 1440, scheme: "light" };
const NARROW: View = View { width: 390, scheme: "light" };
const VIEWS: [View; 4] = [WIDE, View { scheme: "dark", ..WIDE }, NARROW, View { scheme: "dark", ..NARROW }];
/// A page with more bytes takes long over a network.
const MOST_BYTES: u64 = 2_000_000;
/// A page takes at most this much processor time to load: wall time depends on what else the host does.
const MOST_PROCESSOR_MS: f64 = 1_000.0;
/// A run of nine families is printed on this many pages at most; how each page begins in a file of them.
const MOST_SHEETS: usize = 12;
const SHEET: &[u8] = b"/Type /Page\n";
/// Longer pictures are not taken by the browser.
const MOST_PIXELS: f64 = 16_000.0;
/// The picture of a page for a file of text: its width and height, and its most bytes.
const SHOWN: (View, f64) = (View { width: 1120, scheme: "light" }, 1000.0);
const MOST_SHOWN_BYTES: usize = 300_000;
/// Presses of the key until a row has the focus.
const MOST_TABS: usize = 80;

/// Looks at all pages, writes pictures, and returns the number of things that are wrong.
pub(super) fn look(pages: &[PathBuf], pictures: &Path) -> Result<usize> {
    fs::create_dir_all(pictures)?;
    let mut browser = Browser::start()?;
    let mut wrong = 0;
    for page in pages {
        let name = page.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        let mut found = of_file(page)?;
        // The most of all views: where a page is given another process, the difference reports too little.
        let mut most_ms = 0.0_f64;
        for view in VIEWS {
            let shown = format!("{name} at {} pixels, {}", view.width, view.scheme);
            let processor_ms = browser.open(page, view).with_context(|| shown.clone())?;
            most_ms = most_ms.max(processor_ms);
            let picture = pictures.join(format!("{name}-{}-{}.png", view.width, view.scheme));
            fs::write(picture, browser.picture(view, MOST_PIXELS)?)?;
            let said = asked(&mut browser, page)?;
            found.extend(said.into_iter().map(|what| format!("{shown}: {what}")));
        }
        browser.open(page, VIEWS[0])?;
        let printed = browser.print()?;
        let sheets = printed.windows(SHEET.len()).filter(|bytes| *bytes == SHEET).count();
        if sheets > MOST_SHEETS || sheets == 0 {
            found.push(format!("{name}: {sheets} printed pages, {MOST_SHEETS} are allowed"));
        }
        fs::write(pictures.join(format!("{name}.pdf")), printed)?;
        let published =
            "location.hash = '#published'; document.querySelector('#published')?.checkVisibility()";
        let answers = "document.querySelector('#answers')?.checkVisibility()";
        if let Some(is_shown) = browser.evaluate(published)?.as_bool() {
            let answers_stay = browser.evaluate(answers)?.as_bool() == Some(true);
            if !is_shown || answers_stay {
                found.push(format!("{name}: what was published does not stand alone"));
            }
        }
        found.extend(by_keyboard(&mut browser, page)?.map(|what| format!("{name}: {what}")));
        let loaded = browser.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd")?;
        let kilobytes = fs::metadata(page)?.len() / 1000;
        let loaded_ms = loaded.as_f64().unwrap_or(f64::NAN);
        println!(
            "{name}: {kilobytes} kB, {sheets} printed pages, loaded in {loaded_ms:.0} ms, {most_ms:.0} ms of processor time"
        );
        if most_ms > MOST_PROCESSOR_MS {
            let allowed = format!("{MOST_PROCESSOR_MS} are allowed");
            found.push(format!("{name}: takes {most_ms:.0} ms of processor time to load, {allowed}"));
        }
        wrong += found.len();
        found.iter().for_each(|what| println!("{what}"));
    }
    Ok(wrong)
}

/// Writes the top of a page as a picture.
pub(super) fn show(page: &Path, picture: &Path) -> Result<()> {
    let (view, height) = SHOWN;
    let mut browser = Browser::start()?;
    browser.open(page, view)?;
    let bytes = browser.picture(view, height)?;
    if bytes.len() > MOST_SHOWN_BYTES {
        bail!("the picture has {} bytes, {MOST_SHOWN_BYTES} are allowed", bytes.len());
    }
    fs::write(picture, bytes).with_context(|| format!("{} cannot be written", picture.display()))
}

/// Returns what is wrong with the file itself.
fn of_file(page: &Path) -> Result<Vec<String>> {
    let bytes = fs::metadata(page)?.len();
    let text = fs::read_to_string(page)?;
    let mut found = Vec::new();
    if bytes > MOST_BYTES {
        found.push(format!("{}: {bytes} bytes, {MOST_BYTES} are allowed", page.display()));
    }
    for part in ["<script", "@import", "url("] {
        if text.contains(part) {
            found.push(format!("{}: holds {part}", page.display()));
        }
    }
    Ok(found)
}

/// Returns what is wrong with the open page: first as it is, then with everything unfolded, and then the page inside it.
fn asked(browser: &mut Browser, page: &Path) -> Result<Vec<String>> {
    let mut found = browser.complaints(page);
    // What was published is a page of its own, to which a link leads.
    let steps = [
        "",
        "document.querySelectorAll('details').forEach(one => one.open = true);",
        "if (document.querySelector('#published')) location.hash = '#published';",
    ];
    for unfold in steps {
        let answer = browser.evaluate(&format!("{unfold}{QUESTIONS}"))?;
        let said = answer.as_array().into_iter().flatten().filter_map(Value::as_str).map(str::to_owned);
        found.extend(said.filter(|what| !found.contains(what)).collect::<Vec<_>>());
    }
    Ok(found)
}

/// Checks that a row that has the focus shows its figures. Pages without rows have none.
fn by_keyboard(browser: &mut Browser, page: &Path) -> Result<Option<String>> {
    browser.open(page, WIDE)?;
    let rows = browser.evaluate("document.querySelectorAll('li.r').length")?;
    if rows.as_u64().unwrap_or(0) == 0 {
        return Ok(None);
    }
    for _ in 0..MOST_TABS {
        browser.press_tab()?;
        let shown = browser.evaluate(
            "document.activeElement.matches('li.r') \
             && getComputedStyle(document.activeElement.querySelector('.tip')).display",
        )?;
        if let Some(shown) = shown.as_str() {
            return Ok((shown != "block").then(|| format!("a row with the focus shows no figures ({shown})")));
        }
    }
    Ok(Some(format!("no row has the focus after {MOST_TABS} presses of the tabulator key")))
}
