//! Draws pages.

use krilla::Document;
use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect};
use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::text::TextDirection;

use crate::pen::{Colour, Mark, Page, Text};
use crate::{Fonts, PdfError, SIZE_LIMIT};

/// Writes pages of this width and height as PDF.
pub(crate) fn write(
    title: &str,
    (width, height): (f32, f32),
    pages: &[Page],
    fonts: &Fonts,
) -> Result<Vec<u8>, PdfError> {
    let mut document = Document::new();
    let settings = PageSettings::from_wh(width, height);
    let settings = settings.ok_or_else(|| PdfError::Document("a page without a size".to_owned()))?;
    for marks in pages {
        let mut page = document.start_page_with(settings.clone());
        let mut surface = page.surface();
        for mark in marks {
            draw(&mut surface, mark, fonts);
        }
        surface.finish();
        page.finish();
    }
    document.set_metadata(Metadata::new().title(title.to_owned()).language("ja".to_owned()));
    let pdf = document.finish().map_err(|error| PdfError::Document(format!("{error:?}")))?;
    if pdf.len() > SIZE_LIMIT { Err(PdfError::TooLarge(pdf.len())) } else { Ok(pdf) }
}

fn draw(surface: &mut Surface<'_>, mark: &Mark, fonts: &Fonts) {
    match mark {
        Mark::Text(Text { x, y, size, is_bold, colour, line }) => {
            surface.set_fill(Some(fill(*colour)));
            let (start, font) = (Point::from_xy(*x, *y), fonts.font(*is_bold));
            surface.draw_text(start, font, *size, line, false, TextDirection::LeftToRight);
        }
        Mark::Area { x, y, width, height, colour } => {
            surface.set_fill(Some(fill(*colour)));
            paint(surface, *x, *y, *width, *height);
        }
        Mark::Frame { x, y, width, height, line, colour } => {
            surface.set_fill(None);
            surface.set_stroke(Some(Stroke {
                paint: fill(*colour).paint,
                width: *line,
                ..Stroke::default()
            }));
            paint(surface, *x, *y, *width, *height);
            surface.set_stroke(None);
        }
    }
}

fn paint(surface: &mut Surface<'_>, x: f32, y: f32, width: f32, height: f32) {
    let mut path = PathBuilder::new();
    if let Some(rect) = Rect::from_xywh(x, y, width, height) {
        path.push_rect(rect);
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

fn fill((red, green, blue): Colour) -> Fill {
    Fill { paint: rgb::Color::new(red, green, blue).into(), ..Fill::default() }
}
