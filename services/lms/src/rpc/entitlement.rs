//! Active entitlements and opened lessons, for the services that sell courses.

use kit::error::FieldError;
use kit::timestamp::{from_timestamp, to_timestamp};
use proto::lms::entitlement_service_server::EntitlementService;
use proto::lms::{
    ActiveCourse, CountOpenedLessonsRequest, CountOpenedLessonsResponse, ListActiveCoursesRequest,
    ListActiveCoursesResponse, OpenedLessons,
};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Lms;
use crate::entitlement;
use crate::error::Error;
use crate::lesson::opening::{self, BoughtCourse};

/// The maximum number of learners in one request.
const LEARNERS_LIMIT: usize = 100;
/// The maximum number of courses in one request.
const COURSES_LIMIT: usize = 100;

#[tonic::async_trait]
impl EntitlementService for Lms {
    async fn list_active_courses(
        &self,
        request: Request<ListActiveCoursesRequest>,
    ) -> Result<Response<ListActiveCoursesResponse>, Status> {
        let learners = parse_learners(&request.into_inner().learner_ids)?;
        let mut connection = self.acquire().await?;
        let courses = entitlement::list_active(&mut connection, &learners, self.clock.now())
            .await
            .map_err(Error::from)?;
        self.pool.keep(connection);
        let courses = courses.into_iter().map(|course| ActiveCourse {
            learner_id: course.learner.to_string(),
            course_id: course.course,
            active_until: course.expire_at.map(to_timestamp),
        });
        Ok(Response::new(ListActiveCoursesResponse { courses: courses.collect() }))
    }

    async fn count_opened_lessons(
        &self,
        request: Request<CountOpenedLessonsRequest>,
    ) -> Result<Response<CountOpenedLessonsResponse>, Status> {
        let bought = parse_courses(request.into_inner().courses)?;
        let mut connection = self.acquire().await?;
        let counted = opening::count(&mut connection, &bought).await.map_err(Error::from)?;
        self.pool.keep(connection);
        let courses = counted.into_iter().map(|counted| OpenedLessons {
            lessons: u32::try_from(counted.lessons).unwrap_or(u32::MAX),
            opened: u32::try_from(counted.opened).unwrap_or(u32::MAX),
        });
        Ok(Response::new(CountOpenedLessonsResponse { courses: courses.collect() }))
    }
}

fn parse_courses(courses: Vec<proto::lms::BoughtCourse>) -> Result<Vec<BoughtCourse>, Error> {
    let invalid = |code| Error::Field(FieldError::new("courses", code));
    if courses.len() > COURSES_LIMIT {
        return Err(invalid("TOO_LONG"));
    }
    let courses = courses.into_iter().map(|bought| {
        let learner = bought.learner_id.parse().ok()?;
        let since = from_timestamp(bought.granted_at?).ok()?;
        Some(BoughtCourse { learner, course: bought.course_id, since })
    });
    courses.collect::<Option<_>>().ok_or(invalid("INVALID_FORMAT"))
}

fn parse_learners(ids: &[String]) -> Result<Vec<Uuid>, Error> {
    let invalid = |code| Error::Field(FieldError::new("learner_ids", code));
    if ids.len() > LEARNERS_LIMIT {
        return Err(invalid("TOO_LONG"));
    }
    ids.iter().map(|id| id.parse().map_err(|_| invalid("INVALID_FORMAT"))).collect()
}
