//! The confirmation: what the page before an order shows, as the Act on Specified Commercial Transactions
//! (特定商取引法) wants it.
//!
//! It is a JSON document with fixed bytes: the same cart, prices, learners and texts give the same document. Its SHA-256
//! comes back with the order, which stores the document.

mod terms;

use aws_lc_rs::digest::{SHA256, digest};
use kit::error::FieldError;
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::cart::{self, Line};
use crate::error::Error;
use crate::owned_courses::OwnedCourses;
use crate::payment::Method;
use crate::product::Kind;
use crate::tax;
use terms::Term;

/// The version of the document's fields.
const VERSION: u32 = 2;

/// What the buyer agrees to.
pub(crate) struct Confirmation {
    pub(crate) document: Vec<u8>,
    /// The SHA-256 of the document.
    pub(crate) digest: [u8; 32],
    /// Oldest first.
    pub(crate) lines: Vec<ConfirmedLine>,
    /// Yen, tax included.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
    /// The methods that can be chosen for it.
    pub(crate) methods: Vec<Method>,
}

/// A line of the document.
#[derive(Serialize)]
pub(crate) struct ConfirmedLine {
    #[serde(rename = "product_id")]
    pub(crate) product: i64,
    #[serde(rename = "course_id")]
    pub(crate) course: Option<i64>,
    pub(crate) name: String,
    pub(crate) period_days: Option<i32>,
    /// Yen, tax included.
    pub(crate) price: i32,
    #[serde(rename = "learner_id")]
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
}

/// The document. The order of its fields is part of its bytes.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    lines: &'a [ConfirmedLine],
    total: i32,
    tax: i32,
    tax_rate: i32,
    method: Method,
    terms: Vec<Term>,
}

/// Renders the confirmation of the lines that the account can order now, paid by `method`. Fails with
/// [`Error::CartEmpty`] if there are none, and if they can't be paid that way.
pub(crate) async fn render(
    connection: &mut PgConnection,
    account: Uuid,
    buyer: &Buyer,
    owned: &OwnedCourses,
    method: Method,
    now: OffsetDateTime,
) -> Result<Confirmation, Error> {
    let cart = cart::lines_for_order(connection, account, buyer, owned, now).await?;
    if cart.is_empty() {
        return Err(Error::CartEmpty);
    }
    let lines: Vec<_> = cart.iter().map(|line| confirm_line(line, buyer)).collect();
    // At most 20 lines of at most 1,000,000 yen.
    let total = lines.iter().map(|line| line.price).sum();
    let tax = tax::included_in(total);
    let kinds: Vec<Kind> = cart.iter().map(|line| line.product.kind).collect();
    let methods = Method::list_offered(&kinds, total);
    if !methods.contains(&method) {
        return Err(Error::Field(FieldError::new("method", "UNKNOWN_CHOICE")));
    }
    let terms = terms::write_terms(&cart, total, tax, method);
    let document =
        Document { version: VERSION, lines: &lines, total, tax, tax_rate: tax::RATE, method, terms };
    let document = serde_json::to_vec(&document)?;
    let mut sha256 = [0; 32];
    sha256.copy_from_slice(digest(&SHA256, &document).as_ref());
    Ok(Confirmation { document, digest: sha256, lines, total, tax, methods })
}

/// Empties the id and the name of a learner in a stored document. Every other byte stays, so that a person who knows both
/// can still check the document by its SHA-256.
pub(crate) fn erase_learner(document: &[u8], learner: Uuid, name: &str) -> Vec<u8> {
    // As serde_json writes the two fields, one after the other.
    let fields = |id: Uuid, name| format!(r#""learner_id":"{id}","learner_name":{}"#, Value::from(name));
    let (stored, erased) = (fields(learner, name), fields(Uuid::nil(), ""));
    String::from_utf8_lossy(document).replace(&stored, &erased).into_bytes()
}

fn confirm_line(line: &Line, buyer: &Buyer) -> ConfirmedLine {
    ConfirmedLine {
        product: line.product.id,
        course: line.product.course_id,
        name: line.product.name.clone(),
        period_days: line.product.period_days,
        price: line.product.price,
        learner: line.learner,
        learner_name: buyer
            .find_learner(line.learner)
            .map_or_else(String::new, |learner| learner.name.clone()),
    }
}
