//! Pages of a list.

use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::error::Error;
use crate::links::Links;

/// Rows on a page.
pub(crate) const PAGE_SIZE: u32 = 20;

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Page<Row> {
    /// Number of rows on all pages.
    count: u32,
    #[schema(required, format = "uri")]
    next: Option<String>,
    #[schema(required, format = "uri")]
    previous: Option<String>,
    #[schema(max_items = 20)]
    results: Vec<Row>,
}

/// The list that a page belongs to.
pub(crate) struct List<'list> {
    /// Path of the list.
    pub(crate) path: &'list str,
    /// Filters to repeat in the links to other pages.
    pub(crate) filters: &'list [(&'static str, String)],
    /// Number of the requested page.
    pub(crate) page: u32,
    /// Number of rows on all pages.
    pub(crate) count: u32,
}

impl<Row> Page<Row> {
    /// Creates the page of these rows. `convert` converts a message of a service to a row.
    pub(crate) fn new<Message>(
        edge: &Edge,
        list: &List<'_>,
        rows: Vec<Message>,
        convert: impl FnMut(Message) -> Result<Row, Error>,
    ) -> Result<Self, Error> {
        let links = Links::new(edge.origin(), list.path, list.filters, list.page, PAGE_SIZE, list.count);
        let results = rows.into_iter().map(convert).collect::<Result<_, _>>()?;
        Ok(Self { count: list.count, next: links.next, previous: links.previous, results })
    }
}
