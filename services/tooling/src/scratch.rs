//! Temporary folders for tests.
#![expect(
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a test that cannot be set up should panic"
)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Number of the next folder of this process.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A new, empty folder. Dropping it deletes it.
pub struct Scratch(PathBuf);

impl Scratch {
    /// Creates the folder.
    #[expect(clippy::new_without_default, reason = "it has a side effect")]
    #[must_use]
    pub fn new() -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("dev-test-{}-{number}", std::process::id()));
        // An earlier process with the same id may have left one.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }

    /// Its path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
