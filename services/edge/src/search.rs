//! Full-text search of public content: courses, lessons and teachers in lms, notices and FAQ in desk.

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use kit::page::Page;
use proto::{desk, lms};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Edge;
use crate::answer::public;
use crate::error::Error;
use crate::input::Query;
use crate::links::Links;
use crate::lms::courses::incomplete;

/// Hits of one kind on a page.
const PAGE_SIZE: u32 = 20;
/// Hits of each kind if the request names no kind.
const FIRST_OF_EACH: u32 = 5;
/// Number of suggestions.
const SUGGESTIONS: usize = 8;
/// Suggestions reserved for desk, if it has that many.
const SUGGESTIONS_OF_DESK: usize = 3;

/// Kind of a hit.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum Kind {
    /// A course.
    Course,
    /// A lesson of a course.
    Lesson,
    /// A teacher.
    Teacher,
    /// A notice.
    Notice,
    /// A frequently asked question with its answer.
    Faq,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Course, Self::Lesson, Self::Teacher, Self::Notice, Self::Faq];

    fn name(self) -> &'static str {
        match self {
            Self::Course => "course",
            Self::Lesson => "lesson",
            Self::Teacher => "teacher",
            Self::Notice => "notice",
            Self::Faq => "faq",
        }
    }

    /// Returns the kind in lms, if lms searches it.
    fn of_lms(self) -> Option<lms::SearchKind> {
        match self {
            Self::Course => Some(lms::SearchKind::Course),
            Self::Lesson => Some(lms::SearchKind::Lesson),
            Self::Teacher => Some(lms::SearchKind::Teacher),
            Self::Notice | Self::Faq => None,
        }
    }

    /// Returns the kind in desk, if desk searches it.
    fn of_desk(self) -> Option<desk::SearchKind> {
        match self {
            Self::Course | Self::Lesson | Self::Teacher => None,
            Self::Notice => Some(desk::SearchKind::Notice),
            Self::Faq => Some(desk::SearchKind::Faq),
        }
    }

    fn from_lms(kind: lms::SearchKind) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|known| known.of_lms() == Some(kind));
        known.ok_or_else(|| incomplete("the kind of a hit of lms"))
    }

    fn from_desk(kind: desk::SearchKind) -> Result<Self, Error> {
        let known = Self::ALL.into_iter().find(|known| known.of_desk() == Some(kind));
        known.ok_or_else(|| incomplete("the kind of a hit of desk"))
    }
}

/// A search hit.
#[derive(Serialize, ToSchema)]
pub(crate) struct Hit {
    kind: Kind,
    /// Unique within the kind.
    id: i64,
    /// Title, name of the teacher, or the question.
    title: String,
    /// One or two sentences.
    summary: String,
    /// Course of the lesson; null for other kinds.
    #[schema(required)]
    course_id: Option<i64>,
    /// Name of that course; null for other kinds.
    #[schema(required)]
    course_name: Option<String>,
}

impl TryFrom<lms::SearchHit> for Hit {
    type Error = Error;

    fn try_from(hit: lms::SearchHit) -> Result<Self, Error> {
        Ok(Self {
            kind: Kind::from_lms(hit.kind())?,
            id: hit.id,
            title: hit.title,
            summary: hit.summary,
            course_id: hit.course_id,
            course_name: hit.course_name,
        })
    }
}

impl TryFrom<desk::SearchHit> for Hit {
    type Error = Error;

    fn try_from(hit: desk::SearchHit) -> Result<Self, Error> {
        Ok(Self {
            kind: Kind::from_desk(hit.kind())?,
            id: hit.id,
            title: hit.title,
            summary: hit.summary,
            course_id: None,
            course_name: None,
        })
    }
}

/// Number of hits of each kind. Courses, lessons and teachers are counted up to 1,000.
#[derive(Default, Serialize, ToSchema)]
pub(crate) struct Counts {
    course: u32,
    lesson: u32,
    teacher: u32,
    notice: u32,
    faq: u32,
}

impl Counts {
    fn new(lms_found: &lms::SearchResponse, desk_found: &desk::SearchResponse) -> Result<Self, Error> {
        let mut counts = Self::default();
        for counted in &lms_found.counts {
            *counts.count_mut(Kind::from_lms(counted.kind())?) = counted.count;
        }
        for counted in &desk_found.counts {
            *counts.count_mut(Kind::from_desk(counted.kind())?) = counted.count;
        }
        Ok(counts)
    }

    fn count_mut(&mut self, kind: Kind) -> &mut u32 {
        match kind {
            Kind::Course => &mut self.course,
            Kind::Lesson => &mut self.lesson,
            Kind::Teacher => &mut self.teacher,
            Kind::Notice => &mut self.notice,
            Kind::Faq => &mut self.faq,
        }
    }

    fn all(&self) -> u32 {
        [self.course, self.lesson, self.teacher, self.notice, self.faq]
            .into_iter()
            .fold(0, u32::saturating_add)
    }
}

/// A page of search hits.
#[derive(Serialize, ToSchema)]
pub(crate) struct HitPage {
    /// Number of hits of the requested kind, or of all kinds.
    count: u32,
    /// URL of the next page; null on the last page, and if no kind is requested.
    #[schema(required, format = "uri")]
    next: Option<String>,
    #[schema(required, format = "uri")]
    previous: Option<String>,
    counts: Counts,
    /// Ordered by kind, best hits first.
    #[schema(max_items = 25)]
    results: Vec<Hit>,
}

/// Searches public content. Every word must match. Without a kind, returns the first five hits of each kind.
#[utoipa::path(
    get,
    path = "/api/search/",
    operation_id = "search",
    tag = "search",
    params(
        ("q" = String, Query, description = "Search words; every word must match. Width, case and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "すうがく"),
        ("kind" = Option<Kind>, Query, description = "Kind of the hits. Its hits are paged."),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses(
        (status = 200, description = "A page of search hits.", body = HitPage),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn search(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let words = words(&query)?;
    let kind = query.choice::<Kind>("kind")?;
    let number = query.page()?;
    let page_size = if kind.is_some() { PAGE_SIZE } else { FIRST_OF_EACH };
    let kinds = || Kind::ALL.into_iter().filter(|each| kind.is_none_or(|kind| kind == *each));
    let lms_request = lms::SearchRequest {
        query: words.clone(),
        kinds: kinds().filter_map(Kind::of_lms).map(Into::into).collect(),
        page: number,
        page_size,
    };
    let desk_request = desk::SearchRequest {
        query: words.clone(),
        kinds: kinds().filter_map(Kind::of_desk).map(Into::into).collect(),
        page: number,
        page_size,
    };
    let (mut lms_search, mut desk_search) = (edge.lms_search(), edge.desk_search());
    let (lms_found, desk_found) =
        tokio::try_join!(lms_search.search(lms_request), desk_search.search(desk_request))?;
    let (lms_found, desk_found) = (lms_found.into_inner(), desk_found.into_inner());
    let mut counts = Counts::new(&lms_found, &desk_found)?;
    // The first five hits of each kind are one page.
    let count = match kind {
        Some(kind) => *counts.count_mut(kind),
        None => counts.all(),
    };
    let pages = if kind.is_some() { count } else { 0 };
    if Page::new(number, PAGE_SIZE).is_none_or(|page| page.is_beyond(pages)) {
        return Err(Error::NotFound);
    }
    let filters: Vec<_> =
        [("q", words)].into_iter().chain(kind.map(|kind| ("kind", kind.name().to_owned()))).collect();
    let links = Links::new(edge.origin(), "/api/search/", &filters, number, PAGE_SIZE, pages);
    let lms_found = lms_found.hits.into_iter().map(Hit::try_from);
    let desk_found = desk_found.hits.into_iter().map(Hit::try_from);
    let results = lms_found.chain(desk_found).collect::<Result<_, _>>()?;
    public(&edge, &headers, &HitPage { count, next: links.next, previous: links.previous, counts, results })
}

/// A suggested title.
#[derive(Serialize, ToSchema)]
pub(crate) struct Suggestion {
    kind: Kind,
    /// Unique within the kind.
    id: i64,
    /// Title, name of the teacher, or the question.
    title: String,
    /// Course of the lesson; null for other kinds.
    #[schema(required)]
    course_id: Option<i64>,
}

/// Suggested titles.
#[derive(Serialize, ToSchema)]
pub(crate) struct Suggestions {
    /// Best first.
    #[schema(max_items = 8)]
    results: Vec<Suggestion>,
}

/// Suggests titles that contain every word typed so far.
#[utoipa::path(
    get,
    path = "/api/search/suggest/",
    operation_id = "suggest",
    tag = "search",
    params(
        ("q" = String, Query, description = "The text typed so far. Width, case and kind of kana are ignored.", min_length = 1, max_length = 100, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f]*[^\\s\\u0000-\\u001f\\u007f-\\u009f][^\\u0000-\\u001f\\u007f-\\u009f]*$", example = "すう")
    ),
    responses(
        (status = 200, description = "At most eight suggestions.", body = Suggestions),
        (status = 304, description = "Not modified: the `ETag` in `If-None-Match` is current.")
    )
)]
pub(crate) async fn suggest(
    State(edge): State<Edge>,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let words = words(&query)?;
    let limit = u32::try_from(SUGGESTIONS).unwrap_or(u32::MAX);
    let (mut lms_search, mut desk_search) = (edge.lms_search(), edge.desk_search());
    let (lms_found, desk_found) = tokio::try_join!(
        lms_search.suggest(lms::SuggestRequest { query: words.clone(), limit }),
        desk_search.suggest(desk::SuggestRequest { query: words, limit }),
    )?;
    let (lms_found, desk_found) = (lms_found.into_inner().suggestions, desk_found.into_inner().suggestions);
    let first = SUGGESTIONS - desk_found.len().min(SUGGESTIONS_OF_DESK);
    let lms_found = lms_found.into_iter().take(first).map(|suggestion| {
        let kind = Kind::from_lms(suggestion.kind())?;
        let lms::Suggestion { id, title, course_id, .. } = suggestion;
        Ok::<_, Error>(Suggestion { kind, id, title, course_id })
    });
    let desk_found = desk_found.into_iter().map(|suggestion| {
        let kind = Kind::from_desk(suggestion.kind())?;
        Ok(Suggestion { kind, id: suggestion.id, title: suggestion.title, course_id: None })
    });
    let results = lms_found.chain(desk_found).take(SUGGESTIONS).collect::<Result<_, _>>()?;
    public(&edge, &headers, &Suggestions { results })
}

fn words(query: &Query) -> Result<String, Error> {
    query.words("q")?.ok_or_else(|| Error::field("q", "REQUIRED"))
}
