//! `cargo dev mails`: every mail with example values, to check the wording in a browser.

use runner::places;
use runner::product::build;
use tokio::process::Command;
use tooling::command::run_attached;
use tooling::failure::Outcome;

use crate::cli;

/// Writes the mails to the folder `mails` of the state folder. `desk` renders them and prints the path of the index page.
pub(crate) async fn write(at: &cli::At) -> Outcome {
    build(false, &["desk"]).await?;
    let folder = places::state(at.state.as_deref()).join("mails");
    run_attached(Command::new(places::binary("desk", false)).arg("mails").arg(folder)).await
}
