//! Looking for courses, lessons and teachers by words.

use proto::lms::search_service_server::SearchService;
use proto::lms::{SearchKind, SearchRequest, SearchResponse, SuggestRequest, SuggestResponse};
use tonic::{Request, Response, Status};

use super::{Lms, page, words};
use crate::error::Error;
use crate::search;

/// The most hits of a kind on a page, and the most suggestions.
const MOST: u32 = 20;

#[tonic::async_trait]
impl SearchService for Lms {
    async fn search(&self, request: Request<SearchRequest>) -> Result<Response<SearchResponse>, Status> {
        let request = request.into_inner();
        let words = words(&request.query)?;
        let page = page(request.page, up_to_most("page_size", request.page_size)?)?;
        let kind = |kind: &i32| SearchKind::try_from(*kind).ok().and_then(search::name);
        let kinds: Option<Vec<_>> = request.kinds.iter().map(kind).collect();
        let kinds = kinds.ok_or(Error::Invalid { field: "kinds", reason: "UNKNOWN_CHOICE" })?;
        let mut connection = self.acquire().await?;
        let found = search::find(&mut connection, &words, &kinds, page).await.map_err(Error::from)?;
        Ok(Response::new(found))
    }

    async fn suggest(&self, request: Request<SuggestRequest>) -> Result<Response<SuggestResponse>, Status> {
        let request = request.into_inner();
        let words = words(&request.query)?;
        let limit = up_to_most("limit", request.limit)?;
        let mut connection = self.acquire().await?;
        let suggestions =
            search::suggest(&mut connection, &words, limit.into()).await.map_err(Error::from)?;
        Ok(Response::new(SuggestResponse { suggestions }))
    }
}

fn up_to_most(field: &'static str, number: u32) -> Result<u32, Error> {
    if (1..=MOST).contains(&number) {
        Ok(number)
    } else {
        Err(Error::Invalid { field, reason: "OUT_OF_RANGE" })
    }
}
