//! What is drawn on pages, and the pen that writes it. Coordinates are in points from the top left; those of a text are its
//! baseline.

use crate::font::Ruler;

/// A4 in portrait, in points.
pub(crate) const WIDTH: f32 = 595.0;
pub(crate) const HEIGHT: f32 = 842.0;

/// Red, green and blue.
pub(crate) type Colour = (u8, u8, u8);

pub(crate) const BLACK: Colour = (0x1a, 0x1a, 0x1a);
pub(crate) const GREY: Colour = (0x59, 0x59, 0x59);
pub(crate) const LIGHT: Colour = (0xd0, 0xd0, 0xd0);
pub(crate) const PALE: Colour = (0xf2, 0xf4, 0xf7);
pub(crate) const RED: Colour = (0xb4, 0x23, 0x18);

/// Left and right edge of what is printed.
pub(crate) const LEFT: f32 = 56.0;
pub(crate) const RIGHT: f32 = WIDTH - LEFT;
/// Where the content ends on a page.
pub(crate) const BOTTOM: f32 = HEIGHT - 76.0;

/// What is drawn on a page, in the order of reading.
pub(crate) type Page = Vec<Mark>;

/// Something drawn.
#[derive(Debug)]
pub(crate) enum Mark {
    Text(Text),
    Area {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        colour: Colour,
    },
    /// `line` is the width of its line.
    Frame {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        line: f32,
        colour: Colour,
    },
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
pub(crate) struct Look {
    pub(crate) size: f32,
    pub(crate) is_bold: bool,
    pub(crate) colour: Colour,
}

pub(crate) const fn plain(size: f32) -> Look {
    Look { size, is_bold: false, colour: BLACK }
}

pub(crate) const fn bold(size: f32) -> Look {
    Look { size, is_bold: true, colour: BLACK }
}

pub(crate) const fn small(size: f32) -> Look {
    Look { size, is_bold: false, colour: GREY }
}

/// Writes from the top to the bottom.
pub(crate) struct Pen<'a> {
    pub(crate) ruler: &'a Ruler<'a>,
    /// What the document is, for the pages after the first.
    title: &'a str,
    pages: Vec<Page>,
    /// How far the page is used.
    pub(crate) y: f32,
}

impl<'a> Pen<'a> {
    pub(crate) fn new(title: &'a str, ruler: &'a Ruler<'a>) -> Self {
        Self { ruler, title, pages: vec![Page::new()], y: 0.0 }
    }

    pub(crate) fn add(&mut self, mark: Mark) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    pub(crate) fn write(&mut self, x: f32, y: f32, look: Look, text: &str) {
        let Look { size, is_bold, colour } = look;
        self.add(Mark::Text(Text { x, y, size, is_bold, colour, line: text.to_owned() }));
    }

    /// Writes a text that ends at `right`.
    pub(crate) fn write_to(&mut self, right: f32, y: f32, look: Look, text: &str) {
        let width = self.ruler.width(text, look.size, look.is_bold);
        self.write(right - width, y, look, text);
    }

    pub(crate) fn rule(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        self.add(Mark::Area { x, y, width, height, colour });
    }

    /// Writes the title with a mark in a frame beside it, and what else the document is below. Empty: nothing.
    pub(crate) fn write_title(&mut self, title: &str, mark: &str, subtitle: &str) {
        let width = self.ruler.width(title, 22.0, true);
        let start = (WIDTH - width) / 2.0;
        self.write(start, 84.0, bold(22.0), title);
        if !mark.is_empty() {
            let look = Look { size: 10.0, is_bold: true, colour: RED };
            let frame = self.ruler.width(mark, look.size, look.is_bold) + 14.0;
            let x = start + width + 16.0;
            self.add(Mark::Frame { x, y: 67.0, width: frame, height: 18.0, line: 1.0, colour: RED });
            self.write(x + 7.0, 80.0, look, mark);
        }
        let width = self.ruler.width(subtitle, 9.0, false);
        self.write((WIDTH - width) / 2.0, 101.0, small(9.0), subtitle);
    }

    /// Begins the next page, which names the document.
    pub(crate) fn turn_page(&mut self) {
        self.pages.push(Page::new());
        self.write(LEFT, 66.0, bold(11.0), &format!("{}（続き）", self.title));
        self.y = 82.0;
    }

    /// Writes the number of the document and of the page below every page, and returns the pages.
    pub(crate) fn finish(mut self, number: &str) -> Vec<Page> {
        let count = self.pages.len();
        let look = small(8.0);
        for (page, place) in self.pages.iter_mut().zip(1_usize..) {
            let line = format!("{number}　{place} / {count}ページ");
            let x = RIGHT - self.ruler.width(&line, look.size, look.is_bold);
            let Look { size, is_bold, colour } = look;
            page.push(Mark::Text(Text { x, y: HEIGHT - 42.0, size, is_bold, colour, line }));
        }
        self.pages
    }
}
