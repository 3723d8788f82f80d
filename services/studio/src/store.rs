//! The store of drawn files. A folder is written completely or not at all, and records the digest of its
//! sources.

use std::fs;
use std::hash::{DefaultHasher, Hasher as _};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::Outcome;

/// File with the digest of a folder's sources. It has no extension, so it is never served.
const DIGEST: &str = "digest";
/// Folder that is being written. Its name is not valid in a URL.
const NEXT: &str = ".next";

/// A store, locked for one run.
pub(crate) struct Store {
    root: PathBuf,
    _lock: fs::File,
}

/// Files by name.
pub(crate) type Files = Vec<(String, Vec<u8>)>;

impl Store {
    /// Opens the store, and deletes unfinished folders of a killed run.
    pub(crate) fn open(root: &Path) -> Outcome<Self> {
        let doing = |error| format!("{}: {error}", root.display());
        fs::create_dir_all(root).map_err(doing)?;
        let lock = fs::File::create(root.join(".lock")).map_err(doing)?;
        lock.lock().map_err(doing)?;
        remove(&root.join(NEXT))?;
        Ok(Self { root: root.to_owned(), _lock: lock })
    }

    /// Whether the folder `name` was made from `digest`.
    pub(crate) fn contains(&self, name: &str, digest: u64) -> bool {
        fs::read_to_string(self.root.join(name).join(DIGEST)).is_ok_and(|text| text == digest.to_string())
    }

    /// Replaces the files of the folder `name`.
    pub(crate) fn write(&self, name: &str, digest: u64, files: Files) -> Outcome {
        let place = self.root.join(name);
        let next = self.root.join(NEXT).join(name.replace('/', "-"));
        for (file, bytes) in files.into_iter().chain([(DIGEST.to_owned(), digest.to_string().into_bytes())]) {
            let path = next.join(file);
            fs::create_dir_all(path.parent().unwrap_or(&next))?;
            fs::write(&path, bytes).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        remove(&place)?;
        fs::create_dir_all(place.parent().unwrap_or(&self.root))?;
        fs::rename(&next, &place).map_err(|error| format!("{}: {error}", place.display()).into())
    }
}

fn remove(folder: &Path) -> Outcome {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != ErrorKind::NotFound => {
            Err(format!("deleting {}: {error}", folder.display()).into())
        }
        _ => Ok(()),
    }
}

/// Digest of `parts`.
pub(crate) fn digest(parts: &[&[u8]]) -> u64 {
    let mut hasher = DefaultHasher::new();
    for part in parts {
        hasher.write_usize(part.len());
        hasher.write(part);
    }
    hasher.finish()
}
