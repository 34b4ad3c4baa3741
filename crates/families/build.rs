//! Carries the source of every technique in the library, so that `bakeoff show` prints it as it was compiled. Cargo runs this
//! again whenever a file of the package has changed.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The systems and processors that have folders and files of their own.
const SYSTEMS: [&str; 2] = ["linux", "windows"];
/// A technique's own crate, which holds its idea.
const QUEUE: [&str; 3] = ["queue/src/lib.rs", "queue/src/backoff.rs", "queue/src/sync.rs"];
/// Where a transfer's buffer lies, and the words of those that ask for one.
const BUFFERS: [&str; 1] = ["families/src/files/small_buffers.rs"];
const BUFFER_WORDS: [&str; 4] = ["Mapping::buffer", "Buffer::of_at_most", "buffer_of", "Rolling::"];

fn main() -> io::Result<()> {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).ok_or(io::ErrorKind::NotFound);
    let package = variable("CARGO_MANIFEST_DIR")?;
    let (root, crates) = (package.join("src"), package.join(".."));
    let (system, processor) = (variable("CARGO_CFG_TARGET_OS")?, variable("CARGO_CFG_TARGET_ARCH")?);
    let is_x86 = processor.as_os_str() == "x86_64";
    let is_skipped = |path: &Path| {
        let name = path.file_stem().unwrap_or_default();
        // What is for another system is not compiled here; every technique has a workload, and none is about it.
        let is_other = SYSTEMS.iter().any(|other| name == *other) && name != system.as_os_str();
        is_other || name == "tests" || name == "workload" || name == if is_x86 { "not_x86" } else { "x86" }
    };
    let mut table = "&[\n".to_owned();
    for family in folders_in(&root)? {
        if !family.join("techniques").is_dir() {
            continue;
        }
        let mut files = BTreeMap::new();
        read_into(&family, &is_skipped, &mut files)?;
        if files.values().any(|text| text.contains("use crate::in_flight::")) {
            read_into(&root.join("in_flight"), &is_skipped, &mut files)?;
        }
        let family = Family { files };
        for (technique, further) in family.needed() {
            let shown = |path: &Path| {
                let inside = path.strip_prefix(&root).map_err(io::Error::other)?;
                Ok::<_, io::Error>(inside.to_string_lossy().replace('\\', "/"))
            };
            let mut list = String::new();
            for path in &further {
                let name = format!("crates/families/src/{}", shown(path)?);
                write!(list, "({name:?}, include_str!({path:?})), ").map_err(io::Error::other)?;
            }
            let text = &family.files[technique.path];
            let mut texts = further.iter().map(|path| &family.files[*path]).chain([text]);
            let has_buffer = texts.any(|text| BUFFER_WORDS.iter().any(|words| text.contains(words)));
            let queue = QUEUE.iter().filter(|_| text.contains("use queue::"));
            for path in queue.chain(BUFFERS.iter().filter(|_| has_buffer)) {
                let (name, path) = (format!("crates/{path}"), crates.join(path));
                write!(list, "({name:?}, include_str!({path:?})), ").map_err(io::Error::other)?;
            }
            let (name, path) = (shown(technique.path)?, technique.path);
            let text = match &technique.row {
                Some(row) => format!("{row:?}"),
                None => format!("include_str!({path:?})"),
            };
            writeln!(table, "    ({name:?}, {text}, &[{list}]),").map_err(io::Error::other)?;
        }
    }
    fs::write(variable("OUT_DIR")?.join("sources.rs"), table + "]\n")
}

fn folders_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut folders: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    folders.retain(|path| path.is_dir());
    folders.sort();
    Ok(folders)
}

/// Reads all sources in a folder and in those inside it.
fn read_into(
    folder: &Path, is_skipped: &dyn Fn(&Path) -> bool, files: &mut BTreeMap<PathBuf, String>,
) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_skipped(&path) {
            continue;
        }
        if path.is_dir() {
            read_into(&path, is_skipped, files)?;
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path)?;
            files.insert(path, text);
        }
    }
    Ok(())
}

struct Family {
    files: BTreeMap<PathBuf, String>,
}

/// A technique: the file that declares it, and its row where that file is a table.
struct Declared<'a> {
    path: &'a Path,
    row: Option<String>,
}

/// A name that a file takes from elsewhere in its family: modules, outermost first, and the name itself.
type Taken = Vec<String>;

impl Family {
    /// Returns the files of all techniques, and those that each takes what it does from. A file of more than half of the
    /// techniques is no part of one's idea: the job, the workload.
    fn needed(&self) -> Vec<(Declared<'_>, Vec<&Path>)> {
        let is_technique =
            |path: &Path| is_in(path, "techniques") && path.file_name().is_some_and(|name| name != "mod.rs");
        let mut needed = Vec::new();
        for (path, text) in self.files.iter().filter(|(path, _)| is_technique(path)) {
            let rows = rows_of(text);
            let all = if rows.is_empty() { vec![None] } else { rows.into_iter().map(Some).collect() };
            needed.extend(all.into_iter().map(|row| {
                let further = self.needed_by(path, row.as_deref());
                (Declared { path, row }, further)
            }));
        }
        let mut takers: BTreeMap<PathBuf, usize> = BTreeMap::new();
        for path in needed.iter().flat_map(|(_, further)| further) {
            *takers.entry(path.to_path_buf()).or_default() += 1;
        }
        let techniques = needed.len();
        for (_, further) in &mut needed {
            further.retain(|path| 2 * takers[*path] <= techniques);
        }
        needed
    }

    /// Returns the files that hold what a file takes, in this order; of a table, what one row mentions of it.
    fn needed_by<'a>(&'a self, path: &'a Path, row: Option<&str>) -> Vec<&'a Path> {
        let whole = &self.files[path];
        let text = row.unwrap_or(whole);
        let mut found: Vec<&Path> = Vec::new();
        for taken in taken_by(whole) {
            if row.is_some_and(|row| !taken.last().is_some_and(|name| mentions(row, name))) {
                continue;
            }
            for (file, name) in self.holders(path, &taken, text) {
                let further = self.named_in_definition(file, &name);
                for one in further.into_iter().chain([file]) {
                    if one != path && !found.contains(&one) && !one.ends_with("techniques/mod.rs") {
                        found.push(one);
                    }
                }
            }
        }
        // Of what families share, also what those files take.
        for file in found.clone() {
            let taken = taken_by(&self.files[file]);
            for (one, _) in taken.iter().flat_map(|taken| self.holders(file, taken, &self.files[file])) {
                if is_in(one, "in_flight") && !found.contains(&one) {
                    found.push(one);
                }
            }
        }
        found
    }

    /// Returns the files that define what was taken, each with the name that is defined there.
    fn holders(&self, from: &Path, taken: &Taken, text: &str) -> Vec<(&Path, String)> {
        let [module, rest @ ..] = taken.as_slice() else { return Vec::new() };
        let name = rest.last().cloned().unwrap_or_default();
        let module = self.real_name(module);
        let is_here =
            |path: &&Path| !path.ends_with("mod.rs") && path.file_stem().is_some_and(|stem| *stem == *module);
        let paths = || self.files.keys().map(PathBuf::as_path);
        // `super` of a technique is the folder of the techniques.
        let near = paths().find(|path| path.parent() == from.parent() && is_here(path));
        if let Some(file) = near.or_else(|| paths().find(is_here)) {
            return vec![(file, name)];
        }
        let alias = &taken[0];
        let names: BTreeSet<String> = if name.is_empty() || name == "self" {
            mentioned_behind(text, &format!("{alias}::"))
        } else {
            [name].into()
        };
        let is_inside =
            |path: &Path| is_in(path, &module) && (module == "techniques" || !is_in(path, "techniques"));
        let inside = paths().filter(|path| is_inside(path));
        let holds = |path: &Path, name: &str| definition(&self.files[path], name).is_some();
        inside
            .flat_map(|path| {
                names.iter().filter(move |name| holds(path, name)).map(move |name| (path, name.clone()))
            })
            .collect()
    }

    /// `use linux as system;` gives a module another name.
    fn real_name(&self, module: &str) -> String {
        let mut lines = self.files.values().flat_map(|text| text.lines());
        let given = lines.find_map(|line| {
            let (real, alias) = line.trim().strip_prefix("use ")?.strip_suffix(';')?.split_once(" as ")?;
            let real = real.rsplit("::").next()?;
            let is_it =
                |path: &PathBuf| is_in(path, real) || path.file_stem().is_some_and(|stem| *stem == *real);
            (alias == module && self.files.keys().any(is_it)).then(|| real.to_owned())
        });
        given.unwrap_or_else(|| module.to_owned())
    }

    /// A definition on a folder's front page may name the file next to it that does the work: `avx::Avx2`.
    fn named_in_definition(&self, file: &Path, name: &str) -> Vec<&Path> {
        let Some(body) = definition(&self.files[file], name) else { return Vec::new() };
        let beside = self.files.keys().map(PathBuf::as_path).filter(|path| path.parent() == file.parent());
        let modules: BTreeSet<String> =
            modules_in(body).iter().map(|module| self.real_name(module)).collect();
        let named = beside.filter(|path| {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            *path != file && modules.contains(&*stem)
        });
        named.collect()
    }
}

/// Returns the rows of a table of techniques, with their comments; none of a file that declares a technique itself.
fn rows_of(text: &str) -> Vec<String> {
    let table = text.split_once(": &[Technique<").and_then(|(_, behind)| behind.split_once("= &[\n"));
    let mut rows = Vec::new();
    let mut row = String::new();
    for line in table.map_or("", |(_, rows)| rows).lines().take_while(|line| *line != "];") {
        row += line.strip_prefix("    ").unwrap_or(line);
        if line == "    }," {
            rows.push(row.trim_end_matches(',').to_owned() + "\n");
            row.clear();
        } else {
            row.push('\n');
        }
    }
    rows
}

/// Returns whether a name stands in the code of a text, outside of comments and strings.
fn mentions(text: &str, name: &str) -> bool {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split('"').step_by(2))
        .any(|code| code.split(|letter| !is_in_name(letter)).any(|word| word == name))
}

fn is_in(path: &Path, folder: &str) -> bool {
    path.parent().is_some_and(|parent| parent.iter().any(|part| part == folder))
}

/// Returns the names from elsewhere in a family: `use crate::pipeline::locked::{Apart, Locked};`, `use super::splice::moved;`.
fn taken_by(text: &str) -> Vec<Taken> {
    let mut all = Vec::new();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    for statement in lines.join("\n").split("use ").skip(1) {
        let Some((tree, _)) = statement.split_once(';') else { continue };
        for mut path in paths_of(&tree.split_whitespace().collect::<String>()) {
            match path[0].as_str() {
                "crate" if path.len() > 3 && path[2] == "techniques" => drop(path.drain(..3)),
                "crate" if path.len() > 2 => drop(path.drain(..2)),
                "super" => path.retain(|part| part != "super"),
                _ => continue,
            }
            all.push(path);
        }
    }
    all
}

/// Returns the paths of a tree: `a::{b, c::d}` are `a::b` and `a::c::d`. Without spaces, `as` included.
fn paths_of(tree: &str) -> Vec<Taken> {
    let Some((before, inside)) = tree.split_once('{') else {
        return vec![tree.split("::").map(str::to_owned).collect()];
    };
    let begin: Taken = before.split("::").filter(|part| !part.is_empty()).map(str::to_owned).collect();
    let inside = inside.strip_suffix('}').unwrap_or(inside);
    let (mut depth, mut parts, mut part) = (0, Vec::new(), String::new());
    for letter in inside.chars() {
        match letter {
            ',' if depth == 0 => parts.push(std::mem::take(&mut part)),
            _ => {
                depth += i32::from(letter == '{') - i32::from(letter == '}');
                part.push(letter);
            }
        }
    }
    parts.push(part);
    let parts = parts.iter().filter(|part| !part.is_empty());
    parts.flat_map(|part| paths_of(part)).map(|rest| [begin.clone(), rest].concat()).collect()
}

fn is_in_name(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

fn mentioned_behind(text: &str, prefix: &str) -> BTreeSet<String> {
    text.split(prefix)
        .skip(1)
        .map(|rest| rest.chars().take_while(|&letter| is_in_name(letter)).collect())
        .collect()
}

fn modules_in(text: &str) -> BTreeSet<&str> {
    let before = text.match_indices("::").map(|(place, _)| &text[..place]);
    before.filter_map(|before| before.rsplit(|letter| !is_in_name(letter)).next()).collect()
}

/// Returns the definition of a name, from its keyword to the line that ends it.
fn definition<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let begins = ["fn", "struct", "enum", "trait", "type", "const", "static", "union", "macro_rules!"];
    let begin = begins.iter().find_map(|keyword| {
        let words = format!("{keyword} {name}");
        let mut places = text.match_indices(&words).map(|(place, _)| place);
        places.find(|place| !text[place + words.len()..].chars().next().is_some_and(is_in_name))
    })?;
    let rest = &text[begin..];
    let end = ["\n}", ";\n"].iter().filter_map(|end| rest.find(end)).min();
    // A body holds statements: it ends with its brace, unless there is none before the first semicolon.
    let is_bodied = rest.find('{').is_some_and(|brace| end.is_none_or(|end| brace < end));
    let end = if is_bodied { rest.find("\n}").or(end) } else { end };
    Some(&rest[..end.unwrap_or(rest.len())])
}
