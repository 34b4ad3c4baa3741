//! Completions in Bash itself.

use std::process::Command;

use crate::sandbox::Sandbox;

/// Returns what Bash has after its function was called for a line. `breaks` is the line with bars where Bash breaks it into words, and
/// `replaced` the part before the cursor that it replaces.
fn replies(sandbox: &Sandbox, breaks: &str, replaced: &str) -> Vec<String> {
    let words: Vec<&str> = breaks.split('|').filter(|word| *word != " ").collect();
    let script = r#"
        source <("$0" completions bash) || exit 1
        COMP_LINE=$1 COMP_POINT=${#1} replaced=$2
        shift 2
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _bakeoff bakeoff "$replaced" "" || exit 1
        complete -p bakeoff >/dev/null || exit 1
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let mut bash = Command::new("bash");
    bash.args(["-c", script]).arg(crate::program()).args([&breaks.replace('|', ""), replaced]).args(words);
    let output = bash.envs(sandbox.variables()).current_dir(sandbox.dir()).output().expect("bash");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
    String::from_utf8(output.stdout).expect("UTF-8").lines().map(str::to_owned).collect()
}

#[test]
fn bash_gets_what_it_replaces_and_no_more() {
    let sandbox = Sandbox::new();
    assert_eq!(replies(&sandbox, "bakeoff| |run| |co", "co"), ["copy", "convert"]);
    assert_eq!(replies(&sandbox, "bakeoff| |run| |sort| |--set| |order|=|so", "so"), ["sorted"]);
    assert!(replies(&sandbox, "bakeoff| |run| |sort| |--set| |order|=|", "").contains(&"sorted".to_owned()));
    assert_eq!(replies(&sandbox, "bakeoff| |run| |--cache|=|co", "co"), ["cold"]);
    let values = replies(&sandbox, "bakeoff| |run| |copy/read_write|@", "@");
    assert!(values.len() > 2 && values.contains(&"@64K".to_owned()), "{values:?}");
    assert_eq!(replies(&sandbox, "bakeoff| |run| |copy/read_write|@|64", "64"), ["64K"]);
    assert_eq!(
        replies(&sandbox, "bakeoff| |compare| |published|:|xeon-4", "xeon-4"),
        ["xeon-4way-w2000-ntfs"]
    );
    assert_eq!(replies(&sandbox, "bakeoff| |export| |la", "la"), [""; 1]);
    sandbox.assert_untouched();
}
