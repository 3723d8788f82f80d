//! The inventory: a learner's courses.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Response;
use http::HeaderMap;
use kit::response_cache::{AssembledJson, CachedJson};
use proto::lms;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use utoipa::ToSchema;
use uuid::Uuid;

use super::courses::{Course, incomplete};
use crate::Edge;
use crate::answer::{json, serialization_error};
use crate::error::Error;
use crate::input::{Id, Query};
use crate::links::Links;
use crate::session::Learner;
use crate::timestamp::{parse_optional_timestamp, parse_timestamp};

/// Items on a page.
const PAGE_SIZE: u32 = 12;

/// What a learner does with an item. Each item is in exactly one of the last four states.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum InventoryState {
    /// Every item.
    All,
    /// Opened, and neither complete nor expired.
    Learning,
    /// Every lesson was checked; not expired.
    Complete,
    /// Expired.
    Expired,
    /// Never opened, and neither complete nor expired.
    New,
}

impl InventoryState {
    fn wire(self) -> lms::InventoryState {
        match self {
            Self::All => lms::InventoryState::All,
            Self::Learning => lms::InventoryState::Learning,
            Self::Complete => lms::InventoryState::Complete,
            Self::Expired => lms::InventoryState::Expired,
            Self::New => lms::InventoryState::New,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::All => "all",
            Self::Learning => "learning",
            Self::Complete => "complete",
            Self::Expired => "expired",
            Self::New => "new",
        }
    }
}

/// A learner's access to one course.
#[derive(Serialize, ToSchema)]
pub(crate) struct InventoryItem {
    #[serde(flatten)]
    holding: Holding,
    #[schema(value_type = Course)]
    course: Arc<CachedJson>,
}

/// An inventory item without its course.
#[derive(Serialize, ToSchema)]
pub(crate) struct Holding {
    id: i64,
    /// When access was granted.
    #[serde(with = "time::serde::rfc3339")]
    created: OffsetDateTime,
    /// When the item last changed.
    #[serde(with = "time::serde::rfc3339")]
    modified: OffsetDateTime,
    /// End of access; null: no end.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    expire_at: Option<OffsetDateTime>,
    /// Whether access has expired, by the server's clock.
    is_expired: bool,
    /// Whether a subscription grants access.
    is_auto_renewal: bool,
    /// Whether access was granted less than 7 days ago and the course was never opened.
    is_new: bool,
    /// Id of the product that granted access.
    product_id: i64,
    /// Account id of the learner: the caller.
    user: Uuid,
    /// Number of lessons that the learner checked.
    check_count: i32,
    /// When all lessons were checked for the first time; null until then.
    #[serde(with = "time::serde::rfc3339::option")]
    #[schema(required)]
    completed_at: Option<OffsetDateTime>,
    /// Expired items of the same course, which the list leaves out. Only in a list with `state`, and only if there are any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    former: Vec<FormerItem>,
}

/// An expired item of a course that the learner owns again.
#[derive(Serialize, ToSchema)]
pub(crate) struct FormerItem {
    id: i64,
    #[serde(with = "time::serde::rfc3339")]
    expire_at: OffsetDateTime,
}

impl TryFrom<lms::FormerItem> for FormerItem {
    type Error = Error;

    fn try_from(former: lms::FormerItem) -> Result<Self, Error> {
        Ok(Self { id: former.id, expire_at: parse_timestamp(former.expire_at)? })
    }
}

impl Holding {
    fn new(item: lms::InventoryItem, user: Uuid) -> Result<Self, Error> {
        Ok(Self {
            former: item.former.into_iter().map(FormerItem::try_from).collect::<Result<_, _>>()?,
            id: item.id,
            created: parse_timestamp(item.created)?,
            modified: parse_timestamp(item.modified)?,
            expire_at: parse_optional_timestamp(item.expire_at)?,
            is_expired: item.is_expired,
            is_auto_renewal: item.is_auto_renewal,
            is_new: item.is_new,
            product_id: item.product_id,
            user,
            check_count: item.check_count,
            completed_at: parse_optional_timestamp(item.completed_at)?,
        })
    }
}

/// A page of the inventory.
#[derive(Serialize, ToSchema)]
pub(crate) struct InventoryList {
    #[serde(flatten)]
    counts: InventoryCounts,
    #[schema(max_items = 12)]
    results: Vec<InventoryItem>,
}

impl InventoryList {
    /// Assembles the page. Most of its bytes are cached courses.
    fn assemble(&self) -> serde_json::Result<AssembledJson<'_>> {
        let mut assembled = AssembledJson::default();
        assembled.push_fields(&self.counts)?;
        assembled.push_text(",\"results\":[");
        for (place, InventoryItem { holding, course }) in self.results.iter().enumerate() {
            if place > 0 {
                assembled.push_text(",");
            }
            assembled.push_fields(holding)?;
            assembled.push_text(",\"course\":");
            assembled.push_cached(course);
            assembled.push_text("}");
        }
        assembled.push_text("]}");
        Ok(assembled)
    }
}

/// A page of the inventory without its items.
#[derive(Serialize, ToSchema)]
pub(crate) struct InventoryCounts {
    /// Number of items on all pages, of the state if one is requested.
    count: u32,
    #[schema(minimum = 1)]
    current_page: u32,
    #[schema(minimum = 1)]
    max_page: u32,
    /// Number of courses with all lessons checked, on all pages.
    complete_count: u32,
    #[schema(required, format = "uri")]
    next: Option<String>,
    #[schema(required, format = "uri")]
    previous: Option<String>,
    /// Only in a list with `state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state_counts: Option<InventoryStateCounts>,
}

/// Number of items in each state, without expired items of a course that the learner owns again.
#[derive(Serialize, ToSchema)]
pub(crate) struct InventoryStateCounts {
    learning: u32,
    complete: u32,
    expired: u32,
    new: u32,
}

impl From<lms::InventoryStateCounts> for InventoryStateCounts {
    fn from(counts: lms::InventoryStateCounts) -> Self {
        let lms::InventoryStateCounts { learning, complete, expired, new } = counts;
        Self { learning, complete, expired, new }
    }
}

/// Lists the caller's inventory items, newest first.
#[utoipa::path(
    get,
    path = "/api/lms/inventory/",
    operation_id = "inventory_list",
    tag = "lms",
    params(
        ("sort_by_watchhistory" = Option<bool>, Query, description = "Whether to list the last watched first. 1 and 0 are accepted too."),
        ("state" = Option<InventoryState>, Query, description = "State of the items. The list then leaves out expired items of a course that the learner owns again."),
        ("page" = Option<u32>, Query, description = "Page number, from 1. 404 beyond the last page.", minimum = 1)
    ),
    responses((status = 200, description = "A page of inventory items.", body = InventoryList))
)]
pub(crate) async fn list(
    State(edge): State<Edge>,
    learner: Learner,
    query: Query,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let page = query.page()?;
    let sort_by_watchhistory = query.flag("sort_by_watchhistory")?;
    let state = query.choice::<InventoryState>("state")?;
    let request = lms::ListInventoryRequest {
        learner_id: learner.id(),
        page,
        sort_by_watchhistory,
        state: state.map_or(lms::InventoryState::Unspecified, InventoryState::wire).into(),
    };
    let list = edge.inventory(&learner).list_inventory(request).await?.into_inner();
    let sorted = sort_by_watchhistory.then(|| ("sort_by_watchhistory", "true".to_owned()));
    let filtered = state.map(|state| ("state", state.name().to_owned()));
    let filters: Vec<_> = sorted.into_iter().chain(filtered).collect();
    let links = Links::new(edge.origin(), "/api/lms/inventory/", &filters, page, PAGE_SIZE, list.count);
    let counts = InventoryCounts {
        count: list.count,
        current_page: links.current,
        max_page: links.last,
        complete_count: list.complete_count,
        next: links.next,
        previous: links.previous,
        state_counts: list.state_counts.map(InventoryStateCounts::from),
    };
    let list = InventoryList { counts, results: with_courses(&edge, &learner, list.items).await? };
    Ok(list.assemble().map_err(|error| serialization_error(&error))?.into_answer(&headers))
}

/// Returns an inventory item of the caller.
#[utoipa::path(
    get,
    path = "/api/lms/inventory/{id}/",
    operation_id = "inventory_item",
    tag = "lms",
    params(("id" = i64, Path, description = "Id of the inventory item.", minimum = 1)),
    responses((status = 200, description = "The inventory item.", body = InventoryItem))
)]
pub(crate) async fn item(State(edge): State<Edge>, learner: Learner, Id(id): Id) -> Result<Response, Error> {
    let request = lms::GetInventoryItemRequest { learner_id: learner.id(), id };
    let item = edge.inventory(&learner).get_inventory_item(request).await?.into_inner().item;
    let items = vec![item.ok_or_else(|| incomplete("item"))?];
    let item = with_courses(&edge, &learner, items).await?.pop().ok_or_else(|| incomplete("item"))?;
    Ok(json(&item))
}

async fn with_courses(
    edge: &Edge,
    learner: &Learner,
    items: Vec<lms::InventoryItem>,
) -> Result<Vec<InventoryItem>, Error> {
    let wanted = items.iter().map(|item| (item.course_id, item.course_revision));
    let courses = edge.course_cache().get(&mut edge.catalogue(), wanted).await?;
    items
        .into_iter()
        .map(|item| {
            let course = courses.get(&item.course_id).ok_or_else(|| incomplete("an owned course"))?;
            Ok(InventoryItem { course: course.clone(), holding: Holding::new(item, learner.user())? })
        })
        .collect()
}
