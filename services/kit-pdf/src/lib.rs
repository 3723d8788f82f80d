//! Documents as PDF: A4, in Japanese. A [`Sheet`] has an addressee, a table and totals; a [`Report`] has sections of tables
//! and bars; a [`Certificate`] is one page in landscape.
//!
//! `write_pdf` lays a document out on pages and draws them. The font is embedded as the subset of characters that the
//! document uses. The work takes some 10 ms of CPU: [`PdfWriter`] does it on blocking threads.

mod certificate;
mod draw;
mod font;
mod layout;
mod pen;
mod report;
mod writer;

use pen::{HEIGHT, WIDTH};

pub use certificate::Certificate;
pub use font::Fonts;
pub use report::{Bar, Report, Section, Table};
pub use writer::{PdfPermit, PdfWriter};

/// Largest PDF in bytes. One of 20 lines has about 100 kB.
const SIZE_LIMIT: usize = 1024 * 1024;

/// Why a PDF could not be written.
#[derive(Debug, thiserror::Error)]
pub enum PdfError {
    /// A file of the font could not be read.
    #[error("{0}: {1}")]
    File(std::path::PathBuf, std::io::Error),
    /// A file is no font.
    #[error("{0} is no font")]
    Font(std::path::PathBuf),
    /// The library failed.
    #[error("{0}")]
    Document(String),
    /// The PDF is larger than 1 MiB.
    #[error("the PDF has {0} bytes")]
    TooLarge(usize),
}

/// A document, in the words that are printed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sheet {
    /// What it is, e.g. `領収書`.
    pub title: String,
    /// What else it is, below the title, e.g. `適格請求書`. Empty: nothing.
    pub subtitle: String,
    /// In a frame beside the title, e.g. `再発行`. Empty: nothing.
    pub mark: String,
    /// Its number, for the foot of each page.
    pub number: String,
    /// Numbers and dates, at the top right.
    pub numbers: Vec<Fact>,
    /// Whom it is made out to, with the title of address. Empty: nobody.
    pub addressee: String,
    /// The amount that it is about.
    pub amount: Fact,
    /// What follows the amount, e.g. `（税込）`.
    pub amount_note: String,
    /// The sentence below the amount.
    pub statement: String,
    /// Who issues it: the name, then other lines.
    pub issuer: Vec<String>,
    /// Heads of the columns: name, quantity, amount.
    pub heads: [String; 3],
    /// The rows of the table. Those that do not fit go on the next page.
    pub rows: Vec<Row>,
    /// Below the column of the amounts, before the total: e.g. a discount.
    pub before_total: Vec<Fact>,
    /// The total.
    pub total: Fact,
    /// What the total has in it: e.g. the tax.
    pub after_total: Vec<Fact>,
    /// Facts at the end, e.g. the payment method.
    pub facts: Vec<Fact>,
}

/// A name and a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fact {
    /// The name.
    pub name: String,
    /// The value.
    pub value: String,
}

impl Fact {
    /// A fact of this name and value.
    #[must_use]
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Self {
        Self { name: name.into(), value: value.into() }
    }
}

/// A row of the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// What it is about. At most three lines are printed.
    pub name: String,
    /// In small print below the name. Empty: nothing.
    pub detail: String,
    /// The quantity.
    pub quantity: String,
    /// The amount.
    pub amount: String,
}

impl Sheet {
    /// Writes the sheet as PDF.
    pub fn write_pdf(&self, fonts: &Fonts) -> Result<Vec<u8>, PdfError> {
        let pages = layout::lay_out(self, &fonts.ruler()?);
        draw::write(&format!("{} {}", self.title, self.number), (WIDTH, HEIGHT), &pages, fonts)
    }
}
