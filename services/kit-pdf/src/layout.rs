//! Lays a sheet out on pages.

use crate::font::Ruler;
use crate::pen::{BLACK, BOTTOM, LEFT, LIGHT, Look, PALE, Page, Pen, RIGHT, WIDTH, bold, plain, small};
use crate::{Fact, Row, Sheet};

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

/// Lays the sheet out.
pub(crate) fn lay_out(sheet: &Sheet, ruler: &Ruler<'_>) -> Vec<Page> {
    let mut pen = Pen::new(&sheet.title, ruler);
    pen.write_head(sheet);
    pen.write_table_head(sheet);
    for row in &sheet.rows {
        pen.write_row(sheet, row);
    }
    pen.write_end(sheet);
    pen.finish(&sheet.number)
}

impl Pen<'_> {
    /// Everything above the table.
    fn write_head(&mut self, sheet: &Sheet) {
        self.write_title(&sheet.title, &sheet.mark, &sheet.subtitle);
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
            self.turn_page();
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
            self.turn_page();
        }
        self.y += 8.0;
        for (Fact { name, value }, look) in totals {
            let name = self.ruler.wrap(name, look.size, look.is_bold, QUANTITY - LEFT, 1).concat();
            self.write_to(QUANTITY, self.y + 14.0, look, &name);
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
}
