//! `next` and `previous` links. They are built from the public origin, constant paths, known filters and
//! integers, never from the URL or headers of a request.

use kit::page::Page;

/// The place of a page in its list.
pub(crate) struct Links {
    /// URL of the next page.
    pub(crate) next: Option<String>,
    /// URL of the previous page.
    pub(crate) previous: Option<String>,
    /// Number of this page.
    pub(crate) current: u32,
    /// Number of the last page.
    pub(crate) last: u32,
}

impl Links {
    /// Links of page `number` of a list at `path` with these filters, with `count` rows in pages of `size`.
    pub(crate) fn new(
        origin: &str,
        path: &str,
        filters: &[(&str, String)],
        number: u32,
        size: u32,
        count: u32,
    ) -> Self {
        let last = Page::new(number, size).map_or(1, |page| page.last(count));
        let link = |page: u32| {
            let start = format!("{origin}{path}?");
            let length = start.len();
            let mut query = form_urlencoded::Serializer::for_suffix(start, length);
            query.extend_pairs(filters).append_pair("page", &page.to_string()).finish()
        };
        Self {
            next: (number < last).then(|| link(number + 1)),
            previous: (number > 1).then(|| link(number - 1)),
            current: number,
            last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Links;

    #[test]
    fn links_lead_to_the_neighbours_and_keep_the_filters() {
        let filters = [("school_year", "中1&x".to_owned())];
        let links = Links::new("https://www.konomana.jp", "/api/lms/course/", &filters, 2, 24, 49);
        let base = "https://www.konomana.jp/api/lms/course/?school_year=%E4%B8%AD1%26x&page=";
        assert_eq!(links.next, Some(format!("{base}3")));
        assert_eq!(links.previous, Some(format!("{base}1")));
        assert_eq!((links.current, links.last), (2, 3));
    }

    #[test]
    fn a_list_of_one_page_has_no_links() {
        let links = Links::new("http://a", "/", &[], 1, 20, 0);
        assert_eq!((links.next, links.previous, links.last), (None, None, 1));
    }
}
