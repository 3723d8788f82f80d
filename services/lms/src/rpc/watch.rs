//! What a learner has watched.

use std::ops::Range;

use proto::lms::watch_service_server::WatchService;
use proto::lms::{RecordBeatRequest, RecordBeatResponse, Stretch};
use tonic::{Request, Response, Status};

use super::{Lms, commit, learner};
use crate::error::Error;
use crate::watch::{self, Beat};

/// Stretches a beat.
const MOST_STRETCHES: usize = 20;

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
            furthest: standing.furthest.unsigned_abs(),
            is_done: standing.is_done,
        }))
    }
}

/// Seconds beyond the end of any lesson are taken as its end.
fn decode(request: &RecordBeatRequest) -> Result<Beat, Error> {
    if request.watched.len() > MOST_STRETCHES {
        return Err(Error::Invalid { field: "watched", reason: "TOO_LONG" });
    }
    if request.sequence < 0 {
        return Err(Error::Invalid { field: "sequence", reason: "OUT_OF_RANGE" });
    }
    Ok(Beat {
        lesson: request.lesson_id,
        position: seconds(request.position),
        watched: request.watched.iter().copied().map(stretch).collect::<Result<_, _>>()?,
        sequence: request.sequence,
    })
}

fn stretch(stretch: Stretch) -> Result<Range<i32>, Error> {
    if stretch.to < stretch.from {
        return Err(Error::Invalid { field: "watched", reason: "OUT_OF_RANGE" });
    }
    Ok(seconds(stretch.from)..seconds(stretch.to))
}

fn seconds(seconds: u32) -> i32 {
    i32::try_from(seconds).unwrap_or(i32::MAX)
}
