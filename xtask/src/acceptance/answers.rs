//! Whether a user gets an answer, and when: the default run (T19), large inputs within a budget (T20), ten commands next to
//! hyperfine (T21), and all families for a user without rights (T27). On request, for a host that does nothing else.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use super::line::{Line, in_time};
use super::seen::{Ranking, Run};
use super::session::{Amount, Session};

/// Runs in a row that must all hold.
const AMOUNT: Amount = Amount::new(3, 1, 300);

/// What an answer must be worth: how many may be fastest, and what choosing the leader may cost.
struct Worth {
    candidates_max: usize,
    limit_max: f64,
}

fn answer(what: &str, ranking: &Ranking, worth: &Worth) -> Line {
    let few = ranking.fastest.len() <= worth.candidates_max;
    let near = ranking.is_within(worth.limit_max);
    let limit =
        ranking.at_most_slower.map_or("no limit".to_owned(), |limit| format!("{:.1} %", limit * 100.0));
    let of = ranking.entries.len();
    let seen =
        format!("{} of {of} may be fastest, {limit}, {} rounds", ranking.fastest.len(), ranking.rounds);
    let allowed = format!("at most {} and {:.0} %", worth.candidates_max, worth.limit_max * 100.0);
    Line::new(format!("{what}: {}", ranking.sentence), seen, allowed, few && near)
}

/// The contest of a family in which most entries take part; the others are those of results that are ranked apart.
fn main_contest<'a>(run: &'a Run, family: &str) -> Result<&'a Ranking> {
    let of_family = run.rankings.iter().filter(|ranking| ranking.family == family);
    of_family.max_by_key(|ranking| ranking.entries.len()).with_context(|| format!("{family} has no contest"))
}

/// The families of files.
const FAMILIES: &[&str] = &["copy", "convert", "search", "sort"];

/// T19: a run with nothing chosen answers all four families of files.
pub(super) fn default_run(session: &mut Session) -> Result<Vec<Line>> {
    let runs = session.repeat("default runs", AMOUNT, |session| session.instrument.measure(FAMILIES))?;
    let mut lines = Vec::new();
    for (run, elapsed) in &runs {
        lines.push(in_time("default run", *elapsed, 75.0));
        for &family in FAMILIES {
            let ranking = main_contest(run, family)?;
            let limit_max = if family == "search" { 0.15 } else { 0.1 };
            let worth = Worth { candidates_max: ranking.entries.len() / 3, limit_max };
            lines.push(answer(&format!("default run, {family}"), ranking, &worth));
        }
    }
    Ok(lines)
}

/// T20: large inputs, within the budget that the user gave.
pub(super) fn large_inputs(session: &mut Session) -> Result<Vec<Line>> {
    const COPIES: &[&str] = &[
        "copy/read_write",
        "copy/presized",
        "copy/one_call",
        "--command",
        "cp=cp {input} {output}",
        "--command",
        "dd=dd if={input} of={output} bs=256K status=none",
        "--size",
        "1GiB",
        "--budget",
        "100s",
    ];
    let (run, elapsed) = session.instrument.measure(COPIES)?;
    let copies = "copies of 1 GiB with cp and dd in 100 s";
    let worth = Worth { candidates_max: 6, limit_max: 0.2 };
    let mut lines =
        vec![in_time(copies, elapsed, 110.0), answer(copies, main_contest(&run, "copy")?, &worth)];
    let (run, elapsed) = session.instrument.measure(&["search", "--size", "1GiB", "--budget", "60s"])?;
    let search = "search of 1 GiB in 60 s";
    let ranking = main_contest(&run, "search")?;
    lines.push(in_time(search, elapsed, 66.0));
    lines.push(Line::new(
        format!("{search}: an answer"),
        &ranking.sentence,
        "a leader",
        ranking.leader.is_some(),
    ));
    Ok(lines)
}

/// Ten commands that copy a file.
const COMMANDS: [(&str, &str); 10] = [
    ("cp", "cp {input} {output}"),
    ("cp-never", "cp --reflink=never {input} {output}"),
    ("install", "install {input} {output}"),
    ("rsync", "rsync --whole-file {input} {output}"),
    ("dd-4K", "dd if={input} of={output} bs=4K status=none"),
    ("dd-16K", "dd if={input} of={output} bs=16K status=none"),
    ("dd-64K", "dd if={input} of={output} bs=64K status=none"),
    ("dd-256K", "dd if={input} of={output} bs=256K status=none"),
    ("dd-1M", "dd if={input} of={output} bs=1M status=none"),
    ("dd-4M", "dd if={input} of={output} bs=4M status=none"),
];

/// T21: ten commands, as soon as choosing the leader costs at most 10 %, next to hyperfine with 30 runs of each.
pub(super) fn ten_commands(session: &mut Session) -> Result<Vec<Line>> {
    let file = session.instrument.path("commands.toml");
    let mut text = String::new();
    for (name, command) in COMMANDS {
        // Writing to a text cannot fail.
        let _ =
            writeln!(text, "[[command]]\nname = \"{name}\"\nfamily = \"copy\"\ncommand = \"{command}\"\n");
    }
    fs::write(&file, text)?;
    let commands = file.display().to_string();
    let words = [
        "copy/none",
        "--commands-file",
        &commands,
        "--size",
        "25.6MB",
        "--tolerance",
        "10%",
        "--budget",
        "60s",
    ];
    let runs = session.repeat("ten commands", AMOUNT, |session| {
        let (run, elapsed) = session.instrument.measure(&words)?;
        let (fastest, theirs) = hyperfine(session)?;
        Ok((run, elapsed, fastest, theirs))
    })?;
    let mut lines = Vec::new();
    for (run, elapsed, fastest, theirs) in &runs {
        let ranking = main_contest(run, "copy")?;
        let (ours_s, theirs_s) = (elapsed.as_secs_f64(), theirs.as_secs_f64());
        let seen = format!("{ours_s:.1} s against {theirs_s:.1} s");
        lines.push(Line::new(
            "ten commands, time against hyperfine",
            seen,
            "half of it",
            ours_s <= theirs_s / 2.0,
        ));
        lines.push(answer("ten commands", ranking, &Worth { candidates_max: 10, limit_max: 0.1 }));
        let same = ranking.may_be_fastest(fastest);
        let leader = ranking.leader.clone().unwrap_or_default();
        let seen = format!("{leader} leads here, {fastest} there");
        lines.push(Line::new(
            "ten commands: the same leader, or one within the limit",
            seen,
            "a candidate",
            same,
        ));
    }
    Ok(lines)
}

/// The command with the smallest median, and how long hyperfine took to find it.
fn hyperfine(session: &Session) -> Result<(String, Duration)> {
    let (input, output) =
        (session.instrument.path("hyperfine-input"), session.instrument.path("hyperfine-output"));
    let export = session.instrument.path("hyperfine.json");
    fs::write(&input, vec![b'x'; 25_600_000])?;
    let mut command = Command::new("hyperfine");
    command.args(["-N", "--style", "none", "--warmup", "1", "--runs", "30", "--export-json"]).arg(&export);
    command.arg("--prepare").arg(format!("rm -f {}", output.display()));
    for (name, words) in COMMANDS {
        let words = words.replace("{input}", &input.display().to_string());
        command.args(["--command-name", name]).arg(words.replace("{output}", &output.display().to_string()));
    }
    let start = Instant::now();
    let done = command.output().context("hyperfine cannot be started; install it")?;
    let elapsed = start.elapsed();
    ensure!(done.status.success(), "hyperfine: {}", String::from_utf8_lossy(&done.stderr).trim());
    let results: serde_json::Value = serde_json::from_slice(&fs::read(&export)?)?;
    for file in [&input, &output, &export] {
        fs::remove_file(file)?;
    }
    let results = results["results"].as_array().context("hyperfine's export has no results")?;
    let median = |result: &serde_json::Value| result["median"].as_f64().unwrap_or(f64::INFINITY);
    let best = results
        .iter()
        .min_by(|a, b| median(a).total_cmp(&median(b)))
        .context("hyperfine measured nothing")?;
    Ok((best["command"].as_str().unwrap_or_default().to_owned(), elapsed))
}

/// All that a user asks of files, threads, memory and time.
const ALL_FAMILIES: [&str; 9] =
    ["copy", "convert", "search", "sort", "pipeline", "threads", "blocks", "disk", "clock"];
/// The default preset of all of them.
const ALL_LIMIT_S: f64 = 180.0;
/// The user that owns nothing.
const USER_WITHOUT_RIGHTS: &str = "65534";

/// T27: all families in one run, by a user without rights where this one could give them up.
pub(super) fn all_families(session: &mut Session) -> Result<Vec<Line>> {
    let (run, elapsed) = without_rights(session.instrument.binary())?;
    let mut lines = vec![in_time("all nine families, without rights", elapsed, ALL_LIMIT_S)];
    lines.extend(ALL_FAMILIES.iter().map(|family| answered(&run, family)));
    Ok(lines)
}

/// Whether the main contest of a family has a leader, or all in it are alike.
fn answered(run: &Run, family: &str) -> Line {
    let asked = format!("all nine families, {family}: an answer");
    match main_contest(run, family) {
        Ok(ranking) => {
            let has_answer = ranking.leader.is_some() || ranking.is_alike();
            Line::new(asked, &ranking.sentence, "a leader", has_answer && !ranking.is_refused())
        }
        Err(missing) => Line::new(asked, missing.to_string(), "a leader", false),
    }
}

/// Runs all families in folders that such a user may write.
fn without_rights(binary: &Path) -> Result<(Run, Duration)> {
    let stage = tempfile::Builder::new().prefix("bakeoff-acceptance-").tempdir()?;
    let is_root = carried_out(Command::new("id").arg("-u"))?.trim() == "0";
    // The build may stand where only its owner may enter.
    let program = stage.path().join("bakeoff");
    carried_out(Command::new("chmod").arg("755").arg(stage.path()))?;
    carried_out(Command::new("install").args(["-m", "755"]).arg(binary).arg(&program))?;
    let folders = ["home", "dir"].map(|name| stage.path().join(name));
    for folder in &folders {
        let owner: &[&str] =
            if is_root { &["-o", USER_WITHOUT_RIGHTS, "-g", USER_WITHOUT_RIGHTS] } else { &[] };
        carried_out(Command::new("install").arg("-d").args(owner).arg(folder))?;
    }
    let [home, dir] = &folders;
    let mut command = match is_root {
        true => {
            let mut command = Command::new("setpriv");
            let user = [format!("--reuid={USER_WITHOUT_RIGHTS}"), format!("--regid={USER_WITHOUT_RIGHTS}")];
            command.args(user).args(["--clear-groups", "--no-new-privs", "--"]).arg(&program);
            command
        }
        false => Command::new(&program),
    };
    command.arg("run").args(ALL_FAMILIES).args(["--format", "json", "--quiet"]);
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default()).env("HOME", home);
    let start = Instant::now();
    let printed = carried_out(command.current_dir(dir))?;
    let elapsed = start.elapsed();
    let left = left_in(dir)?;
    ensure!(left.is_none(), "{} was left behind", left.unwrap_or_default());
    Ok((serde_json::from_str(&printed).context("the JSON of a run of all families")?, elapsed))
}

fn left_in(folder: &Path) -> Result<Option<String>> {
    let first = fs::read_dir(folder)?.next().transpose()?;
    Ok(first.map(|entry| entry.path().display().to_string()))
}

/// What a command printed.
fn carried_out(command: &mut Command) -> Result<String> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output =
        command.stdin(Stdio::null()).output().with_context(|| format!("{program} cannot be started"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(output.status.success(), "{program}: {}: {}", output.status, said.trim());
    Ok(String::from_utf8(output.stdout)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_without_a_leader_or_without_a_contest_has_no_answer() {
        let contest = |family: &str, leader: Option<&str>, state: &str| {
            serde_json::json!({"family": family, "state": state, "sentence": format!("it is {state}"), "rounds": 8,
                "delta": 0.02, "alpha": 0.05, "leader": leader, "entries": []})
        };
        let run: Run = serde_json::from_value(serde_json::json!({
            "run": {"complete": true, "design": {"looks": [8]}}, "trials": [], "contests": [
                contest("copy", Some("read_write"), "tied"), contest("sort", None, "same"),
                contest("disk", None, "tied"), contest("clock", Some("tsc"), "refused"),
            ],
        }))
        .expect("a run");
        let holds = |family: &str| answered(&run, family).holds;
        assert_eq!(["copy", "sort", "disk", "clock", "blocks"].map(holds), [true, true, false, false, false]);
    }
}
