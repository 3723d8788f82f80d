//! `desk.v1.CalendarService`.

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use kit_db::limit::{self, Bucket, Rate};
use proto::desk as wire;
use proto::desk::calendar_service_server::CalendarService;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, take_token};
use crate::calendar_address::{self, Token};
use crate::error::Error;

/// Reads of one address: several devices, of which each asks every few minutes.
const READS_BURST: u32 = 60;
const READS_PER_MINUTE: u32 = 4;
/// Unknown tokens of one client address. The servers of a calendar provider read for many people.
const UNKNOWN_BURST: u32 = 60;
const UNKNOWN_PER_MINUTE: u32 = 30;

#[tonic::async_trait]
impl CalendarService for Desk {
    async fn get_calendar_address(
        &self,
        request: Request<wire::GetCalendarAddressRequest>,
    ) -> Result<Response<wire::GetCalendarAddressResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        let created = calendar_address::find_created(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(wire::GetCalendarAddressResponse { created_at: created.map(to_timestamp) }))
    }

    async fn make_calendar_address(
        &self,
        request: Request<wire::MakeCalendarAddressRequest>,
    ) -> Result<Response<wire::MakeCalendarAddressResponse>, Status> {
        let account = request.caller()?.account()?;
        let now = self.clock.now();
        let token = self.make_address(account, now).await?;
        Ok(Response::new(wire::MakeCalendarAddressResponse {
            token: token.encode(),
            created_at: Some(to_timestamp(now)),
        }))
    }

    async fn end_calendar_address(
        &self,
        request: Request<wire::EndCalendarAddressRequest>,
    ) -> Result<Response<wire::EndCalendarAddressResponse>, Status> {
        let account = request.caller()?.account()?;
        let mut connection = self.acquire().await?;
        calendar_address::end(&mut connection, account).await.map_err(Error::from)?;
        Ok(Response::new(wire::EndCalendarAddressResponse {}))
    }

    async fn find_calendar_account(
        &self,
        request: Request<wire::FindCalendarAccountRequest>,
    ) -> Result<Response<wire::FindCalendarAccountResponse>, Status> {
        let wire::FindCalendarAccountRequest { token, client_address } = request.into_inner();
        let account = self.find_account(&token, &client_address).await?;
        Ok(Response::new(wire::FindCalendarAccountResponse { account_id: account.to_string() }))
    }
}

impl Desk {
    async fn make_address(&self, account: Uuid, now: OffsetDateTime) -> Result<Token, Error> {
        let token = Token::random()?;
        let mut transaction = self.pool.begin().await?;
        calendar_address::replace(&mut transaction, account, &token, &self.keyed_hash, now).await?;
        commit(transaction).await?;
        Ok(token)
    }

    /// Finds the account of a token, and counts the read.
    async fn find_account(&self, token: &str, client_address: &str) -> Result<Uuid, Error> {
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let account = match Token::parse(token) {
            Some(token) => calendar_address::find_account(&mut connection, &token, &self.keyed_hash).await?,
            None => None,
        };
        let (bucket, rate) = match account {
            Some(account) => (
                Bucket::new(self.keyed_hash.hash("calendar read", &account.to_string())),
                Rate::new(READS_BURST, READS_PER_MINUTE),
            ),
            None => (
                limit::bucket(&self.keyed_hash, "unknown calendar", client_address),
                Rate::new(UNKNOWN_BURST, UNKNOWN_PER_MINUTE),
            ),
        };
        take_token(&mut connection, &bucket, rate, now).await?;
        account.ok_or(Error::NotFound)
    }
}
