//! Certificates: one page in landscape, centred, in a double frame.

use crate::font::Ruler;
use crate::pen::{Colour, Look, Mark, Page, Text, bold, plain, small};
use crate::{Fact, Fonts, PdfError, draw};

/// A4 in landscape, in points.
const WIDTH: f32 = crate::pen::HEIGHT;
const HEIGHT: f32 = crate::pen::WIDTH;

/// Blue.
const FRAME: Colour = (0x1c, 0x5f, 0xb0);
/// Distance of the outer frame from the edge of the page, and of the inner one.
const OUTER: f32 = 28.0;
const INNER: f32 = 36.0;
/// Widest line of text.
const TEXT_WIDTH: f32 = WIDTH - 2.0 * 90.0;
/// Most lines of the addressee and of the subject.
const LINES: usize = 2;
/// Left edge of the facts, and of their values.
const FACTS: f32 = 72.0;
const VALUES: f32 = FACTS + 76.0;

/// A certificate, in the words that are printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Certificate {
    /// The kind of document, e.g. `修了証`.
    pub title: String,
    /// The name of its owner, with 様. At most two lines are printed.
    pub addressee: String,
    /// The text of the certificate. `\n` begins a line.
    pub statement: String,
    /// The subject of the statement, e.g. a course. At most two lines are printed.
    pub subject: String,
    /// When it was issued.
    pub date: String,
    /// The school that issues it.
    pub issuer: String,
    /// At the bottom left, e.g. its number.
    pub facts: Vec<Fact>,
}

impl Certificate {
    /// Writes the certificate as PDF. Equal certificates have equal bytes.
    pub fn write_pdf(&self, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
        let page = self.lay_out(&fonts.ruler()?);
        draw::write(&format!("{} {}", self.title, self.subject), (WIDTH, HEIGHT), &[page], fonts)
    }

    fn lay_out(&self, ruler: &Ruler<'_>) -> Page {
        let mut sheet = Centred { ruler, page: Page::new() };
        for (distance, width) in [(OUTER, 3.0), (INNER, 1.0)] {
            sheet.frame(distance, width);
        }
        sheet.write(124.0, Look { colour: FRAME, ..bold(40.0) }, &spread(&self.title));
        sheet.write_lines(188.0, 28.0, 32.0, &self.addressee);
        let mut y = 268.0;
        for line in self.statement.lines() {
            sheet.write(y, plain(13.0), line);
            y += 24.0;
        }
        sheet.write_lines(y + 28.0, 22.0, 28.0, &self.subject);
        sheet.write_to(446.0, plain(13.0), &self.date);
        sheet.write_to(474.0, bold(20.0), &self.issuer);
        let mut y = 504.0;
        for Fact { name, value } in &self.facts {
            sheet.write_at(FACTS, y, small(9.0), name);
            sheet.write_at(VALUES, y, plain(9.0), value);
            y += 17.0;
        }
        sheet.page
    }
}

/// Puts a wide space between the characters of a short title.
fn spread(title: &str) -> String {
    title.chars().map(String::from).collect::<Vec<_>>().join("　")
}

/// Writes centred lines.
struct Centred<'a> {
    ruler: &'a Ruler<'a>,
    page: Page,
}

impl Centred<'_> {
    fn frame(&mut self, distance: f32, line: f32) {
        let (x, y) = (distance, distance);
        let (width, height) = (WIDTH - 2.0 * distance, HEIGHT - 2.0 * distance);
        self.page.push(Mark::Frame { x, y, width, height, line, colour: FRAME });
    }

    fn write_at(&mut self, x: f32, y: f32, look: Look, text: &str) {
        let Look { size, is_bold, colour } = look;
        self.page.push(Mark::Text(Text { x, y, size, is_bold, colour, line: text.to_owned() }));
    }

    fn write(&mut self, y: f32, look: Look, text: &str) {
        let width = self.ruler.width(text, look.size, look.is_bold);
        self.write_at((WIDTH - width) / 2.0, y, look, text);
    }

    /// Writes a line that ends at the right edge of the facts.
    fn write_to(&mut self, y: f32, look: Look, text: &str) {
        let width = self.ruler.width(text, look.size, look.is_bold);
        self.write_at(WIDTH - FACTS - width, y, look, text);
    }

    /// Writes a bold text. One that does not fit in a line is smaller, in two lines around `y`.
    fn write_lines(&mut self, y: f32, size: f32, height: f32, text: &str) {
        let look = bold(size);
        if self.ruler.width(text, size, true) <= TEXT_WIDTH {
            self.write(y, look, text);
            return;
        }
        let look = Look { size: size * 0.75, ..look };
        let lines = self.ruler.wrap(text, look.size, true, TEXT_WIDTH, LINES);
        let mut y = y - height * 0.375;
        for line in lines {
            self.write(y, look, &line);
            y += height * 0.75;
        }
    }
}
