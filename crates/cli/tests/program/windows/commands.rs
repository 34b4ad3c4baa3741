//! Commands of the system as commands, and under `time`; and what every process of the program loads first.

use std::fs;

use crate::sandbox::{SMALL, Sandbox, assert_failed, from_json, is_well, place, samples, stderr, trial};

#[test]
fn a_command_of_the_system_competes_with_the_techniques() {
    let sandbox = Sandbox::new();
    sandbox.run(SMALL).args(["--command", "copy=cmd /c copy /b {input} {output}"]).assert().success();
    let run = sandbox.exported();
    assert_eq!(run["contests"][0]["metric"]["key"], "process_ns");
    let command = trial(&run, "copy");
    assert_eq!(command["kind"], "command");
    assert!(is_well(command) && samples(&run, "copy") >= 4, "{command}");
    assert!(place(&run, "copy")["median_ns"].as_f64().is_some_and(|ns| ns > 0.0));
    sandbox.assert_clean();
}

#[test]
fn backslashes_in_the_words_of_a_command_stay() {
    let sandbox = Sandbox::new();
    let command = r"C:\windows\system32\cmd.exe /c copy /b {input} {output}";
    let file =
        sandbox.file("commands.toml", &format!("[[command]]\nname = 'filed'\ncommand = '{command}'\n"));
    let typed = format!("typed={command}");
    sandbox.run(SMALL).args(["--command", &typed, "--commands-file"]).arg(file).assert().success();
    let run = sandbox.exported();
    for name in ["typed", "filed"] {
        let entry = trial(&run, name);
        assert_eq!(entry["command"][0], r"C:\windows\system32\cmd.exe", "{entry}");
        assert!(samples(&run, name) >= 4, "{entry}");
    }
    let timed = [command.split_once(" copy").expect("a command").0, "exit 0"].join(" ");
    sandbox.bakeoff(&["time", "-n", "2", &timed]).assert().success();
}

#[test]
fn a_command_that_leaves_another_file_is_disqualified() {
    let sandbox = Sandbox::new();
    sandbox.run(SMALL).args(["--command", "half=cmd /c echo half {input} > {output}"]).assert().success();
    let run = sandbox.exported();
    assert_failed(&run, "half", "wrong", "");
    assert!(samples(&run, "std_copy") >= 4);
    sandbox.assert_clean();
}

#[test]
fn a_command_is_timed_and_its_exit_code_is_told() {
    let sandbox = Sandbox::new();
    let assert = sandbox.bakeoff("time --format json -- cmd /c 'exit 0'").assert().success();
    let told = from_json(&stderr(&assert));
    assert!(told["real_ns"].as_f64().is_some_and(|ns| ns > 0.0), "{told}");
    let assert = sandbox.bakeoff("time -- cmd /c 'exit 3'").assert().code(1);
    assert!(stderr(&assert).contains("exit code 3"), "{}", stderr(&assert));
    sandbox.assert_untouched();
}

/// With each of them come a dozen others: libraries of windows and fonts, which take longer to load than small work takes.
const LARGE: [&str; 4] = ["shell32.dll", "user32.dll", "ole32.dll", "combase.dll"];

#[test]
fn timed_processes_load_no_library_of_windows_and_shells() {
    let program = fs::read(crate::program()).expect("the program").to_ascii_lowercase();
    // A program names the libraries that are loaded with it: this one at least.
    let libraries = ["kernel32.dll"].into_iter().chain(LARGE);
    let wanted = libraries.filter(|library| {
        let entry = format!("{library}\0");
        program.windows(entry.len()).any(|bytes| bytes == entry.as_bytes())
    });
    assert_eq!(wanted.collect::<Vec<&str>>(), ["kernel32.dll"]);
}
