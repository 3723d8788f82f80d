//! The courses that learners own and can still use, from lms.

use std::collections::HashSet;
use std::time::Duration;

use kit::client::Channel;
use kit::deadline;
use proto::lms::ListActiveCoursesRequest;
use proto::lms::entitlement_service_client::EntitlementServiceClient;
use tokio::time::Instant;
use tonic::Status;
use uuid::Uuid;

use crate::error::Error;

/// Time limit of the call to lms. Without an answer, the cart is shown without owned courses.
const PATIENCE: Duration = Duration::from_secs(1);

/// Courses by learner.
#[derive(Default)]
pub(crate) struct OwnedCourses(HashSet<(Uuid, i64)>);

impl OwnedCourses {
    /// Gets the courses of these learners from lms. Must not be called within a transaction.
    pub(crate) async fn find(lms: &Channel, learners: &[Uuid]) -> Result<Self, Error> {
        if learners.is_empty() {
            return Ok(Self::default());
        }
        let request =
            ListActiveCoursesRequest { learner_ids: learners.iter().map(ToString::to_string).collect() };
        let patience = deadline::left().map_or(PATIENCE, |left| left.min(PATIENCE));
        let mut client = EntitlementServiceClient::new(lms.clone());
        let answer = deadline::scope(Instant::now() + patience, client.list_active_courses(request));
        let courses = answer.await.map_err(failure)?.into_inner().courses;
        let courses = courses.iter().map(|course| Some((course.learner_id.parse().ok()?, course.course_id)));
        let courses: Option<_> = courses.collect();
        courses.map(Self).ok_or_else(|| failure(Status::internal("a learner's id is no UUID")))
    }

    /// Whether the learner can use the course.
    pub(crate) fn contains(&self, learner: Uuid, course: i64) -> bool {
        self.0.contains(&(learner, course))
    }
}

fn failure(status: Status) -> Error {
    Error::Lms(Box::new(status))
}
