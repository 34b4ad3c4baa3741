//! What a page says, before a writer chose how it looks: blocks that carry structure, without layout or markup.

use model::Kind;

pub(crate) type Sections = Vec<Section>;

pub(crate) type Section = Vec<Block>;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tone {
    #[default]
    Plain,
    Title,
    Good,
    Doubt,
    Bad,
    Faint,
}

/// A part of a page. `Answers` are those of several sections, each behind its label. `Code` is a file as it is, behind a summary where it is
/// not the first one.
pub enum Block {
    Heading { text: String, conditions: Option<String> },
    Answer(String, Tone),
    Sentence(String, Tone),
    Answers(Vec<Remark>),
    Remarks(Vec<Remark>),
    Table(Table),
    Levels(Levels),
    Code { summary: Option<String>, code: String },
}

/// A sentence with what it is about; nothing stands in front where that is empty.
#[derive(Clone)]
pub struct Remark {
    pub(crate) head: String,
    pub(crate) text: String,
    pub(crate) tone: Tone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
    /// Left, and folded when the table is too wide.
    Fold,
}

/// A table. A column that is empty in all rows is left out.
#[derive(Default)]
pub struct Table {
    /// Its subject in a few words: where a page folds tables, and for those who cannot see it.
    pub(crate) about: &'static str,
    pub(crate) columns: Vec<(String, Align)>,
    pub(crate) rows: Vec<Row>,
    /// The columns that say least, by their index: where there is no room they are left out, the first one first.
    pub(crate) spare: Vec<usize>,
    /// The width that folded columns keep while spare columns can be left out.
    pub(crate) name_columns: usize,
    /// The least width of folded columns, where it is another than usual.
    pub(crate) folded_min: Option<usize>,
    pub(crate) bars: Option<Bars>,
    pub(crate) below: Option<String>,
}

#[derive(Default)]
pub(crate) struct Row {
    pub(crate) cells: Vec<Cell>,
    pub(crate) tone: Tone,
    pub(crate) notes: Vec<String>,
    pub(crate) bar: Option<Bar>,
}

/// A cell: words, or a number with its unit; an entry with its published programs and its origin; names; an estimate and its interval.
pub(crate) enum Cell {
    Text(String),
    Entry { name: String, aliases: Vec<String>, kind: Kind },
    Names(Vec<String>),
    Estimate(String, String),
}

pub(crate) struct Bars {
    pub(crate) before: usize,
    /// Columns that say less than the bars, where there is no room for all.
    pub(crate) in_place_of: Vec<usize>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct Bar {
    pub(crate) factor: f64,
    pub(crate) low: Option<f64>,
    pub(crate) high: Option<f64>,
    pub(crate) leads: bool,
    pub(crate) is_baseline: bool,
}

/// The levels of a curve: a table with the levels down and the techniques across, which can be drawn.
pub struct Levels {
    /// The name of the number that differs: `size`.
    pub(crate) axis: String,
    pub(crate) at: Vec<String>,
    /// Places among the levels with their names, counted in levels from the lowest.
    pub(crate) marks: Vec<(f64, String)>,
    pub(crate) techniques: Vec<Line>,
    /// The choice at each level, and its value; empty where the figures are values themselves.
    pub(crate) chosen: Vec<(String, String)>,
    pub(crate) is_drawn: bool,
    /// The meaning of the figures' factors, and of the values chosen: `slower by`, `time`.
    pub(crate) factors: &'static str,
    pub(crate) value: &'static str,
    pub(crate) below: String,
}

pub(crate) struct Line {
    pub(crate) name: String,
    pub(crate) figures: Vec<Figure>,
}

/// The figure of a technique at a level; without a factor where it took no part.
#[derive(Default)]
pub(crate) struct Figure {
    pub(crate) text: String,
    pub(crate) may_be_fastest: bool,
    pub(crate) factor: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// All rows, values, parameters and facts, instead of those that matter most.
    pub(crate) all: bool,
    /// Also how the figures spread, and what explains them.
    pub(crate) verbose: bool,
    /// Also the contests that are the levels of a curve.
    pub(crate) levels: bool,
    /// Also what is not available here: a page may have a section of its own for it.
    pub(crate) absent: bool,
    /// Also the option that shows what was left aside.
    pub(crate) hints: bool,
    /// Of several families only what to use and what that gains: there is no room for times and intervals.
    pub(crate) is_narrow: bool,
}

impl Extent {
    /// The main figures are shown, the rest is folded away, and what is missing has a section of its own.
    pub(crate) const HTML: Self =
        Self { all: false, verbose: true, levels: false, absent: false, hints: false, is_narrow: false };
    /// A document has room for all rows, and for the contests of a curve.
    pub(crate) const MARKUP: Self =
        Self { all: true, verbose: false, levels: true, absent: true, hints: false, is_narrow: false };

    /// Returns true where a terminal shows the least that answers the question.
    pub(crate) fn is_short(self) -> bool {
        self.hints && !self.all
    }
}

impl Remark {
    pub(crate) fn new(head: impl Into<String>, text: impl Into<String>, tone: Tone) -> Self {
        Self { head: head.into(), text: text.into(), tone }
    }

    pub(crate) fn each<T: Into<String>>(
        head: &str, texts: impl IntoIterator<Item = T>, tone: Tone,
    ) -> impl Iterator<Item = Self> {
        texts.into_iter().map(move |text| Self::new(head, text, tone))
    }
}

impl Block {
    pub(crate) fn heading(text: impl Into<String>) -> Self {
        Self::Heading { text: text.into(), conditions: None }
    }
}

impl Table {
    pub(crate) fn new<T: Into<String>>(columns: impl IntoIterator<Item = (T, Align)>) -> Self {
        let columns = columns.into_iter().map(|(title, align)| (title.into(), align)).collect();
        Self { columns, ..Self::default() }
    }

    /// A table with these titles, each behind its alignment: `< name | > number | ~ sentence that folds`.
    pub(crate) fn of(heads: &str) -> Self {
        Self::new(heads.split('|').map(|head| match head.trim().split_at(1) {
            ("<", title) => (title.trim_start(), Align::Left),
            (">", title) => (title.trim_start(), Align::Right),
            (_, title) => (title.trim_start(), Align::Fold),
        }))
    }

    pub(crate) fn row<T: Into<String>>(&mut self, cells: impl IntoIterator<Item = T>, tone: Tone) {
        let cells = cells.into_iter().map(|text| Cell::Text(text.into())).collect();
        self.rows.push(Row { cells, tone, ..Row::default() });
    }

    pub(crate) fn cells(&mut self, cells: impl IntoIterator<Item = Cell>, tone: Tone) {
        self.rows.push(Row { cells: cells.into_iter().collect(), tone, ..Row::default() });
    }
}

impl Cell {
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Text(text) => text.is_empty(),
            Self::Entry { name, .. } => name.is_empty(),
            Self::Names(names) => names.is_empty(),
            Self::Estimate(estimate, interval) => estimate.is_empty() && interval.is_empty(),
        }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self::Text(text.into())
    }
}
