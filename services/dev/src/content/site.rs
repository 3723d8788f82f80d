//! The built site: links and pictures of its pages.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use runner::places;
use serde::Deserialize;
use tooling::failure::{Doing as _, Outcome};

use super::html::{Tag, tags};

/// Routes of the site, as the build writes them for the service that serves it.
#[derive(Deserialize)]
struct Routes {
    /// Paths with a prerendered page.
    prerendered: Vec<String>,
    /// The file of the site's shell, by the pattern of the paths that it serves.
    shell: BTreeMap<String, String>,
}

/// A prerendered page.
struct Page {
    /// Path in the site's folder, for example `course/101/index.html`.
    file: String,
    tags: Vec<Tag>,
    ids: HashSet<String>,
}

/// The built site.
pub(crate) struct Site {
    root: PathBuf,
    /// By path.
    pages: BTreeMap<String, Page>,
    shell: Vec<String>,
    /// Paths of the API, from its document.
    api: HashSet<String>,
}

impl Site {
    /// Reads all pages of the site built at `root`.
    pub(crate) fn open(root: &Path) -> Outcome<Self> {
        let file = root.join("routes.json");
        let text = fs::read_to_string(&file)
            .doing(|| format!("reading {}, which the site build creates", file.display()))?;
        let routes: Routes = serde_json::from_str(&text).doing(|| format!("reading {}", file.display()))?;
        let mut pages = BTreeMap::new();
        for path in routes.prerendered {
            let file = format!("{}/index.html", path.trim_matches('/')).trim_start_matches('/').to_owned();
            let html = fs::read_to_string(root.join(&file)).doing(|| format!("reading {file}"))?;
            let tags = tags(&html);
            let ids = tags.iter().filter_map(|tag| tag.get("id")).map(str::to_owned).collect();
            pages.insert(path, Page { file, tags, ids });
        }
        Ok(Self { root: root.to_owned(), pages, shell: routes.shell.into_keys().collect(), api: api()? })
    }

    /// Number of pages.
    pub(crate) fn pages(&self) -> usize {
        self.pages.len()
    }

    /// Returns the faults of the pages, a line each. A fault that a page repeats is listed once.
    pub(crate) fn faults(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for (path, page) in &self.pages {
            let mut told = HashSet::new();
            for fault in page.tags.iter().flat_map(|tag| self.faults_of(tag, path)) {
                if told.insert(fault.clone()) {
                    lines.push(format!("{}: {fault}", page.file));
                }
            }
        }
        lines
    }

    fn faults_of(&self, tag: &Tag, page: &str) -> Vec<String> {
        let mut faults = Vec::new();
        let mut picture = |address: Option<&str>| {
            faults.extend(address.and_then(|address| self.missing_picture(address)));
        };
        match tag.name.as_str() {
            "a" => {
                return tag
                    .get("href")
                    .and_then(|href| self.find_link_fault(href, page))
                    .into_iter()
                    .collect();
            }
            "img" => picture(tag.get("src")),
            "source" if tag.get("srcset").is_some() => picture(tag.get("srcset")),
            "video" => picture(tag.get("poster")),
            "link" if tag.get("rel") == Some("icon") => picture(tag.get("href")),
            "meta" if tag.get("property") == Some("og:image") => picture(tag.get("content").map(path_of)),
            _ => {}
        }
        faults.extend(lacks_words(tag));
        faults
    }

    /// Returns why a link on the page `page` is dead; `None` for a valid link. Links to other sites are not
    /// checked.
    pub(crate) fn find_link_fault(&self, href: &str, page: &str) -> Option<String> {
        let is_elsewhere =
            ["https://", "http://", "mailto:", "tel:"].iter().any(|scheme| href.starts_with(scheme));
        if is_elsewhere {
            return None;
        }
        let (address, fragment) = href.split_once('#').unwrap_or((href, ""));
        let address = address.split('?').next().unwrap_or_default();
        if !address.is_empty() && (!address.starts_with('/') || address.starts_with("//")) {
            return Some(format!("the link {href} is neither a path nor a complete URL"));
        }
        let path = match address.trim_end_matches('/') {
            "" if address.is_empty() => page,
            "" => "/",
            path => path,
        };
        match self.pages.get(path) {
            Some(there) if fragment.is_empty() || there.ids.contains(fragment) => None,
            Some(_) => Some(format!("the link {href} leads to an anchor that the page {path} does not have")),
            None if self.answers(path) => None,
            None => Some(format!("the link {href} leads to no page")),
        }
    }

    /// Whether a path other than a page exists: the shell, the API, a file.
    fn answers(&self, path: &str) -> bool {
        self.shell.iter().any(|pattern| fits(pattern, path))
            || self.api.iter().any(|pattern| fits(pattern, path))
            || self.root.join(path.trim_start_matches('/')).is_file()
    }

    /// Returns the fault of a missing picture of the site itself.
    pub(crate) fn missing_picture(&self, address: &str) -> Option<String> {
        let path = address.split(['?', '#', ' ']).next().unwrap_or_default();
        if path.starts_with("data:") || path.starts_with("https://") || self.answers(path) {
            return None;
        }
        Some(format!("the picture {address} is missing"))
    }
}

/// Reads the paths of the API, with `:` before parameters.
fn api() -> Outcome<HashSet<String>> {
    #[derive(Deserialize)]
    struct Document {
        paths: serde_json::Map<String, serde_json::Value>,
    }
    let file = places::web().join("libs/http/openapi.json");
    let text = fs::read_to_string(&file).doing(|| format!("reading {}", file.display()))?;
    let document: Document = serde_json::from_str(&text).doing(|| format!("reading {}", file.display()))?;
    // The document cannot mark a parameter of several segments. The edge calls it `path`.
    let plain = |path: &String| {
        path.trim_end_matches('/').replace("{path}", ":*path").replace('{', ":").replace('}', "")
    };
    Ok(document.paths.keys().map(plain).collect())
}

/// Whether a path matches a pattern. `:name` matches a segment, `:*name` all remaining segments.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut wanted, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (wanted.next(), given.next()) {
            (None, None) => return true,
            (Some(wanted), Some(given)) if wanted.starts_with(":*") => return !given.is_empty(),
            (Some(wanted), Some(given))
                if wanted == given || (wanted.starts_with(':') && !given.is_empty()) => {}
            _ => return false,
        }
    }
}

/// Path of a URL.
fn path_of(address: &str) -> &str {
    let rest = address.split_once("://").map_or(address, |(_, rest)| rest);
    rest.find('/').map_or("/", |start| &rest[start..])
}

/// Finds a picture without alternative text that is not marked as decorative.
fn lacks_words(tag: &Tag) -> Option<String> {
    let has_name = ["aria-label", "aria-labelledby"]
        .iter()
        .any(|name| tag.get(name).is_some_and(|words| !words.trim().is_empty()));
    match tag.name.as_str() {
        "img" if tag.get("alt").is_none() => Some(format!(
            "the picture {} has no alternative text",
            tag.get("src").unwrap_or("without a source")
        )),
        "svg" if !tag.is_hidden && !has_name => {
            Some("a drawing has no alternative text, and is not hidden".to_owned())
        }
        "meta" if tag.get("property") == Some("og:image:alt") && tag.get("content") == Some("") => {
            Some("the picture for sharing has no alternative text".to_owned())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn a_pattern_matches_segments_or_the_rest() {
        assert!(fits("/api/lms/course/:id", "/api/lms/course/101"));
        assert!(!fits("/api/lms/course/:id", "/api/lms/course/101/sample"));
        assert!(fits("/api/media/open/:*path", "/api/media/open/course/101/sample/poster.png"));
        assert!(!fits("/api/media/open/:*path", "/api/media/open"));
    }
}
