//! Events of other services: auth erases accounts; commerce grants, extends and revokes entitlements, and publishes prices.

use kit::caller::{CallerError, CallerOf as _, Service};
use kit::timestamp::from_timestamp;
use prost::{Message, Name};
use proto::auth::AccountErased;
use proto::commerce::PriceListPublished;
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse, Event};
use proto::lms::{
    EntitlementExtended, EntitlementGranted, EntitlementRevoked, EntitlementSource, EntitlementSourceKind,
};
use sqlx::PgConnection;
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::entitlement::{self, Extension, Grant, Revocation, Source, SourceKind};
use crate::error::Error;
use crate::price_list::{self, PriceList, ProductPrice};
use crate::{learner_data, stream};

/// Rows of old events that are deleted with each new one.
const SWEEP_LIMIT: i64 = 100;
/// The longest id of a source, in characters.
const SOURCE_ID_LIMIT: usize = 200;

#[tonic::async_trait]
impl EventService for Lms {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        let sender = request.caller()?.service;
        let event = request.into_inner().event.unwrap_or_default();
        if let Some((wanted, change)) = Change::from_event(&event)? {
            if sender != wanted {
                return Err(CallerError::NotAllowed.into());
            }
            let id = event.id.parse::<Uuid>().map_err(|_| invalid("id"))?;
            self.apply(id, change).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

/// What an event changes here.
enum Change {
    /// Everything of this account is erased.
    Erasure(Uuid),
    Grant(Grant),
    Extension(Extension),
    Revocation(Revocation),
    PriceList(PriceList),
}

impl Change {
    /// Decodes an event, with the service that may send it. `None`: lms does not act on events of the type.
    fn from_event(event: &Event) -> Result<Option<(Service, Self)>, Error> {
        let (kind, payload) = (&event.r#type, &*event.payload);
        Ok(Some(if *kind == AccountErased::full_name() {
            let erased = decode::<AccountErased>(payload)?;
            (Service::Auth, Self::Erasure(parse_account(&erased.account_id, "account_id")?))
        } else if *kind == EntitlementGranted::full_name() {
            (Service::Commerce, Self::Grant(decode::<EntitlementGranted>(payload)?.try_into()?))
        } else if *kind == EntitlementExtended::full_name() {
            (Service::Commerce, Self::Extension(decode::<EntitlementExtended>(payload)?.try_into()?))
        } else if *kind == EntitlementRevoked::full_name() {
            (Service::Commerce, Self::Revocation(decode::<EntitlementRevoked>(payload)?.try_into()?))
        } else if *kind == PriceListPublished::full_name() {
            (Service::Commerce, Self::PriceList(decode::<PriceListPublished>(payload)?.try_into()?))
        } else {
            return Ok(None);
        }))
    }
}

impl Lms {
    async fn apply(&self, event: Uuid, change: Change) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        if kit::inbox::is_new(&mut transaction, event, now).await? {
            kit::inbox::sweep(&mut transaction, now, SWEEP_LIMIT).await?;
            match change {
                Change::Erasure(learner) => learner_data::erase(&mut transaction, learner).await?,
                Change::Grant(grant) => entitlement::grant(&mut transaction, &grant).await?,
                Change::Extension(extension) => entitlement::extend(&mut transaction, &extension).await?,
                Change::Revocation(revocation) => self.revoke(&mut transaction, &revocation, now).await?,
                Change::PriceList(list) => price_list::replace(&mut transaction, &list).await?,
            }
        }
        commit(transaction).await
    }

    /// Revokes an entitlement, and ends the streams that it allowed.
    async fn revoke(
        &self,
        connection: &mut PgConnection,
        revocation: &Revocation,
        now: OffsetDateTime,
    ) -> Result<(), Error> {
        if let Some(course) = entitlement::revoke(connection, revocation, now).await? {
            stream::end_course(connection, revocation.learner, course, now, self.rules).await?;
        }
        Ok(())
    }
}

fn invalid(field: &'static str) -> Error {
    Error::Invalid { field, reason: "INVALID_FORMAT" }
}

fn decode<Payload: Message + Default>(payload: &[u8]) -> Result<Payload, Error> {
    Payload::decode(payload).map_err(|_| invalid("payload"))
}

fn parse_account(text: &str, field: &'static str) -> Result<Uuid, Error> {
    text.parse().map_err(|_| invalid(field))
}

fn parse_time(
    timestamp: Option<prost_types::Timestamp>,
    field: &'static str,
) -> Result<OffsetDateTime, Error> {
    timestamp.and_then(|timestamp| from_timestamp(timestamp).ok()).ok_or(invalid(field))
}

/// Parses an end. Absent: without end.
fn parse_end(
    timestamp: Option<prost_types::Timestamp>,
    field: &'static str,
) -> Result<Option<OffsetDateTime>, Error> {
    timestamp.map(|timestamp| parse_time(Some(timestamp), field)).transpose()
}

fn parse_source(source: Option<EntitlementSource>) -> Result<Source, Error> {
    let source = source.ok_or(invalid("source"))?;
    let kind = match source.kind() {
        EntitlementSourceKind::OrderLine => SourceKind::OrderLine,
        EntitlementSourceKind::Gift => SourceKind::Gift,
        EntitlementSourceKind::Import => SourceKind::Import,
        EntitlementSourceKind::Staff => SourceKind::Staff,
        EntitlementSourceKind::Unspecified => return Err(invalid("source")),
    };
    if source.id.is_empty() || source.id.contains('\0') || source.id.chars().nth(SOURCE_ID_LIMIT).is_some() {
        return Err(invalid("source"));
    }
    Ok(Source { kind, id: source.id })
}

impl TryFrom<EntitlementGranted> for Grant {
    type Error = Error;

    fn try_from(granted: EntitlementGranted) -> Result<Self, Error> {
        Ok(Self {
            source: parse_source(granted.source)?,
            learner: parse_account(&granted.learner_id, "learner_id")?,
            course: granted.course_id,
            product: granted.product_id,
            granted_at: parse_time(granted.granted_at, "granted_at")?,
            expire_at: parse_end(granted.expire_at, "expire_at")?,
            is_auto_renewal: granted.is_auto_renewal,
        })
    }
}

impl TryFrom<EntitlementExtended> for Extension {
    type Error = Error;

    fn try_from(extended: EntitlementExtended) -> Result<Self, Error> {
        Ok(Self {
            source: parse_source(extended.source)?,
            learner: parse_account(&extended.learner_id, "learner_id")?,
            extended_at: parse_time(extended.extended_at, "extended_at")?,
            expire_at: parse_end(extended.expire_at, "expire_at")?,
        })
    }
}

impl TryFrom<EntitlementRevoked> for Revocation {
    type Error = Error;

    fn try_from(revoked: EntitlementRevoked) -> Result<Self, Error> {
        Ok(Self {
            source: parse_source(revoked.source)?,
            learner: parse_account(&revoked.learner_id, "learner_id")?,
            revoked_at: parse_time(revoked.revoked_at, "revoked_at")?,
        })
    }
}

impl TryFrom<PriceListPublished> for PriceList {
    type Error = Error;

    fn try_from(published: PriceListPublished) -> Result<Self, Error> {
        Ok(Self {
            published_at: parse_time(published.published_at, "published_at")?,
            prices: published.prices.into_iter().map(ProductPrice::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<proto::commerce::ProductPrice> for ProductPrice {
    type Error = Error;

    fn try_from(price: proto::commerce::ProductPrice) -> Result<Self, Error> {
        Ok(Self {
            product: price.product_id,
            course: price.course_id,
            price: price.price,
            sale_starts_at: parse_time(price.sale_starts_at, "sale_starts_at")?,
            sale_ends_at: parse_end(price.sale_ends_at, "sale_ends_at")?,
        })
    }
}
