//! A plot as a file of its own: a link that needs neither network nor script, since it holds the picture.

use maud::{Markup, html};

use crate::text::layout::plain;

const STYLE: &str = include_str!("picture.css");
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
/// The ends of the plots of rows, in pixels.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 800.0;
/// The ends of a field, in pixels.
const FROM: f64 = 90.0;
const TO: f64 = 740.0;
const ROW: f64 = 26.0;
const LINE: f64 = 18.0;

/// A picture under construction, from top to bottom.
pub(super) struct Picture {
    body: String,
    height: f64,
    /// The places of the lines of the grid, in pixels.
    grid: Vec<f64>,
    /// Top and bottom of the rows, in pixels.
    rows: Option<(f64, f64)>,
}

impl Picture {
    pub(super) fn new(title: &str) -> Self {
        let mut picture = Self { body: String::new(), height: MARGIN, grid: Vec::new(), rows: None };
        picture.line(title, "title");
        picture
    }

    pub(super) fn line(&mut self, text: &str, class: &str) {
        self.height += LINE;
        self.text((MARGIN, self.height - 5.0), "", class, text);
    }

    /// Writes the axis that all rows below it share, with the lines of its grid behind them.
    pub(super) fn axis(&mut self, title: &str, names: impl Iterator<Item = (f64, String)> + Clone) {
        self.grid = names.clone().map(|(at, _)| LEFT + (RIGHT - LEFT) * at / 100.0).collect();
        self.scale(title, names);
    }

    /// Writes an axis of rows: its title, and names at places in percent.
    pub(super) fn scale(&mut self, title: &str, names: impl Iterator<Item = (f64, String)>) {
        self.height += LINE;
        let y = self.height - 5.0;
        self.text((MARGIN, y), "", "mute", title);
        for (at, name) in names {
            self.text((LEFT + (RIGHT - LEFT) * at / 100.0, y), "middle", "mute", &name);
        }
    }

    /// Writes a row: its name, its plot as the page has it, and its figures.
    pub(super) fn row(&mut self, name: &str, class: &str, drawn: &Markup, figures: &str) {
        self.text((MARGIN, self.height + 17.0), "", "", name);
        self.plot((LEFT, self.height), (RIGHT - LEFT, ROW), class, drawn);
        self.text((WIDTH - MARGIN, self.height + 17.0), "end", "", figures);
        let (begin, _) = self.rows.unwrap_or((self.height, 0.0));
        self.height += ROW;
        self.rows = Some((begin, self.height));
    }

    /// Writes a plot of this many pixels in height between names of the values on its left and names of its lines on its right, each at a
    /// percentage of the height and with its class.
    pub(super) fn field(
        &mut self, height: f64, drawn: &Markup, left: impl IntoIterator<Item = (f64, String, String)>,
        right: impl IntoIterator<Item = (f64, String, String)>,
    ) {
        self.plot((FROM, self.height), (TO - FROM, height), "", drawn);
        let left = left.into_iter().map(|name| (FROM - 8.0, "end", name));
        for (x, anchor, (at, class, name)) in left.chain(right.into_iter().map(|name| (TO + 8.0, "", name))) {
            self.text((x, self.height + height * at / 100.0 + 4.0), anchor, &class, &name);
        }
        self.height += height;
    }

    /// Writes the names of values below a field.
    pub(super) fn below(&mut self, names: impl Iterator<Item = (f64, String)>, title: &str) {
        self.height += LINE;
        let y = self.height - 3.0;
        names.for_each(|(at, name)| self.text((FROM + (TO - FROM) * at / 100.0, y), "middle", "mute", &name));
        self.text((TO + 8.0, y), "", "mute", title);
    }

    fn plot(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), class: &str, drawn: &Markup) {
        // The class and the label of the page say nothing here.
        let inner = drawn.0.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
        let mut inner = with_samples_as_path(inner.map_or("", |(inner, _)| inner), width);
        // A pointer shows no titles here, and the grid is drawn once.
        inner = without(&inner, "<title>", "</title>");
        for class in ["g", "g1"].into_iter().filter(|_| !self.grid.is_empty()) {
            inner = without(&inner, &format!("<line class=\"{class}\""), "</line>");
        }
        let nested =
            html! { svg class=[non_empty(class)] x=(x) y=(y) width=(width) height=(height) { "\0" } };
        self.body += &nested.into_string().replace('\0', &inner);
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = html! { text class=[non_empty(class)] x=(format!("{x:.0}")) y=(format!("{y:.0}")) text-anchor=[non_empty(anchor)] { (plain(text)) } };
        self.body += &text.into_string();
    }

    /// Returns the link that saves the picture under a name.
    pub(super) fn link(self, name: &str) -> Markup {
        let height = self.height + MARGIN;
        let style = style_of(&self.body);
        let (top, bottom) = self.rows.unwrap_or_default();
        let grid = html! { @for x in &self.grid { line.g x1=(x) x2=(x) y1=(top) y2=(bottom) {} } };
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" font-family=\"sans-serif\">\
             <style>{style}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"></rect>{}{}</svg>",
            grid.0, self.body
        );
        html! {
            p.save { a download={ (name) ".svg" } href={ "data:image/svg+xml," (escaped(&short(&file))) } { "Save as SVG" } }
        }
    }
}

/// Returns the rules of the style that a drawing needs.
fn style_of(drawn: &str) -> String {
    let rules = STYLE.split_inclusive('}').filter(|rule| {
        let mut selectors = rule.split('{').next().unwrap_or_default().trim().split(',');
        selectors.any(|selector| {
            let mut names = selector.split('.').skip(1).filter_map(|part| part.split(' ').next());
            // The grid is drawn apart from what stands on it.
            names.all(|name| name == "g" || is_used(drawn, name))
        })
    });
    rules.collect()
}

fn is_used(drawn: &str, class: &str) -> bool {
    let places = [format!("\"{class}\""), format!("\"{class} "), format!(" {class}\""), format!(" {class} ")];
    places.iter().any(|place| drawn.contains(place))
}

/// Returns a drawing of this width with the samples of a row as one path: a fifth of the bytes.
fn with_samples_as_path(drawn: &str, width: f64) -> String {
    const BEGIN: &str = "<g class=\"d\">";
    let Some((before, rest)) = drawn.split_once(BEGIN) else { return drawn.to_owned() };
    let (samples, behind) = rest.split_once("</g>").unwrap_or((rest, ""));
    let mut path = String::new();
    for sample in samples.split("<circle ").skip(1) {
        let mut values = sample.split('"').skip(1).step_by(2).map(|value| value.trim_end_matches('%'));
        if let [Some(Ok(x)), Some(Ok(y))] = [(); 2].map(|()| values.next().map(str::parse::<f64>)) {
            path += &format!("M{:.0},{y:.0}h0", x * width / 100.0);
        }
    }
    format!("{before}{BEGIN}<path d=\"{path}\"></path></g>{behind}")
}

/// Returns an attribute's value; `None` where it is empty.
fn non_empty(value: &str) -> Option<&str> {
    Some(value).filter(|value| !value.is_empty())
}

fn without(drawn: &str, begin: &str, end: &str) -> String {
    let mut parts = drawn.split(begin);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |all, part| all + part.split_once(end).map_or("", |(_, behind)| behind))
}

/// Returns the same drawing in fewer bytes, and with the quotation marks that an address need not escape.
fn short(drawing: &str) -> String {
    let mut text = drawing.replace('\'', "&#39;").replace('"', "'");
    for name in ["line", "circle", "rect", "path", "polyline"] {
        text = text.replace(&format!("'></{name}>"), "'/>");
    }
    text.replace('\n', " ")
}

/// Returns a text as a part of an address.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._'(),;={}/ ".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02X}");
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_has_the_rules_that_it_needs() {
        let style = style_of("<line class=\"i cand\"></line>");
        assert!(style.contains("line.cand{") && style.contains("svg{") && style.contains(".i{"), "{style}");
        assert!(!style.contains(".pub{") && !style.contains("rect.base"), "{style}");
    }

    #[test]
    fn samples_of_a_row_are_one_path_and_the_grid_is_drawn_once() {
        let row = "<svg><line class=\"g\" x1=\"1%\"></line><g class=\"d\"><circle cx=\"50%\" cy=\"3.0\"/>\
                   <circle cx=\"10.5%\" cy=\"23.0\"/></g><line class=\"i\"></line></svg>";
        let mut picture = Picture::new("<title>");
        picture.axis("technique", [(50.0, "1x".to_owned())].into_iter());
        picture.row("a 'b'", "cand", &maud::PreEscaped(row.to_owned()), "1.5x");
        let path = "<g class=\"d\"><path d=\"M250,3h0M52,23h0\"></path></g><line class=\"i\"></line></svg>";
        assert!(picture.body.contains(path), "{}", picture.body);
        assert!(!picture.body.contains("class=\"g\""), "{}", picture.body);
        let link = picture.link("copy").into_string();
        assert!(link.contains("download=\"copy.svg\"") && link.contains("%26lt;title%26gt;"), "{link}");
        assert_eq!(link.matches("class='g'").count(), 1, "{link}");
        assert!(link.contains("a %26%2339;b%26%2339;"), "{link}");
    }
}
