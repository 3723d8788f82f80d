//! Pages to print: a textbook upright with all that is said, a whiteboard across with what is shown.

use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point as Place, Rect};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};

use crate::Outcome;
use crate::plan::{Body, Slide};
use crate::text::lines;

/// The font, thin and thick.
#[derive(Clone)]
pub(crate) struct Fonts {
    regular: Font,
    bold: Font,
}

impl Fonts {
    /// From the bytes of two files.
    pub(crate) fn new(regular: Vec<u8>, bold: Vec<u8>) -> Outcome<Self> {
        let font = |bytes: Vec<u8>| Font::new(bytes.into(), 0).ok_or("that is no font");
        Ok(Self { regular: font(regular)?, bold: font(bold)? })
    }
}

/// One lesson's part of a document.
pub(crate) struct Part<'a> {
    pub(crate) name: &'a str,
    pub(crate) course: &'a str,
    pub(crate) slides: &'a [Slide],
}

/// How a kind of document looks.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    width: f32,
    height: f32,
    margin: f32,
    heading: f32,
    text: f32,
    /// Whether what is said stands below what is shown.
    is_told: bool,
}

/// A4, upright.
pub(crate) const TEXTBOOK: Look =
    Look { width: 595.0, height: 842.0, margin: 56.0, heading: 22.0, text: 14.0, is_told: true };
/// As wide to its height as the video.
pub(crate) const WHITEBOARD: Look =
    Look { width: 960.0, height: 540.0, margin: 64.0, heading: 32.0, text: 24.0, is_told: false };

const INK: (u8, u8, u8) = (0x21, 0x24, 0x2e);
const SOFT: (u8, u8, u8) = (0x54, 0x5a, 0x68);
const RED: (u8, u8, u8) = (0xc9, 0x2a, 0x2a);
const LINE: (u8, u8, u8) = (0xec, 0xdf, 0xd6);
const TINT: (u8, u8, u8) = (0xff, 0xf0, 0xe9);

/// A document of lessons, a page for each slide.
pub(crate) fn document(title: &str, parts: &[Part<'_>], look: Look, fonts: &Fonts) -> Outcome<Vec<u8>> {
    let mut document = Document::new();
    let (mut outline, mut number) = (Outline::new(), 0);
    let count = parts.iter().map(|part| part.slides.len()).sum();
    for part in parts {
        let destination = XyzDestination::new(number, Place::from_xy(0.0, 0.0));
        outline.push_child(OutlineNode::new(part.name.to_owned(), destination));
        for slide in part.slides {
            number += 1;
            let settings = PageSettings::from_wh(look.width, look.height).ok_or("no page")?;
            let mut page = document.start_page_with(settings);
            let mut pen = Pen { surface: page.surface(), fonts, look, y: look.margin };
            pen.page(part, slide, number, count);
            drop(pen);
            page.finish();
        }
    }
    document.set_outline(outline);
    let metadata = Metadata::new().title(title.to_owned()).language("ja".to_owned());
    document.set_metadata(metadata.authors(vec!["コノマナ".to_owned()]));
    document.finish().map_err(|error| format!("a document: {error:?}").into())
}

/// Writes a page from its top.
struct Pen<'a> {
    surface: Surface<'a>,
    fonts: &'a Fonts,
    look: Look,
    /// Where the next thing begins.
    y: f32,
}

impl Pen<'_> {
    fn page(&mut self, part: &Part<'_>, slide: &Slide, number: usize, count: usize) {
        let Look { width, height, margin, heading, text, is_told } = self.look;
        let small = text * 0.7;
        self.lines(part.course, margin, small, false, SOFT);
        self.y += small * 1.2;
        if let Body::Title { above, name } = &slide.body {
            self.y += heading * 2.0;
            for each in above.iter().skip(1) {
                self.lines(each, margin, text, false, SOFT);
            }
            self.y += heading * 0.6;
            self.bar(margin, self.y, 60.0, 4.0, RED);
            self.y += heading;
            self.lines(name, margin, heading * 1.4, true, INK);
        } else {
            self.bar(margin, self.y, 6.0, heading * 1.2, RED);
            self.lines(&slide.heading, margin + 18.0, heading, true, INK);
            self.y += heading * 0.5;
            self.body(slide);
        }
        if is_told {
            self.y += text;
            self.bar(margin, self.y, width - 2.0 * margin, 0.8, SOFT);
            self.y += text;
            for sentence in &slide.said {
                self.lines(sentence, margin, text * 0.85, false, INK);
                self.y += text * 0.2;
            }
            self.y += text * 2.0;
            self.rule();
        }
        self.y = height - margin * 0.75;
        let foot = format!("{}　{number} / {count}", part.name);
        self.lines(&foot, margin, small, false, SOFT);
    }

    /// Lines to write on, down to the foot.
    fn rule(&mut self) {
        let Look { width, height, margin, text, .. } = self.look;
        while self.y < height - margin * 1.4 {
            self.bar(margin, self.y, width - 2.0 * margin, 0.5, LINE);
            self.y += text * 2.0;
        }
    }

    fn body(&mut self, slide: &Slide) {
        let Look { width, margin, text, .. } = self.look;
        match &slide.body {
            Body::Title { .. } => {}
            Body::Lead { text: lead, note } => {
                let size = text * 1.2;
                let rows: u16 = lines(lead, (width - 2.0 * margin - 40.0) / size).iter().map(|_| 1).sum();
                let tall = f32::from(rows) * size * 1.5 + 28.0;
                self.bar(margin, self.y, width - 2.0 * margin, tall, TINT);
                let end = self.y + tall + text;
                self.y += 14.0;
                self.lines(lead, margin + 20.0, size, true, INK);
                self.y = end;
                self.lines(note, margin, text, false, SOFT);
            }
            Body::Points(points) => {
                // A short label stands beside its text.
                let is_short = points.iter().all(|point| point.label.chars().count() <= 4);
                for point in points {
                    let (colour, top) = (if point.is_here { RED } else { INK }, self.y);
                    self.lines(&point.label, margin, text, true, RED);
                    if is_short {
                        self.y = top;
                    }
                    let aside = text * if is_short { 5.0 } else { 1.5 };
                    self.lines(&point.text, margin + aside, text, point.is_here, colour);
                    self.y += text * 0.6;
                }
            }
        }
    }

    /// `text` from `x` to the margin, and on to where the next thing begins.
    fn lines(&mut self, text: &str, x: f32, size: f32, is_bold: bool, colour: (u8, u8, u8)) {
        self.fill(colour);
        let font = if is_bold { &self.fonts.bold } else { &self.fonts.regular };
        for line in lines(text, (self.look.width - self.look.margin - x) / size) {
            let at = Place::from_xy(x, self.y + size);
            self.surface.draw_text(at, font.clone(), size, &line, false, TextDirection::LeftToRight);
            self.y += size * 1.5;
        }
    }

    fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, colour: (u8, u8, u8)) {
        self.fill(colour);
        let mut path = PathBuilder::new();
        if let Some(rect) = Rect::from_xywh(x, y, width, height) {
            path.push_rect(rect);
        }
        if let Some(path) = path.finish() {
            self.surface.draw_path(&path);
        }
    }

    fn fill(&mut self, (red, green, blue): (u8, u8, u8)) {
        let paint = rgb::Color::new(red, green, blue).into();
        self.surface.set_fill(Some(Fill { paint, ..Fill::default() }));
    }
}
