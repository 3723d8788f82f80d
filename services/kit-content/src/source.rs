//! The source of an import: a folder, or an archive with its version.

use std::fs::File;
use std::io::stdin;
use std::path::{Path, PathBuf};

use kit::Failure;

use super::archive::{Archive, Version};
use super::{Folder, PublicKey};

/// The source of an import.
pub struct Source {
    /// The service's own folder.
    pub folder: Folder,
    /// The version of the archive; `None` for a folder on disk.
    pub version: Option<Version>,
}

impl Source {
    /// Opens `path` for `service`: a folder, an archive, or `-` for an archive on standard input. With a key, only an
    /// archive signed by it is accepted. Blocks while it reads.
    pub fn open(service: &str, path: &Path, key: Option<&PublicKey>) -> Result<Self, Failure> {
        let read = if path == Path::new("-") {
            Archive::from_reader(stdin().lock(), key)
        } else if path.is_dir() || !path.exists() {
            if key.is_some() {
                return Err(
                    "nothing was imported: CONTENT_PUBLIC_KEY is set, so only a signed archive will do"
                        .into(),
                );
            }
            return Ok(path.into());
        } else {
            Archive::from_reader(File::open(path)?, key)
        };
        let archive =
            read.map_err(|fault| format!("nothing was imported: the archive can't be used: {fault}"))?;
        let version = archive.version.clone();
        let folder = archive
            .into_folder(service)
            .ok_or_else(|| format!("nothing was imported: the archive has no folder {service}/"))?;
        Ok(Self { folder, version: Some(version) })
    }
}

impl From<&Path> for Source {
    fn from(path: &Path) -> Self {
        Self { folder: Folder::on_disk(path), version: None }
    }
}

impl From<&PathBuf> for Source {
    fn from(path: &PathBuf) -> Self {
        path.as_path().into()
    }
}
