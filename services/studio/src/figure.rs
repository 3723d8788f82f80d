//! Figures of the kinds that lessons use. Each is [`WIDTH`] wide.

use serde::Deserialize;

use crate::sheet::{BLUE, Colour, Held, INK, LINE, Mark, RED, SKY, SOFT, Sheet, TINT, Text, WHITE};
use crate::text::lines;

/// Width of a figure.
pub(crate) const WIDTH: f32 = 520.0;
/// Font size in figures.
const SIZE: f32 = 24.0;

/// A figure of a lesson or of a question.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Figure {
    /// Rows of boxes, from left to right. An arrow leads from each row to the next.
    Boxes(Vec<Vec<LabelledBox>>),
    Graph(Graph),
    NumberLine(NumberLine),
    /// Rows of cells. The first row is the header.
    Table(Vec<Vec<String>>),
    /// Events, one below the other.
    Timeline(Vec<Event>),
}

impl Figure {
    /// Draws the figure.
    pub(crate) fn draw(&self) -> Sheet {
        match self {
            Self::Boxes(rows) => draw_boxes(rows),
            Self::Graph(graph) => graph.draw(),
            Self::NumberLine(line) => line.draw(),
            Self::Table(rows) => draw_table(rows),
            Self::Timeline(events) => draw_timeline(events),
        }
    }
}

/// A box with a label and a text.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LabelledBox {
    text: String,
    label: String,
}

/// An event and its date.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Event {
    when: String,
    what: String,
}

/// A number line with integers, and arrows above it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct NumberLine {
    /// First and last number.
    range: (i8, i8),
    unit: String,
    arrows: Vec<Arrow>,
}

/// A labelled arrow from one number to another.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arrow {
    from: i8,
    to: i8,
    text: String,
}

/// The graph of a polynomial.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Graph {
    x: Axis,
    y: Axis,
    /// From the constant term up.
    coefficients: Vec<f32>,
    /// Ends of the curve.
    domain: (f32, f32),
    /// Whether the area below the curve is filled.
    #[serde(default)]
    area: bool,
    points: Vec<Point>,
}

/// An axis: name, first and last number.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Axis {
    name: String,
    range: (f32, f32),
}

/// A named point of a graph.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Point {
    x: f32,
    y: f32,
    name: String,
    /// Offset of the name to the right and down, in units of the sheet.
    name_offset: (f32, f32),
}

fn text(sheet: &mut Sheet, (x, y): (f32, f32), held: Held, colour: Colour, line: &str) {
    let is_bold = colour == RED;
    let line = line.to_owned();
    sheet.marks.push(Mark::Text(Text { x, y, size: SIZE, is_bold, colour, held, line }));
}

fn line(sheet: &mut Sheet, places: &[(f32, f32)], thickness: f32, colour: Colour) {
    sheet.marks.push(Mark::Line { places: places.to_vec(), thickness, colour });
}

/// Draws a line with an arrowhead.
fn arrow(sheet: &mut Sheet, from: (f32, f32), to: (f32, f32), colour: Colour) {
    let (along, down) = (to.0 - from.0, to.1 - from.1);
    let length = along.hypot(down).max(1.0);
    let (along, down) = (along / length, down / length);
    let neck = (to.0 - along * 14.0, to.1 - down * 14.0);
    line(sheet, &[from, neck], 3.0, colour);
    let places =
        vec![to, (neck.0 - down * 7.0, neck.1 + along * 7.0), (neck.0 + down * 7.0, neck.1 - along * 7.0)];
    sheet.marks.push(Mark::Area { places, colour });
}

fn dot(sheet: &mut Sheet, (x, y): (f32, f32), colour: Colour) {
    let places = (0..24_u8).map(|part| {
        let angle = f32::from(part) * std::f32::consts::TAU / 24.0;
        (x + 8.0 * angle.cos(), y + 8.0 * angle.sin())
    });
    sheet.marks.push(Mark::Area { places: places.collect(), colour });
}

/// Draws a box with a border.
fn card(sheet: &mut Sheet, (x, y): (f32, f32), (width, height): (f32, f32), colour: Colour) {
    sheet.marks.push(Mark::Bar { x, y, width, height, colour });
    let (right, below) = (x + width, y + height);
    line(sheet, &[(x, y), (right, y), (right, below), (x, below), (x, y), (right, y)], 2.0, LINE);
}

impl NumberLine {
    fn draw(&self) -> Sheet {
        let (from, to) = self.range;
        let mut sheet = Sheet::new(WIDTH, 200.0);
        let step = (WIDTH - 80.0) / f32::from(to - from);
        let at = |number: i8| 40.0 + f32::from(number - from) * step;
        arrow(&mut sheet, (10.0, 130.0), (WIDTH - 4.0, 130.0), INK);
        for number in from..=to {
            let (x, colour) = (at(number), if number == 0 { RED } else { INK });
            line(&mut sheet, &[(x, 120.0), (x, 140.0)], 2.0, colour);
            if number % 2 == 0 || to - from < 9 {
                let sign = if number < 0 { "−" } else { "" };
                let shown = format!("{sign}{}", number.unsigned_abs());
                text(&mut sheet, (x, 172.0), Held::Middle, colour, &shown);
            }
        }
        text(&mut sheet, (0.0, 24.0), Held::Left, SOFT, &self.unit);
        for Arrow { from, to, text: word } in &self.arrows {
            let (start, end) = (at(*from), at(*to));
            arrow(&mut sheet, (start, 94.0), (end, 94.0), BLUE);
            dot(&mut sheet, (end, 130.0), RED);
            text(&mut sheet, (start.midpoint(end), 78.0), Held::Middle, BLUE, word);
        }
        sheet
    }
}

impl Graph {
    fn value_at(&self, x: f32) -> f32 {
        self.coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * x + coefficient)
    }

    fn draw(&self) -> Sheet {
        let height = 400.0;
        let mut sheet = Sheet::new(WIDTH, height);
        let ((left, right), (below, above)) = (self.x.range, self.y.range);
        let (from, to) = self.domain;
        let at = |(x, y): (f32, f32)| {
            (
                40.0 + (x - left) / (right - left) * (WIDTH - 90.0),
                height - 40.0 - (y - below) / (above - below) * (height - 90.0),
            )
        };
        let drawn: Vec<_> = (0..=60_u8)
            .map(|part| from + (to - from) * f32::from(part) / 60.0)
            .map(|x| at((x, self.value_at(x))))
            .collect();
        if self.area {
            let ends = [at((to, 0.0)), at((from, 0.0))];
            sheet.marks.push(Mark::Area { places: [drawn.as_slice(), &ends].concat(), colour: SKY });
        }
        let origin = at((0.0, 0.0));
        arrow(&mut sheet, (10.0, origin.1), (WIDTH - 30.0, origin.1), INK);
        arrow(&mut sheet, (origin.0, height - 10.0), (origin.0, 22.0), INK);
        text(&mut sheet, (WIDTH - 26.0, origin.1 + 8.0), Held::Left, INK, &self.x.name);
        text(&mut sheet, (origin.0 + 14.0, 30.0), Held::Left, INK, &self.y.name);
        text(&mut sheet, (origin.0 - 16.0, origin.1 + 26.0), Held::Middle, INK, "O");
        line(&mut sheet, &drawn, 4.0, BLUE);
        for Point { x, y, name, name_offset: (right, down) } in &self.points {
            let (across, up) = at((*x, *y));
            for foot in [(across, origin.1), (origin.0, up)] {
                if *x != 0.0 && *y != 0.0 {
                    line(&mut sheet, &[(across, up), foot], 1.5, SOFT);
                }
            }
            dot(&mut sheet, (across, up), RED);
            text(&mut sheet, (across + right, up + down), Held::Middle, RED, name);
        }
        sheet
    }
}

fn draw_table(rows: &[Vec<String>]) -> Sheet {
    let mut sheet = Sheet::new(WIDTH, 0.0);
    for (row, number) in rows.iter().zip(0..) {
        let count = u16::try_from(row.len()).unwrap_or(1).max(1);
        let wide = WIDTH / f32::from(count);
        let cells: Vec<_> = row.iter().map(|cell| lines(cell, (wide - 24.0) / SIZE)).collect();
        let tallest = cells.iter().map(Vec::len).max().unwrap_or(1);
        let tall = f32::from(u16::try_from(tallest).unwrap_or(1)) * 34.0 + 24.0;
        let (top, mut x) = (sheet.height, 0.0);
        for cell in cells {
            let (ground, colour) = if number == 0 { (TINT, RED) } else { (WHITE, INK) };
            card(&mut sheet, (x, top), (wide, tall), ground);
            let mut y = top + 38.0;
            for each in cell {
                text(&mut sheet, (x + wide / 2.0, y), Held::Middle, colour, &each);
                y += 34.0;
            }
            x += wide;
        }
        sheet.height += tall;
    }
    sheet
}

fn draw_timeline(events: &[Event]) -> Sheet {
    let mut sheet = Sheet::new(WIDTH, 0.0);
    let mut ends = Vec::new();
    for Event { when, what } in events {
        let y = sheet.height + 30.0;
        ends.push(y);
        text(&mut sheet, (0.0, y + 8.0), Held::Left, RED, when);
        let mut below = y + 8.0;
        for each in lines(what, (WIDTH - 170.0) / SIZE) {
            text(&mut sheet, (170.0, below), Held::Left, INK, &each);
            below += 34.0;
        }
        sheet.height = below + 6.0;
    }
    let [Some(first), Some(last)] = [ends.first(), ends.last()] else { return sheet };
    let spine = Mark::Line { places: vec![(130.0, *first), (130.0, *last)], thickness: 4.0, colour: LINE };
    sheet.marks.insert(0, spine);
    for y in ends {
        dot(&mut sheet, (130.0, y), RED);
    }
    sheet
}

fn draw_boxes(rows: &[Vec<LabelledBox>]) -> Sheet {
    let mut sheet = Sheet::new(WIDTH, 0.0);
    for (row, number) in rows.iter().zip(0..) {
        if number > 0 {
            let y = sheet.height;
            arrow(&mut sheet, (WIDTH / 2.0, y + 8.0), (WIDTH / 2.0, y + 44.0), SOFT);
            sheet.height += 52.0;
        }
        let count = u16::try_from(row.len()).unwrap_or(1).max(1);
        let wide = (WIDTH - 12.0 * f32::from(count - 1)) / f32::from(count);
        let cells: Vec<_> = row.iter().map(|one| lines(&one.text, (wide - 16.0) / SIZE)).collect();
        let tallest = cells.iter().map(Vec::len).max().unwrap_or(1);
        let tall = f32::from(u16::try_from(tallest).unwrap_or(1)) * 34.0 + 64.0;
        let (top, mut x) = (sheet.height, 0.0);
        for (cell, LabelledBox { label, .. }) in cells.iter().zip(row) {
            card(&mut sheet, (x, top), (wide, tall), WHITE);
            let middle = x + wide / 2.0;
            text(&mut sheet, (middle, top + 34.0), Held::Middle, RED, label);
            let mut y = top + 74.0;
            for each in cell {
                text(&mut sheet, (middle, y), Held::Middle, INK, each);
                y += 34.0;
            }
            x += wide + 12.0;
        }
        sheet.height += tall;
    }
    sheet
}
