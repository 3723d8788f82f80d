//! Lays a sheet out on pages. Coordinates are in points from the top left; those of a text are its baseline.

use crate::font::Ruler;
use crate::{Fact, Row, Sheet};

/// A4 in points.
pub(crate) const WIDTH: f32 = 595.0;
pub(crate) const HEIGHT: f32 = 842.0;

/// Red, green and blue.
pub(crate) type Colour = (u8, u8, u8);

const BLACK: Colour = (0x1a, 0x1a, 0x1a);
const GREY: Colour = (0x59, 0x59, 0x59);
const LIGHT: Colour = (0xd0, 0xd0, 0xd0);
const PALE: Colour = (0xf2, 0xf4, 0xf7);
const RED: Colour = (0xb4, 0x23, 0x18);

/// Left and right edge of what is printed.
const LEFT: f32 = 56.0;
const RIGHT: f32 = WIDTH - LEFT;
/// Where the rows end on a page.
const BOTTOM: f32 = HEIGHT - 76.0;
/// Right edge of the quantity.
const QUANTITY: f32 = 430.0;
/// Width of the name of a row.
const NAME_WIDTH: f32 = 320.0;
/// Most lines of a name.
const NAME_LINES: usize = 3;
/// Left edge of the numbers at the top right, and width of the addressee beside them.
const NUMBERS: f32 = 362.0;
const ADDRESSEE_WIDTH: f32 = NUMBERS - LEFT - 24.0;
/// Most lines of the addressee: 63 wide characters fill three.
const ADDRESSEE_LINES: usize = 4;
/// Left edge of the totals, and height of a line of them.
const TOTALS: f32 = 302.0;
const TOTAL_HEIGHT: f32 = 20.0;

/// What is drawn on a page, in the order of reading.
pub(crate) type Page = Vec<Mark>;

/// Something drawn.
#[derive(Debug)]
pub(crate) enum Mark {
    Text(Text),
    Area { x: f32, y: f32, width: f32, height: f32, colour: Colour },
    Frame { x: f32, y: f32, width: f32, height: f32, colour: Colour },
}

/// A line of text.
#[derive(Debug)]
pub(crate) struct Text {
    pub(crate) x: f32,
    pub(crate) y: f32,
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
    pub(crate) line: String,
}

/// The look of a text.
#[derive(Clone, Copy)]
struct Look {
    size: f32,
    is_bold: bool,
    colour: Colour,
}

const fn plain(size: f32) -> Look {
    Look { size, is_bold: false, colour: BLACK }
}

const fn bold(size: f32) -> Look {
    Look { size, is_bold: true, colour: BLACK }
}

const fn small(size: f32) -> Look {
    Look { size, is_bold: false, colour: GREY }
}

/// Lays the sheet out.
pub(crate) fn lay_out(sheet: &Sheet, ruler: &Ruler<'_>) -> Vec<Page> {
    let mut pen = Pen { ruler, pages: vec![Page::new()], y: 0.0 };
    pen.write_head(sheet);
    pen.write_table_head(sheet);
    for row in &sheet.rows {
        pen.write_row(sheet, row);
    }
    pen.write_end(sheet);
    pen.write_feet(sheet);
    pen.pages
}

/// Writes from the top to the bottom.
struct Pen<'a> {
    ruler: &'a Ruler<'a>,
    pages: Vec<Page>,
    /// How far the page is used.
    y: f32,
}

impl Pen<'_> {
    fn add(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    fn write(&mut self, x: f32, y: f32, look: Look, text: &str) {
        let Look { size, is_bold, colour } = look;
        self.add(Mark::Text(Text { x, y, size, is_bold, colour, line: text.to_owned() }));
    }

    /// Writes a text that ends at `right`.
    fn write_to(&mut self, right: f32, y: f32, look: Look, text: &str) {
        let width = self.ruler.width(text, look.size, look.is_bold);
        self.write(right - width, y, look, text);
    }

    fn rule(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        self.add(Mark::Area { x, y, width, height, colour });
    }

    /// Everything above the table.
    fn write_head(&mut self, sheet: &Sheet) {
        let title = self.ruler.width(&sheet.title, 22.0, true);
        let start = (WIDTH - title) / 2.0;
        self.write(start, 84.0, bold(22.0), &sheet.title);
        if !sheet.mark.is_empty() {
            let look = Look { size: 10.0, is_bold: true, colour: RED };
            let width = self.ruler.width(&sheet.mark, look.size, look.is_bold) + 14.0;
            let x = start + title + 16.0;
            self.add(Mark::Frame { x, y: 67.0, width, height: 18.0, colour: RED });
            self.write(x + 7.0, 80.0, look, &sheet.mark);
        }
        let subtitle = self.ruler.width(&sheet.subtitle, 9.0, false);
        self.write((WIDTH - subtitle) / 2.0, 101.0, small(9.0), &sheet.subtitle);

        let addressee_end = self.write_addressee(&sheet.addressee, 146.0);
        let mut y = 134.0;
        for Fact { name, value } in &sheet.numbers {
            self.write(NUMBERS, y, small(8.5), name);
            self.write_to(RIGHT, y, plain(9.0), value);
            y += 15.0;
        }
        let mut y = addressee_end.max(y) + 14.0;
        self.rule(LEFT, y, RIGHT - LEFT, 40.0, PALE);
        let amount = self.ruler.width(&sheet.amount.value, 20.0, true);
        let note = self.ruler.width(&sheet.amount_note, 10.0, false);
        let name = self.ruler.width(&sheet.amount.name, 11.0, false);
        let start = (WIDTH - name - amount - note - 24.0) / 2.0;
        self.write(start, y + 26.0, plain(11.0), &sheet.amount.name);
        self.write(start + name + 20.0, y + 27.0, bold(20.0), &sheet.amount.value);
        self.write(start + name + amount + 24.0, y + 26.0, plain(10.0), &sheet.amount_note);
        y += 62.0;
        self.write(LEFT, y, plain(10.0), &sheet.statement);
        for (line, place) in sheet.issuer.iter().zip(0_u8..) {
            y += 17.0;
            let look = if place == 0 { bold(11.0) } else { plain(9.0) };
            self.write_to(RIGHT, y, look, line);
        }
        self.y = y + 20.0;
    }

    /// Writes the addressee, and a line below. Returns where it ends.
    fn write_addressee(&mut self, addressee: &str, mut y: f32) -> f32 {
        if addressee.is_empty() {
            return y;
        }
        let fits = self.ruler.width(addressee, 16.0, true) <= ADDRESSEE_WIDTH;
        let look = if fits { bold(16.0) } else { bold(12.0) };
        let lines = self.ruler.wrap(addressee, look.size, true, ADDRESSEE_WIDTH, ADDRESSEE_LINES);
        let last = lines.len() - 1;
        for (line, place) in lines.iter().zip(0_usize..) {
            self.write(LEFT, y, look, line);
            if place < last {
                y += 17.0;
            }
        }
        self.rule(LEFT, y + 6.0, ADDRESSEE_WIDTH, 0.8, BLACK);
        y + 8.0
    }

    fn write_table_head(&mut self, sheet: &Sheet) {
        let [name, quantity, amount] = &sheet.heads;
        let y = self.y;
        self.rule(LEFT, y, RIGHT - LEFT, 22.0, PALE);
        self.write(LEFT + 8.0, y + 15.0, bold(9.0), name);
        self.write_to(QUANTITY, y + 15.0, bold(9.0), quantity);
        self.write_to(RIGHT - 8.0, y + 15.0, bold(9.0), amount);
        self.y = y + 22.0;
    }

    fn write_row(&mut self, sheet: &Sheet, row: &Row) {
        let lines = self.ruler.wrap(&row.name, 10.0, false, NAME_WIDTH, NAME_LINES);
        let detail = self.ruler.wrap(&row.detail, 8.0, false, NAME_WIDTH, 1);
        let has_detail = !row.detail.is_empty();
        let height = 12.0 + lines.iter().map(|_| 14.0).sum::<f32>() + if has_detail { 12.0 } else { 0.0 };
        if self.y + height > BOTTOM {
            self.turn_page(sheet);
            self.write_table_head(sheet);
        }
        let mut y = self.y + 17.0;
        self.write_to(QUANTITY, y, plain(10.0), &row.quantity);
        self.write_to(RIGHT - 8.0, y, plain(10.0), &row.amount);
        for line in &lines {
            self.write(LEFT + 8.0, y, plain(10.0), line);
            y += 14.0;
        }
        if has_detail {
            self.write(LEFT + 8.0, y - 1.0, small(8.0), &detail.concat());
        }
        self.y += height;
        self.rule(LEFT, self.y, RIGHT - LEFT, 0.5, LIGHT);
    }

    /// The totals and facts, on one page.
    fn write_end(&mut self, sheet: &Sheet) {
        let total = (&sheet.total, bold(11.0));
        let totals: Vec<(&Fact, Look)> = (sheet.before_total.iter().map(|fact| (fact, plain(10.0))))
            .chain([total])
            .chain(sheet.after_total.iter().map(|fact| (fact, plain(10.0))))
            .collect();
        let lines = totals.iter().map(|_| TOTAL_HEIGHT).chain(sheet.facts.iter().map(|_| TOTAL_HEIGHT));
        if self.y + lines.sum::<f32>() + 36.0 > BOTTOM {
            self.turn_page(sheet);
        }
        self.y += 8.0;
        for (Fact { name, value }, look) in totals {
            self.write_to(QUANTITY, self.y + 14.0, look, name);
            self.write_to(RIGHT - 8.0, self.y + 14.0, look, value);
            self.y += TOTAL_HEIGHT;
            self.rule(TOTALS, self.y, RIGHT - TOTALS, 0.5, LIGHT);
        }
        self.y += 18.0;
        for Fact { name, value } in &sheet.facts {
            self.write(LEFT, self.y + 12.0, small(9.0), name);
            self.write(LEFT + 96.0, self.y + 12.0, plain(9.5), value);
            self.y += TOTAL_HEIGHT;
        }
    }

    /// Begins the next page, which names the sheet.
    fn turn_page(&mut self, sheet: &Sheet) {
        self.pages.push(Page::new());
        self.write(LEFT, 66.0, bold(11.0), &format!("{}（続き）", sheet.title));
        self.y = 82.0;
    }

    /// Writes the number of the sheet and of the page below every page.
    fn write_feet(&mut self, sheet: &Sheet) {
        let count = self.pages.len();
        let look = small(8.0);
        for (page, number) in self.pages.iter_mut().zip(1_usize..) {
            let line = format!("{}　{number} / {count}ページ", sheet.number);
            let x = RIGHT - self.ruler.width(&line, look.size, look.is_bold);
            let Look { size, is_bold, colour } = look;
            page.push(Mark::Text(Text { x, y: HEIGHT - 42.0, size, is_bold, colour, line }));
        }
    }
}
