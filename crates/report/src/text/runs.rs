//! The stored runs.

use model::Summary;

use super::{Paint, Style};
use crate::layout::{Align, Table, paragraph};

/// One line a stored run, in the order given.
pub fn runs(summaries: &[Summary], style: &Style) -> String {
    if summaries.is_empty() {
        return paragraph("", "No run is stored yet: bakeoff run makes the first.", style);
    }
    let mut table = Table::new([
        ("run", Align::Left),
        ("began", Align::Left),
        ("host", Align::Left),
        ("preset", Align::Left),
        ("families", Align::Fold),
        ("trials", Align::Right),
        ("samples", Align::Right),
        ("failures", Align::Right),
        ("", Align::Left),
    ])
    .spare(&[3]);
    for run in summaries {
        let (word, paint) = if run.complete { ("", Paint::Plain) } else { ("incomplete", Paint::Doubt) };
        let cells = vec![
            run.id.to_string(),
            run.started.clone(),
            run.host.clone().unwrap_or("?".to_owned()),
            run.preset.to_string(),
            run.families.join(" "),
            run.trials.to_string(),
            run.samples.to_string(),
            run.failures.to_string(),
            word.to_owned(),
        ];
        table.row(cells, paint, Vec::new());
    }
    table.render(style)
}
