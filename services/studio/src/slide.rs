//! Draws a slide as SVG of 1280 by 720 pixels.

use std::fmt::Write as _;

use crate::plan::{Body, Point, Slide};
use crate::sheet::{self, Sheet};
use crate::text::{escaped, lines};

// The colours of the site.
const INK: &str = "#21242e";
const SOFT: &str = "#545a68";
const GROUND: &str = "#fffaf6";
const TINT: &str = "#fff0e9";
const LINE: &str = "#ecdfd6";
const RED: &str = "#c92a2a";

/// Size of a slide in pixels.
pub(crate) const WIDTH: u16 = 1280;
pub(crate) const HEIGHT: u16 = 720;

const LEFT: u16 = 96;
const RIGHT: u16 = WIDTH - LEFT;

/// Draws slide `number` of `count` of a lesson of `course` as SVG.
pub(crate) fn svg(slide: &Slide, number: usize, count: usize, course: &str) -> String {
    let mut svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="BIZ UDPGothic"><rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>"#
    );
    match &slide.body {
        Body::Title { above, name } => title(&mut svg, above, name),
        Body::Lead { text, note } => {
            heading(&mut svg, &slide.heading, course);
            lead(&mut svg, text, note);
        }
        Body::Points(points) => {
            heading(&mut svg, &slide.heading, course);
            each(&mut svg, points);
        }
        Body::Worked { question, steps, figure } => {
            heading(&mut svg, &slide.heading, course);
            worked(&mut svg, question, steps, figure);
        }
    }
    foot(&mut svg, number, count);
    svg.push_str("</svg>");
    svg
}

/// Writes lines of text, the first with its baseline at `y`. Returns the baseline of the next line.
fn write(svg: &mut String, at: (u16, u16), size: u16, style: &str, text: &str, right: u16) -> u16 {
    let (x, mut y) = at;
    for line in lines(text, f32::from(right - x) / f32::from(size)) {
        let line = escaped(&line);
        let _ = write!(svg, r#"<text x="{x}" y="{y}" font-size="{size}" {style}>{line}</text>"#);
        y += size * 3 / 2;
    }
    y
}

fn bold(colour: &str) -> String {
    format!(r#"font-weight="700" fill="{colour}""#)
}

fn plain(colour: &str) -> String {
    format!(r#"fill="{colour}""#)
}

fn title(svg: &mut String, above: &[String], name: &str) {
    let _ = write!(svg, r#"<rect width="24" height="{HEIGHT}" fill="{RED}"/>"#);
    let mut y = 150;
    for (text, number) in above.iter().zip(0..) {
        let (size, style) = if number == 0 { (34, bold(RED)) } else { (28, plain(SOFT)) };
        y = write(svg, (LEFT, y), size, &style, text, RIGHT) + 6;
    }
    let _ = write!(svg, r#"<rect x="{LEFT}" y="{y}" width="72" height="6" rx="3" fill="{RED}"/>"#);
    write(svg, (LEFT, y + 104), 64, &bold(INK), name, RIGHT);
}

fn heading(svg: &mut String, text: &str, course: &str) {
    let _ = write!(svg, r#"<rect x="{LEFT}" y="72" width="10" height="52" rx="5" fill="{RED}"/>"#);
    write(svg, (LEFT + 30, 114), 44, &bold(INK), text, RIGHT);
    let course = escaped(course);
    let _ = write!(
        svg,
        r#"<text x="{RIGHT}" y="110" font-size="22" text-anchor="end" fill="{SOFT}">{course}</text>"#
    );
}

fn lead(svg: &mut String, text: &str, note: &str) {
    let size = 42;
    let count = lines(text, f32::from(RIGHT - LEFT - 96) / f32::from(size)).len();
    let height = u16::try_from(count).unwrap_or(1) * size * 3 / 2 + 72;
    let _ = write!(
        svg,
        r#"<rect x="{LEFT}" y="176" width="{}" height="{height}" rx="24" fill="{TINT}"/>"#,
        RIGHT - LEFT
    );
    write(svg, (LEFT + 48, 176 + 36 + 48), size, &bold(INK), text, RIGHT - 48);
    write(svg, (LEFT + 48, 176 + height + 68), 30, &plain(SOFT), note, RIGHT);
}

fn each(svg: &mut String, points: &[Point]) {
    // A short label is beside its text, a longer one above it.
    let longest = points.iter().map(|point| point.label.chars().count()).max().unwrap_or(0);
    let beside = LEFT + 36 + if longest > 1 { 160 } else { 60 };
    let count = u16::try_from(points.len()).unwrap_or(1).max(1);
    let height = ((436 - 20 * (count - 1)) / count).min(130);
    for (point, number) in points.iter().zip(0..) {
        let y = 160 + number * (height + 20);
        let (fill, edge) = if point.is_here { (TINT, RED) } else { ("#fff", LINE) };
        let _ = write!(
            svg,
            r#"<rect x="{LEFT}" y="{y}" width="{}" height="{height}" rx="18" fill="{fill}" stroke="{edge}" stroke-width="2"/>"#,
            RIGHT - LEFT
        );
        let left = LEFT + 36;
        if longest <= 4 {
            let rows = lines(&point.text, f32::from(RIGHT - 30 - beside) / 32.0).len();
            let middle = y + height / 2 + 12;
            let first = middle - u16::try_from(rows.saturating_sub(1)).unwrap_or(0) * 24;
            write(svg, (left, middle), 32, &bold(RED), &point.label, beside);
            write(svg, (beside, first), 32, &plain(INK), &point.text, RIGHT - 30);
        } else {
            let below = write(svg, (left, y + 50), 30, &bold(RED), &point.label, RIGHT - 30);
            write(svg, (left, below + 2), 29, &plain(INK), &point.text, RIGHT - 30);
        }
    }
}

/// Writes the question at the top, the steps below it on the left, and the figure on the right.
fn worked(svg: &mut String, question: &str, steps: &[String], figure: &Sheet) {
    let top = write(svg, (LEFT, 190), 34, &bold(INK), question, RIGHT) + 8;
    let middle = LEFT + 556;
    let mut y = top + 6;
    for (step, number) in steps.iter().zip(1..) {
        let _ = write!(svg, r#"<circle cx="{}" cy="{}" r="20" fill="{RED}"/>"#, LEFT + 20, y - 10);
        let _ = write!(
            svg,
            r##"<text x="{}" y="{}" font-size="24" font-weight="700" text-anchor="middle" fill="#fff">{number}</text>"##,
            LEFT + 20,
            y - 2
        );
        y = write(svg, (LEFT + 52, y), 26, &plain(INK), step, middle) + 18;
    }
    let mut board = Sheet::new(f32::from(WIDTH), f32::from(HEIGHT));
    let room = f32::from(620 - top);
    let scale = (room / figure.height).min(1.0);
    let left = f32::from(middle + 12) + (figure.width - figure.width * scale) / 2.0;
    let above = f32::from(top) - 30.0 + (room - figure.height * scale) / 2.0;
    board.place(figure, (left, above), scale);
    for mark in &board.marks {
        sheet::write(svg, mark);
    }
}

/// Writes the progress as a bar and as numbers.
fn foot(svg: &mut String, number: usize, count: usize) {
    let wide = usize::from(RIGHT - LEFT);
    let done = wide * number / count.max(1);
    let _ = write!(
        svg,
        r#"<rect x="{LEFT}" y="662" width="{wide}" height="8" rx="4" fill="{LINE}"/><rect x="{LEFT}" y="662" width="{done}" height="8" rx="4" fill="{RED}"/><text x="{LEFT}" y="644" font-size="20" font-weight="700" fill="{RED}">コノマナ</text><text x="{RIGHT}" y="644" font-size="20" text-anchor="end" fill="{SOFT}">{number} / {count}</text>"#
    );
}
