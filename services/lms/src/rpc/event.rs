//! Events of other services. auth erases accounts. commerce grants, extends and revokes
//! entitlements, and publishes prices. exam publishes missed questions.

use std::sync::LazyLock;

use kit::error::FieldError;
use kit::timestamp::from_timestamp;
use kit_db::inbox::{self, EventTypes, IncomingEvent};
use proto::auth::AccountErased;
use proto::commerce::PriceListPublished;
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse};
use proto::exam::ExamQuestionsMissed;
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
use crate::exam_review::{self, MissedQuestions};
use crate::price_list::{self, PriceList, ProductPrice};
use crate::{learner_data, stream};

/// The number of old events that are deleted with each new one.
const SWEEP_LIMIT: i64 = 100;
/// The maximum length of a source's id, in characters.
const SOURCE_ID_LIMIT: usize = 200;
/// The maximum number of questions of an exam: ten papers with 99 each.
const MISSED_LIMIT: usize = 990;

#[tonic::async_trait]
impl EventService for Lms {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        if let Some(event) = EVENT_TYPES.decode(request)? {
            self.apply(event).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

/// The change that an event makes.
enum Change {
    /// All data of this account is erased.
    Erasure(Uuid),
    Grant(Grant),
    Extension(Extension),
    Revocation(Revocation),
    PriceList(PriceList),
    Missed(MissedQuestions),
}

/// The types of events that lms accepts.
static EVENT_TYPES: LazyLock<EventTypes<Change>> = LazyLock::new(|| {
    EventTypes::default()
        .on(|erased: AccountErased| parse_account(&erased.account_id, "account_id").map(Change::Erasure))
        .on(|granted: EntitlementGranted| granted.try_into().map(Change::Grant))
        .on(|extended: EntitlementExtended| extended.try_into().map(Change::Extension))
        .on(|revoked: EntitlementRevoked| revoked.try_into().map(Change::Revocation))
        .on(|published: PriceListPublished| published.try_into().map(Change::PriceList))
        .on(|missed: ExamQuestionsMissed| missed.try_into().map(Change::Missed))
});

impl Lms {
    async fn apply(&self, event: IncomingEvent<Change>) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        if inbox::is_new(&mut transaction, event.id, now).await? {
            inbox::sweep(&mut transaction, now, SWEEP_LIMIT).await?;
            match event.action {
                Change::Erasure(learner) => learner_data::erase(&mut transaction, learner, now).await?,
                Change::Grant(grant) => entitlement::grant(&mut transaction, &grant).await?,
                Change::Extension(extension) => entitlement::extend(&mut transaction, &extension).await?,
                Change::Revocation(revocation) => self.revoke(&mut transaction, &revocation, now).await?,
                Change::PriceList(list) => price_list::replace(&mut transaction, &list).await?,
                Change::Missed(missed) => {
                    // An exam of an earlier version does not say when.
                    let final_at = missed.final_at.unwrap_or(event.occurred_at);
                    exam_review::schedule(&mut transaction, &missed, final_at).await?;
                }
            }
        }
        commit(transaction).await
    }

    /// Revokes an entitlement and ends the streams that it allowed.
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

fn invalid(field: &'static str) -> FieldError {
    FieldError::new(field, "INVALID_FORMAT")
}

fn parse_account(text: &str, field: &'static str) -> Result<Uuid, FieldError> {
    text.parse().map_err(|_| invalid(field))
}

fn parse_time(
    timestamp: Option<prost_types::Timestamp>,
    field: &'static str,
) -> Result<OffsetDateTime, FieldError> {
    timestamp.and_then(|timestamp| from_timestamp(timestamp).ok()).ok_or(invalid(field))
}

/// Parses an end. Absent for no end.
fn parse_end(
    timestamp: Option<prost_types::Timestamp>,
    field: &'static str,
) -> Result<Option<OffsetDateTime>, FieldError> {
    timestamp.map(|timestamp| parse_time(Some(timestamp), field)).transpose()
}

fn parse_source(source: Option<EntitlementSource>) -> Result<Source, FieldError> {
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
    type Error = FieldError;

    fn try_from(granted: EntitlementGranted) -> Result<Self, FieldError> {
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
    type Error = FieldError;

    fn try_from(extended: EntitlementExtended) -> Result<Self, FieldError> {
        Ok(Self {
            source: parse_source(extended.source)?,
            learner: parse_account(&extended.learner_id, "learner_id")?,
            extended_at: parse_time(extended.extended_at, "extended_at")?,
            expire_at: parse_end(extended.expire_at, "expire_at")?,
        })
    }
}

impl TryFrom<EntitlementRevoked> for Revocation {
    type Error = FieldError;

    fn try_from(revoked: EntitlementRevoked) -> Result<Self, FieldError> {
        Ok(Self {
            source: parse_source(revoked.source)?,
            learner: parse_account(&revoked.learner_id, "learner_id")?,
            revoked_at: parse_time(revoked.revoked_at, "revoked_at")?,
        })
    }
}

impl TryFrom<PriceListPublished> for PriceList {
    type Error = FieldError;

    fn try_from(published: PriceListPublished) -> Result<Self, FieldError> {
        Ok(Self {
            published_at: parse_time(published.published_at, "published_at")?,
            prices: published.prices.into_iter().map(ProductPrice::try_from).collect::<Result<_, _>>()?,
        })
    }
}

impl TryFrom<proto::commerce::ProductPrice> for ProductPrice {
    type Error = FieldError;

    fn try_from(price: proto::commerce::ProductPrice) -> Result<Self, FieldError> {
        Ok(Self {
            product: price.product_id,
            course: price.course_id,
            price: price.price,
            sale_starts_at: parse_time(price.sale_starts_at, "sale_starts_at")?,
            sale_ends_at: parse_end(price.sale_ends_at, "sale_ends_at")?,
        })
    }
}

impl TryFrom<ExamQuestionsMissed> for MissedQuestions {
    type Error = FieldError;

    fn try_from(missed: ExamQuestionsMissed) -> Result<Self, FieldError> {
        if missed.question_ids.len() > MISSED_LIMIT {
            return Err(invalid("question_ids"));
        }
        Ok(Self {
            learner: parse_account(&missed.learner_id, "learner_id")?,
            exam: missed.exam_id,
            questions: missed.question_ids,
            final_at: missed.final_at.map(|time| parse_time(Some(time), "final_at")).transpose()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::EVENT_TYPES;

    #[test]
    fn every_event_for_lms_is_taken_once() {
        let mut taken: Vec<_> = EVENT_TYPES.names().collect();
        let mut received = proto::event::received_by("lms");
        taken.sort_unstable();
        received.sort_unstable();
        assert_eq!(taken, received);
    }
}
