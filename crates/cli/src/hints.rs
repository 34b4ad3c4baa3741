//! What a user who typed one thing probably meant: a sentence for the likely mistakes.

const COMPARE: &str = "to compare commands: bakeoff time 'A' 'B'";

/// Returns a hint for a word that stands where a command of bakeoff does.
pub(crate) fn of_command(typed: &str) -> Option<String> {
    if families::find(typed).is_some() {
        return Some(format!("did you mean 'bakeoff run {typed}'?"));
    }
    is_command(typed).then(|| COMPARE.to_owned())
}

/// Returns a hint for an option that no command has.
pub(crate) fn of_option(typed: &str) -> Option<&'static str> {
    Some(match typed {
        "--cold" | "--warm" | "--drop-caches" => "run, advise and explain take --cache cold and --cache warm",
        "--sync" | "--fsync" | "--flush" => "run, advise and explain take --durable",
        "--duration" | "--runtime" | "--timeout" | "--time" => "run and time take --budget 30s",
        "--buffer" | "--block-size" | "--bs" => "a buffer is part of a name: copy/read_write@256K",
        _ => return None,
    })
}

/// Returns a hint for a word that is neither a family, a job nor a run.
pub(crate) fn of_name(name: &str) -> Option<String> {
    const UNITS: [&str; 12] = ["B", "k", "K", "kB", "KB", "KiB", "M", "MB", "MiB", "G", "GB", "GiB"];
    if UNITS.contains(&name) {
        return Some(format!("a size is one word: --size 10{name}"));
    }
    is_command(name).then(|| COMPARE.to_owned())
}

/// Returns a hint for a command that names no program.
pub(crate) fn of_missing_program(commands: &[String]) -> Option<String> {
    let first_words: Vec<&str> =
        commands.iter().filter_map(|command| command.split_whitespace().next()).collect();
    if let Some(variable) = first_words.iter().find(|word| model::is_assignment(word)) {
        return Some(format!("a variable is set by env ('env {variable} ...') or in a shell (--shell)"));
    }
    let are_words = commands.iter().all(|command| !command.contains(char::is_whitespace));
    (commands.len() > 1 && are_words).then(|| {
        // An option of the command was taken for one of ours: the words as they were typed have it.
        let words = std::env::args_os().filter_map(|word| word.into_string().ok());
        let typed: Vec<String> = words.skip_while(|word| *word != commands[0]).collect();
        let whole = if typed.is_empty() { commands.join(" ") } else { typed.join(" ") };
        format!(
            "a command with its arguments is one word: bakeoff time '{whole}'; once: bakeoff time -- {whole}"
        )
    })
}

/// Returns whether a word looks like a command in quotes.
fn is_command(word: &str) -> bool {
    word.trim().contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_mistakes_get_the_command_that_was_meant() {
        for (typed, hint) in [
            ("copy", Some("did you mean 'bakeoff run copy'?")),
            ("sleep 1", Some(COMPARE)),
            ("cmpare", None),
            ("", None),
        ] {
            assert_eq!(of_command(typed).as_deref(), hint, "{typed:?}");
        }
        assert!(of_option("--cold").is_some_and(|hint| hint.contains("--cache cold")));
        assert_eq!(of_option("--sise"), None);
        assert_eq!(of_name("GB").as_deref(), Some("a size is one word: --size 10GB"));
        assert_eq!(of_name("gzip -k f").as_deref(), Some(COMPARE));
        assert_eq!(of_name("cpy"), None);
        for (typed, hint) in [
            ("LC_ALL=C sort f", "a variable is set by env ('env LC_ALL=C ...')"),
            ("sleep|0.1", "bakeoff time 'sleep 0.1'; once: bakeoff time -- sleep 0.1"),
        ] {
            let commands: Vec<String> = typed.split('|').map(str::to_owned).collect();
            assert!(of_missing_program(&commands).is_some_and(|said| said.contains(hint)), "{typed}");
        }
        assert_eq!(of_missing_program(&["sleep 1".to_owned(), "nosuch".to_owned()]), None);
    }
}
