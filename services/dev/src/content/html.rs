//! Parses the tags of the built pages. It is no parser for arbitrary HTML.

use std::collections::HashMap;

/// An opening tag.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Tag {
    pub(crate) name: String,
    /// Whether the element or one of its ancestors is hidden from assistive technology.
    pub(crate) is_hidden: bool,
    attributes: HashMap<String, String>,
}

impl Tag {
    /// Value of an attribute; empty if it has none.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(String::as_str)
    }
}

/// Elements without a closing tag.
const VOID: [&str; 9] = ["area", "br", "hr", "img", "input", "link", "meta", "source", "wbr"];

/// Returns every opening tag of a page, in order.
pub(crate) fn tags(mut html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    // The open elements: name, and whether it is hidden.
    let mut open: Vec<(String, bool)> = Vec::new();
    while let Some(start) = html.find('<') {
        html = &html[start + 1..];
        if let Some(comment) = html.strip_prefix("!--") {
            html = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if html.starts_with(|char: char| char.is_ascii_alphabetic()) {
            let (mut tag, rest) = tag(html);
            let is_closed =
                html[..html.len() - rest.len()].ends_with("/>") || VOID.contains(&tag.name.as_str());
            tag.is_hidden |= open.last().is_some_and(|(_, is_hidden)| *is_hidden);
            if !is_closed {
                open.push((tag.name.clone(), tag.is_hidden));
            }
            html = rest;
            // The content of these elements is not markup.
            if matches!(tag.name.as_str(), "script" | "style") {
                html = html.find(&format!("</{}", tag.name)).map_or("", |end| &html[end..]);
            }
            tags.push(tag);
        } else if let Some(closing) = html.strip_prefix('/') {
            let name = closing.split(|char: char| !char.is_ascii_alphanumeric()).next().unwrap_or_default();
            if let Some(at) = open.iter().rposition(|(open, _)| open.eq_ignore_ascii_case(name)) {
                open.truncate(at);
            }
        }
    }
    tags
}

/// Parses the tag at the start of `html`, after its `<`. Returns it and the rest.
fn tag(html: &str) -> (Tag, &str) {
    let end = html.find(|char: char| char.is_whitespace() || matches!(char, '>' | '/')).unwrap_or(html.len());
    let (name, mut rest) = html.split_at(end);
    let mut attributes = HashMap::new();
    loop {
        rest = rest.trim_start_matches(|char: char| char.is_whitespace() || char == '/');
        if rest.is_empty() {
            break;
        }
        if let Some(after) = rest.strip_prefix('>') {
            rest = after;
            break;
        }
        let (key, after) = rest.split_at(
            rest.find(|char: char| char.is_whitespace() || "=>/".contains(char)).unwrap_or(rest.len()),
        );
        let (value, after) = value(after);
        attributes.insert(key.to_ascii_lowercase(), decoded(value));
        rest = after;
    }
    let is_hidden = attributes.get("aria-hidden").is_some_and(|value| value == "true");
    (Tag { name: name.to_ascii_lowercase(), is_hidden, attributes }, rest)
}

/// Parses the attribute value at the start of `rest`, if any. Returns it and the rest.
fn value(rest: &str) -> (&str, &str) {
    let Some(rest) = rest.strip_prefix('=') else { return ("", rest) };
    for quote in ['"', '\''] {
        if let Some(quoted) = rest.strip_prefix(quote) {
            return quoted.split_once(quote).unwrap_or((quoted, ""));
        }
    }
    rest.split_at(rest.find(|char: char| char.is_whitespace() || char == '>').unwrap_or(rest.len()))
}

fn decoded(value: &str) -> String {
    let plain =
        value.replace("&quot;", "\"").replace("&#x27;", "'").replace("&lt;", "<").replace("&gt;", ">");
    plain.replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_have_names_and_attributes_however_they_are_written() {
        let html =
            r#"<!doctype html><IMG src=/a.png alt>< not> <a class='b' href="/c?d=1&amp;e=2#f"/>text</a>"#;
        let found = tags(html);
        assert_eq!(found.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>(), ["img", "a"]);
        assert_eq!(found[0].get("src"), Some("/a.png"));
        assert_eq!(found[0].get("alt"), Some(""));
        assert_eq!(found[1].get("href"), Some("/c?d=1&e=2#f"));
        assert_eq!(found[1].get("id"), None);
    }

    #[test]
    fn scripts_styles_and_comments_contain_no_tags() {
        let html =
            r#"<script type="application/json">{"a":"<img>"}</script><style>a>b{}</style><!-- <img> --><p>"#;
        let names: Vec<_> = tags(html).into_iter().map(|tag| tag.name).collect();
        assert_eq!(names, ["script", "style", "p"]);
    }

    #[test]
    fn descendants_of_hidden_elements_are_hidden() {
        let html = r#"<div aria-hidden="true"><br><b></b><svg><path d=""/></svg></div><svg></svg><p aria-hidden="false">"#;
        let hidden: Vec<_> = tags(html).into_iter().filter(|tag| tag.is_hidden).map(|tag| tag.name).collect();
        assert_eq!(hidden, ["div", "br", "b", "svg", "path"]);
    }

    #[test]
    fn a_truncated_page_is_parsed_to_its_end() {
        for html in ["<", "<a", "<a href", "<a href=", "<a href=\"x", "<!--", "<script>"] {
            assert!(tags(html).len() <= 1, "{html}");
        }
    }
}
