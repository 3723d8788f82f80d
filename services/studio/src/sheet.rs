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
pub(crate) const BLUE: Colour = (0x18, 0x64, 0xab);
pub(crate) const SKY: Colour = (0xd0, 0xeb, 0xff);
pub(crate) const WHITE: Colour = (0xff, 0xff, 0xff);

/// Where a line of text is held.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Held {
    Left,
    Middle,
}

/// A line of text whose feet stand on `y`.
#[derive(Clone)]
pub(crate) struct Text {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
    /// What of it is at `x`.
    pub(crate) held: Held,
    pub(crate) line: String,
}

/// A thing on a sheet.
#[derive(Clone)]
pub(crate) enum Mark {
    Text(Text),
    /// A rectangle, filled.
    Bar {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        colour: Colour,
    },
    /// Straight from one place to the next.
    Line {
        places: Vec<(f32, f32)>,
        thickness: f32,
        colour: Colour,
    },
    /// What lies within straight edges, filled.
    Area {
        places: Vec<(f32, f32)>,
        colour: Colour,
    },
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

    /// Puts all of `other` with its upper left at `(x, y)`, `scale` times as large.
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

    /// All of it as SVG, on paper.
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

/// A mark as SVG.
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

/// Places as SVG has them.
fn listed(places: &[(f32, f32)]) -> String {
    places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect::<Vec<_>>().join(" ")
}

/// A colour as SVG has it.
fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}
