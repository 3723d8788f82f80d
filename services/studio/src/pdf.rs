//! Sheets bound as PDF, with an outline.

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
use crate::sheet::{Colour, Mark, Sheet, Text};

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

/// A document of lessons, each by its name and with its pages.
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
        Mark::Text(Text { x, y, size, is_bold, colour, line }) => {
            surface.set_fill(Some(fill(*colour)));
            let font = if *is_bold { &fonts.bold } else { &fonts.regular };
            let at = Place::from_xy(*x, *y);
            surface.draw_text(at, font.clone(), *size, line, false, TextDirection::LeftToRight);
        }
        Mark::Bar { x, y, width, height, colour } => {
            surface.set_fill(Some(fill(*colour)));
            let mut path = PathBuilder::new();
            if let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) {
                path.push_rect(rect);
            }
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
    }
}

fn fill((red, green, blue): Colour) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}
