//! The number of lessons that learners opened in purchased courses, from lms.

use kit::client::Channel;
use kit::timestamp::to_timestamp;
use proto::lms::entitlement_service_client::EntitlementServiceClient;
use proto::lms::{BoughtCourse, CountOpenedLessonsRequest};
use time::OffsetDateTime;
use tonic::Status;
use uuid::Uuid;

use crate::error::Error;

/// The lessons of a course.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Lessons {
    pub(crate) total: u32,
    /// How many lessons the learner opened since the course was granted.
    pub(crate) opened: u32,
}

/// Counts the lessons of courses, each with its learner and its purchase time `since`. Must not be
/// called within a transaction.
pub(crate) async fn count(
    lms: &Channel,
    courses: &[(Uuid, i64)],
    since: OffsetDateTime,
) -> Result<Vec<Lessons>, Error> {
    if courses.is_empty() {
        return Ok(Vec::new());
    }
    let bought = courses.iter().map(|(learner, course)| BoughtCourse {
        learner_id: learner.to_string(),
        course_id: *course,
        granted_at: Some(to_timestamp(since)),
    });
    let request = CountOpenedLessonsRequest { courses: bought.collect() };
    let mut client = EntitlementServiceClient::new(lms.clone());
    let counted = client.count_opened_lessons(request).await.map_err(failure)?.into_inner().courses;
    if counted.len() != courses.len() {
        return Err(failure(Status::internal("the counts are not those of the request")));
    }
    Ok(counted.iter().map(|course| Lessons { total: course.lessons, opened: course.opened }).collect())
}

fn failure(status: Status) -> Error {
    Error::Lms(Box::new(status))
}
