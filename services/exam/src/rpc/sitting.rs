//! Sittings.

mod convert;

use kit::caller::CallerOf as _;
use kit::timestamp::to_timestamp;
use kit_db::Transaction;
use proto::exam as wire;
use proto::exam::sitting_service_server::SittingService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use self::convert::{decode_device, decode_save, encode_sitting, encode_state, encode_transcript};
pub(super) use self::convert::{encode_seconds, parse_uuid};
use super::{Exam, commit};
use crate::error::Error;
use crate::sitting::{self, Sitting};
use crate::{answer, answer_picture};

#[tonic::async_trait]
impl SittingService for Exam {
    async fn start_sitting(
        &self,
        request: Request<wire::StartSittingRequest>,
    ) -> Result<Response<wire::StartSittingResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let device = decode_device(request.device)?;
        let (id, resume_only, now) = (request.paper_id, request.resume_only, self.clock.now());
        let mut transaction = self.begin().await?;
        let started = if resume_only {
            sitting::resume(&mut transaction, &self.papers, learner, id, device, now, self.rules).await
        } else {
            sitting::start(&mut transaction, &self.papers, learner, id, device, now, self.rules).await
        };
        let started = settle(transaction, started).await?;
        let sitting = Some(self.encode(started, Some(device.id)).await?);
        Ok(Response::new(wire::StartSittingResponse { sitting }))
    }

    async fn find_sitting(
        &self,
        request: Request<wire::FindSittingRequest>,
    ) -> Result<Response<wire::FindSittingResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let id = parse_uuid("id", &request.id)?;
        let device = request.device_id.map(|device| parse_uuid("device_id", &device)).transpose()?;
        let mut transaction = self.begin().await?;
        let found =
            sitting::find(&mut transaction, &self.papers, learner, id, self.clock.now(), self.rules).await;
        let found = settle(transaction, found).await?;
        let sitting = Some(self.encode(found, device).await?);
        Ok(Response::new(wire::FindSittingResponse { sitting }))
    }

    async fn save_answers(
        &self,
        request: Request<wire::SaveAnswersRequest>,
    ) -> Result<Response<wire::SaveAnswersResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let save = decode_save(request.into_inner())?;
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let report = sitting::save(&mut transaction, &self.papers, learner, save, now, self.rules).await;
        let report = settle(transaction, report).await?;
        Ok(Response::new(wire::SaveAnswersResponse {
            now: Some(to_timestamp(now)),
            deadline_at: Some(to_timestamp(report.deadline_at)),
            state: encode_state(report.state).into(),
            acks: report.acknowledged.into_iter().map(Into::into).collect(),
            refused: report.refused.into_iter().map(Into::into).collect(),
        }))
    }

    async fn put_picture(
        &self,
        request: Request<wire::PutPictureRequest>,
    ) -> Result<Response<wire::PutPictureResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::PutPictureRequest { id, question_id, content } = request.into_inner();
        let place = (parse_uuid("id", &id)?, question_id);
        let mut transaction = self.begin().await?;
        let checked = sitting::check_picture(
            &mut transaction,
            &self.papers,
            learner,
            place,
            self.clock.now(),
            self.rules,
        )
        .await;
        settle(transaction, checked).await?;
        let digest = answer_picture::digest_of(&content);
        let jpeg = self.converter.convert(content).await.map_err(Error::from)?;
        let mut transaction = self.begin().await?;
        let put = sitting::put_picture(
            &mut transaction,
            &self.papers,
            learner,
            place,
            (&digest, &jpeg),
            self.clock.now(),
            self.rules,
        )
        .await;
        settle(transaction, put).await?;
        Ok(Response::new(wire::PutPictureResponse { picture: hex::encode(digest) }))
    }

    async fn get_picture(
        &self,
        request: Request<wire::GetPictureRequest>,
    ) -> Result<Response<wire::GetPictureResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let wire::GetPictureRequest { question_id, picture } = request.into_inner();
        let jpeg = self.picture(learner, question_id, &picture, false).await?;
        Ok(Response::new(wire::GetPictureResponse { jpeg }))
    }

    async fn take_over_sitting(
        &self,
        request: Request<wire::TakeOverSittingRequest>,
    ) -> Result<Response<wire::TakeOverSittingResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let (id, device) = (parse_uuid("id", &request.id)?, decode_device(request.device)?);
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let taken =
            sitting::take_over(&mut transaction, &self.papers, learner, id, device, now, self.rules).await;
        let taken = settle(transaction, taken).await?;
        let sitting = Some(self.encode(taken, Some(device.id)).await?);
        Ok(Response::new(wire::TakeOverSittingResponse { sitting }))
    }

    async fn hand_in_sitting(
        &self,
        request: Request<wire::HandInSittingRequest>,
    ) -> Result<Response<wire::HandInSittingResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let id = parse_uuid("id", &request.id)?;
        let device = (parse_uuid("device_id", &request.device_id)?, request.epoch);
        let now = self.clock.now();
        let mut transaction = self.begin().await?;
        let handed_in =
            sitting::hand_in(&mut transaction, &self.papers, learner, id, device, now, self.rules).await;
        let sitting = settle(transaction, handed_in).await?;
        let transcript = sitting.transcript.as_ref().map(encode_transcript).transpose()?;
        Ok(Response::new(wire::HandInSittingResponse { transcript }))
    }
}

impl Exam {
    /// Finds a learner's picture. With `is_final`, only one of a final result.
    pub(super) async fn picture(
        &self,
        learner: Uuid,
        question: i64,
        name: &str,
        is_final: bool,
    ) -> Result<Vec<u8>, Error> {
        let digest = answer_picture::parse_name(name).ok_or(Error::NotFound)?;
        let mut connection = self.acquire().await?;
        let jpeg = answer_picture::find(&mut connection, learner, question, &digest, is_final).await?;
        self.pool.keep(connection);
        jpeg.ok_or(Error::NotFound)
    }

    /// Encodes a sitting for a device. The paper is read outside the transaction that may have
    /// frozen it, because only committed content may be cached.
    async fn encode(&self, sitting: Sitting, device: Option<Uuid>) -> Result<wire::Sitting, Error> {
        let mut connection = self.acquire().await?;
        let paper = self.papers.find(&mut connection, sitting.paper_id).await?;
        let answers = answer::list_by_sitting(&mut connection, sitting.id).await?;
        let seconds = sitting::list_seconds(&mut connection, &[sitting.id]).await?.remove(&sitting.id);
        let seconds = seconds.unwrap_or_default();
        encode_sitting(&sitting, &paper, answers, seconds, device, self.clock.now())
    }
}

/// Ends the transaction of a call. The writes of a refused call are committed, too: it may have
/// sealed the sitting, or stored answers of a device that was taken over.
pub(super) async fn settle<Value>(
    transaction: Transaction,
    outcome: Result<Value, Error>,
) -> Result<Value, Error> {
    if !matches!(outcome, Err(Error::Database(_) | Error::Document(_))) {
        commit(transaction).await?;
    }
    outcome
}
