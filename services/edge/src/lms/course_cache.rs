//! The course cache: course trees as JSON that is ready to send. A tree never changes within one revision and is the same
//! for every learner. It is fetched, decoded, serialized and compressed once.

use std::collections::HashMap;
use std::sync::Arc;

use kit::client::Channel;
use kit::response_cache::CachedJson;
use proto::lms::GetCoursesRequest;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::courses::{Course, incomplete};
use crate::answer::serialization_error;
use crate::error::Error;

/// Typical size of a course with its tree in bytes; the cache's initial estimate.
const TYPICAL_SIZE: u64 = 10 * 1024;
/// Courses requested in one call. lms takes at most 100.
const MAX_BATCH: usize = 100;

/// Cache of course trees.
pub(crate) struct CourseCache {
    /// By course id and revision.
    ready: Cache<(i64, i64), Arc<CachedJson>, Size>,
}

#[derive(Clone)]
struct Size;

impl Weighter<(i64, i64), Arc<CachedJson>> for Size {
    fn weight(&self, _: &(i64, i64), course: &Arc<CachedJson>) -> u64 {
        course.size() as u64
    }
}

impl CourseCache {
    /// Creates a cache of at most `bytes` bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let items = usize::try_from(bytes / TYPICAL_SIZE).unwrap_or(usize::MAX);
        Self { ready: Cache::with_weighter(items, bytes, Size) }
    }

    /// Returns the courses with these ids and revisions, by id. One call fetches up to 100 that are not
    /// cached.
    ///
    /// A course with a newer revision is returned in that revision.
    pub(crate) async fn get(
        &self,
        catalogue: &mut CatalogueServiceClient<Channel>,
        versions: impl Iterator<Item = (i64, i64)>,
    ) -> Result<HashMap<i64, Arc<CachedJson>>, Error> {
        let mut found = HashMap::new();
        let mut missing = Vec::new();
        for (id, revision) in versions {
            match self.ready.get(&(id, revision)) {
                Some(course) => {
                    found.insert(id, course);
                }
                None if !missing.contains(&id) => missing.push(id),
                None => {}
            }
        }
        for ids in missing.chunks(MAX_BATCH) {
            let request = GetCoursesRequest { ids: ids.to_vec() };
            for course in catalogue.get_courses(request).await?.into_inner().courses {
                let id = course.summary.as_ref().ok_or_else(|| incomplete("summary"))?.id;
                let revision = course.revision;
                let course = CachedJson::new(&Course::new(course)?)
                    .map(Arc::new)
                    .map_err(|error| serialization_error(&error))?;
                self.ready.insert((id, revision), course.clone());
                found.insert(id, course);
            }
        }
        Ok(found)
    }
}
