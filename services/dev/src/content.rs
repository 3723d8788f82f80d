//! `cargo dev content check`: what people would stumble over in the built site and in the content it is made from.

mod html;
mod site;
mod sources;
#[cfg(test)]
mod tests;

use std::path::Path;

use crate::cli::{Content, ContentCommand};
use crate::failure::{Outcome, fail};
use crate::places;
use site::Site;

/// Services with content of their own.
const SERVICES: [&str; 3] = ["lms", "desk", "commerce"];

/// Runs the command.
pub(crate) fn run(arguments: &Content) -> Outcome {
    match &arguments.command {
        ContentCommand::Check(given) => {
            let site = given.site.clone().unwrap_or_else(|| places::web().join("apps/site/dist/client"));
            let folders = if given.content.is_empty() { demo() } else { given.content.clone() };
            println!("{}", check(&site, &folders)?);
            Ok(())
        }
    }
}

/// The content that comes along with the sources.
pub(crate) fn demo() -> Vec<std::path::PathBuf> {
    SERVICES.iter().map(|name| places::service(name).join("demo")).filter(|folder| folder.is_dir()).collect()
}

/// Checks the site built at `site` and the content in `folders`; gives a line for who asked. What is wrong is told as
/// `file: what`, a line each.
pub(crate) fn check(site: &Path, folders: &[impl AsRef<Path>]) -> Outcome<String> {
    let site = Site::read(site)?;
    let mut faults = site.faults();
    let mut files = 0;
    for folder in folders {
        let sources = sources::read(folder.as_ref())?;
        files += sources.len();
        faults.extend(sources::faults(&sources, &site));
        faults.extend(sources::without_teacher(folder.as_ref(), &sources)?);
    }
    if faults.is_empty() {
        return Ok(format!("content: {} pages and {files} files, nothing wrong", site.pages()));
    }
    fail(format!("{}\ncontent: {} faults", faults.join("\n"), faults.len()))
}
