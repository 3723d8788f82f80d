//! Course trees, ready to send. A tree never changes within one revision, and it is the same for every learner: it is
//! fetched, decoded and written once, and then only copied into answers.

use std::collections::HashMap;
use std::sync::Arc;

use kit::client::Channel;
use proto::lms::GetCoursesRequest;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::value::{RawValue, to_raw_value};

use super::catalogue::{Course, incomplete};
use crate::error::Error;

/// A course with its tree, as JSON.
pub(crate) type CourseJson = Arc<RawValue>;

/// About how large one is, for the cache's first guess.
const USUAL_SIZE: u64 = 8 * 1024;
/// The most that one call asks for (the lms service takes 100).
const MOST_AT_ONCE: usize = 100;

/// The trees that learners looked at lately.
pub(crate) struct Courses {
    /// By id and revision.
    ready: Cache<(i64, i64), CourseJson, Size>,
}

#[derive(Clone)]
struct Size;

impl Weighter<(i64, i64), CourseJson> for Size {
    fn weight(&self, _: &(i64, i64), course: &CourseJson) -> u64 {
        course.get().len() as u64
    }
}

impl Courses {
    /// Keeps at most so many bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / USUAL_SIZE).unwrap_or(usize::MAX);
        Self { ready: Cache::with_weighter(items, bytes, Size) }
    }

    /// The courses of these ids and revisions, by id; those not at hand in one call.
    ///
    /// A course that changed since its revision was read comes as it is now.
    pub(crate) async fn get(
        &self,
        catalogue: &mut CatalogueServiceClient<Channel>,
        wanted: impl Iterator<Item = (i64, i64)>,
    ) -> Result<HashMap<i64, CourseJson>, Error> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        for (id, revision) in wanted {
            match self.ready.get(&(id, revision)) {
                Some(course) => {
                    found.insert(id, course);
                }
                None if !missing.contains(&id) => missing.push(id),
                None => {}
            }
        }
        for ids in missing.chunks(MOST_AT_ONCE) {
            let request = GetCoursesRequest { ids: ids.to_vec() };
            for course in catalogue.get_courses(request).await?.into_inner().courses {
                let id = course.summary.as_ref().ok_or_else(|| incomplete("summary"))?.id;
                let revision = course.revision;
                let course: CourseJson = to_raw_value(&Course::new(course)?)
                    .map_err(|error| {
                        tracing::error!(%error, "a course could not be written");
                        Error::Internal
                    })?
                    .into();
                self.ready.insert((id, revision), course.clone());
                found.insert(id, course);
            }
        }
        Ok(found)
    }
}
