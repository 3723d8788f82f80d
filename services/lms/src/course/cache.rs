//! The course cache: whole courses in memory. Every page shows courses, and only an import changes
//! them.

use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

use sqlx::PgConnection;

use super::{Course, CourseVersion, load};

/// The newest known version of every requested course, as a `View`, e.g. encoded as a message.
///
/// Cheap to clone. Never stale, because a version never changes.
pub(crate) struct CourseCache<View>(Arc<RwLock<HashMap<i64, CachedCourse<View>>>>);

struct CachedCourse<View> {
    revision: i64,
    view: Arc<View>,
}

impl<View> Default for CourseCache<View> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<View> Clone for CourseCache<View> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<View: From<Course>> CourseCache<View> {
    /// Gets courses in the order of `versions`. One statement loads those that are not cached.
    pub(crate) async fn get(
        &self,
        connection: &mut PgConnection,
        versions: &[CourseVersion],
    ) -> sqlx::Result<Vec<Arc<View>>> {
        let missing: Vec<i64> =
            versions.iter().filter(|version| !self.has(version)).map(|version| version.id).collect();
        if !missing.is_empty() {
            let courses = load(connection, &missing).await?;
            let mut cached = self.0.write().unwrap_or_else(PoisonError::into_inner);
            for course in courses {
                let (id, revision) = (course.content.id, course.revision);
                cached.insert(id, CachedCourse { revision, view: Arc::new(course.into()) });
            }
        }
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let view = |version: &CourseVersion| cached.get(&version.id).map(|course| course.view.clone());
        Ok(versions.iter().filter_map(view).collect())
    }

    fn has(&self, version: &CourseVersion) -> bool {
        let cached = self.0.read().unwrap_or_else(PoisonError::into_inner);
        cached.get(&version.id).is_some_and(|course| course.revision >= version.revision)
    }
}
