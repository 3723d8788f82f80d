//! Course trees, ready to send. A tree never changes within one revision, and it is the same for every learner: it is
//! fetched, decoded, written and compressed once, and then only copied into answers.

use std::collections::HashMap;
use std::sync::Arc;

use kit::client::Channel;
use proto::lms::GetCoursesRequest;
use proto::lms::catalogue_service_client::CatalogueServiceClient;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use super::catalogue::{Course, incomplete};
use crate::answer::unwritten;
use crate::error::Error;
use crate::mosaic::Piece;

/// About how large a course with its tree is, for the cache's first guess.
const USUAL_SIZE: u64 = 10 * 1024;
/// The most that one call asks for (the lms service takes 100).
const MOST_AT_ONCE: usize = 100;

/// The trees that learners looked at lately.
pub(crate) struct Courses {
    /// By id and revision.
    ready: Cache<(i64, i64), Arc<Piece>, Size>,
}

#[derive(Clone)]
struct Size;

impl Weighter<(i64, i64), Arc<Piece>> for Size {
    fn weight(&self, _: &(i64, i64), course: &Arc<Piece>) -> u64 {
        course.size() as u64
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
    ) -> Result<HashMap<i64, Arc<Piece>>, Error> {
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
                let course =
                    Piece::new(&Course::new(course)?).map(Arc::new).map_err(|error| unwritten(&error))?;
                self.ready.insert((id, revision), course.clone());
                found.insert(id, course);
            }
        }
        Ok(found)
    }
}
