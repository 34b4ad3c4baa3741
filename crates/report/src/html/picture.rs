//! A plot as a file of its own: a link that needs neither network nor script, since it holds the picture.

use maud::{Markup, html};

use crate::text::layout::plain;

const STYLE: &str = include_str!("picture.css");
const WIDTH: f64 = 960.0;
const MARGIN: f64 = 16.0;
/// Where the plots of rows begin and end.
const LEFT: f64 = 300.0;
const RIGHT: f64 = 800.0;
const ROW: f64 = 26.0;
const LINE: f64 = 18.0;

/// A picture under construction, from top to bottom.
pub(super) struct Picture {
    body: String,
    height: f64,
}

impl Picture {
    pub(super) fn new(title: &str) -> Self {
        let mut picture = Self { body: String::new(), height: MARGIN };
        picture.line(title, "title");
        picture
    }

    /// Writes a line of text.
    pub(super) fn line(&mut self, text: &str, class: &str) {
        self.height += LINE;
        self.text((MARGIN, self.height - 5.0), "start", class, text);
    }

    /// Writes an axis of rows: its title, and names at places in percent.
    pub(super) fn scale(&mut self, title: &str, names: impl Iterator<Item = (f64, String)>) {
        self.height += LINE;
        let y = self.height - 5.0;
        self.text((MARGIN, y), "start", "mute", title);
        names.for_each(|(at, name)| {
            self.text((LEFT + (RIGHT - LEFT) * at / 100.0, y), "middle", "mute", &name)
        });
    }

    /// Writes a row: its name, its plot as the page has it, and its figures.
    pub(super) fn row(&mut self, name: &str, class: &str, drawn: &Markup, figures: &str) {
        self.text((MARGIN, self.height + 17.0), "start", "", name);
        self.plot((LEFT, self.height), (RIGHT - LEFT, ROW), class, drawn);
        self.text((WIDTH - MARGIN, self.height + 17.0), "end", "", figures);
        self.height += ROW;
    }

    /// Writes a plot of this many pixels in height between names of the values on its left and names of its lines on its right.
    pub(super) fn field(
        &mut self,
        height: f64,
        drawn: &Markup,
        left: &[(f64, String)],
        right: &[(f64, String, String)],
    ) {
        const FROM: f64 = 90.0;
        const TO: f64 = 740.0;
        self.plot((FROM, self.height), (TO - FROM, height), "", drawn);
        let top = |percent: f64| self.height + height * percent / 100.0 + 4.0;
        let left: Vec<(f64, &String)> = left.iter().map(|(at, name)| (top(*at), name)).collect();
        let right: Vec<(f64, &String, &String)> =
            right.iter().map(|(at, class, name)| (top(*at), class, name)).collect();
        left.into_iter().for_each(|(y, name)| self.text((FROM - 8.0, y), "end", "mute", name));
        right.into_iter().for_each(|(y, class, name)| self.text((TO + 8.0, y), "start", class, name));
        self.height += height;
    }

    /// Writes the names of values below a field.
    pub(super) fn below(&mut self, names: &[(f64, String)], title: &str) {
        self.height += LINE;
        let y = self.height - 3.0;
        names.iter().for_each(|(at, name)| self.text((90.0 + 6.5 * at, y), "middle", "mute", name));
        self.text((748.0, y), "start", "mute", title);
    }

    /// Writes a plot of the page at a place, with this width and height.
    pub(super) fn plot(
        &mut self,
        (x, y): (f64, f64),
        (width, height): (f64, f64),
        class: &str,
        drawn: &Markup,
    ) {
        // The class and the label of the page say nothing here.
        let inner = drawn.0.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
        let inner = with_radius(inner.map_or("", |(inner, _)| inner));
        let nested = html! { svg.(class) x=(x) y=(y) width=(width) height=(height) { "\0" } };
        self.body += &nested.into_string().replace('\0', &inner);
    }

    fn text(&mut self, (x, y): (f64, f64), anchor: &str, class: &str, text: &str) {
        let text = html! { text.(class) x=(format!("{x:.0}")) y=(format!("{y:.0}")) text-anchor=(anchor) { (plain(text)) } };
        self.body += &text.into_string();
    }

    /// Returns the link that saves the picture under a name.
    pub(super) fn link(self, name: &str) -> Markup {
        let height = self.height + MARGIN;
        let file = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height:.0}\" font-family=\"sans-serif\">\
             <style>{STYLE}</style><rect width=\"100%\" height=\"100%\" fill=\"#fff\"></rect>{}</svg>",
            self.body
        );
        html! {
            p.save { a download={ (name) ".svg" } href={ "data:image/svg+xml," (escaped(&short(&file))) } { "Save as SVG" } }
        }
    }
}

/// Returns a drawing whose samples say their size themselves: programs that draw files do not know it as a style.
fn with_radius(drawn: &str) -> String {
    const SAMPLE: &str = "<circle cx=";
    let sized = |part: &str| match part.strip_suffix("/>") {
        Some(sample) if sample.starts_with(SAMPLE) => format!("{sample} r=\"1.9\"/>"),
        _ => part.to_owned(),
    };
    drawn.split_inclusive('>').map(sized).collect()
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
    let escaped = text.bytes().map(|byte| match byte {
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        b'-' | b'.' | b'_' | b'~' | b'\'' | b'(' | b')' | b',' | b';' | b'=' | b'!' | b'*' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    });
    escaped.collect()
}
