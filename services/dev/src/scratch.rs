//! For tests only: folders that go with the test.

use std::path::{Path, PathBuf};

/// A new, empty folder; deleted when dropped.
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    /// Makes one.
    pub(crate) fn new() -> Self {
        let path = std::env::temp_dir().join(format!("dev-test-{}", uuid::Uuid::now_v7().simple()));
        std::fs::create_dir_all(&path).expect("the temporary folder can be written");
        Self(path)
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
