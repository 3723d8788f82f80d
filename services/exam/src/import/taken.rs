//! Ids and products that are used so far, over all files of a folder.

/// Ids that must be unique over all files of the folder.
#[derive(Default)]
pub(super) struct TakenIds {
    pub(super) exams: Vec<i64>,
    pub(super) papers: Vec<i64>,
    pub(super) checks: Vec<i64>,
    pub(super) products: Vec<i64>,
    pub(super) questions: Vec<i64>,
}
