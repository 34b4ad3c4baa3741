use crate::files::tried_out;
use crate::search::prelude::*;
use crate::search::system::source::{Opening, Source};
use crate::search::techniques::sequential::Manner;

pub(in crate::search) const NOATIME: Technique<SearchJob> = Technique {
    name: "noatime",
    idea: "as sequential, each file opened with O_NOATIME: no time of access is written",
    source: "open(2), O_NOATIME, meant for programs that index or back up",
    calls: &["openat O_NOATIME|open O_NOATIME", "read"],
    variant_of: Some("sequential"),
    needs: "Linux, and files of this user on a file system that takes O_NOATIME",
    probe,
    ..Technique::usual(|job| {
        job.done_by(|job, _notes| {
            Manner { opening: Opening::KeepAccessTime, ..Manner::default() }.search_best(job)
        })
    })
};

/// Opens a private file so: the flag is for the owner of a file alone.
fn probe(_host: &Host, setting: &Setting) -> Availability {
    let refused = "O_NOATIME is refused for a file of this user's (does the file system map users?)";
    tried_out(setting, 1, refused, |file| Source::open_as(file.path(), Opening::KeepAccessTime).map(drop))
}

#[cfg(test)]
mod tests {
    use std::fs::{self, File, FileTimes};
    use std::time::{Duration, SystemTime};

    use super::*;
    use crate::search::tests::job;

    #[test]
    fn the_time_of_access_stays() {
        let (scratch, path) = crate::testing::scratch_with("file", "needle\n");
        // Older than the last change and than a day: a plain open would renew it even with the mount option relatime.
        let old = SystemTime::now() - Duration::from_secs(3 * 24 * 3600);
        File::options()
            .write(true)
            .open(&path)
            .and_then(|file| file.set_times(FileTimes::new().set_accessed(old)))
            .expect("set");
        let before = fs::metadata(&path).expect("there").accessed().expect("a time");
        let job = job(&[(path.clone(), false)], scratch.path().join("answer"), &NOATIME);
        (NOATIME.prepare)(&job).and_then(|mut prepared| prepared.repeat(1)).expect("searched");
        assert_eq!(fs::metadata(&path).expect("there").accessed().expect("a time"), before);
    }
}
