//! Packs an archive of content from a folder for each service.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use kit_content::SigningKey;
use kit_content::archive::{self, Archive};
use runner::places;
use tokio::process::Command;
use tooling::command::{find_program, run};
use tooling::failure::{Doing as _, Outcome, fail};

use super::SERVICES;
use crate::cli::ContentPack;

/// Writes an archive to a file.
pub(super) async fn write(arguments: &ContentPack) -> Outcome {
    let key = match &arguments.sign {
        None => None,
        Some(file) => {
            let text = fs::read_to_string(file).doing(|| format!("reading {}", file.display()))?;
            Some(text.parse().map_err(|reason| format!("{} {reason}", file.display()))?)
        }
    };
    let archive = pack(arguments.from.folder.as_deref(), key.as_ref()).await?;
    let out = &arguments.out;
    fs::write(out, &archive).doing(|| format!("writing {}", out.display()))?;
    let version = Archive::from_reader(&*archive, None)?.version;
    println!("{}: version {version}{}", out.display(), if key.is_some() { ", signed" } else { "" });
    println!("next: cargo dev content push {} --namespace NAMESPACE", out.display());
    Ok(())
}

/// Packs the folders in `folder`, or the demo content.
pub(super) async fn pack(folder: Option<&Path>, key: Option<&SigningKey>) -> Outcome<Vec<u8>> {
    let folders = match folder {
        Some(folder) => service_folders(folder)?,
        None => {
            ["auth"].iter().chain(&SERVICES).map(|name| (*name, places::service(name).join("demo"))).collect()
        }
    };
    let mut files = BTreeMap::new();
    for (service, folder) in &folders {
        add_files(folder, service, &mut files)?;
    }
    let commit = commit(&folders).await?;
    Ok(archive::write(&files, commit, key)
        .map_err(|fault| format!("the archive cannot be created: {fault}"))?)
}

/// Returns the folders in `folder`, one for each service. Any other folder is an error.
fn service_folders(folder: &Path) -> Outcome<Vec<(&'static str, PathBuf)>> {
    let of = || format!("reading {}", folder.display());
    for entry in fs::read_dir(folder).doing(of)? {
        let entry = entry.doing(of)?;
        let name = entry.file_name();
        let is_hidden = name.as_encoded_bytes().starts_with(b".");
        if entry.path().is_dir() && !is_hidden && !SERVICES.iter().any(|service| name == *service) {
            let services = SERVICES.join(", ");
            return fail(format!("{} is not the folder of a service: {services}", entry.path().display()));
        }
    }
    let folders: Vec<_> =
        SERVICES.iter().map(|name| (*name, folder.join(name))).filter(|(_, path)| path.is_dir()).collect();
    if folders.is_empty() {
        return fail(format!("{} has no folder {}", folder.display(), SERVICES.join(", ")));
    }
    Ok(folders)
}

/// Adds the files below `folder`, except hidden ones, under `path` of the archive.
fn add_files(folder: &Path, path: &str, files: &mut BTreeMap<String, Vec<u8>>) -> Outcome {
    let of = || format!("reading {}", folder.display());
    for entry in fs::read_dir(folder).doing(of)? {
        let entry = entry.doing(of)?;
        let name =
            entry.file_name().into_string().map_err(|name| format!("{} is not UTF-8", name.display()))?;
        let (place, path) = (entry.path(), format!("{path}/{name}"));
        let kind = entry.file_type().doing(of)?;
        if name.starts_with('.') {
        } else if kind.is_dir() {
            add_files(&place, &path, files)?;
        } else if kind.is_file() {
            files.insert(path, fs::read(&place).doing(|| format!("reading {}", place.display()))?);
        } else {
            return fail(format!("{} is a symbolic link: an archive contains only files", place.display()));
        }
    }
    Ok(())
}

/// Returns the commit of all `folders`; `None` if a file has changed since, or is not in git.
async fn commit(folders: &[(&str, PathBuf)]) -> Outcome<Option<String>> {
    let (Some(program), Some((_, first))) = (find_program("git"), folders.first()) else { return Ok(None) };
    let head = run(Command::new(&program).args(["rev-parse", "HEAD"]).current_dir(first)).await?;
    let mut status = Command::new(&program);
    status.args(["status", "--porcelain", "--ignored", "--"]).current_dir(first);
    for (_, folder) in folders {
        status.arg(fs::canonicalize(folder).doing(|| format!("reading {}", folder.display()))?);
    }
    let status = run(&mut status).await?;
    let is_clean = head.status.success() && status.status.success() && status.stdout.trim().is_empty();
    Ok(is_clean.then(|| head.stdout.trim().to_owned()))
}
