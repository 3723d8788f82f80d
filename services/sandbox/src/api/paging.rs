//! Lists, newest first, in pages.

use std::ops::Range;

use serde_json::{Value, json};

use crate::error::ApiError;
use crate::form::{Form, invalid};

/// The requested page of a list.
pub(super) struct Paging {
    limit: usize,
    /// The id of the last object on the previous page.
    starting_after: Option<String>,
}

impl Paging {
    pub(super) fn take(form: &mut Form) -> Result<Self, ApiError> {
        let limit = form.take_number("limit")?.unwrap_or(10);
        if !(1..=100).contains(&limit) {
            return Err(invalid("limit"));
        }
        Ok(Self { limit, starting_after: form.take("starting_after") })
    }

    /// Takes the filter by creation time, as Unix times.
    pub(super) fn take_period(form: &mut Form) -> Result<Range<i64>, ApiError> {
        let first = form.take_number("created[gte]")?.unwrap_or(i64::MIN);
        let end = form.take_number("created[lt]")?.unwrap_or(i64::MAX);
        Ok(first..end)
    }

    /// Returns the page of `items`, which are newest first.
    pub(super) fn list(self, url: &str, mut items: impl Iterator<Item = Value>) -> Result<Value, ApiError> {
        if let Some(last) = &self.starting_after {
            items
                .by_ref()
                .find(|item| item["id"] == last.as_str())
                .ok_or_else(|| ApiError::missing_reference("starting_after", "object", last))?;
        }
        let page: Vec<_> = items.by_ref().take(self.limit).collect();
        let has_more = items.next().is_some();
        Ok(json!({"object": "list", "url": url, "has_more": has_more, "data": page}))
    }
}
