//! One of the threads that walk a tree and search what they find, and how their finds become one answer.

use std::io;
use std::ops::Range;
use std::path::Path;

use super::job::{SearchJob, prefix_of};
use super::kernel::Best;
use super::lines::{Rolling, search_into};
use super::output::Answer;
use super::system::folder::{Folder, push_order_key};
use super::system::source::{Opening, Source};
use crate::files::at;

/// Files of one folder that are taken at once: with more, the others would have nothing to do at the end.
pub(super) const BATCH: usize = 32;

pub(super) struct Searcher<'kernel> {
    kernel: &'kernel Best<'kernel>,
    rolling: Rolling,
    prefix: Vec<u8>,
    pub(super) found: Found,
}

impl<'kernel> Searcher<'kernel> {
    pub(super) fn new(job: &SearchJob, kernel: &'kernel Best<'kernel>) -> io::Result<Self> {
        Ok(Self { kernel, rolling: job.rolling()?, prefix: Vec::new(), found: Found::default() })
    }

    pub(super) fn file(&mut self, root: usize, path: &Path) -> io::Result<()> {
        self.prefix = prefix_of(path);
        let source = Source::open(path)?;
        self.search(root, &source).map_err(at("read", path))
    }

    pub(super) fn files(&mut self, root: usize, folder: &Folder, range: Range<usize>) -> io::Result<()> {
        for nth in range.filter(|&nth| !folder.is_folder(nth)) {
            folder.prefix_into(nth, &mut self.prefix);
            let source = Source::open_in(folder, nth, Opening::USUAL)?;
            self.search(root, &source).map_err(|error| at("read", &folder.path_of(nth))(error))?;
        }
        Ok(())
    }

    fn search(&mut self, root: usize, source: &Source) -> io::Result<()> {
        let start = self.found.text.len();
        search_into(self.kernel, source, &self.prefix, &mut self.rolling, &mut self.found.text)?;
        if self.found.text.len() > start {
            let name = self.found.keys.len();
            push_order_key(&self.prefix[..self.prefix.len() - 1], &mut self.found.keys);
            let (key, text) = (name..self.found.keys.len(), start..self.found.text.len());
            self.found.files.push(Matching { root, key, text });
        }
        Ok(())
    }
}

/// The findings of one thread, file by file: in a tree, most files have nothing.
#[derive(Default)]
pub(super) struct Found {
    files: Vec<Matching>,
    keys: Vec<u8>,
    text: Vec<u8>,
}

struct Matching {
    root: usize,
    key: Range<usize>,
    text: Range<usize>,
}

impl Found {
    fn sort(&mut self) {
        let keys = &self.keys;
        self.files.sort_by(|a, b| (a.root, &keys[a.key.clone()]).cmp(&(b.root, &keys[b.key.clone()])));
    }

    fn place(&self, nth: usize) -> Option<(usize, &[u8])> {
        self.files.get(nth).map(|file| (file.root, &self.keys[file.key.clone()]))
    }
}

pub(super) fn write_in_order(all: &mut [Found], answer: &mut Answer<'_>) -> io::Result<()> {
    all.iter_mut().for_each(Found::sort);
    let mut next = vec![0; all.len()];
    loop {
        let waiting = all.iter().zip(&next).enumerate();
        let first = waiting.filter_map(|(who, (found, &nth))| Some((found.place(nth)?, who))).min();
        let Some((_, who)) = first else { return Ok(()) };
        answer.add(&all[who].text[all[who].files[next[who]].text.clone()])?;
        next[who] += 1;
    }
}
