//! `desk.v1.NoticeService`.

use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::desk::notice_service_server::NoticeService;
use proto::desk::{GetNoticeRequest, GetNoticeResponse, ListNoticesRequest, ListNoticesResponse, Notice};
use tonic::{Request, Response, Status};

use super::{Desk, check_filter};
use crate::error::Error;
use crate::notice;

#[tonic::async_trait]
impl NoticeService for Desk {
    async fn list_notices(
        &self,
        request: Request<ListNoticesRequest>,
    ) -> Result<Response<ListNoticesResponse>, Status> {
        let request = request.into_inner();
        let page = Page::parse(request.page, notice::PAGE_SIZE)?;
        let category = check_filter("category", request.category.as_deref())?;
        let mut connection = self.acquire().await?;
        let (rows, notices) = notice::list_page(&mut connection, page, category, self.clock.now())
            .await
            .map_err(Error::from)?;
        let notices = notices.into_iter().map(encode).collect();
        Ok(Response::new(ListNoticesResponse {
            count: page.encode_count(rows).ok_or(Error::NotFound)?,
            notices,
        }))
    }

    async fn get_notice(
        &self,
        request: Request<GetNoticeRequest>,
    ) -> Result<Response<GetNoticeResponse>, Status> {
        let mut connection = self.acquire().await?;
        let notice = notice::find_notice(&mut connection, request.into_inner().id, self.clock.now())
            .await
            .map_err(Error::from)?;
        let notice = notice.map(encode).ok_or(Error::NotFound)?;
        Ok(Response::new(GetNoticeResponse { notice: Some(notice) }))
    }
}

fn encode(notice: notice::Notice) -> Notice {
    Notice {
        id: notice.id,
        category: notice.category,
        title: notice.title,
        summary: notice.summary,
        body: notice.body,
        is_pinned: notice.is_pinned,
        published_at: Some(to_timestamp(notice.published_at)),
        modified_at: Some(to_timestamp(notice.modified_at)),
    }
}
