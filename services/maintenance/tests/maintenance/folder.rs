//! A folder with a file of windows for one test.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-{count}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub(crate) fn file(&self) -> PathBuf {
        self.0.join("windows.yaml")
    }

    /// Overwrites the file.
    pub(crate) fn write(&self, text: &str) {
        fs::write(self.file(), text).unwrap();
    }

    /// Replaces the file by a rename, as many editors do.
    pub(crate) fn replace(&self, text: &str) {
        let new = self.0.join("windows.yaml.new");
        fs::write(&new, text).unwrap();
        fs::rename(new, self.file()).unwrap();
    }

    pub(crate) fn remove(&self) {
        fs::remove_file(self.file()).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A minimal valid window.
pub(crate) fn window(name: &str) -> String {
    format!(
        "apiVersion: ops.konomana.jp/v1alpha1
kind: MaintenanceWindow
metadata: {{ name: {name} }}
spec:
  scope: Site
  mode: Full
  title: メンテナンス中です
  message: しばらくお待ちください。
"
    )
}
