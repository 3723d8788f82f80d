//! Writes sheets as PDF with an outline.

use krilla::Document;
use krilla::color::rgb;
use krilla::destination::XyzDestination;
use krilla::geom::{PathBuilder, Point as Place, Rect};
use krilla::metadata::Metadata;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::{Font, TextDirection};
use ttf_parser::Face;

use crate::Outcome;
use crate::sheet::{Colour, Held, Mark, Sheet, Text};

/// The font in two weights.
#[derive(Clone)]
pub(crate) struct Fonts {
    regular: Font,
    bold: Font,
    /// File of the regular weight, for the character widths.
    widths: Vec<u8>,
}

impl Fonts {
    /// Loads the font from the bytes of its two files.
    pub(crate) fn new(regular: Vec<u8>, bold: Vec<u8>) -> Outcome<Self> {
        let font = |bytes: Vec<u8>| Font::new(bytes.into(), 0).ok_or("the file is not a font");
        Ok(Self { regular: font(regular.clone())?, bold: font(bold)?, widths: regular })
    }

    /// Width of a line, relative to the font size.
    fn width(&self, line: &str) -> f32 {
        let Ok(face) = Face::parse(&self.widths, 0) else { return 0.0 };
        let glyphs = line.chars().filter_map(|character| face.glyph_index(character));
        let wide: f32 = glyphs.filter_map(|glyph| face.glyph_hor_advance(glyph)).map(f32::from).sum();
        wide / f32::from(face.units_per_em())
    }
}

/// Writes a document of lessons, each with its name and pages.
pub(crate) fn document(title: &str, parts: &[(&str, Vec<Sheet>)], fonts: &Fonts) -> Outcome<Vec<u8>> {
    let mut document = Document::new();
    let (mut outline, mut number) = (Outline::new(), 0);
    for (name, sheets) in parts {
        let destination = XyzDestination::new(number, Place::from_xy(0.0, 0.0));
        outline.push_child(OutlineNode::new((*name).to_owned(), destination));
        for sheet in sheets {
            number += 1;
            let settings = PageSettings::from_wh(sheet.width, sheet.height).ok_or("no page")?;
            let mut page = document.start_page_with(settings);
            let mut surface = page.surface();
            for mark in &sheet.marks {
                draw(&mut surface, mark, fonts);
            }
            surface.finish();
            page.finish();
        }
    }
    document.set_outline(outline);
    let metadata = Metadata::new().title(title.to_owned()).language("ja".to_owned());
    document.set_metadata(metadata.authors(vec!["コノマナ".to_owned()]));
    document.finish().map_err(|error| format!("a document: {error:?}").into())
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    match mark {
        Mark::Text(Text { x, y, size, is_bold, colour, held, line }) => {
            surface.set_fill(Some(fill(*colour)));
            let font = if *is_bold { &fonts.bold } else { &fonts.regular };
            let before = if *held == Held::Middle { fonts.width(line) * size / 2.0 } else { 0.0 };
            let at = Place::from_xy(*x - before, *y);
            surface.draw_text(at, font.clone(), *size, line, false, TextDirection::LeftToRight);
        }
        Mark::Bar { x, y, width, height, colour } => {
            let mut path = PathBuilder::new();
            if let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) {
                path.push_rect(rect);
            }
            surface.set_fill(Some(fill(*colour)));
            paint(surface, path);
        }
        Mark::Line { places, thickness, colour } => {
            let stroke = Stroke { paint: fill(*colour).paint, width: *thickness, ..Stroke::default() };
            surface.set_fill(None);
            surface.set_stroke(Some(stroke));
            paint(surface, through(places));
            surface.set_stroke(None);
        }
        Mark::Area { places, colour } => {
            let mut path = through(places);
            path.close();
            surface.set_fill(Some(fill(*colour)));
            paint(surface, path);
        }
    }
}

/// A path of straight lines through these points.
fn through(places: &[(f32, f32)]) -> PathBuilder {
    let mut path = PathBuilder::new();
    for ((x, y), number) in places.iter().zip(0..) {
        if number == 0 {
            path.move_to(*x, *y);
        } else {
            path.line_to(*x, *y);
        }
    }
    path
}

fn paint(surface: &mut Surface<'_>, path: PathBuilder) {
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

fn fill((red, green, blue): Colour) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}
