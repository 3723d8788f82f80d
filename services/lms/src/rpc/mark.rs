//! A learner's bookmarks, favorites and checks.

use kit::caller::CallerOf as _;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::lms;
use proto::lms::mark_service_server::MarkService;
use proto::lms::{
    ClearBookmarkRequest, ClearBookmarkResponse, ClearCheckRequest, ClearCheckResponse, ClearFavoriteRequest,
    ClearFavoriteResponse, ListBookmarksRequest, ListBookmarksResponse, ListChecksRequest,
    ListChecksResponse, ListFavoritesRequest, ListFavoritesResponse, SetBookmarkRequest, SetBookmarkResponse,
    SetCheckRequest, SetCheckResponse, SetFavoriteRequest, SetFavoriteResponse,
};
use tonic::{Request, Response, Status};

use super::{Lms, commit};
use crate::error::Error;
use crate::{bookmark, check, favorite};

/// Number of marks on a page.
const PAGE_SIZE: u32 = 20;

#[tonic::async_trait]
impl MarkService for Lms {
    async fn list_bookmarks(
        &self,
        request: Request<ListBookmarksRequest>,
    ) -> Result<Response<ListBookmarksResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let (rows, bookmarks) =
            bookmark::list_page(&mut connection, learner, page).await.map_err(Error::from)?;
        let count = page.encode_count(rows).ok_or(Error::NotFound)?;
        let versions: Vec<_> = bookmarks.iter().map(|bookmark| bookmark.course).collect();
        let courses = self.courses.get(&mut connection, &versions).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let bookmarks = bookmarks.iter().zip(courses).map(|(bookmark, course)| lms::Bookmark {
            course: course.summary.clone(),
            is_check: bookmark.is_check,
            created: Some(to_timestamp(bookmark.created)),
        });
        Ok(Response::new(ListBookmarksResponse { count, bookmarks: bookmarks.collect() }))
    }

    async fn set_bookmark(
        &self,
        request: Request<SetBookmarkRequest>,
    ) -> Result<Response<SetBookmarkResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut transaction = self.begin().await?;
        let (now, limit) = (self.clock.now(), self.rules.mark_limit);
        bookmark::set(&mut transaction, learner, request.course_id, now, limit).await?;
        commit(transaction).await?;
        Ok(Response::new(SetBookmarkResponse {}))
    }

    async fn clear_bookmark(
        &self,
        request: Request<ClearBookmarkRequest>,
    ) -> Result<Response<ClearBookmarkResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        bookmark::clear(&mut connection, learner, request.course_id).await.map_err(Error::from)?;
        Ok(Response::new(ClearBookmarkResponse {}))
    }

    async fn list_favorites(
        &self,
        request: Request<ListFavoritesRequest>,
    ) -> Result<Response<ListFavoritesResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let marks = favorite::list_page(&mut connection, learner, page, request.course_id)
            .await
            .map_err(Error::from)?;
        self.pool.keep(connection);
        let count = page.encode_count(marks.first().map_or(0, |mark| mark.count)).ok_or(Error::NotFound)?;
        let favorites = marks.into_iter().map(lms::LessonMark::from).collect();
        Ok(Response::new(ListFavoritesResponse { count, favorites }))
    }

    async fn set_favorite(
        &self,
        request: Request<SetFavoriteRequest>,
    ) -> Result<Response<SetFavoriteResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut transaction = self.begin().await?;
        let (now, limit) = (self.clock.now(), self.rules.mark_limit);
        favorite::set(&mut transaction, learner, request.lesson_id, now, limit).await?;
        commit(transaction).await?;
        Ok(Response::new(SetFavoriteResponse {}))
    }

    async fn clear_favorite(
        &self,
        request: Request<ClearFavoriteRequest>,
    ) -> Result<Response<ClearFavoriteResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        favorite::clear(&mut connection, learner, request.lesson_id).await.map_err(Error::from)?;
        Ok(Response::new(ClearFavoriteResponse {}))
    }

    async fn list_checks(
        &self,
        request: Request<ListChecksRequest>,
    ) -> Result<Response<ListChecksResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, PAGE_SIZE)?;
        let mut connection = self.acquire().await?;
        let marks =
            check::list_page(&mut connection, learner, page, request.course_id).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let count = page.encode_count(marks.first().map_or(0, |mark| mark.count)).ok_or(Error::NotFound)?;
        let checks = marks.into_iter().map(lms::LessonMark::from).collect();
        Ok(Response::new(ListChecksResponse { count, checks }))
    }

    async fn set_check(
        &self,
        request: Request<SetCheckRequest>,
    ) -> Result<Response<SetCheckResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut transaction = self.begin().await?;
        let (now, limit) = (self.clock.now(), self.rules.mark_limit);
        check::set(&mut transaction, learner, request.lesson_id, now, limit).await?;
        commit(transaction).await?;
        Ok(Response::new(SetCheckResponse {}))
    }

    async fn clear_check(
        &self,
        request: Request<ClearCheckRequest>,
    ) -> Result<Response<ClearCheckResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut transaction = self.begin().await?;
        check::clear(&mut transaction, learner, request.lesson_id).await.map_err(Error::from)?;
        commit(transaction).await?;
        Ok(Response::new(ClearCheckResponse {}))
    }
}
