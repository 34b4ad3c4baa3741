use model::{Availability, Host, Setting};

use crate::search::prelude::*;

pub(super) const STRINGZILLA: Technique<SearchJob> = Technique {
    name: "stringzilla",
    idea: "read as sequential does, find with StringZilla's sz_find: vectors that compare three bytes of the literal",
    source: "StringZilla, include/stringzilla/find.h",
    calls: &["read"],
    needs: "a build with the feature stringzilla",
    probe,
    ..Technique::usual(|job| job.done_by(search))
};

#[cfg(feature = "stringzilla")]
use built_in::{probe, search};
#[cfg(not(feature = "stringzilla"))]
use skipped::{probe, search};

#[cfg(feature = "stringzilla")]
mod built_in {
    use super::{Availability, Host, STRINGZILLA, Setting};
    use crate::search::kernel::Kernel;
    use crate::search::prelude::*;
    use crate::search::techniques::sequential::one_after_the_other;

    pub(super) fn search(job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
        one_after_the_other(job, &StringZilla(job.pattern.one_literal(STRINGZILLA.name)?))
    }

    pub(super) fn probe(_host: &Host, _setting: &Setting) -> Availability {
        Availability::Ready
    }

    struct StringZilla<'job>(&'job [u8]);

    impl Kernel for StringZilla<'_> {
        fn find(&self, text: &[u8]) -> Option<usize> {
            stringzilla::sz::find(text, self.0)
        }
    }
}

#[cfg(not(feature = "stringzilla"))]
mod skipped {
    use super::{Availability, Host, Setting};
    use crate::search::prelude::*;

    const MISSING: &str = "it was left out of this build, since it needs a C compiler: \
                           cargo build --release --features stringzilla builds it in";

    pub(super) fn search(_job: &SearchJob, _notes: &mut Notes) -> io::Result<()> {
        Err(io::Error::new(io::ErrorKind::Unsupported, MISSING))
    }

    pub(super) fn probe(_host: &Host, _setting: &Setting) -> Availability {
        Availability::Missing(MISSING.to_owned())
    }
}
