//! The readers of new notices, in batches for desk.

use std::sync::{Arc, Mutex};

use auth::account::Account;
use auth::notice_telling::NoticeTellingJob;
use kit::error;
use kit::shutdown::Shutdown;
use kit::test::TestServer;
use proto::desk::notice_telling_service_server::{NoticeTellingService, NoticeTellingServiceServer};
use proto::desk::{
    FindNoticeToTellRequest, FindNoticeToTellResponse, NoticeToTell, TellReadersRequest, TellReadersResponse,
};
use proto::lms::inventory_service_server::{InventoryService, InventoryServiceServer};
use proto::lms::{
    GetInventoryItemRequest, GetInventoryItemResponse, ListCourseUsersRequest, ListCourseUsersResponse,
    ListInventoryRequest, ListInventoryResponse, ListUsableCoursesRequest, ListUsableCoursesResponse,
};
use time::macros::date;
use tonic::metadata::MetadataMap;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

use crate::support::{EMAIL, USER, World, guardian};

/// A learner in another school year, who can use course 201.
const OWNER: Uuid = Uuid::from_u128(0x0193_6f2a_4c00_7a31_8b52_1f6d_0c9e_4b00);
/// lms fails for this course.
const BROKEN: i64 = 999;

/// desk and lms.
#[derive(Clone, Default)]
struct Upstreams {
    notices: Arc<Mutex<Vec<NoticeToTell>>>,
    batches: Arc<Mutex<Vec<TellReadersRequest>>>,
}

/// Fails for a call that could wait forever.
fn require_deadline(metadata: &MetadataMap) -> Result<(), Status> {
    metadata.get("grpc-timeout").map(drop).ok_or_else(|| Status::invalid_argument("without a deadline"))
}

#[tonic::async_trait]
impl NoticeTellingService for Upstreams {
    async fn find_notice_to_tell(
        &self,
        request: Request<FindNoticeToTellRequest>,
    ) -> Result<Response<FindNoticeToTellResponse>, Status> {
        require_deadline(request.metadata())?;
        let skipped = request.into_inner().skipped_notice_ids;
        let notices = self.notices.lock().unwrap();
        let notice = notices.iter().find(|notice| !skipped.contains(&notice.notice_id)).cloned();
        Ok(Response::new(FindNoticeToTellResponse { notice }))
    }

    async fn tell_readers(
        &self,
        request: Request<TellReadersRequest>,
    ) -> Result<Response<TellReadersResponse>, Status> {
        require_deadline(request.metadata())?;
        let batch = request.into_inner();
        let mut notices = self.notices.lock().unwrap();
        let place = notices.iter().position(|notice| notice.notice_id == batch.notice_id).unwrap();
        assert_eq!(notices[place].told_until, batch.told_until);
        match &batch.last_account_id {
            Some(last) => notices[place].told_until.clone_from(last),
            None => drop(notices.remove(place)),
        }
        self.batches.lock().unwrap().push(batch);
        Ok(Response::new(TellReadersResponse {}))
    }
}

#[tonic::async_trait]
impl InventoryService for Upstreams {
    async fn list_course_users(
        &self,
        request: Request<ListCourseUsersRequest>,
    ) -> Result<Response<ListCourseUsersResponse>, Status> {
        require_deadline(request.metadata())?;
        let ListCourseUsersRequest { course_id, mut learner_ids } = request.into_inner();
        if course_id == BROKEN {
            return Err(Status::internal("no courses"));
        }
        learner_ids.retain(|id| course_id == 201 && *id == OWNER.to_string());
        Ok(Response::new(ListCourseUsersResponse { learner_ids }))
    }

    async fn list_inventory(
        &self,
        _: Request<ListInventoryRequest>,
    ) -> Result<Response<ListInventoryResponse>, Status> {
        Err(Status::unimplemented("not called"))
    }

    async fn get_inventory_item(
        &self,
        _: Request<GetInventoryItemRequest>,
    ) -> Result<Response<GetInventoryItemResponse>, Status> {
        Err(Status::unimplemented("not called"))
    }

    async fn list_usable_courses(
        &self,
        _: Request<ListUsableCoursesRequest>,
    ) -> Result<Response<ListUsableCoursesResponse>, Status> {
        Err(Status::unimplemented("not called"))
    }
}

/// The job with desk and lms.
struct Telling {
    world: World,
    job: NoticeTellingJob,
    upstreams: Upstreams,
    _server: TestServer,
}

impl Telling {
    async fn start(guardians: u128) -> Self {
        let world = World::with_guardians(guardians).await;
        let owner = Account {
            id: OWNER,
            email: "owner@konomana.example".to_owned(),
            birth_date: Some(date!(2012 - 04 - 01)),
            ..world.account().await
        };
        world.put(&owner).await;
        let upstreams = Upstreams::default();
        let services = Routes::new(NoticeTellingServiceServer::new(upstreams.clone()))
            .add_service(InventoryServiceServer::new(upstreams.clone()));
        let server = TestServer::grpc(services).await;
        let pool = world.database.pool.clone();
        let job = NoticeTellingJob::new(pool, server.channel(), server.channel(), world.clock.clock());
        Self { world, job, upstreams, _server: server }
    }

    fn publish(&self, notice: NoticeToTell) {
        self.upstreams.notices.lock().unwrap().push(notice);
    }

    /// Tells the readers of a notice, and returns their accounts.
    async fn readers(&self, notice: NoticeToTell) -> Vec<String> {
        self.publish(notice);
        self.job.run_until(&Shutdown::default()).await.unwrap();
        let batches = std::mem::take(&mut *self.upstreams.batches.lock().unwrap());
        batches.into_iter().flat_map(|batch| batch.readers).map(|reader| reader.account_id).collect()
    }
}

fn notice(audience: &str) -> NoticeToTell {
    NoticeToTell { notice_id: 1, audience: audience.to_owned(), ..NoticeToTell::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn each_audience_has_its_readers() {
    let telling = Telling::start(2).await;
    let (user, owner) = (USER.to_string(), OWNER.to_string());
    let guardians = [guardian(0).to_string(), guardian(1).to_string()];
    let sorted = |mut ids: Vec<String>| {
        ids.sort();
        ids
    };
    let learners = sorted(vec![user.clone(), owner.clone()]);
    let everyone = sorted([learners.clone(), guardians.to_vec()].concat());
    assert_eq!(telling.readers(notice("everyone")).await, everyone);
    assert_eq!(telling.readers(notice("learner")).await, learners);
    assert_eq!(telling.readers(notice("guardian")).await, guardians);
    let year = |year: &str| NoticeToTell { school_year: Some(year.to_owned()), ..notice("school_year") };
    assert_eq!(telling.readers(year("高1")).await, std::slice::from_ref(&user));
    assert_eq!(telling.readers(year("中3")).await, std::slice::from_ref(&owner));
    let course = |id: i64| NoticeToTell { course_id: Some(id), ..notice("course") };
    assert_eq!(telling.readers(course(201)).await, std::slice::from_ref(&owner));
    assert_eq!(telling.readers(course(202)).await, [""; 0]);
    let personal = NoticeToTell { account_id: Some(owner.clone()), ..notice("account") };
    assert_eq!(telling.readers(personal).await, [owner]);

    let closing = "UPDATE account SET erase_at = now() WHERE scope = '{guardian}' RETURNING id::text";
    telling.world.text(closing).await;
    assert_eq!(telling.readers(notice("everyone")).await, learners);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_readers_are_told_in_batches_and_a_notice_that_fails_holds_up_no_other() {
    let telling = Telling::start(120).await;
    telling.publish(NoticeToTell { notice_id: 2, course_id: Some(BROKEN), ..notice("course") });
    telling.publish(NoticeToTell { notice_id: 3, ..notice("of a later release") });
    telling.publish(notice("everyone"));
    let failed = telling.job.run_until(&Shutdown::default()).await.unwrap_err();
    assert!(error::chain(&failed).contains("unknown audience"), "{failed}");
    let batches = telling.upstreams.batches.lock().unwrap().clone();
    let sizes: Vec<_> = batches.iter().map(|batch| (batch.notice_id, batch.readers.len())).collect();
    assert_eq!(sizes, [(1, 100), (1, 22)]);
    assert_eq!(batches[0].last_account_id, batches[0].readers.last().map(|last| last.account_id.clone()));
    assert_eq!(
        (&batches[1].told_until, &batches[1].last_account_id),
        (&batches[0].readers[99].account_id, &None)
    );
    let mut all: Vec<_> =
        batches.iter().flat_map(|batch| &batch.readers).map(|reader| &reader.account_id).collect();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 122);
    let user =
        batches.iter().flat_map(|batch| &batch.readers).find(|reader| reader.account_id == USER.to_string());
    assert_eq!(
        user.map(|user| (user.email.as_str(), user.birth_date.as_deref())),
        Some((EMAIL, Some("2011-04-01")))
    );

    let stopped = Shutdown::default();
    stopped.begin();
    telling.publish(notice("everyone"));
    telling.job.run_until(&stopped).await.unwrap();
    assert_eq!(telling.upstreams.batches.lock().unwrap().len(), 2, "a shutdown stops it");
}
