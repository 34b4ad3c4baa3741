use crate::search::prelude::*;
use crate::search::system::children::search_in_children;

pub(super) const PROCESS_PER_PROCESSOR: Technique<SearchJob> = Technique {
    name: "process_per_processor",
    idea: "one process a file, as many at a time as there are processors; the next starts when one has ended",
    source: "xargs -P",
    calls: &["execve", "clone3|clone|vfork|fork"],
    ..Technique::usual(|job| job.done_by(search))
};

fn search(job: &SearchJob, notes: &mut Notes) -> io::Result<()> {
    let processors = job.processors();
    let files = search_in_children(job, processors)?;
    if files < processors {
        notes.push(format!(
            "fell back: {files} of {processors} processes at a time, since the number of files is {files}"
        ));
    }
    Ok(())
}
