//! Events of auth: erased and renamed accounts, and withdrawn consents.

use std::sync::LazyLock;

use kit::error::FieldError;
use kit_db::inbox::{self, EventTypes, IncomingEvent};
use proto::auth::{AccountErased, AccountRenamed, PurchaseConsentWithdrawn};
use proto::common::event_service_server::EventService;
use proto::common::{DeliverRequest, DeliverResponse};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Commerce, commit};
use crate::account_data;
use crate::error::Error;
use crate::subscription::{consent, person};

/// The number of old events that are deleted with each new one.
const SWEEP_LIMIT: i64 = 100;

#[tonic::async_trait]
impl EventService for Commerce {
    async fn deliver(&self, request: Request<DeliverRequest>) -> Result<Response<DeliverResponse>, Status> {
        if let Some(event) = EVENT_TYPES.decode(request)? {
            self.apply(event).await?;
        }
        Ok(Response::new(DeliverResponse {}))
    }
}

/// The change that an event makes.
enum Change {
    /// An account is erased.
    Erasure(Uuid),
    /// An account has a new name or address.
    Renaming(Uuid, AccountRenamed),
    /// A guardian withdrew the consent for a learner.
    Withdrawal(Uuid, PurchaseConsentWithdrawn),
}

/// The events that commerce accepts.
static EVENT_TYPES: LazyLock<EventTypes<Change>> = LazyLock::new(|| {
    EventTypes::default()
        .on(|erased: AccountErased| parse_account(&erased.account_id).map(Change::Erasure))
        .on(|renamed: AccountRenamed| Ok(Change::Renaming(parse_account(&renamed.account_id)?, renamed)))
        .on(|withdrawn: PurchaseConsentWithdrawn| {
            Ok(Change::Withdrawal(parse_account(&withdrawn.account_id)?, withdrawn))
        })
});

fn parse_account(id: &str) -> Result<Uuid, FieldError> {
    id.parse().map_err(|_| FieldError::new("account_id", "INVALID_FORMAT"))
}

impl Commerce {
    async fn apply(&self, event: IncomingEvent<Change>) -> Result<(), Error> {
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        if inbox::is_new(&mut transaction, event.id, now).await? {
            inbox::sweep(&mut transaction, now, SWEEP_LIMIT).await?;
            match event.action {
                Change::Erasure(account) => account_data::erase(&mut transaction, account, now).await?,
                Change::Renaming(account, renamed) => {
                    person::rename(&mut transaction, account, &renamed).await?;
                }
                Change::Withdrawal(learner, withdrawn) => {
                    let outbox = self.settlement.outbox();
                    consent::withdraw(&mut transaction, outbox, learner, &withdrawn, now).await?;
                }
            }
        }
        commit(transaction).await?;
        self.settlement.outbox().wake();
        Ok(())
    }
}
