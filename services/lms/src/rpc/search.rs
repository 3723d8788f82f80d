//! Search for courses, lessons and teachers.

use kit::error::FieldError;
use kit::page::Page;
use proto::lms::search_service_server::SearchService;
use proto::lms::{
    SearchCount, SearchHit, SearchKind, SearchRequest, SearchResponse, SuggestRequest, SuggestResponse,
    Suggestion,
};
use tonic::{Request, Response, Status};

use super::{Lms, parse_words};
use crate::error::Error;
use crate::search;

/// The maximum number of hits of a kind on a page, and of suggestions.
const MOST: u32 = 20;

#[tonic::async_trait]
impl SearchService for Lms {
    async fn search(&self, request: Request<SearchRequest>) -> Result<Response<SearchResponse>, Status> {
        let request = request.into_inner();
        let words = parse_words(&request.query)?;
        let page = Page::parse(request.page, parse_limit("page_size", request.page_size)?)?;
        let kind = |kind: &i32| SearchKind::try_from(*kind).ok().and_then(decode_kind);
        let kinds: Option<Vec<_>> = request.kinds.iter().map(kind).collect();
        let kinds = kinds.ok_or(Error::Field(FieldError::new("kinds", "UNKNOWN_CHOICE")))?;
        let mut connection = self.acquire().await?;
        let words = search::choose_words(&mut connection, words).await.map_err(Error::from)?;
        let found = search::find(&mut connection, &words, &kinds, page).await.map_err(Error::from)?;
        let counts = found.counts.into_iter().map(|(kind, count)| SearchCount {
            kind: encode_kind(Some(kind)),
            count: u32::try_from(count).unwrap_or(u32::MAX),
        });
        let hits = found.page.into_iter().map(|hit| SearchHit {
            kind: encode_kind(hit.kind),
            id: hit.id,
            title: hit.title,
            summary: hit.summary,
            course_id: hit.course_id,
            course_name: hit.course_name,
        });
        Ok(Response::new(SearchResponse { counts: counts.collect(), hits: hits.collect() }))
    }

    async fn suggest(&self, request: Request<SuggestRequest>) -> Result<Response<SuggestResponse>, Status> {
        let request = request.into_inner();
        let words = parse_words(&request.query)?;
        let limit = parse_limit("limit", request.limit)?;
        let mut connection = self.acquire().await?;
        let words = search::choose_words(&mut connection, words).await.map_err(Error::from)?;
        let suggestions =
            search::suggest(&mut connection, &words, limit.into()).await.map_err(Error::from)?;
        let suggestions = suggestions.into_iter().map(|suggestion| Suggestion {
            kind: encode_kind(suggestion.kind),
            id: suggestion.id,
            title: suggestion.title,
            course_id: suggestion.course_id,
        });
        Ok(Response::new(SuggestResponse { suggestions: suggestions.collect() }))
    }
}

fn parse_limit(field: &'static str, number: u32) -> Result<u32, Error> {
    if (1..=MOST).contains(&number) {
        Ok(number)
    } else {
        Err(Error::Field(FieldError::new(field, "OUT_OF_RANGE")))
    }
}

/// `None` for a kind that is not in use.
fn decode_kind(kind: SearchKind) -> Option<search::SearchKind> {
    match kind {
        SearchKind::Unspecified => None,
        SearchKind::Course => Some(search::SearchKind::Course),
        SearchKind::Lesson => Some(search::SearchKind::Lesson),
        SearchKind::Teacher => Some(search::SearchKind::Teacher),
    }
}

fn encode_kind(kind: Option<search::SearchKind>) -> i32 {
    let kind = match kind {
        None => SearchKind::Unspecified,
        Some(search::SearchKind::Course) => SearchKind::Course,
        Some(search::SearchKind::Lesson) => SearchKind::Lesson,
        Some(search::SearchKind::Teacher) => SearchKind::Teacher,
    };
    kind.into()
}
