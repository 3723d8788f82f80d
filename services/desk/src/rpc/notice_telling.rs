//! `desk.v1.NoticeTellingService`.

use proto::desk as wire;
use proto::desk::notice_telling_service_server::NoticeTellingService;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::{Desk, commit, parse_id};
use crate::account_age::parse_birth_date;
use crate::error::Error;
use crate::notice_telling::{self, Batch, NoticeToTell, ToldReader};

#[tonic::async_trait]
impl NoticeTellingService for Desk {
    async fn find_notice_to_tell(
        &self,
        request: Request<wire::FindNoticeToTellRequest>,
    ) -> Result<Response<wire::FindNoticeToTellResponse>, Status> {
        let skipped = request.into_inner().skipped_notice_ids;
        let mut connection = self.acquire().await?;
        let found = notice_telling::find_next(&mut connection, &skipped, self.clock.now()).await;
        let notice = found.map_err(Error::from)?.map(encode);
        Ok(Response::new(wire::FindNoticeToTellResponse { notice }))
    }

    async fn tell_readers(
        &self,
        request: Request<wire::TellReadersRequest>,
    ) -> Result<Response<wire::TellReadersResponse>, Status> {
        let batch = parse(request.into_inner())?;
        self.tell_batch(&batch).await?;
        Ok(Response::new(wire::TellReadersResponse {}))
    }
}

impl Desk {
    async fn tell_batch(&self, batch: &Batch) -> Result<(), Error> {
        let mut transaction = self.pool.begin().await?;
        notice_telling::tell(&mut transaction, batch, &self.notifier, self.clock.now()).await?;
        commit(transaction).await?;
        self.wake.wake();
        Ok(())
    }
}

fn parse(request: wire::TellReadersRequest) -> Result<Batch, Error> {
    let told_until = Some(request.told_until).filter(|id| !id.is_empty());
    let id = |id: &String| -> Result<Uuid, Error> { parse_id(id) };
    let readers = request.readers.into_iter().map(|reader| {
        Ok(ToldReader {
            account: parse_id(&reader.account_id)?,
            email: reader.email,
            birth_date: reader.birth_date.as_deref().and_then(parse_birth_date),
        })
    });
    Ok(Batch {
        notice: request.notice_id,
        told_until: told_until.as_ref().map(id).transpose()?,
        last: request.last_account_id.as_ref().map(id).transpose()?,
        readers: readers.collect::<Result<_, Error>>()?,
    })
}

fn encode(notice: NoticeToTell) -> wire::NoticeToTell {
    wire::NoticeToTell {
        notice_id: notice.id,
        audience: notice.audience,
        course_id: notice.course_id,
        school_year: notice.school_year,
        account_id: notice.account.map(|account| account.to_string()),
        told_until: notice.told_until.map(|account| account.to_string()).unwrap_or_default(),
    }
}
