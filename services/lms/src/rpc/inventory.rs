//! A learner's inventory.

use kit::caller::CallerOf as _;
use kit::error::FieldError;
use kit::page::Page;
use kit::timestamp::to_timestamp;
use proto::lms::inventory_service_server::InventoryService;
use proto::lms::{
    FormerItem, GetInventoryItemRequest, GetInventoryItemResponse, InventoryItem, InventoryState,
    InventoryStateCounts, ListCourseUsersRequest, ListCourseUsersResponse, ListInventoryRequest,
    ListInventoryResponse, ListUsableCoursesRequest, ListUsableCoursesResponse,
};
use time::OffsetDateTime;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Lms;
use crate::config::Rules;
use crate::entitlement;
use crate::error::Error;
use crate::inventory::{self, Item, State, StateCounts, StateFilter};

/// Most learners in one call.
const LEARNER_LIMIT: usize = 200;

#[tonic::async_trait]
impl InventoryService for Lms {
    async fn list_inventory(
        &self,
        request: Request<ListInventoryRequest>,
    ) -> Result<Response<ListInventoryResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let page = Page::parse(request.page, inventory::PAGE_SIZE)?;
        let now = self.clock.now();
        let filter = decode_filter(request.state, now)?;
        let mut connection = self.acquire().await?;
        let by_watch_history = request.sort_by_watchhistory;
        let items =
            inventory::list_page(&mut connection, &self.revisions, learner, page, by_watch_history, filter)
                .await
                .map_err(Error::from)?;
        self.pool.keep(connection);
        Ok(Response::new(ListInventoryResponse {
            count: page
                .encode_count(i64::try_from(items.count).unwrap_or(i64::MAX))
                .ok_or(Error::NotFound)?,
            complete_count: u32::try_from(items.complete_count).unwrap_or(u32::MAX),
            items: items.page.iter().map(|item| encode_item(item, now, self.rules)).collect(),
            state_counts: items.state_counts.as_ref().map(encode_counts),
        }))
    }

    async fn get_inventory_item(
        &self,
        request: Request<GetInventoryItemRequest>,
    ) -> Result<Response<GetInventoryItemResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let request = request.into_inner();
        let mut connection = self.acquire().await?;
        let item = inventory::find(&mut connection, &self.revisions, learner, request.id)
            .await
            .map_err(Error::from)?
            .ok_or(Error::NotFound)?;
        self.pool.keep(connection);
        let item = encode_item(&item, self.clock.now(), self.rules);
        Ok(Response::new(GetInventoryItemResponse { item: Some(item) }))
    }

    async fn list_usable_courses(
        &self,
        request: Request<ListUsableCoursesRequest>,
    ) -> Result<Response<ListUsableCoursesResponse>, Status> {
        let learner = request.caller()?.learner()?;
        let mut connection = self.acquire().await?;
        let courses = entitlement::list_active(&mut connection, &[learner], self.clock.now())
            .await
            .map_err(Error::from)?;
        self.pool.keep(connection);
        let course_ids = courses.into_iter().map(|course| course.course).collect();
        Ok(Response::new(ListUsableCoursesResponse { course_ids }))
    }

    async fn list_course_users(
        &self,
        request: Request<ListCourseUsersRequest>,
    ) -> Result<Response<ListCourseUsersResponse>, Status> {
        let ListCourseUsersRequest { course_id, learner_ids } = request.into_inner();
        let invalid = |reason| Error::Field(FieldError::new("learner_ids", reason));
        if learner_ids.len() > LEARNER_LIMIT {
            return Err(invalid("TOO_LONG").into());
        }
        let learners: Result<Vec<Uuid>, _> = learner_ids.iter().map(|id| id.parse()).collect();
        let learners = learners.map_err(|_| invalid("INVALID_FORMAT"))?;
        let mut connection = self.acquire().await?;
        let courses = entitlement::list_active(&mut connection, &learners, self.clock.now())
            .await
            .map_err(Error::from)?;
        self.pool.keep(connection);
        let users = courses.into_iter().filter(|course| course.course == course_id);
        let learner_ids = users.map(|course| course.learner.to_string()).collect();
        Ok(Response::new(ListCourseUsersResponse { learner_ids }))
    }
}

fn decode_filter(state: i32, now: OffsetDateTime) -> Result<Option<StateFilter>, Error> {
    let state = InventoryState::try_from(state)
        .map_err(|_| Error::Field(FieldError::new("state", "UNKNOWN_CHOICE")))?;
    let state = match state {
        InventoryState::Unspecified => return Ok(None),
        InventoryState::All => None,
        InventoryState::Learning => Some(State::Learning),
        InventoryState::Complete => Some(State::Complete),
        InventoryState::Expired => Some(State::Expired),
        InventoryState::New => Some(State::New),
    };
    Ok(Some(StateFilter { state, now }))
}

fn encode_counts(counts: &StateCounts) -> InventoryStateCounts {
    let &StateCounts { learning, complete, expired, new } = counts;
    InventoryStateCounts { learning, complete, expired, new }
}

fn encode_item(item: &Item, now: OffsetDateTime, rules: Rules) -> InventoryItem {
    InventoryItem {
        id: item.id,
        course_id: item.course_id,
        course_revision: item.course_revision,
        created: Some(to_timestamp(item.created)),
        modified: Some(to_timestamp(item.modified)),
        expire_at: item.expire_at.map(to_timestamp),
        is_expired: item.is_expired(now),
        is_auto_renewal: item.is_auto_renewal,
        is_new: item.is_new(now, rules.new_for),
        product_id: item.product_id,
        check_count: item.check_count,
        completed_at: item.completed_at.map(to_timestamp),
        former: item.former.iter().map(encode_former).collect(),
    }
}

fn encode_former(former: &inventory::FormerItem) -> FormerItem {
    FormerItem { id: former.id, expire_at: former.expire_at.map(to_timestamp) }
}
