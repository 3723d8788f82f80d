//! Everything the build made: what stands at which path.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};

use kit::Failure;
use serde::Deserialize;

use crate::file::File;
use crate::pattern::Pattern;

/// The folder whose files carry their content's hash in their names.
pub(crate) const HASHED: &str = "/assets/";
/// The data of a page, beside it.
pub(crate) const PAYLOAD: &str = "/_payload.json";

const ROUTES: &str = "/routes.json";
const SHELL: &str = "/app.html";
const PAGE: &str = "index.html";

/// The site.
pub(crate) struct Tree {
    /// Pages and other files, by the path they are asked for.
    files: HashMap<String, File>,
    /// The empty app, which a browser fills.
    shell: File,
    /// Where the empty app is a page.
    client: Vec<Pattern>,
    /// Where the empty app may yet find something that is newer than the build.
    maybe: Vec<Pattern>,
}

/// What a path leads to.
pub(crate) enum Place<'a> {
    /// A page or another file.
    File(&'a File),
    /// A page that the browser makes.
    Client(&'a File),
    /// The same with its slash at the end taken away.
    Elsewhere(&'a str),
    /// Nothing, told to a program.
    Nothing,
    /// Nothing, told to a person by the empty app.
    Nowhere(&'a File),
}

/// `routes.json`, as the build writes it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Routes {
    /// Paths with a page of their own.
    prerendered: Vec<String>,
    /// Patterns of pages that the browser makes.
    shell: Vec<String>,
    /// Patterns of pages of which some are prerendered.
    maybe: Vec<String>,
}

impl Tree {
    /// Reads the folder `root`; its errors say what to do.
    pub(crate) fn read(root: &Path) -> Result<Self, Failure> {
        let mut found = HashMap::new();
        collect(root, root, &mut found).map_err(|error| {
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
        let shell = File::read(&take(SHELL)?)?;
        let mut files = HashMap::new();
        patterns(&routes.prerendered)?;
        for path in routes.prerendered {
            let file = take(&format!("{}/{PAGE}", path.trim_end_matches('/')))?;
            files.insert(path, File::read(&file)?);
        }
        // A page that the table does not know is not part of the site.
        found.retain(|path, _| !path.ends_with(&format!("/{PAGE}")));
        for (path, file) in found {
            files.insert(path, File::read(&file)?);
        }
        Ok(Self { files, shell, client: patterns(&routes.shell)?, maybe: patterns(&routes.maybe)? })
    }

    /// What stands at `path`, as it was sent.
    pub(crate) fn find<'a>(&'a self, path: &'a str) -> Place<'a> {
        if let Some(file) = self.files.get(path) {
            return Place::File(file);
        }
        if matches(&self.client, path) {
            return Place::Client(&self.shell);
        }
        // Only to what is known: the path of a stranger is never a place to send somebody to.
        if let Some(bare) = path.strip_suffix('/')
            && !bare.ends_with('/')
            && (self.files.contains_key(bare) || matches(&self.client, bare) || matches(&self.maybe, bare))
        {
            return Place::Elsewhere(bare);
        }
        if path.starts_with(HASHED) || path.ends_with(PAYLOAD) {
            return Place::Nothing;
        }
        Place::Nowhere(&self.shell)
    }

    /// The templates of all paths, for the names of traces.
    pub(crate) fn templates(&self) -> BTreeSet<String> {
        let patterns = || self.client.iter().chain(&self.maybe);
        let mut templates: BTreeSet<String> = patterns().map(Pattern::template).collect();
        for path in self.files.keys() {
            let (page, end) = match path.strip_suffix(PAYLOAD) {
                Some("") => ("/", PAYLOAD.trim_start_matches('/')),
                Some(page) => (page, PAYLOAD),
                None => (path.as_str(), ""),
            };
            templates.insert(match patterns().find(|pattern| pattern.matches(page)) {
                _ if path.starts_with(HASHED) => format!("{HASHED}{{*path}}"),
                Some(pattern) => format!("{}{end}", pattern.template()),
                None => format!("{page}{end}"),
            });
        }
        templates
    }
}

fn matches(patterns: &[Pattern], path: &str) -> bool {
    patterns.iter().any(|pattern| pattern.matches(path))
}

fn patterns(texts: &[String]) -> Result<Vec<Pattern>, Failure> {
    let read = |text: &String| {
        Pattern::read(text).ok_or_else(|| format!("SITE_ROOT: routes.json: '{text}' is no path").into())
    };
    texts.iter().map(read).collect()
}

/// Every file under `folder` but compressed siblings, by its path from `root` on.
fn collect(root: &Path, folder: &Path, found: &mut HashMap<String, PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(root, &path, found)?;
        } else if let Some(name) = path.strip_prefix(root).ok().and_then(Path::to_str)
            && !File::is_sibling(name)
        {
            found.insert(format!("/{name}"), path);
        }
    }
    Ok(())
}
