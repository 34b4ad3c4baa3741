//! Bash, which breaks a word at '@', '=' and ':' and replaces only what follows the last of them.

use std::ffi::OsString;
use std::io::{self, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;

/// The adapter of the library asks with the broken words, so that `copy/read_write@` and `--set order=` complete to nothing.
pub(super) struct Bash;

/// The words as they were typed, up to the cursor, are put together again before the program is asked.
const SCRIPT: &str = r#"_bakeoff() {
    local rest=${COMP_LINE:0:COMP_POINT} words=() prefix word place
    for ((place = 0; place < COMP_CWORD; place++)); do
        if [[ $place == 0 || $rest == [[:blank:]]* ]]; then words+=(""); fi
        words[${#words[@]}-1]+=${COMP_WORDS[place]}
        rest=${rest#*"${COMP_WORDS[place]}"}
    done
    if [[ $rest == [[:blank:]]* ]]; then words+=(""); fi
    words[${#words[@]}-1]+=${rest#"${rest%%[![:blank:]]*}"}
    prefix=${words[${#words[@]}-1]%"$2"}
    COMPREPLY=()
    while IFS= read -r word; do
        COMPREPLY+=("${word#"$prefix"}")
    done < <(VARIABLE=bash PROGRAM -- "${words[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *[=/@:,] ]]; then compopt -o nospace 2>/dev/null; fi
}
complete -o bashdefault -o default -o nosort -F _bakeoff BIN 2>/dev/null ||
    complete -o bashdefault -o default -F _bakeoff BIN
"#;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self, variable: &str, _name: &str, bin: &str, completer: &str, script: &mut dyn Write,
    ) -> io::Result<()> {
        let program = format!("'{}'", completer.replace('\'', r"'\''"));
        let text = SCRIPT.replace("VARIABLE", variable).replace("BIN", bin).replace("PROGRAM", &program);
        script.write_all(text.as_bytes())
    }

    fn write_complete(
        &self, command: &mut Command, words: Vec<OsString>, current_dir: Option<&Path>, out: &mut dyn Write,
    ) -> io::Result<()> {
        let last = words.len() - 1;
        let is_empty = words[last].is_empty();
        let mut found: Vec<OsString> = complete(command, words, last, current_dir)?
            .into_iter()
            .map(|candidate| candidate.get_value().to_owned())
            .collect();
        // Bash shows names without their meaning: forty options would hide the nine families.
        if is_empty && found.iter().any(|value| !value.as_encoded_bytes().starts_with(b"-")) {
            found.retain(|value| !value.as_encoded_bytes().starts_with(b"-"));
        }
        found.iter().try_for_each(|value| writeln!(out, "{}", value.to_string_lossy()))
    }
}
