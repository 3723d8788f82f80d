//! Entry points of the fuzz targets in `services/fuzz`; nothing else uses them.

use std::path::Path;

use http::{Uri, header};
use kit::Failure;

use crate::answer;
use crate::tree::{Place, Tree};

/// A site's redirects.
pub struct Redirects(Tree);

impl Redirects {
    /// Those of the site that was built into the folder `root`.
    pub fn read(root: &Path) -> Result<Self, Failure> {
        Tree::read(root).map(Self)
    }

    /// Where the request target `text` is redirected to, if it is.
    #[must_use]
    pub fn target(&self, text: &str) -> Option<String> {
        let uri: Uri = text.parse().ok()?;
        let Place::Elsewhere(path) = self.0.find(uri.path()) else { return None };
        let answer = answer::moved(path, &uri);
        answer.headers().get(header::LOCATION)?.to_str().ok().map(str::to_owned)
    }
}
