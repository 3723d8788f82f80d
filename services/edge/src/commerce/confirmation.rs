//! The confirmation before an order: what the buyer agrees to.

use axum::extract::State;
use axum::response::Response;
use proto::commerce as wire;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::buyer::find_buyer;
use super::coupon::OrderCoupon;
use super::incomplete;
use super::payment::PaymentMethod;
use super::product::ProductKind;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Query;
use crate::session::Relative;

/// What the buyer agrees to. The page shows exactly this.
#[derive(Serialize, ToSchema)]
pub(crate) struct Confirmation {
    /// SHA-256 of the document as commerce stores it, in hex. An order is placed with it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
    document: ConfirmationDocument,
}

/// What the buyer is about to agree to, for one method, and the other methods.
#[derive(Serialize, ToSchema)]
pub(crate) struct ConfirmationChoice {
    /// SHA-256 of the document as commerce stores it, in hex. An order is placed with it.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    digest: String,
    document: ConfirmationDocument,
    /// The method that the document is for.
    method: PaymentMethod,
    /// The methods that can be chosen for this cart now.
    methods: Vec<PaymentMethod>,
}

/// The document that commerce renders and stores with the order.
#[derive(Serialize, Deserialize, ToSchema)]
struct ConfirmationDocument {
    /// Version of the format.
    #[schema(minimum = 1, example = 2)]
    version: u32,
    /// How the order is paid.
    #[serde(default)]
    #[schema(required)]
    method: PaymentMethod,
    lines: Vec<ConfirmationLine>,
    /// Yen, tax included, before the discount. Null in version 1, which had no discount.
    #[serde(default)]
    #[schema(required, minimum = 1, example = 16500)]
    subtotal: Option<i32>,
    /// Yen that the coupons take off.
    #[serde(default)]
    #[schema(required, minimum = 0, example = 2475)]
    discount: i32,
    /// The coupons that the order uses, a percentage first.
    #[serde(default)]
    #[schema(required)]
    coupons: Vec<OrderCoupon>,
    /// Yen, tax included, after the discount.
    #[schema(minimum = 0, example = 14025)]
    total: i32,
    /// Yen of tax in `total`.
    #[schema(minimum = 0, example = 1500)]
    tax: i32,
    /// Percent.
    #[schema(example = 10)]
    tax_rate: u32,
    /// The terms of the sale.
    terms: Vec<ConfirmationTerm>,
    /// The document of a contract of a 特定継続的役務 (概要書面 and 契約書面). Absent for any other order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    contract: Option<Vec<ConfirmationTerm>>,
}

/// A line of the confirmation.
#[derive(Serialize, Deserialize, ToSchema)]
struct ConfirmationLine {
    product_id: i64,
    /// Id of the course; null for other kinds.
    #[schema(required)]
    course_id: Option<i64>,
    #[serde(default)]
    #[schema(required)]
    kind: ProductKind,
    name: String,
    /// Days of access; null: not limited by days.
    #[schema(required, example = 365)]
    period_days: Option<i32>,
    /// Yen, tax included.
    #[schema(minimum = 1, example = 16500)]
    price: i32,
    /// Yen: the line's part of the discount.
    #[serde(default)]
    #[schema(required, minimum = 0, example = 2475)]
    discount: i32,
    #[schema(format = Uuid)]
    learner_id: String,
    #[schema(example = "葵 太郎")]
    learner_name: String,
}

/// A term of the sale.
#[derive(Serialize, Deserialize, ToSchema)]
struct ConfirmationTerm {
    #[schema(example = "販売価格")]
    title: String,
    text: String,
}

impl Confirmation {
    pub(super) fn new(confirmation: wire::Confirmation) -> Result<Self, Error> {
        let document = serde_json::from_slice(&confirmation.document).map_err(|error| {
            // The error may quote the document, which has names.
            tracing::error!(
                line = error.line(),
                column = error.column(),
                "commerce sent a confirmation that can't be parsed"
            );
            Error::Internal
        })?;
        Ok(Self { digest: confirmation.digest, document })
    }
}

/// Returns what the confirmation page shows for the caller's cart as it is now, paid by a method.
///
/// Only lines without a problem. 409 `CART_EMPTY` if there is none. 400 if the cart can't be paid by the method
/// (`method`: `UNKNOWN_CHOICE`).
#[utoipa::path(
    get,
    path = "/api/commerce/confirmation/",
    operation_id = "confirmation",
    tag = "commerce",
    params(("method" = Option<PaymentMethod>, Query, description = "How it will be paid; a card if it is left out.")),
    responses((status = 200, description = "The confirmation.", body = ConfirmationChoice))
)]
pub(crate) async fn confirmation(
    State(edge): State<Edge>,
    relative: Relative,
    query: Query,
) -> Result<Response, Error> {
    let method = match query.text("method")? {
        None => wire::PaymentMethod::Card,
        Some(name) => PaymentMethod::parse(&name).ok_or_else(|| Error::field("method", "UNKNOWN_CHOICE"))?,
    };
    let buyer = Some(find_buyer(&edge, &relative).await?);
    let request = wire::GetConfirmationRequest { buyer, method: method.into() };
    let answer = edge.orders(&relative).get_confirmation(request).await?.into_inner();
    let methods = answer.methods().map(PaymentMethod::new).collect::<Result<_, _>>()?;
    let confirmation = answer.confirmation.ok_or_else(|| incomplete("confirmation"))?;
    let Confirmation { digest, document } = Confirmation::new(confirmation)?;
    Ok(json(&ConfirmationChoice { digest, method: document.method, document, methods }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_passed_on_as_it_is() {
        let document = r#"{"version":1,"lines":[{"product_id":1105,"course_id":105,"name":"中3数学","period_days":365,"price":16500,"learner_id":"01936f2a-4c00-7a31-8b52-1f6d0c9e4a01","learner_name":"葵 太郎"}],"total":16500,"tax":1500,"tax_rate":10,"terms":[{"title":"分量","text":"1講座"}]}"#;
        let sent = wire::Confirmation { document: document.as_bytes().to_vec(), digest: "ab".to_owned() };
        let shown = serde_json::to_value(Confirmation::new(sent).unwrap()).unwrap();
        assert_eq!(shown["digest"], "ab");
        // Version 1 has no method, no discount and no kinds.
        let mut stored: serde_json::Value = serde_json::from_str(document).unwrap();
        stored["method"] = "card".into();
        stored["subtotal"] = serde_json::Value::Null;
        stored["discount"] = 0.into();
        stored["coupons"] = serde_json::Value::Array(Vec::new());
        stored["lines"][0]["kind"] = "course".into();
        stored["lines"][0]["discount"] = 0.into();
        assert_eq!(shown["document"], stored);

        let document =
            document.replace(r"}]}", r#"}],"contract":[{"title":"クーリング・オフ","text":"8日間"}]}"#);
        let sent = wire::Confirmation { document: document.into_bytes(), digest: "ab".to_owned() };
        let shown = serde_json::to_value(Confirmation::new(sent).unwrap()).unwrap();
        assert_eq!(shown["document"]["contract"][0]["text"], "8日間");
    }

    #[test]
    fn an_invalid_document_is_an_internal_error() {
        for junk in ["", "{}", "[]", r#"{"version":1}"#] {
            let sent = wire::Confirmation { document: junk.as_bytes().to_vec(), digest: String::new() };
            assert!(matches!(Confirmation::new(sent), Err(Error::Internal)), "{junk}");
        }
    }
}
