//! `cargo dev content`: checks the built site and its content for faults that visitors would notice, and
//! imports content into a cluster.

mod html;
mod lessons;
mod pack;
mod push;
mod site;
mod sources;
#[cfg(test)]
mod tests;

use std::path::Path;

use runner::places;
use tooling::failure::{Outcome, fail};

use crate::cli::{Content, ContentCommand};
use site::Site;

/// Services with content, in the order of their imports: exams refer to lessons, products to courses and exams.
const SERVICES: [&str; 4] = ["lms", "exam", "commerce", "desk"];

/// Runs the command.
pub(crate) async fn run(arguments: &Content) -> Outcome {
    match &arguments.command {
        ContentCommand::Pack(given) => pack::write(given).await,
        ContentCommand::Push(given) => push::push(given).await,
        ContentCommand::Status(given) => push::status(&given.cluster).await,
        ContentCommand::Check(given) => {
            let site = given.site.clone().unwrap_or_else(|| places::web().join("apps/site/dist/client"));
            let folders = if given.content.is_empty() { demo() } else { given.content.clone() };
            let checked = check(&site, &folders)?;
            for fault in &checked.faults {
                println!("{fault}");
            }
            println!("content: {} pages and {} files", checked.pages, checked.files);
            match checked.faults.len() {
                0 => Ok(()),
                faults => fail(format!("{faults} faults")),
            }
        }
    }
}

/// The result of a check.
pub(crate) struct ContentReport {
    pages: usize,
    files: usize,
    /// The faults, each a line `file: fault`.
    pub(crate) faults: Vec<String>,
}

/// The folders of the demo content.
pub(crate) fn demo() -> Vec<std::path::PathBuf> {
    SERVICES.iter().map(|name| places::service(name).join("demo")).collect()
}

/// Checks the site built at `site` and the content in `folders`.
pub(crate) fn check(site: &Path, folders: &[impl AsRef<Path>]) -> Outcome<ContentReport> {
    let site = Site::open(site)?;
    let mut checked = ContentReport { pages: site.pages(), files: 0, faults: site.faults() };
    let mut all = Vec::new();
    for folder in folders {
        let sources = sources::read_sources(folder.as_ref())?;
        checked.files += sources.len();
        checked.faults.extend(sources::faults(folder.as_ref(), &sources, &site));
        checked.faults.extend(sources::without_teacher(folder.as_ref(), &sources)?);
        all.extend(sources);
    }
    checked.faults.extend(lessons::faults(&all)?);
    Ok(checked)
}
