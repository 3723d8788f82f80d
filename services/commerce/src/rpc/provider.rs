//! `commerce.v1.ProviderService`.

use proto::commerce::provider_service_server::ProviderService;
use proto::commerce::{ReceiveEventRequest, ReceiveEventResponse};
use tonic::{Request, Response, Status};

use super::Commerce;
use crate::error::Error;
use crate::provider_event;

#[tonic::async_trait]
impl ProviderService for Commerce {
    async fn receive_event(
        &self,
        request: Request<ReceiveEventRequest>,
    ) -> Result<Response<ReceiveEventResponse>, Status> {
        let request = request.into_inner();
        let now = self.clock.now();
        let event = self.settlement.provider().verify_event(&request.body, &request.signature, now);
        let event = event.map_err(|error| {
            tracing::warn!(%error, "an event of the provider was refused");
            provider_event::count_refused(error);
            Error::SignatureInvalid
        })?;
        let mut connection = self.acquire().await?;
        provider_event::add_event(&mut connection, &event, &request.body, now).await.map_err(Error::from)?;
        provider_event::count_accepted();
        self.settlement.wake_events();
        Ok(Response::new(ReceiveEventResponse {}))
    }
}
