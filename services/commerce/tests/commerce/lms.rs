//! A test lms that only knows which courses learners own and which lessons they opened.

use std::future::pending;
use std::sync::{Arc, Mutex};

use kit::caller::{Allowed, Caller, Service};
use kit::client::Channel;
use kit::test::{TestServer, channel_as};
use proto::lms::entitlement_service_server::{EntitlementService, EntitlementServiceServer};
use proto::lms::{
    ActiveCourse, BoughtCourse, CountOpenedLessonsRequest, CountOpenedLessonsResponse,
    ListActiveCoursesRequest, ListActiveCoursesResponse, OpenedLessons,
};
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use uuid::Uuid;

/// How it responds.
#[derive(Clone)]
pub(crate) enum Answer {
    /// These learners own these courses.
    Owned(Vec<(Uuid, i64)>),
    Unavailable,
    /// It does not respond.
    Nothing,
}

/// The number of lessons in each course.
pub(crate) const LESSONS: u32 = 18;

/// The lessons that learners opened.
#[derive(Default)]
struct Openings {
    /// The opened lessons of a course, for all learners.
    opened: Vec<(i64, u32)>,
    /// The courses in the last request.
    asked: Vec<BoughtCourse>,
}

pub(crate) struct Lms {
    answer: Arc<Mutex<Answer>>,
    openings: Arc<Mutex<Openings>>,
    server: TestServer,
}

impl Lms {
    pub(crate) async fn start() -> Self {
        let answer = Arc::new(Mutex::new(Answer::Owned(Vec::new())));
        let openings = Arc::<Mutex<Openings>>::default();
        let callers = &[
            ("/lms.v1.EntitlementService/ListActiveCourses", Allowed::Services(&[Service::Commerce])),
            ("/lms.v1.EntitlementService/CountOpenedLessons", Allowed::Services(&[Service::Commerce])),
        ];
        let service = Entitlements { answer: answer.clone(), openings: openings.clone() };
        let routes = Routes::new(EntitlementServiceServer::new(service));
        Self { answer, openings, server: TestServer::service(Service::Lms, callers, routes).await }
    }

    /// Sets the number of opened lessons of a course, of 18.
    pub(crate) fn open(&self, course: i64, opened: u32) {
        self.openings.lock().unwrap().opened.insert(0, (course, opened));
    }

    /// The courses in the last request for opened lessons.
    pub(crate) fn asked(&self) -> Vec<BoughtCourse> {
        self.openings.lock().unwrap().asked.clone()
    }

    /// Sets how it responds.
    pub(crate) fn answer(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// A channel for commerce.
    pub(crate) fn channel(&self) -> Channel {
        channel_as(&self.server.url(), Service::Lms, Caller::service(Service::Commerce))
    }
}

struct Entitlements {
    answer: Arc<Mutex<Answer>>,
    openings: Arc<Mutex<Openings>>,
}

#[tonic::async_trait]
impl EntitlementService for Entitlements {
    async fn list_active_courses(
        &self,
        request: Request<ListActiveCoursesRequest>,
    ) -> Result<Response<ListActiveCoursesResponse>, Status> {
        let learners = request.into_inner().learner_ids;
        let answer = self.answer.lock().unwrap().clone();
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
    async fn count_opened_lessons(
        &self,
        request: Request<CountOpenedLessonsRequest>,
    ) -> Result<Response<CountOpenedLessonsResponse>, Status> {
        if matches!(*self.answer.lock().unwrap(), Answer::Unavailable) {
            return Err(Status::unavailable("closed"));
        }
        let mut openings = self.openings.lock().unwrap();
        openings.asked = request.into_inner().courses;
        let count = |bought: &BoughtCourse| {
            let opened = openings.opened.iter().find(|(course, _)| *course == bought.course_id);
            OpenedLessons { lessons: LESSONS, opened: opened.map_or(0, |(_, opened)| *opened) }
        };
        let courses = openings.asked.iter().map(count).collect();
        Ok(Response::new(CountOpenedLessonsResponse { courses }))
    }
}
