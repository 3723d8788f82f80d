//! The saved card. Its number is entered on the provider's page only.

use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use proto::commerce as wire;
use serde::Serialize;
use utoipa::ToSchema;

use super::buyer::find_buyer;
use crate::Edge;
use crate::answer::json;
use crate::error::Error;
use crate::input::Empty;
use crate::session::Relative;

/// The saved card of the caller.
#[derive(Serialize, ToSchema)]
pub(crate) struct SavedCard {
    /// Null: there is none.
    #[schema(required)]
    card: Option<Card>,
}

/// A saved card.
#[derive(Clone, Serialize, ToSchema)]
pub(super) struct Card {
    #[schema(example = "visa")]
    brand: String,
    /// The last four digits.
    #[schema(example = "4242")]
    last4: String,
    #[schema(minimum = 1, maximum = 12, example = 12)]
    exp_month: u32,
    #[schema(example = 2030)]
    exp_year: u32,
    /// Whether its last month is over.
    is_expired: bool,
    /// Whether a subscription that goes on is paid with it.
    is_needed: bool,
}

/// The provider's page on which a card is entered.
#[derive(Serialize, ToSchema)]
pub(crate) struct CardPage {
    #[schema(format = "uri")]
    page_url: String,
}

impl Card {
    pub(super) fn new(card: wire::Card) -> Self {
        Self {
            brand: card.brand,
            last4: card.last4,
            exp_month: card.exp_month,
            exp_year: card.exp_year,
            is_expired: card.is_expired,
            is_needed: card.is_needed,
        }
    }
}

impl SavedCard {
    pub(crate) fn new(card: Option<wire::Card>) -> Self {
        Self { card: card.map(Card::new) }
    }
}

/// Returns the caller's saved card.
#[utoipa::path(
    get,
    path = "/api/commerce/card/",
    operation_id = "card",
    tag = "commerce",
    responses((status = 200, description = "The card.", body = SavedCard))
)]
pub(crate) async fn card(State(edge): State<Edge>, relative: Relative) -> Result<Response, Error> {
    let found = edge.cards(&relative).get_card(wire::GetCardRequest {}).await?.into_inner();
    Ok(json(&SavedCard::new(found.card)))
}

/// Opens the provider's page on which the caller enters a card. A card that is entered there replaces the saved
/// one.
///
/// The page leads back to `/mypage/settings/card?setup=done` or `?setup=cancelled`.
#[utoipa::path(
    post,
    path = "/api/commerce/card/setup/",
    operation_id = "start_card_setup",
    tag = "commerce",
    responses((status = 200, description = "The page.", body = CardPage))
)]
pub(crate) async fn start_setup(
    State(edge): State<Edge>,
    relative: Relative,
    _: Empty,
) -> Result<Response, Error> {
    let request = wire::StartCardSetupRequest { buyer: Some(find_buyer(&edge, &relative).await?) };
    let started = edge.cards(&relative).start_card_setup(request).await?.into_inner();
    Ok(json(&CardPage { page_url: started.page_url }))
}

/// Asks the provider whether a card was entered, and returns the card. For the page that the provider sends the
/// caller back to.
#[utoipa::path(
    post,
    path = "/api/commerce/card/check/",
    operation_id = "check_card_setup",
    tag = "commerce",
    responses((status = 200, description = "The card.", body = SavedCard))
)]
pub(crate) async fn check_setup(
    State(edge): State<Edge>,
    relative: Relative,
    _: Empty,
) -> Result<Response, Error> {
    let checked = edge.cards(&relative).check_card_setup(wire::CheckCardSetupRequest {}).await?.into_inner();
    Ok(json(&SavedCard::new(checked.card)))
}

/// Removes the saved card. Idempotent.
///
/// 409 `CARD_NEEDED` while a subscription needs it.
#[utoipa::path(
    delete,
    path = "/api/commerce/card/",
    operation_id = "remove_card",
    tag = "commerce",
    responses((status = 204, description = "There is no saved card."))
)]
pub(crate) async fn remove(State(edge): State<Edge>, relative: Relative) -> Result<StatusCode, Error> {
    edge.cards(&relative).remove_card(wire::RemoveCardRequest {}).await?;
    Ok(StatusCode::NO_CONTENT)
}
