//! What a learner has watched.

use proto::lms::watch_service_server::WatchService;
use proto::lms::{RecordBeatRequest, RecordBeatResponse};
use tonic::{Request, Response, Status};

use super::{Lms, commit, learner};
use crate::error::Error;
use crate::watch::{self, Beat};

#[tonic::async_trait]
impl WatchService for Lms {
    async fn record_beat(
        &self,
        request: Request<RecordBeatRequest>,
    ) -> Result<Response<RecordBeatResponse>, Status> {
        let request = request.into_inner();
        let learner = learner(&request.learner_id)?;
        let beat = decode(&request)?;
        let mut transaction = self.begin().await?;
        let standing = watch::record(&mut transaction, learner, beat, self.clock.now(), self.rules).await?;
        commit(transaction).await?;
        Ok(Response::new(RecordBeatResponse {
            position: standing.position.unsigned_abs(),
            covered: standing.covered.unsigned_abs(),
            is_check: standing.is_check,
        }))
    }
}

/// Seconds beyond the end of any lesson are taken as its end.
fn decode(request: &RecordBeatRequest) -> Result<Beat, Error> {
    if request.watched_to < request.watched_from {
        return Err(Error::Invalid { field: "watched_to", reason: "OUT_OF_RANGE" });
    }
    if request.sequence < 0 {
        return Err(Error::Invalid { field: "sequence", reason: "OUT_OF_RANGE" });
    }
    let seconds = |seconds: u32| i32::try_from(seconds).unwrap_or(i32::MAX);
    Ok(Beat {
        lesson: request.lesson_id,
        position: seconds(request.position),
        watched: seconds(request.watched_from)..seconds(request.watched_to),
        sequence: request.sequence,
    })
}
