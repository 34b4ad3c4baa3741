use crate::sort::prelude::*;
use crate::sort::tags::sort_by_tags;

pub(in crate::sort) const TAG_SORT: Technique<SortJob> = Technique {
    name: "tag_sort",
    idea: "sort tags of key and position by slice::sort_unstable_by_key, then gather the mapped records, each \
           asked for ahead",
    source: "Nyberg et al., AlphaSort, 1994",
    calls: &["read|pread64|mmap file", "!clone3|clone"],
    ..Technique::usual(|job| {
        job.done_by(|job, account| {
            sort_by_tags(job, account, |tags| {
                tags.sort_unstable_by_key(|tag| tag.key);
                Ok(())
            })
        })
    })
};
