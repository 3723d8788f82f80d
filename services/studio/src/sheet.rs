//! Drawing elements of a sheet, for pixels and for print.

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
pub(crate) const BLUE: Colour = (0x18, 0x64, 0xab);
pub(crate) const SKY: Colour = (0xd0, 0xeb, 0xff);
pub(crate) const WHITE: Colour = (0xff, 0xff, 0xff);

/// Horizontal alignment of a line of text.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Held {
    Left,
    Middle,
}

/// A line of text with its baseline at `y`.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
    /// Alignment relative to `x`.
    pub(crate) held: Held,
    pub(crate) line: String,
}

/// A drawing element.
#[derive(Clone)]
pub(crate) enum Mark {
    Text(Text),
    /// A filled rectangle.
    Bar {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        colour: Colour,
    },
    /// A straight line.
    Line {
        places: Vec<(f32, f32)>,
        thickness: f32,
        colour: Colour,
    },
    /// A filled polygon.
    Area {
        places: Vec<(f32, f32)>,
        colour: Colour,
    },
}

/// A sheet. The origin is its upper left corner.
pub(crate) struct Sheet {
    pub(crate) width: f32,
    pub(crate) height: f32,
    pub(crate) marks: Vec<Mark>,
}

impl Sheet {
    /// Creates an empty sheet.
    pub(crate) fn new(width: f32, height: f32) -> Self {
        Self { width, height, marks: Vec::new() }
    }

    /// Adds all elements of `other` with its upper left corner at `(x, y)`, scaled by `scale`.
    pub(crate) fn place(&mut self, other: &Self, (x, y): (f32, f32), scale: f32) {
        let at = |(left, top): (f32, f32)| (x + left * scale, y + top * scale);
        let all = |places: &[(f32, f32)]| places.iter().copied().map(at).collect();
        for mark in &other.marks {
            self.marks.push(match mark {
                Mark::Text(text) => {
                    let ((x, y), size) = (at((text.x, text.y)), text.size * scale);
                    Mark::Text(Text { x, y, size, ..text.clone() })
                }
                Mark::Bar { x, y, width, height, colour } => {
                    let ((x, y), width, height) = (at((*x, *y)), width * scale, height * scale);
                    Mark::Bar { x, y, width, height, colour: *colour }
                }
                Mark::Line { places, thickness, colour } => {
                    Mark::Line { places: all(places), thickness: thickness * scale, colour: *colour }
                }
                Mark::Area { places, colour } => Mark::Area { places: all(places), colour: *colour },
            });
        }
    }

    /// Writes the sheet as SVG on a white background.
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

/// Writes an element as SVG.
pub(crate) fn write(svg: &mut String, mark: &Mark) {
    let _ = match mark {
        Mark::Text(Text { x, y, size, is_bold, colour, held, line }) => {
            let anchor = if *held == Held::Middle { "middle" } else { "start" };
            let (weight, colour, line) = (if *is_bold { 700 } else { 400 }, hex(*colour), escaped(line));
            write!(
                svg,
                r#"<text x="{x}" y="{y}" font-size="{size}" font-weight="{weight}" text-anchor="{anchor}" fill="{colour}">{line}</text>"#
            )
        }
        Mark::Bar { x, y, width, height, colour } => {
            let colour = hex(*colour);
            write!(svg, r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{colour}"/>"#)
        }
        Mark::Line { places, thickness, colour } => {
            let (places, colour) = (listed(places), hex(*colour));
            write!(
                svg,
                r#"<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{thickness}"/>"#
            )
        }
        Mark::Area { places, colour } => {
            write!(svg, r#"<polygon points="{}" fill="{}"/>"#, listed(places), hex(*colour))
        }
    };
}

/// Formats points as SVG.
fn listed(places: &[(f32, f32)]) -> String {
    places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// Formats a colour as SVG.
fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
