use std::fs;
use std::path::{Path, PathBuf};

use uuid::Uuid;

/// A temporary folder of a test, deleted when dropped.
pub(crate) struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

impl Folder {
    pub(crate) fn new() -> Self {
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(Uuid::now_v7().to_string());
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    pub(crate) fn write(&self, path: &str, bytes: &[u8]) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

/// Returns bytes of which each differs from its neighbours.
pub(crate) fn bytes(many: usize) -> Vec<u8> {
    (0..many).map(|place| u8::try_from(place * 7 % 251).unwrap()).collect()
}
