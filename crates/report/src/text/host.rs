//! What this machine is, and what it will do to the numbers.

use model::{Host, Volume};

use super::{Paint, Style};
use crate::layout::paragraph;
use crate::{advice, facts};

/// A machine with the volumes of the directories asked about.
pub fn host(host: &Host, volumes: &[Volume], style: &Style) -> String {
    let mut out = String::new();
    for (title, lines) in facts::of(host, volumes) {
        out.push_str(&style.painted(Paint::Title, &paragraph("", &title, style)));
        for (name, value) in lines {
            out.push_str(&paragraph(&format!("  {name:<16} "), &value, style));
        }
        out.push('\n');
    }
    let title = "what this machine will do to the numbers";
    out.push_str(&style.painted(Paint::Title, &paragraph("", title, style)));
    let found = advice::of(host, volumes);
    for advice in &found {
        out.push_str(&paragraph("  - ", &advice.text, style));
    }
    if found.is_empty() {
        out.push_str(&paragraph("  ", "Nothing that is known of it disturbs a measurement.", style));
    }
    out
}
