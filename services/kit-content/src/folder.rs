//! A folder of content, on disk or in an archive.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;

/// A folder of content.
pub struct Folder(Place);

enum Place {
    Disk(PathBuf),
    /// File contents by path relative to the folder, like `courses/101.yaml`.
    Memory(BTreeMap<String, Vec<u8>>),
}

impl Folder {
    /// The folder at `path`. Reads nothing yet.
    #[must_use]
    pub fn on_disk(path: impl Into<PathBuf>) -> Self {
        Self(Place::Disk(path.into()))
    }

    /// A folder of these files, by path relative to the folder.
    pub(super) fn in_memory(files: BTreeMap<String, Vec<u8>>) -> Self {
        Self(Place::Memory(files))
    }

    /// Whether it has the file `name`, a path relative to the folder.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        match &self.0 {
            Place::Disk(path) => path.join(name).exists(),
            Place::Memory(files) => files.contains_key(name),
        }
    }

    /// Whether there are files in `part`, a path relative to the folder.
    #[must_use]
    pub fn has_part(&self, part: &str) -> bool {
        match &self.0 {
            Place::Disk(path) => path.join(part).is_dir(),
            Place::Memory(files) => {
                let prefix = format!("{part}/");
                files.keys().any(|name| name.starts_with(&prefix))
            }
        }
    }

    /// The text of the file `name`, a path relative to the folder.
    pub fn read_file(&self, name: &str) -> io::Result<String> {
        match &self.0 {
            Place::Disk(path) => fs::read_to_string(path.join(name)),
            Place::Memory(files) => {
                let bytes = files.get(name).ok_or_else(not_found)?;
                String::from_utf8(bytes.clone())
                    .map_err(|_| io::Error::new(ErrorKind::InvalidData, "stream did not contain valid UTF-8"))
            }
        }
    }

    /// The paths of the entries of `part`, relative to the folder. Hidden files are omitted.
    pub(super) fn list(&self, part: &str) -> io::Result<Vec<String>> {
        match &self.0 {
            Place::Disk(path) => {
                let mut names = Vec::new();
                for entry in fs::read_dir(path.join(part))? {
                    let name = entry?.file_name();
                    let name = name.to_str().ok_or(ErrorKind::InvalidFilename)?;
                    if !name.starts_with('.') {
                        names.push(format!("{part}/{name}"));
                    }
                }
                Ok(names)
            }
            Place::Memory(files) => {
                let prefix = format!("{part}/");
                let is_in = |name: &&String| {
                    name.strip_prefix(&prefix)
                        .is_some_and(|rest| !rest.contains('/') && !rest.starts_with('.'))
                };
                let names: Vec<String> = files.keys().filter(is_in).cloned().collect();
                if names.is_empty() { Err(not_found()) } else { Ok(names) }
            }
        }
    }
}

/// The error text of the operating system, so that folders and archives report the same faults.
fn not_found() -> io::Error {
    io::Error::from_raw_os_error(rustix::io::Errno::NOENT.raw_os_error())
}
