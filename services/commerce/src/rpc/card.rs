//! `commerce.v1.CardService`.

use proto::commerce as wire;
use proto::commerce::card_service_server::CardService;
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Commerce, account, commit};
use crate::buyer::Buyer;
use crate::card::{self, Card};
use crate::error::Error;
use crate::provider::ProviderError;
use crate::settlement_error::SettlementError;
use crate::subscription;

#[tonic::async_trait]
impl CardService for Commerce {
    async fn get_card(
        &self,
        request: Request<wire::GetCardRequest>,
    ) -> Result<Response<wire::GetCardResponse>, Status> {
        let account = account(&request)?;
        let card =
            find_card(&mut *self.acquire().await?, account, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetCardResponse { card }))
    }

    async fn start_card_setup(
        &self,
        request: Request<wire::StartCardSetupRequest>,
    ) -> Result<Response<wire::StartCardSetupResponse>, Status> {
        let account = account(&request)?;
        let buyer = Buyer::from_wire(request.into_inner().buyer)?;
        let page_url = self.settlement.start_setup(account, &buyer).await.map_err(Error::from)?;
        Ok(Response::new(wire::StartCardSetupResponse { page_url }))
    }

    async fn check_card_setup(
        &self,
        request: Request<wire::CheckCardSetupRequest>,
    ) -> Result<Response<wire::CheckCardSetupResponse>, Status> {
        let account = account(&request)?;
        match self.settlement.check_setup(account).await {
            // The check is repeated later.
            Ok(()) | Err(SettlementError::Provider(ProviderError::Unreachable(_))) => {}
            Err(error) => return Err(Error::from(error).into()),
        }
        let card =
            find_card(&mut *self.acquire().await?, account, self.clock.now()).await.map_err(Error::from)?;
        Ok(Response::new(wire::CheckCardSetupResponse { card }))
    }

    async fn remove_card(
        &self,
        request: Request<wire::RemoveCardRequest>,
    ) -> Result<Response<wire::RemoveCardResponse>, Status> {
        let account = account(&request)?;
        let mut transaction = self.begin().await?;
        card::lock(&mut transaction, account).await.map_err(Error::from)?;
        let needs_card = subscription::needs_card(&mut transaction, account).await.map_err(Error::from)?;
        if needs_card && card::find(&mut transaction, account).await.map_err(Error::from)?.is_some() {
            return Err(Error::CardNeeded.into());
        }
        card::detach(&mut transaction, account, self.clock.now()).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(wire::RemoveCardResponse {}))
    }
}

/// The card of an account, or `None` if it has none.
pub(super) async fn find_card(
    connection: &mut PgConnection,
    account: Uuid,
    now: OffsetDateTime,
) -> sqlx::Result<Option<wire::Card>> {
    let Some(card) = card::find(connection, account).await? else { return Ok(None) };
    let is_needed = subscription::needs_card(connection, account).await?;
    Ok(Some(encode(card, is_needed, now)))
}

fn encode(card: Card, is_needed: bool, now: OffsetDateTime) -> wire::Card {
    wire::Card {
        is_expired: card.is_expired(now),
        brand: card.brand,
        last4: card.last4,
        exp_month: u32::from(card.exp_month.unsigned_abs()),
        exp_year: u32::from(card.exp_year.unsigned_abs()),
        is_needed,
    }
}
