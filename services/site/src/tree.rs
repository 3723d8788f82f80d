//! The files of the build by path.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use kit::Failure;
use serde::Deserialize;

use crate::file::File;
use crate::pattern::Pattern;

/// The folder of files with a content hash in their name.
pub(crate) const HASHED: &str = "/assets/";
/// The data file of a page.
pub(crate) const PAYLOAD: &str = "/_payload.json";

const ROUTES: &str = "/routes.json";
const SHELL: &str = "/app.html";
const PAGE: &str = "index.html";

/// All files of the site.
pub(crate) struct Tree {
    /// Pages and other files by request path.
    files: HashMap<String, File>,
    /// The empty app of a missing page.
    shell: File,
    /// Paths that an empty app renders in the browser, each with an app that announces the code of its screen.
    client: Vec<(Pattern, File)>,
    /// Paths that the empty app may find at run time, newer than the build.
    maybe: Vec<Pattern>,
}

/// The result of a lookup.
pub(crate) enum Place<'a> {
    /// A page or another file.
    File(&'a File),
    /// A page that an empty app renders.
    ClientPage(&'a File),
    /// The same path without its trailing slash.
    Redirect(&'a str),
    /// A missing file: plain 404.
    MissingFile,
    /// A missing page: 404 rendered by the empty app.
    MissingPage(&'a File),
}

/// `routes.json` of the build.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Routes {
    /// Paths with a prerendered page.
    prerendered: Vec<String>,
    /// The file of the empty app by the pattern of the page that it renders.
    shell: BTreeMap<String, String>,
    /// Patterns of pages that are prerendered in part.
    maybe: Vec<String>,
}

impl Tree {
    /// Loads the folder `root`.
    ///
    /// # Errors
    ///
    /// If the folder is not a complete build.
    pub(crate) fn load(root: &Path) -> Result<Self, Failure> {
        let mut found = HashMap::new();
        collect_files(root, root, &mut found).map_err(|error| {
            format!(
                "SITE_ROOT: cannot read {}: {error}; build the site first (web/apps/site)",
                root.display()
            )
        })?;
        let mut take = |path: &str| {
            found
                .remove(path)
                .ok_or_else(|| format!("SITE_ROOT: {} has no {path}; build the site again", root.display()))
        };
        let routes = fs::read_to_string(take(ROUTES)?)?;
        let routes: Routes =
            serde_json::from_str(&routes).map_err(|error| format!("SITE_ROOT: routes.json: {error}"))?;
        let shell = File::load(&take(SHELL)?)?;
        let mut files = HashMap::new();
        parse_patterns(&routes.prerendered)?;
        for path in routes.prerendered {
            let file = take(&format!("{}/{PAGE}", path.trim_end_matches('/')))?;
            files.insert(path, File::load(&file)?);
        }
        let client = routes
            .shell
            .into_iter()
            .map(|(pattern, file)| Ok((parse_pattern(&pattern)?, File::load(&take(&format!("/{file}"))?)?)));
        let client = client.collect::<Result<_, Failure>>()?;
        // Pages that routes.json does not list are not part of the site.
        found.retain(|path, _| !path.ends_with(&format!("/{PAGE}")));
        for (path, file) in found {
            files.insert(path, File::load(&file)?);
        }
        Ok(Self { files, shell, client, maybe: parse_patterns(&routes.maybe)? })
    }

    /// Finds a request path, not decoded.
    pub(crate) fn find_place<'a>(&'a self, path: &'a str) -> Place<'a> {
        if let Some(file) = self.files.get(path) {
            return Place::File(file);
        }
        if let Some((_, app)) = self.client.iter().find(|(pattern, _)| pattern.matches(path)) {
            return Place::ClientPage(app);
        }
        // Only to known paths, to prevent open redirects.
        if let Some(bare) = path.strip_suffix('/')
            && !bare.ends_with('/')
            && (self.files.contains_key(bare)
                || self.client.iter().any(|(pattern, _)| pattern.matches(bare))
                || matches_any(&self.maybe, bare))
        {
            return Place::Redirect(bare);
        }
        if path.starts_with(HASHED) || path.ends_with(PAYLOAD) {
            return Place::MissingFile;
        }
        Place::MissingPage(&self.shell)
    }

    /// Lists the templates of all paths, for the names of spans.
    pub(crate) fn list_templates(&self) -> BTreeSet<String> {
        let patterns = || self.client.iter().map(|(pattern, _)| pattern).chain(&self.maybe);
        let mut templates: BTreeSet<String> = patterns().map(Pattern::to_template).collect();
        for path in self.files.keys() {
            let (page, end) = match path.strip_suffix(PAYLOAD) {
                Some("") => ("/", PAYLOAD.trim_start_matches('/')),
                Some(page) => (page, PAYLOAD),
                None => (path.as_str(), ""),
            };
            templates.insert(match patterns().find(|pattern| pattern.matches(page)) {
                _ if path.starts_with(HASHED) => format!("{HASHED}{{*path}}"),
                Some(pattern) => format!("{}{end}", pattern.to_template()),
                None => format!("{page}{end}"),
            });
        }
        templates
    }
}

fn matches_any(patterns: &[Pattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

fn parse_patterns(texts: &[String]) -> Result<Vec<Pattern>, Failure> {
    texts.iter().map(|text| parse_pattern(text)).collect()
}

fn parse_pattern(text: &str) -> Result<Pattern, Failure> {
    Pattern::parse(text).ok_or_else(|| format!("SITE_ROOT: routes.json: '{text}' is not a path").into())
}

/// Collects all files under `folder` except for compressed siblings, by path relative to `root`.
fn collect_files(root: &Path, folder: &Path, found: &mut HashMap<String, PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect_files(root, &path, found)?;
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str)
            && !File::is_sibling(name)
        {
            found.insert(format!("/{name}"), path);
        }
    }
    Ok(())
}
