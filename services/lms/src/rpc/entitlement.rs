//! What learners may use, for the services that sell it.

use kit::error::FieldError;
use kit::timestamp::to_timestamp;
use proto::lms::entitlement_service_server::EntitlementService;
use proto::lms::{ActiveCourse, ListActiveCoursesRequest, ListActiveCoursesResponse};
use tonic::{Request, Response, Status};
use uuid::Uuid;

use super::Lms;
use crate::entitlement;
use crate::error::Error;

/// Most learners of a request.
const LEARNERS_LIMIT: usize = 100;

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
}

fn parse_learners(ids: &[String]) -> Result<Vec<Uuid>, Error> {
    let invalid = |code| Error::Field(FieldError::new("learner_ids", code));
    if ids.len() > LEARNERS_LIMIT {
        return Err(invalid("TOO_LONG"));
    }
    ids.iter().map(|id| id.parse().map_err(|_| invalid("INVALID_FORMAT"))).collect()
}
