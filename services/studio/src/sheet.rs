//! Marks on a sheet: what a page is drawn of, for pixels and for print alike.

use std::fmt::Write as _;

use crate::text::escaped;

/// Red, green, blue.
pub(crate) type Colour = (u8, u8, u8);

// The colours of the site.
pub(crate) const INK: Colour = (0x21, 0x24, 0x2e);
pub(crate) const SOFT: Colour = (0x54, 0x5a, 0x68);
pub(crate) const TINT: Colour = (0xff, 0xf0, 0xe9);
pub(crate) const LINE: Colour = (0xec, 0xdf, 0xd6);
pub(crate) const RED: Colour = (0xc9, 0x2a, 0x2a);

/// A line of text whose feet stand on `y`.
pub(crate) struct Text {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
    pub(crate) line: String,
}

/// A thing on a sheet.
pub(crate) enum Mark {
    /// From `x` to the right.
    Text(Text),
    /// A rectangle, filled.
    Bar { x: f32, y: f32, width: f32, height: f32, colour: Colour },
}

/// A sheet, from its upper left.
pub(crate) struct Sheet {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) marks: Vec<Mark>,
}

impl Sheet {
    /// An empty one.
    pub(crate) fn new(width: f32, height: f32) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    /// All of it as SVG.
    pub(crate) fn svg(&self) -> String {
        let Self { width, height, marks } = self;
        let mut svg = format!(
            r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="BIZ UDPGothic"><rect width="{width}" height="{height}" fill="#fff"/>"##
        );
        for mark in marks {
            write(&mut svg, mark);
        }
        svg.push_str("</svg>");
        svg
    }
}

fn write(svg: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Text(Text { x, y, size, is_bold, colour, line }) => {
            let (weight, colour, line) = (if *is_bold { 700 } else { 400 }, hex(*colour), escaped(line));
            write!(
                svg,
                r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" fill="{colour}">{line}</text>"#
            )
        }
        Mark::Bar { x, y, width, height, colour } => {
            let colour = hex(*colour);
            write!(svg, r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>"#)
        }
    };
}

/// A colour as SVG has it.
fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
