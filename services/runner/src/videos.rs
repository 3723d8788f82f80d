//! The demo lessons as videos and as printable pages, in the folder that the edge serves.

use tokio::process::Command;
use tooling::command::run_or_fail;
use tooling::failure::Outcome;

use crate::places;
use crate::state::State;

/// The program that renders them. The `dev` profile optimizes it and its dependencies, so it has no release build.
pub const STUDIO: &str = "studio";

/// Renders the lessons that are new or changed: about a minute for all of them.
pub async fn draw_lessons(state: &State) -> Outcome {
    let mut studio = Command::new(places::binary(STUDIO, false));
    studio
        .arg("draw")
        .arg(places::service("lms").join("demo/courses"))
        .arg(places::media())
        .arg("--fonts")
        .arg(places::fonts());
    run_or_fail(&mut studio, &state.log("studio")).await?;
    Ok(())
}
