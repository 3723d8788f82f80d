//! What other services tell: an account was erased.

use prost::{Message as _, Name as _};
use proto::auth::AccountErased;
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Lms, commit};
use crate::error::Error;
use crate::learner;

/// So many events of long ago are forgotten with each that comes.
const FORGOTTEN_AT_ONCE: i64 = 100;

#[tonic::async_trait]
impl EventService for Lms {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        let event = request.into_inner().event.unwrap_or_default();
        if event.r#type == AccountErased::full_name() {
            let invalid = |field| Error::Invalid { field, reason: "INVALID_FORMAT" };
            let id = event.id.parse::<Uuid>().map_err(|_| invalid("id"))?;
            let erased = AccountErased::decode(&*event.payload).map_err(|_| invalid("payload"))?;
            let learner = erased.account_id.parse::<Uuid>().map_err(|_| invalid("account_id"))?;
            self.forget(id, learner).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

impl Lms {
    async fn forget(&self, event: Uuid, learner: Uuid) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        if kit::inbox::is_new(&mut transaction, event, now).await? {
            kit::inbox::sweep(&mut transaction, now, FORGOTTEN_AT_ONCE).await?;
            learner::forget(&mut transaction, learner).await?;
        }
        commit(transaction).await
    }
}
