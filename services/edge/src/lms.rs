//! Learning: converts between JSON and the messages of the lms service.

pub(crate) mod certificates;
pub(crate) mod classes;
pub(crate) mod course_cache;
pub(crate) mod course_list;
pub(crate) mod courses;
pub(crate) mod exam_reviews;
pub(crate) mod handouts;
pub(crate) mod heartbeats;
pub(crate) mod home;
pub(crate) mod inventory;
pub(crate) mod lesson;
pub(crate) mod marks;
pub(crate) mod notes;
pub(crate) mod questions;
pub(crate) mod results;
pub(crate) mod reviews;
pub(crate) mod streams;
pub(crate) mod study_plan;
pub(crate) mod teachers;
