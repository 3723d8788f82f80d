//! Events of exam: final results.

use std::sync::LazyLock;

use kit::error::FieldError;
use kit_db::inbox::{self, EventTypes, IncomingEvent};
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse};
use proto::exam::ExamResultFinal;
use tonic::{Request, Response, Status};

use super::Rpc;
use crate::error::Error;
use crate::exam_result::FinalResult;

/// The number of old events that are deleted with each new one.
const SWEEP_LIMIT: i64 = 100;

#[tonic::async_trait]
impl EventService for Rpc {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        if let Some(event) = EVENT_TYPES.decode(request)? {
            self.apply(event).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

/// The events that auth takes.
static EVENT_TYPES: LazyLock<EventTypes<FinalResult>> = LazyLock::new(|| {
    EventTypes::default().on(|result: ExamResultFinal| {
        let learner =
            result.learner_id.parse().map_err(|_| FieldError::new("learner_id", "INVALID_FORMAT"))?;
        Ok(FinalResult { learner, exam: result.exam_id, exam_name: result.exam_name })
    })
});

impl Rpc {
    async fn apply(&self, event: IncomingEvent<FinalResult>) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.pool.begin().await?;
        if inbox::is_new(&mut transaction, event.id, now).await? {
            inbox::sweep(&mut transaction, now, SWEEP_LIMIT).await?;
            event.action.announce(&mut transaction, &self.outbox, now).await?;
        }
        transaction.commit().await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::EVENT_TYPES;

    #[test]
    fn every_event_for_auth_is_taken_once() {
        let taken: Vec<_> = EVENT_TYPES.names().collect();
        assert_eq!(taken, proto::event::received_by("auth"));
    }
}
