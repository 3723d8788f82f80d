//! Events of other services. auth erases accounts. commerce grants and revokes seats.

use std::sync::LazyLock;

use kit::error::FieldError;
use kit_db::inbox::{self, EventTypes, IncomingEvent};
use proto::auth::AccountErased;
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse};
use proto::exam::{ExamSeatGranted, ExamSeatRevoked};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Exam, commit};
use crate::error::Error;
use crate::seat::SeatGrant;
use crate::{learner_data, seat};

/// The number of old events that are deleted with each new one.
const SWEEP_LIMIT: i64 = 100;
/// The maximum length of an order line's id, in characters.
const ORDER_LINE_LIMIT: usize = 200;

#[tonic::async_trait]
impl EventService for Exam {
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
    Grant(SeatGrant),
    /// The seat of this order line is revoked.
    Revocation(String),
}

/// The types of events that exam accepts.
static EVENT_TYPES: LazyLock<EventTypes<Change>> = LazyLock::new(|| {
    EventTypes::default()
        .on(|erased: AccountErased| parse_account(&erased.account_id, "account_id").map(Change::Erasure))
        .on(|granted: ExamSeatGranted| {
            let order_line = parse_order_line(granted.order_line_id)?;
            let learner = parse_account(&granted.learner_id, "learner_id")?;
            Ok(Change::Grant(SeatGrant { order_line, learner, exam: granted.exam_id }))
        })
        .on(|revoked: ExamSeatRevoked| parse_order_line(revoked.order_line_id).map(Change::Revocation))
});

impl Exam {
    async fn apply(&self, event: IncomingEvent<Change>) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        if inbox::is_new(&mut transaction, event.id, now).await? {
            inbox::sweep(&mut transaction, now, SWEEP_LIMIT).await?;
            match event.action {
                Change::Erasure(learner) => learner_data::erase(&mut transaction, learner, now).await?,
                Change::Grant(grant) => seat::grant(&mut transaction, &grant, now).await?,
                Change::Revocation(line) => seat::revoke(&mut transaction, &line, now).await?,
            }
        }
        commit(transaction).await
    }
}

fn invalid(field: &'static str) -> FieldError {
    FieldError::new(field, "INVALID_FORMAT")
}

fn parse_account(text: &str, field: &'static str) -> Result<Uuid, FieldError> {
    text.parse().map_err(|_| invalid(field))
}

fn parse_order_line(id: String) -> Result<String, FieldError> {
    let is_id = !id.is_empty() && !id.contains('\0') && id.chars().nth(ORDER_LINE_LIMIT).is_none();
    is_id.then_some(id).ok_or(invalid("order_line_id"))
}

#[cfg(test)]
mod tests {
    use super::EVENT_TYPES;

    #[test]
    fn every_event_for_exam_is_taken_once() {
        let mut taken: Vec<_> = EVENT_TYPES.names().collect();
        let mut received = proto::event::received_by("exam");
        taken.sort_unstable();
        received.sort_unstable();
        assert_eq!(taken, received);
    }
}
