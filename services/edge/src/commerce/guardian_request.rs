//! A learner asks the linked guardians to pay for what is in the cart.

use axum::extract::State;
use axum::response::Response;
use proto::commerce as wire;
use serde::Serialize;
use time::OffsetDateTime;
use utoipa::ToSchema;

use super::buyer::{find_learner, list_guardians};
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Empty;
use crate::session::Learner;
use crate::timestamp::parse_timestamp;

/// The guardians were asked.
#[derive(Serialize, ToSchema)]
pub(crate) struct GuardianRequest {
    /// Number of guardians.
    #[schema(minimum = 1, example = 2)]
    asked: u32,
    #[serde(with = "time::serde::rfc3339")]
    asked_at: OffsetDateTime,
}

/// Asks the caller's guardians to pay: the caller's own lines are copied to the cart of each linked guardian, up to
/// its limit of 20 lines, and each guardian gets an email.
///
/// Lines of the open order and lines with a problem are left out, except for a missing consent. 409
/// `NO_GUARDIAN` without a linked guardian, `CART_EMPTY` without such lines; 429 `RATE_LIMITED` within 10 minutes of the
/// last time.
#[utoipa::path(
    post,
    path = "/api/commerce/cart/ask/",
    operation_id = "ask_guardians",
    tag = "commerce",
    responses((status = 200, description = "The guardians were asked.", body = GuardianRequest))
)]
pub(crate) async fn ask(State(edge): State<Edge>, learner: Learner, _: Empty) -> Result<Response, Error> {
    let (buyer, guardians) =
        tokio::try_join!(find_learner(&edge, &learner), list_guardians(&edge, &learner))?;
    let request = wire::AskGuardiansRequest { buyer: Some(buyer), guardians };
    let answer = edge.carts(&learner).ask_guardians(request).await?.into_inner();
    Ok(json(&GuardianRequest { asked: answer.asked, asked_at: parse_timestamp(answer.asked_at)? }))
}
