//! Pages of a list: whole numbers, bounds checked once.

use crate::error::FieldError;

/// The number and the size of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Page {
    number: u32,
    size: u32,
}

impl Page {
    /// Page `number` (from 1) of pages of `size` rows; `None` for page 0.
    #[must_use]
    pub fn new(number: u32, size: u32) -> Option<Self> {
        (number >= 1 && size >= 1).then_some(Self { number, size })
    }

    /// Parses the page `number` of a request.
    ///
    /// # Errors
    ///
    /// The field `page` is `OUT_OF_RANGE` for page 0.
    pub fn parse(number: u32, size: u32) -> Result<Self, FieldError> {
        Self::new(number, size).ok_or(FieldError::new("page", "OUT_OF_RANGE"))
    }

    /// Counted from 1.
    #[must_use]
    pub fn number(self) -> u32 {
        self.number
    }

    /// Rows a page, for `LIMIT`.
    #[must_use]
    pub fn limit(self) -> i64 {
        i64::from(self.size)
    }

    /// Rows before this page, for `OFFSET`.
    #[must_use]
    pub fn offset(self) -> i64 {
        i64::from(self.number - 1) * i64::from(self.size)
    }

    /// The last page of `count` rows; an empty list has one page.
    #[must_use]
    pub fn last(self, count: u32) -> u32 {
        count.div_ceil(self.size).max(1)
    }

    /// Whether this page is beyond the last of `count` rows.
    #[must_use]
    pub fn is_beyond(self, count: u32) -> bool {
        self.number > self.last(count)
    }

    /// Encodes the number of rows on all pages. `None` on a page beyond the last, because an empty page cannot know the
    /// count. The first page always exists.
    #[must_use]
    pub fn encode_count(self, rows: i64) -> Option<u32> {
        (rows > 0 || self.number == 1).then(|| u32::try_from(rows).unwrap_or(u32::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::Page;

    #[test]
    fn page_zero_is_no_page() {
        assert_eq!(Page::new(0, 12), None);
    }

    #[test]
    fn thirteen_rows_fill_two_pages_of_twelve() {
        let second = Page::new(2, 12).unwrap();
        assert_eq!((second.offset(), second.limit(), second.last(13)), (12, 12, 2));
        assert!(!second.is_beyond(13));
        assert!(second.is_beyond(12));
    }

    #[test]
    fn an_empty_list_has_one_page() {
        assert!(!Page::new(1, 20).unwrap().is_beyond(0));
    }

    #[test]
    fn only_the_first_page_of_an_empty_list_has_a_count() {
        assert_eq!(Page::new(1, 20).unwrap().encode_count(0), Some(0));
        assert_eq!(Page::new(2, 20).unwrap().encode_count(0), None);
        assert_eq!(Page::new(2, 20).unwrap().encode_count(21), Some(21));
    }

    #[test]
    fn the_last_page_there_can_be_does_not_overflow() {
        assert_eq!(Page::new(u32::MAX, 24).unwrap().offset(), 24 * (i64::from(u32::MAX) - 1));
    }
}
