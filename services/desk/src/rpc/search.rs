//! `desk.v1.SearchService`.

use kit::error::FieldError;
use kit::page::Page;
use proto::desk::search_service_server::SearchService;
use proto::desk::{
    SearchCount, SearchHit, SearchKind, SearchRequest, SearchResponse, SuggestRequest, SuggestResponse,
    Suggestion,
};
use tonic::{Request, Response, Status};

use super::{Desk, parse_words};
use crate::error::Error;
use crate::search;

/// Most hits or suggestions in one response.
const LIMIT: u32 = 20;

#[tonic::async_trait]
impl SearchService for Desk {
    async fn search(&self, request: Request<SearchRequest>) -> Result<Response<SearchResponse>, Status> {
        let request = request.into_inner();
        let words = parse_words("query", &request.query)?;
        let page = Page::parse(request.page, check_size("page_size", request.page_size)?)?;
        let now = self.clock.now();
        let mut connection = self.acquire().await?;
        let (notices, faqs) = search::count_hits(&mut connection, &words, now).await.map_err(Error::from)?;
        let mut hits = Vec::new();
        let is_requested = |kind: SearchKind| request.kinds.contains(&kind.into());
        if is_requested(SearchKind::Notice) {
            let found =
                search::find_notices(&mut connection, &words, page, now).await.map_err(Error::from)?;
            hits.extend(found.into_iter().map(|hit| encode(SearchKind::Notice, hit)));
        }
        if is_requested(SearchKind::Faq) {
            let found = search::find_faqs(&mut connection, &words, page).await.map_err(Error::from)?;
            hits.extend(found.into_iter().map(|hit| encode(SearchKind::Faq, hit)));
        }
        let counts = [(SearchKind::Notice, notices), (SearchKind::Faq, faqs)].map(|(kind, count)| {
            SearchCount { kind: kind.into(), count: u32::try_from(count).unwrap_or(u32::MAX) }
        });
        Ok(Response::new(SearchResponse { counts: counts.into(), hits }))
    }

    async fn suggest(&self, request: Request<SuggestRequest>) -> Result<Response<SuggestResponse>, Status> {
        let request = request.into_inner();
        let words = parse_words("query", &request.query)?;
        let limit = check_size("limit", request.limit)?;
        let mut connection = self.acquire().await?;
        let found = search::suggest_titles(&mut connection, &words, limit.into(), self.clock.now())
            .await
            .map_err(Error::from)?;
        let suggestions = found.into_iter().map(|one| Suggestion {
            kind: if one.is_notice { SearchKind::Notice } else { SearchKind::Faq }.into(),
            id: one.id,
            title: one.title,
        });
        Ok(Response::new(SuggestResponse { suggestions: suggestions.collect() }))
    }
}

fn check_size(name: &'static str, size: u32) -> Result<u32, Error> {
    if (1..=LIMIT).contains(&size) {
        Ok(size)
    } else {
        Err(Error::Field(FieldError::new(name, "OUT_OF_RANGE")))
    }
}

fn encode(kind: SearchKind, hit: search::Hit) -> SearchHit {
    SearchHit { kind: kind.into(), id: hit.id, title: hit.title, summary: hit.summary }
}
