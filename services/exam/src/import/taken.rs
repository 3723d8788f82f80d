//! Ids and products that are taken, over all files of a folder.

/// Ids that are unique over all files of the folder.
#[derive(Default)]
pub(super) struct Taken {
    pub(super) exams: Vec<i64>,
    pub(super) papers: Vec<i64>,
    pub(super) checks: Vec<i64>,
    pub(super) products: Vec<i64>,
    pub(super) questions: Vec<i64>,
}
