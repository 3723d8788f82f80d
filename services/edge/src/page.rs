//! Pages of a list.

use serde::Serialize;
use utoipa::ToSchema;

use crate::Edge;
use crate::error::Error;
use crate::links::Links;

/// Rows a page of such a list.
pub(crate) const PAGE_SIZE: u32 = 20;

/// A page of a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct Page<Row> {
    /// Over all pages.
    count: u32,
    #[schema(required, format = "uri")]
    next: Option<String>,
    #[schema(required, format = "uri")]
    previous: Option<String>,
    #[schema(max_items = 20)]
    results: Vec<Row>,
}

/// The list that a page is of.
pub(crate) struct List<'list> {
    /// Its path.
    pub(crate) path: &'list str,
    /// Filters, repeated in the links to other pages.
    pub(crate) filters: &'list [(&'static str, String)],
    /// The requested page.
    pub(crate) page: u32,
    /// Rows over all pages.
    pub(crate) count: u32,
}

impl<Row> Page<Row> {
    /// The page with these rows, which `convert` makes of the messages of a service.
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
