//! An archive of content: a tar file with a folder for each service, and its manifest first.
//!
//! ```text
//! content.json       the manifest: the SHA-256 of every file, and their commit
//! content.sig        its Ed25519 signature in base64, if it is signed
//! commerce/products.yaml
//! lms/courses/101.yaml
//! …
//! ```
//!
//! The SHA-256 of the manifest is the version: the same files of the same commit give the same archive, byte for byte.
//! A reader uses only the files in the manifest. A truncated or changed archive is refused.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;

use aws_lc_rs::digest::{SHA256, digest};
use serde::{Deserialize, Serialize};
use tar::{Builder, EntryType, Header};

use super::{Folder, PublicKey, SigningKey};

/// Maximum size of an archive, in bytes. An import runs in the pod of a server and shares its memory limit: for an
/// archive of this size, lms needs about 90 MiB.
pub const SIZE_LIMIT: u64 = 16 * 1024 * 1024;
/// Maximum number of files.
pub const FILE_LIMIT: usize = 10_000;

const MANIFEST: &str = "content.json";
const SIGNATURE: &str = "content.sig";
/// Maximum length of a name in a ustar header.
const NAME_LIMIT: usize = 100;

/// The manifest of an archive.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    /// The Git commit of the files.
    commit: Option<String>,
    /// The SHA-256 of each file in hex, by path.
    files: BTreeMap<String, String>,
}

/// The version of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// The SHA-256 of the manifest, in hex.
    pub digest: String,
    /// The Git commit of its files. `None` if they have changes or are in no repository.
    pub commit: Option<String>,
}

/// `3f2a9c…`, followed by ` (commit 9564d3d…)` if it is known.
impl fmt::Display for Version {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.digest)?;
        match &self.commit {
            Some(commit) => write!(out, " (commit {commit})"),
            None => Ok(()),
        }
    }
}

/// A validated archive.
#[derive(Debug)]
pub struct Archive {
    /// Its version.
    pub version: Version,
    /// File contents by path.
    files: BTreeMap<String, Vec<u8>>,
}

impl Archive {
    /// Reads and validates an archive. With `key`, the archive must be signed by it. The error describes the fault.
    pub fn from_reader(from: impl Read, key: Option<&PublicKey>) -> Result<Self, String> {
        // One byte more, to detect a larger archive.
        let mut archive = tar::Archive::new(from.take(SIZE_LIMIT + 1));
        // Raw: long names and extended headers are entries of their own types, which are refused.
        let mut entries = archive.entries().map_err(|error| unreadable(&error))?.raw(true);
        let mut read = 0;
        let mut next = || -> Result<Option<(String, Vec<u8>)>, String> {
            let Some(entry) = entries.next() else { return Ok(None) };
            let mut entry = entry.map_err(|error| unreadable(&error))?;
            let name = String::from_utf8(entry.path_bytes().into_owned())
                .map_err(|error| format!("'{}' is not UTF-8", String::from_utf8_lossy(error.as_bytes())))?;
            check_name(&name)?;
            let kind = entry.header().entry_type();
            if kind != EntryType::Regular {
                return Err(format!("'{name}' is no file but {}", entry_kind(kind)));
            }
            read += entry.size().saturating_add(512);
            if read > SIZE_LIMIT {
                return Err(format!("it is larger than {} MiB", SIZE_LIMIT / 1024 / 1024));
            }
            let mut content = Vec::new();
            entry.read_to_end(&mut content).map_err(|error| unreadable(&error))?;
            if content.len() as u64 != entry.size() {
                return Err(format!("it ends within '{name}'"));
            }
            Ok(Some((name, content)))
        };

        let (name, listed) = next()?.ok_or("it is empty: is it piped in, with `kubectl exec -i`?")?;
        if name != MANIFEST {
            return Err(format!(
                "it begins with '{name}', not {MANIFEST}: make it with `cargo dev content pack`"
            ));
        }
        let manifest: Manifest =
            serde_json::from_slice(&listed).map_err(|error| format!("{MANIFEST}: {error}"))?;
        if manifest.files.len() > FILE_LIMIT {
            return Err(format!("it holds more than {FILE_LIMIT} files"));
        }
        let mut entry = next()?;
        let signature = entry.take_if(|(name, _)| name == SIGNATURE);
        if let Some(key) = key {
            let (_, signature) =
                signature.as_ref().ok_or("it is not signed, and CONTENT_PUBLIC_KEY is set")?;
            if !key.verifies(&listed, signature) {
                return Err("its signature is not by the key in CONTENT_PUBLIC_KEY".to_owned());
            }
        }
        if signature.is_some() {
            entry = next()?;
        }
        let mut files = BTreeMap::new();
        while let Some((name, content)) = entry {
            let wanted = manifest.files.get(&name).ok_or_else(|| format!("'{name}' is not in {MANIFEST}"))?;
            if sha256(&content) != *wanted {
                return Err(format!("'{name}' is not what {MANIFEST} says: it was changed on its way"));
            }
            if files.insert(name.clone(), content).is_some() {
                return Err(format!("'{name}' is in it twice"));
            }
            entry = next()?;
        }
        if let Some(name) = manifest.files.keys().find(|name| !files.contains_key(*name)) {
            return Err(format!("it ends before '{name}'"));
        }
        let version = Version { digest: sha256(&listed), commit: manifest.commit };
        Ok(Self { version, files })
    }

    /// The names of the services with a folder in it, in order.
    #[must_use]
    pub fn services(&self) -> Vec<&str> {
        let mut names: Vec<&str> =
            self.files.keys().filter_map(|path| Some(path.split_once('/')?.0)).collect();
        // Paths are sorted, so equal names are adjacent.
        names.dedup();
        names
    }

    /// The folder of one service; `None` if there is none.
    #[must_use]
    pub fn into_folder(self, service: &str) -> Option<Folder> {
        let prefix = format!("{service}/");
        let own =
            |(path, content): (String, Vec<u8>)| Some((path.strip_prefix(&prefix)?.to_owned(), content));
        let files: BTreeMap<_, _> = self.files.into_iter().filter_map(own).collect();
        if files.is_empty() { None } else { Some(Folder::in_memory(files)) }
    }
}

/// Writes an archive of `files` by path, like `lms/courses/101.yaml`. The error names the invalid file.
pub fn write(
    files: &BTreeMap<String, Vec<u8>>,
    commit: Option<String>,
    key: Option<&SigningKey>,
) -> Result<Vec<u8>, String> {
    let digests = files.iter().map(|(path, content)| (path.clone(), sha256(content))).collect();
    let manifest = serde_json::to_vec_pretty(&Manifest { commit, files: digests })
        .map_err(|error| format!("{MANIFEST}: {error}"))?;
    let mut tar = Builder::new(Vec::new());
    let mut add = |name: &str, content: &[u8]| -> Result<(), String> {
        check_name(name)?;
        if name.len() > NAME_LIMIT {
            return Err(format!("'{name}' is longer than {NAME_LIMIT} bytes"));
        }
        let mut header = Header::new_ustar();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        // Without time and owner, so that the same files give the same archive.
        header.set_mtime(0);
        tar.append_data(&mut header, name, content).map_err(|error| format!("'{name}': {error}"))
    };
    add(MANIFEST, &manifest)?;
    if let Some(key) = key {
        add(SIGNATURE, key.sign(&manifest).as_bytes())?;
    }
    for (path, content) in files {
        add(path, content)?;
    }
    let archive = tar.into_inner().map_err(|error| error.to_string())?;
    // An archive that a reader would refuse is not written.
    Archive::from_reader(&*archive, None)?;
    Ok(archive)
}

/// A path below the archive's root: nothing absolute, no `..`.
fn check_name(name: &str) -> Result<(), String> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..");
    if name.split('/').all(is_plain) && !name.contains(|sign: char| sign.is_control() || sign == '\\') {
        return Ok(());
    }
    Err(format!("'{}' is no path within the archive", name.escape_debug()))
}

fn unreadable(error: &std::io::Error) -> String {
    format!("it is no whole tar file: {error}")
}

fn entry_kind(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Symlink | EntryType::Link => "a link",
        EntryType::Directory => "a folder",
        EntryType::Char | EntryType::Block | EntryType::Fifo => "a device",
        _ => "an extension of tar",
    }
}

fn sha256(bytes: &[u8]) -> String {
    hex::encode(digest(&SHA256, bytes))
}

#[cfg(test)]
mod tests;
