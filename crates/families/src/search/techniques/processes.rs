use crate::search::prelude::*;
use crate::search::system::children::search_in_children;

pub(super) const PROCESS_PER_FILE: Technique<SearchJob> = Technique {
    name: "process_per_file",
    alias: &["grepMP"],
    idea: "one process a file, all at once (posix_spawn, CreateProcess); what they found comes through pipes, on Windows \
           through a file each, in file order. It reads pieces of 128 KiB, the published one lines of the C library",
    source: "Hart, Windows System Programming, grepMP",
    calls: &["execve", "clone3|clone|vfork|fork"],
    ..Technique::usual(|job| job.done_by(search_all_at_once))
};

pub(super) const PROCESS_IN_TURN: Technique<SearchJob> = Technique {
    name: "process_in_turn",
    alias: &["grepSQ"],
    idea: "one process a file, each started when the one before it has ended, as by the published batch \
           file. It reads pieces of 128 KiB, the published one lines of the C library",
    source: "Hart, Windows System Programming, grepSQ",
    calls: &["execve", "clone3|clone|vfork|fork"],
    ..Technique::usual(|job| job.done_by(|job, _notes| search_in_children(job, 1).map(drop)))
};

pub(super) const PROCESS_PER_PROCESSOR: Technique<SearchJob> = Technique {
    name: "process_per_processor",
    idea: "one process a file, as many at a time as there are processors; the next starts when one has ended",
    source: "xargs -P",
    calls: &["execve", "clone3|clone|vfork|fork"],
    ..Technique::usual(|job| job.done_by(search_by_processors))
};

/// A tree has more files than a system has room for processes.
const MOST_AT_ONCE: usize = 512;

fn search_all_at_once(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let files = search_in_children(job, MOST_AT_ONCE)?;
    if files > MOST_AT_ONCE {
        notes.push(format!("fell back: {MOST_AT_ONCE} processes at a time, not {files} at once"));
    }
    Ok(())
}

fn search_by_processors(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let processors = job.processors();
    let files = search_in_children(job, processors)?;
    if files < processors {
        notes.push(format!(
            "fell back: {files} of {processors} processes at a time, since the number of files is {files}"
        ));
    }
    Ok(())
}
