//! The confirmation: the content of the page before an order, as required by the Act on Specified
//! Commercial Transactions (特定商取引法).
//!
//! It is a JSON document with stable bytes: the same cart, prices, learners and texts give the same
//! document. The client returns its SHA-256 with the order, which stores the document.

mod contract;
mod stored;
mod terms;
mod withdrawal;

use aws_lc_rs::digest::{SHA256, digest};
use kit::error::FieldError;
use serde::Serialize;
use serde_json::Value;
use sqlx::PgConnection;
use time::OffsetDateTime;
use uuid::Uuid;

use crate::buyer::Buyer;
use crate::card;
use crate::cart::{self, Line};
use crate::continuous_service;
use crate::coupon;
use crate::coupon::quote::{self, PricedLine, QuotedCoupon};
use crate::coupon::usage::ConfirmedCoupon;
use crate::error::Error;
use crate::owned_courses::OwnedCourses;
use crate::payment::Method;
use crate::product::Kind;
use crate::refund_policy;
use crate::subscription_rules::Period;
use crate::tax;
pub(crate) use stored::{StoredTerm, read_terms};
use terms::Term;

/// The version of the document's fields. Version 1 had no method, discount or kinds.
const VERSION: u32 = 2;

/// A rendered confirmation.
pub(crate) struct Confirmation {
    pub(crate) document: Vec<u8>,
    /// The SHA-256 of the document.
    pub(crate) digest: [u8; 32],
    pub(crate) method: Method,
    /// Oldest first.
    pub(crate) lines: Vec<ConfirmedLine>,
    /// The coupons with a discount, the percentage first.
    pub(crate) coupons: Vec<ConfirmedCoupon>,
    /// The discount of the coupons in yen.
    pub(crate) discount: i32,
    /// Yen, tax included, after the discount.
    pub(crate) total: i32,
    /// Yen of tax in `total`.
    pub(crate) tax: i32,
    /// The version of the refund policy.
    pub(crate) refund_policy: i16,
    /// The available payment methods.
    pub(crate) methods: Vec<Method>,
}

impl Confirmation {
    /// Whether the order is a contract of a 特定継続的役務.
    pub(crate) fn is_contract(&self) -> bool {
        self.lines.iter().any(|line| line.is_continuous_service)
    }
}

/// A line of the document.
#[derive(Serialize)]
pub(crate) struct ConfirmedLine {
    #[serde(rename = "product_id")]
    pub(crate) product: i64,
    #[serde(rename = "course_id")]
    pub(crate) course: Option<i64>,
    /// Set for exam seats only, like the next field. Other kinds leave it out of the document.
    #[serde(rename = "exam_id", skip_serializing_if = "Option::is_none")]
    pub(crate) exam: Option<i64>,
    #[serde(with = "time::serde::rfc3339::option", skip_serializing_if = "Option::is_none")]
    pub(crate) application_closes_at: Option<OffsetDateTime>,
    pub(crate) kind: Kind,
    pub(crate) name: String,
    pub(crate) period_days: Option<i32>,
    /// Yen, tax included.
    pub(crate) price: i32,
    /// Its share of the discount, in yen.
    pub(crate) discount: i32,
    #[serde(rename = "learner_id")]
    pub(crate) learner: Uuid,
    pub(crate) learner_name: String,
    /// Whether it belongs to a contract of a 特定継続的役務. The document names it in `contract`.
    #[serde(skip)]
    pub(crate) is_continuous_service: bool,
}

/// The document. The order of its fields is part of its bytes.
#[derive(Serialize)]
struct Document<'a> {
    version: u32,
    method: Method,
    lines: &'a [ConfirmedLine],
    subtotal: i32,
    discount: i32,
    coupons: &'a [ConfirmedCoupon],
    total: i32,
    tax: i32,
    tax_rate: i32,
    terms: Vec<Term>,
    /// Set for a contract of a 特定継続的役務 only.
    #[serde(skip_serializing_if = "Option::is_none")]
    contract: Option<Vec<Term>>,
}

/// The sums of a document, in yen.
#[derive(Clone, Copy)]
struct Sums {
    subtotal: i32,
    discount: i32,
    total: i32,
    tax: i32,
}

/// Renders the confirmation of the lines that the account can order now, paid by `method`, or by
/// [`Method::Coupon`] if the total is 0. Fails with [`Error::CartEmpty`] if there are no lines or
/// the method is not available.
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
    let priced: Vec<PricedLine> = cart.iter().map(PricedLine::from).collect();
    let applied = coupon::list_applied(connection, account).await?;
    let quote = quote::quote(&applied, &priced, now);
    let contract = continuous_service::list_contract(&cart);
    let parts = cart.iter().zip(&quote.lines);
    let lines = parts.map(|(line, discount)| ConfirmedLine {
        is_continuous_service: contract.iter().any(|part| part.id == line.id),
        ..confirm_line(line, *discount, buyer)
    });
    let lines: Vec<_> = lines.collect();
    let coupons: Vec<_> = quote.coupons.into_iter().filter_map(confirm_coupon).collect();
    let discount = quote.discount;
    // At most 20 lines of at most 1,000,000 yen.
    let subtotal = lines.iter().map(|line| line.price).sum::<i32>();
    let total = subtotal - discount;
    let tax = tax::included_in(total);
    let has_card = card::find(connection, account).await?.is_some();
    let kinds: Vec<Kind> = cart.iter().map(|line| line.product.kind).collect();
    let methods = Method::list_offered(&kinds, total, has_card);
    // A total of 0 is paid by coupons, regardless of the chosen method.
    let method = if total == 0 { Method::Coupon } else { method };
    if !methods.contains(&method) {
        return Err(Error::Field(FieldError::new("method", "UNKNOWN_CHOICE")));
    }
    let sums = Sums { subtotal, discount, total, tax };
    let policy = refund_policy::find_current(connection, now).await?;
    let terms = terms::write_terms(&cart, &coupons, sums, method, &policy, now);
    let contract = contract::write_contract(&contract, sums, method, &policy);
    Ok(Confirmation { methods, ..seal(lines, coupons, sums, method, policy.version, terms, contract)? })
}

/// Renders the document of a renewal: the same terms as the subscription's first order, for one
/// more period.
pub(crate) fn render_renewal(
    line: ConfirmedLine,
    period: Period,
    ordered_as: &str,
    refund_policy: i16,
) -> Result<Confirmation, Error> {
    let total = line.price;
    let sums = Sums { subtotal: total, discount: 0, total, tax: tax::included_in(total) };
    let terms = terms::write_renewal_terms(&line.name, sums, period, ordered_as);
    seal(vec![line], Vec::new(), sums, Method::SavedCard, refund_policy, terms, None)
}

/// Serialises the document and computes its digest.
fn seal(
    lines: Vec<ConfirmedLine>,
    coupons: Vec<ConfirmedCoupon>,
    sums: Sums,
    method: Method,
    refund_policy: i16,
    terms: Vec<Term>,
    contract: Option<Vec<Term>>,
) -> Result<Confirmation, Error> {
    let Sums { subtotal, discount, total, tax } = sums;
    let document = Document {
        version: VERSION,
        method,
        lines: &lines,
        subtotal,
        discount,
        coupons: &coupons,
        total,
        tax,
        tax_rate: tax::RATE,
        terms,
        contract,
    };
    let document = serde_json::to_vec(&document)?;
    let mut sha256 = [0; 32];
    sha256.copy_from_slice(digest(&SHA256, &document).as_ref());
    let methods = Vec::new();
    Ok(Confirmation {
        document,
        digest: sha256,
        method,
        lines,
        coupons,
        discount,
        total,
        tax,
        refund_policy,
        methods,
    })
}

/// Empties the id and name of a learner in a stored document. All other bytes stay the same, so a
/// person who knows both can still verify the document by its SHA-256.
pub(crate) fn erase_learner(document: &[u8], learner: Uuid, name: &str) -> Vec<u8> {
    // The two fields as serde_json writes them, one after the other.
    let fields = |id: Uuid, name| format!(r#""learner_id":"{id}","learner_name":{}"#, Value::from(name));
    let (stored, erased) = (fields(learner, name), fields(Uuid::nil(), ""));
    String::from_utf8_lossy(document).replace(&stored, &erased).into_bytes()
}

/// Omits a coupon without a discount.
fn confirm_coupon(coupon: QuotedCoupon) -> Option<ConfirmedCoupon> {
    let confirmed = ConfirmedCoupon { id: coupon.id, name: coupon.name, amount: coupon.amount };
    (confirmed.amount > 0).then_some(confirmed)
}

fn confirm_line(line: &Line, discount: i32, buyer: &Buyer) -> ConfirmedLine {
    ConfirmedLine {
        product: line.product.id,
        course: line.product.course_id,
        exam: line.product.exam_id,
        application_closes_at: line.product.application_closes_at,
        kind: line.product.kind,
        name: line.product.name.clone(),
        period_days: line.product.period_days,
        price: line.product.price,
        discount,
        learner: line.learner,
        learner_name: buyer
            .find_learner(line.learner)
            .map_or_else(String::new, |learner| learner.name.clone()),
        is_continuous_service: false,
    }
}
