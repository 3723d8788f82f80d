//! Reports: sections of tables, bars and sentences.

use crate::font::Ruler;
use crate::pen::{
    BOTTOM, Colour, GREY, HEIGHT, LEFT, LIGHT, PALE, Page, Pen, RIGHT, WIDTH, bold, plain, small,
};
use crate::{Fact, Fonts, PdfError, draw};

/// Blue.
const BAR: Colour = (0x1c, 0x5f, 0xb0);

/// Height of a row of a table, of a bar and of a line of a sentence.
const ROW: f32 = 21.0;
const BAR_ROW: f32 = 24.0;
const LINE: f32 = 15.0;
/// Left and right edge of bars.
const BAR_LEFT: f32 = LEFT + 84.0;
const BAR_RIGHT: f32 = RIGHT - 132.0;
/// Most lines of a sentence.
const SENTENCE_LINES: usize = 6;

/// A document of several sections, in the words that are printed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// What it is, e.g. `成績表`.
    pub title: String,
    /// What else it is, below the title. Empty: nothing.
    pub subtitle: String,
    /// In a frame beside the title, e.g. `暫定`. Empty: nothing.
    pub mark: String,
    /// For the foot of each page.
    pub number: String,
    /// Facts above the sections.
    pub facts: Vec<Fact>,
    /// The sections. A table or a group of bars stays on one page.
    pub sections: Vec<Section>,
}

/// A part of a report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// The heading.
    pub title: String,
    /// Sentences below the heading.
    pub notes: Vec<String>,
    /// A table, if it has columns.
    pub table: Table,
    /// Bars below the table.
    pub bars: Vec<Bar>,
    /// What the bars and their lines show. Printed above the bars.
    pub legend: String,
}

/// A table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The heads of the columns, and the share of the width that each takes. The shares add up to 1.
    pub columns: Vec<(String, f32)>,
    /// The cells of each row, one for each column. What does not fit is cut off, with `…` in its place.
    pub rows: Vec<Vec<String>>,
}

/// A bar, which may have a line across it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bar {
    /// At its left.
    pub name: String,
    /// How long it is, from 0 to 1.
    pub share: f32,
    /// Where the line is, from 0 to 1; `None`: there is none.
    pub line: Option<f32>,
    /// At its right.
    pub value: String,
}

impl Report {
    /// Writes the report as PDF. Equal reports have equal bytes.
    pub fn write_pdf(&self, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
        let pages = lay_out(self, &fonts.ruler()?);
        draw::write(&format!("{} {}", self.title, self.subtitle), (WIDTH, HEIGHT), &pages, fonts)
    }
}

fn lay_out(report: &Report, ruler: &Ruler<'_>) -> Vec<Page> {
    let mut pen = Pen::new(&report.title, ruler);
    pen.write_title(&report.title, &report.mark, &report.subtitle);
    pen.y = 124.0;
    for Fact { name, value } in &report.facts {
        pen.write(LEFT, pen.y + 12.0, small(9.0), name);
        pen.write(LEFT + 84.0, pen.y + 12.0, plain(10.0), value);
        pen.y += LINE + 2.0;
    }
    for section in &report.sections {
        pen.write_section(section);
    }
    pen.finish(&report.number)
}

impl Pen<'_> {
    fn write_section(&mut self, section: &Section) {
        let table = if section.table.columns.is_empty() { 0 } else { section.table.rows.len() + 1 };
        // The heading is never alone at the end of a page.
        self.make_room(62.0 + ROW * count(table));
        self.y += 18.0;
        self.write(LEFT, self.y + 13.0, bold(12.0), &section.title);
        self.y += 20.0;
        self.rule(LEFT, self.y, RIGHT - LEFT, 1.2, BAR);
        self.y += 6.0;
        for note in &section.notes {
            self.write_sentence(note);
        }
        if table > 0 {
            self.write_table(&section.table);
        }
        if !section.bars.is_empty() {
            self.make_room(LINE + BAR_ROW * count(section.bars.len()));
            self.y += 8.0;
            self.write_sentence(&section.legend);
            for bar in &section.bars {
                self.write_bar(bar);
            }
        }
    }

    fn write_sentence(&mut self, sentence: &str) {
        for line in self.ruler.wrap(sentence, 9.0, false, RIGHT - LEFT, SENTENCE_LINES) {
            self.make_room(LINE);
            self.write(LEFT, self.y + 11.0, small(9.0), &line);
            self.y += LINE;
        }
    }

    fn write_table(&mut self, table: &Table) {
        self.y += 2.0;
        self.rule(LEFT, self.y, RIGHT - LEFT, ROW, PALE);
        let heads = table.columns.iter().map(|(head, _)| head.as_str());
        self.write_cells(table, heads, true);
        for row in &table.rows {
            self.make_room(ROW);
            self.write_cells(table, row.iter().map(String::as_str), false);
            self.rule(LEFT, self.y, RIGHT - LEFT, 0.5, LIGHT);
        }
    }

    fn write_cells<'t>(&mut self, table: &Table, cells: impl Iterator<Item = &'t str>, is_head: bool) {
        let look = if is_head { bold(9.0) } else { plain(10.0) };
        let mut x = LEFT;
        for (cell, (_, share)) in cells.zip(&table.columns) {
            let width = share * (RIGHT - LEFT);
            let fitting = self.ruler.wrap(cell, look.size, look.is_bold, width - 12.0, 1).concat();
            self.write(x + 6.0, self.y + 14.5, look, &fitting);
            x += width;
        }
        self.y += ROW;
    }

    fn write_bar(&mut self, bar: &Bar) {
        let width = BAR_RIGHT - BAR_LEFT;
        self.write(LEFT + 6.0, self.y + 14.0, plain(10.0), &bar.name);
        self.rule(BAR_LEFT, self.y + 4.0, width, 13.0, PALE);
        self.rule(BAR_LEFT, self.y + 4.0, width * bar.share.clamp(0.0, 1.0), 13.0, BAR);
        if let Some(line) = bar.line {
            self.rule(BAR_LEFT + width * line.clamp(0.0, 1.0) - 1.0, self.y + 1.0, 2.0, 19.0, GREY);
        }
        self.write_to(RIGHT - 6.0, self.y + 14.0, plain(9.0), &bar.value);
        self.y += BAR_ROW;
    }

    /// Begins the next page unless this height is left.
    fn make_room(&mut self, height: f32) {
        if self.y + height > BOTTOM {
            self.turn_page();
        }
    }
}

fn count(rows: usize) -> f32 {
    f32::from(u16::try_from(rows).unwrap_or(u16::MAX))
}
