//! An lms that knows what learners own, and nothing else.

use std::future::pending;
use std::sync::{Arc, Mutex};

use kit::caller::{Allowed, Caller, Service};
use kit::client::Channel;
use kit::test::{TestServer, channel_as};
use proto::lms::entitlement_service_server::{EntitlementService, EntitlementServiceServer};
use proto::lms::{ActiveCourse, ListActiveCoursesRequest, ListActiveCoursesResponse};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

/// How it answers.
#[derive(Clone)]
pub(crate) enum Answer {
    /// These learners own these courses.
    Owned(Vec<(Uuid, i64)>),
    Unavailable,
    /// Never.
    Nothing,
}

pub(crate) struct Lms {
    answer: Arc<Mutex<Answer>>,
    server: TestServer,
}

impl Lms {
    pub(crate) async fn start() -> Self {
        let answer = Arc::new(Mutex::new(Answer::Owned(Vec::new())));
        let callers =
            &[("/lms.v1.EntitlementService/ListActiveCourses", Allowed::Services(&[Service::Commerce]))];
        let routes = Routes::new(EntitlementServiceServer::new(Entitlements(answer.clone())));
        Self { answer, server: TestServer::service(Service::Lms, callers, routes).await }
    }

    /// From now on it answers like this.
    pub(crate) fn answer(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// A channel for commerce.
    pub(crate) fn channel(&self) -> Channel {
        channel_as(&self.server.url(), Service::Lms, Caller::service(Service::Commerce))
    }
}

struct Entitlements(Arc<Mutex<Answer>>);

#[tonic::async_trait]
impl EntitlementService for Entitlements {
    async fn list_active_courses(
        &self,
        request: Request<ListActiveCoursesRequest>,
    ) -> Result<Response<ListActiveCoursesResponse>, Status> {
        let learners = request.into_inner().learner_ids;
        let answer = self.0.lock().unwrap().clone();
        let owned = match answer {
            Answer::Owned(owned) => owned,
            Answer::Unavailable => return Err(Status::unavailable("closed")),
            Answer::Nothing => pending().await,
        };
        let courses = owned.iter().filter(|(learner, _)| learners.contains(&learner.to_string()));
        let courses = courses.map(|&(learner, course_id)| ActiveCourse {
            learner_id: learner.to_string(),
            course_id,
            active_until: None,
        });
        Ok(Response::new(ListActiveCoursesResponse { courses: courses.collect() }))
    }
}
