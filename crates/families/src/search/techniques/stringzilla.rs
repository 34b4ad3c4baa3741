#[cfg(not(feature = "stringzilla"))]
use crate::files::unsupported;
use crate::search::prelude::*;
#[cfg(feature = "stringzilla")]
use crate::search::techniques::sequential::one_after_the_other;

pub(super) const STRINGZILLA: Technique<SearchJob> = Technique {
    name: "stringzilla",
    idea: "read as sequential does, find with StringZilla's sz_find: vectors that compare three bytes of the literal",
    source: "StringZilla, include/stringzilla/find.h",
    calls: &["read"],
    needs: "a build with the feature stringzilla",
    probe,
    ..Technique::usual(|job| job.done_by(search))
};

const MISSING: &str = "it was left out of this build, since it needs a C compiler: \
                       cargo build --release --features stringzilla builds it in";

fn probe(_host: &Host, _setting: &Setting) -> Availability {
    if cfg!(feature = "stringzilla") {
        Availability::Ready
    } else {
        Availability::Missing(MISSING.to_owned())
    }
}

#[cfg(not(feature = "stringzilla"))]
fn search(_job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    Err(unsupported(MISSING))
}

#[cfg(feature = "stringzilla")]
fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
    one_after_the_other(job, &StringZilla(job.pattern.one_literal(STRINGZILLA.name)?))
}

#[cfg(feature = "stringzilla")]
struct StringZilla<'job>(&'job [u8]);

#[cfg(feature = "stringzilla")]
impl Kernel for StringZilla<'_> {
    fn find(&self, text: &[u8]) -> Option<usize> {
        stringzilla::sz::find(text, self.0)
    }
}
