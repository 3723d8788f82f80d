//! Printable pages: a textbook in portrait format with the spoken text, a whiteboard in landscape format
//! without it.

use crate::look::Look;
use crate::plan::{Body, Slide};
use crate::sheet::{Colour, Held, INK, LINE, Mark, RED, SOFT, Sheet, TINT, Text};
use crate::text::lines;

/// A lesson in a bundle of pages.
#[derive(Clone, Copy)]
pub(crate) struct Part<'a> {
    pub(crate) name: &'a str,
    pub(crate) course: &'a str,
    pub(crate) slides: &'a [Slide],
}

/// Draws the pages of each lesson, one for each slide.
pub(crate) fn sheets(parts: &[Part<'_>], look: Look) -> Vec<Vec<Sheet>> {
    let count = parts.iter().map(|part| part.slides.len()).sum();
    let mut number = 0;
    let mut sheet = |part: &Part<'_>, slide: &Slide| {
        number += 1;
        let sheet = Sheet::new(look.width, look.height);
        let mut pen = Pen { sheet, look, y: look.margin, right: look.width - look.margin };
        pen.page(part, slide, number, count);
        pen.sheet
    };
    parts.iter().map(|part| part.slides.iter().map(|slide| sheet(part, slide)).collect()).collect()
}

/// Writes a page from top to bottom.
struct Pen {
    sheet: Sheet,
    look: Look,
    /// Position of the next element.
    y: f32,
    /// Right end of the lines.
    right: f32,
}

impl Pen {
    fn page(&mut self, part: &Part<'_>, slide: &Slide, number: usize, count: usize) {
        let Look { width, height, margin, heading, text, is_told, .. } = self.look;
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

    /// Draws empty lines for notes, down to the footer.
    fn rule(&mut self) {
        let Look { width, height, margin, text, .. } = self.look;
        while self.y < height - margin * 1.4 {
            self.bar(margin, self.y, width - 2.0 * margin, 0.8, LINE);
            self.y += text * 2.0;
        }
    }

    fn body(&mut self, slide: &Slide) {
        let Look { width, height, margin, text, .. } = self.look;
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
            Body::Worked { question, steps, figure } => {
                self.lines(question, margin, text * 1.1, true, INK);
                self.y += text * 0.4;
                let top = self.y;
                // In landscape format the figure is beside the steps, in portrait format below them.
                let is_beside = self.look.width > self.look.height;
                let half = (width - 2.0 * margin) / 2.0;
                let size = if is_beside { text * 0.8 } else { text };
                self.right = if is_beside { margin + half - size } else { width - margin };
                for (step, number) in steps.iter().zip(1..) {
                    let top = self.y;
                    self.lines(&number.to_string(), margin, size, true, RED);
                    self.y = top;
                    self.lines(step, margin + size * 1.5, size, false, INK);
                    self.y += size * 0.4;
                }
                self.right = width - margin;
                let (left, above) =
                    if is_beside { (margin + half, top) } else { (margin * 2.0, self.y + text) };
                let room = if is_beside { height - margin - above - text } else { figure.height };
                let scale = ((width - margin - left) / figure.width * if is_beside { 1.0 } else { 0.75 })
                    .min(room / figure.height);
                self.sheet.place(figure, (left, above), scale);
                self.y = self.y.max(above + figure.height * scale);
            }
            Body::Points(points) => {
                // A short label is beside its text.
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

    /// Writes `text` from `x` to the right end of the lines, and moves to the next position.
    fn lines(&mut self, text: &str, x: f32, size: f32, is_bold: bool, colour: Colour) {
        for line in lines(text, (self.right - x) / size) {
            let y = self.y + size;
            self.sheet.marks.push(Mark::Text(Text { x, y, size, is_bold, colour, held: Held::Left, line }));
            self.y += size * 1.5;
        }
    }

    fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        self.sheet.marks.push(Mark::Bar { x, y, width, height, colour });
    }
}
