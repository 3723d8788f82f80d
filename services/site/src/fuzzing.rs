//! Entry points of the fuzz targets in `services/fuzz`; nothing else uses them.

use std::path::Path;

use http::{Uri, header};
use kit::Failure;

use crate::answer;
use crate::tree::{Place, Tree};

/// The redirects of a site.
pub struct Redirects(Tree);

impl Redirects {
    /// Loads the site in the folder `root`.
    ///
    /// # Errors
    ///
    /// If the folder is not a complete build.
    pub fn load(root: &Path) -> Result<Self, Failure> {
        Tree::load(root).map(Self)
    }

    /// Finds the redirect of the request target `text`.
    #[must_use]
    pub fn find_target(&self, text: &str) -> Option<String> {
        let uri: Uri = text.parse().ok()?;
        let Place::Redirect(path) = self.0.find_place(uri.path()) else { return None };
        let answer = answer::redirect(path, &uri);
        answer.headers().get(header::LOCATION)?.to_str().ok().map(str::to_owned)
    }
}
